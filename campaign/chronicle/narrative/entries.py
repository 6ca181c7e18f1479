"""The entries of a chronicle page: closed battles with the stories about them, and stories about the campaign."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.timezone import localdate

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.queries.battles import versus
from campaign.chronicle.models import BattlePhoto, Story
from campaign.chronicle.narrative.battle_story import BattleNarrative, BattleStory, battle_stories, narrate
from campaign.models import Campaign
from campaign.star_map.queries import lines_of_battles
from rules.core.values import KeywordValue
from uploads.models import Picture

BATTLE, STORY = "battle", "story"


class Entry(KeywordValue):
    """A battle, or a story about no battle. `battle_story` and `narrative` are set for closed battles, and their title
    is its headline. `map_line` says what a battle changed on the star map.
    """

    key: UUID
    at: datetime
    title: str
    battle: Battle | None = None
    battle_story: BattleStory | None = None
    narrative: BattleNarrative | None = None
    stories: list[Story] = field(default_factory=list)
    pictures: Sequence[Picture] = ()
    map_line: str = ""

    @property
    def changed_at(self) -> datetime:
        """When the entry last changed."""
        return max([self.at, *(story.changed_at or story.written_at for story in self.stories)])

    @property
    def day(self) -> date:
        """The day of its battle, or on which it was written."""
        return self.battle.date if self.battle else localdate(self.at)

    @property
    def anchor(self) -> str:
        """The id of its heading on a page."""
        return f"battle-{self.battle.number}" if self.battle else f"piece-{self.key}"


def entries_of(campaign: Campaign, *, only: UUID | None = None) -> QuerySet[Any]:
    """Return the entries of a campaign, newest first, as rows for `entries` that a Paginator can slice. `only` limits
    them to one entry.
    """
    closed = campaign.battles.filter(status=Battle.Status.CLOSED).order_by()
    stories = campaign.stories.filter(battle=None, withdrawn_at=None).order_by()
    if only:
        closed, stories = closed.filter(pk=only), stories.filter(pk=only)
    rows = closed.annotate(at=Coalesce("closed_at", "created_at"), kind=Value(BATTLE, CharField()))
    others = stories.annotate(at=F("written_at"), kind=Value(STORY, CharField()))
    values = ("pk", "at", "kind")
    return rows.values(*values).union(others.values(*values), all=True).order_by("-at", "pk")


def entries(rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """Load the entries for rows of `entries_of`: nine queries at most, however many rows there are."""
    battles, stories = [], []
    for row in (rows := list(rows)):
        (battles if row["kind"] == BATTLE else stories).append(row["pk"])
    found = {}
    if battles:
        read = Battle.objects.filter(pk__in=battles).prefetch_related(SIDES)
        found = {entry.key: entry for entry in battle_entries(list(read))}
    if stories:
        written = Story.objects.filter(pk__in=stories).select_related("author")
        found |= {each.pk: Entry(key=each.pk, at=each.written_at, title=each.title, stories=[each]) for each in written}
    return [found[row["pk"]] for row in rows if row["pk"] in found]


def battle_entries(battles: Sequence[Battle]) -> list[Entry]:
    """Return the entries of these battles, with the stories about them: six queries. Sides must be prefetched."""
    stories, pictures = defaultdict[Any, list[Story]](list), defaultdict[UUID, list[Picture]](list)
    written = Story.objects.filter(battle__in=battles, withdrawn_at=None).select_related("author")
    for story in written.order_by("written_at", "pk"):
        stories[story.battle_id].append(story)
    for each in BattlePhoto.objects.filter(battle__in=battles).select_related("picture").order_by("pk"):
        pictures[each.battle_id].append(each.picture)
    known, on_map, found = battle_stories(battles), lines_of_battles(battles), []
    for battle in battles:
        battle_story = known.get(battle.pk)
        narrative = narrate(battle_story) if battle_story else None
        entry = Entry(
            key=battle.pk,
            at=battle.closed_at or battle.created_at,
            title=narrative.headline if narrative else versus(battle),
            battle=battle,
            battle_story=battle_story,
            narrative=narrative,
            stories=stories[battle.pk],
            pictures=pictures[battle.pk],
            map_line=on_map.get(battle.pk, ""),
        )
        found.append(entry)
    return found
