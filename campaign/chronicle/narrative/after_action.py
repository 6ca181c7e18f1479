"""The after-action report of a closed battle, as a page and as a picture to share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy, pgettext

from campaign.battles.models import Battle
from campaign.battles.models.battle import BEFORE_PLAY
from campaign.chronicle.narrative import battle_story
from campaign.star_map.queries import lines_of_battles
from core.pdf import to_png
from registers.models import Dossier
from registers.pages.hero import shield_of
from registers.print.preview import opener
from rules.core.values import KeywordValue, Value
from rules.register import effects as e
from uploads.models import Picture

#: The most names in one line of the picture; a number stands for the others.
MOST_NAMES = 3
#: The sizes of the picture in pixels, by its shape: the one that messengers show next to a link, and a square.
SHAPES: Mapping[str, tuple[int, int]] = {"wide": (1200, 630), "square": (1080, 1080)}
#: The lines for which a box has room, if there are two.
LINES: Mapping[str, int] = {"wide": 2, "square": 3}
LOOKS = ("light", "dark")
#: The gains that a report shows.
GAINS: Mapping[type[e.Effect], Any] = {
    e.SupplyPointsGained: gettext_lazy("SP"),
    e.ExperienceGained: gettext_lazy("XP"),
    e.CombatPotentialRaised: gettext_lazy("Combat Potential"),
    e.ReputationGained: gettext_lazy("Reputation"),
}
#: A Veteran Rank that makes a hero before anything that happens in each battle.
HIGH_RANK = 3


class Hero(Value):
    """The unit of a side that did most, and why in a few words."""

    name: str
    why: str


class SideReport(KeywordValue):
    """One side in the report. `foe` is the name of the other one. Numbers are pairs of a name and an amount."""

    story: battle_story.SideStory
    foe: str
    won: bool

    @property
    def gains(self) -> list[tuple[str, int]]:
        """What the side gained, without what it spent."""
        amounts = self.story.gains
        return [*self.story.agendas, *((label, amounts[kind]) for kind, label in GAINS.items() if amounts.get(kind))]

    @property
    def reputation(self) -> int:
        """How much Reputation the side gained."""
        return self.story.gains.get(e.ReputationGained, 0)

    @property
    def hero(self) -> Hero:
        """The unit with the rarest deed. The first of these: an escape on several dice, a high rank, the unit the
        opponent feared, an honor, any new rank, any escape, a unit at an objective; the Paragon.
        """
        story = self.story
        ranks = sorted(story.ranks, key=lambda reached: reached[1], reverse=True)
        escaped = sorted(story.escaped, key=lambda rolled: len(rolled[1]), reverse=True)
        daily = story.feared or story.commendations
        if escaped and (len(escaped[0][1]) > 1 or not (daily or ranks)):
            unit, faces = escaped[0]
            return Hero(unit, gettext("Escaped on %(faces)s") % {"faces": battle_story.dice_in_words(faces)})
        if ranks and (ranks[0][1] >= HIGH_RANK or not daily):
            unit, rank = ranks[0]
            return Hero(unit, gettext("Reached Veteran Rank %(rank)s") % {"rank": rank})
        if story.feared:
            return Hero(story.feared, gettext("Named Most Feared Rival by %(foe)s") % {"foe": self.foe})
        if story.commendations:
            unit, card = story.commendations[0]
            return Hero(unit, gettext("Earned %(commendation)s") % {"commendation": card})
        if story.holding:
            return Hero(story.holding[0], gettext("At an objective at the end"))
        if story.paragon:
            return Hero(story.paragon, gettext("Led %(register)s") % {"register": story.name})
        return Hero(story.name, gettext("Fought without a Register"))

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """Losses and honors in figures."""
        story = self.story
        return [
            (gettext("Defeated"), story.defeated),
            (gettext("Escaped"), len(story.escaped)),
            (gettext("Fallen"), len(story.fallen)),
            (gettext("Honors"), len(story.ranks) + len(story.commendations)),
        ]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Who rose, escaped and fell, a line each; only what happened."""
        story = self.story
        on = pgettext("a unit and its dice", "%(unit)s on %(what)s")
        medals = [f"{unit}: {card}" for unit, card in story.commendations]
        ranks = [gettext("%(unit)s (VR %(rank)s)") % {"unit": unit, "rank": rank} for unit, rank in story.ranks]
        lines = {
            gettext("Promoted"): ranks,
            gettext("Honored"): medals,
            gettext("Escaped"): [
                on % {"unit": unit, "what": battle_story.dice_in_words(faces)} for unit, faces in story.escaped
            ],
            gettext("Fallen"): list(story.fallen),
            gettext("Agendas"): [f"{agenda} +{times}" for agenda, times in story.agendas],
        }
        return [(label, _shortened(names)) for label, names in lines.items() if names]


class AfterAction(Value):
    """The report of a battle, blue first. `map_line` says what changed on the star map, and `upcoming` is the next
    battle of either side. `portrait` is the hero's, or its `shield` stands for it.
    """

    story: battle_story.BattleStory
    sides: tuple[SideReport, SideReport]
    map_line: str = ""
    upcoming: Battle | None = None
    portrait: Picture | None = None
    shield: int = 0

    @property
    def headline(self) -> str:
        """Who won, in a sentence."""
        return battle_story.narrate(self.story).headline

    @property
    def hero_side(self) -> SideReport:
        """The side whose hero is that of the battle: the winner if it has a Register, then one with a high rank."""
        ranked = [any(rank >= HIGH_RANK for _, rank in side.story.ranks) for side in self.sides]
        weights = [(side.story.has_sequence, side.won, high) for side, high in zip(self.sides, ranked, strict=True)]
        return self.sides[weights.index(max(weights))]

    @property
    def score(self) -> str:
        """The victory points, blue first; empty if none were reported."""
        blue, red = (side.victory_points for side in self.story.sides)
        return f"{blue}–{red}" if self.story.is_scored else ""

    @property
    def losses(self) -> str:
        """The units that each side lost, blue first, in the place of a score; empty if a side has no Register."""
        blue, red = (side.defeated for side in self.story.sides)
        known = all(side.has_sequence for side in self.story.sides)
        return f"{blue}–{red}" if known and (blue or red) and not self.score else ""


def report_of(battle: Battle) -> AfterAction:
    """Return the report of a closed battle whose sides are prefetched with their Registers: eight queries."""
    found = report_of_story(battle_story.battle_stories([battle])[battle.pk])
    registers = [side.register_id for side in battle.sides.all() if side.register_id]
    planned = Battle.objects.filter(campaign=battle.campaign_id, status__in=BEFORE_PLAY, sides__register__in=registers)
    return replace(
        _with_portrait(found),
        map_line=lines_of_battles([battle]).get(battle.pk, ""),
        upcoming=planned.order_by("date", "number").first(),
    )


def _with_portrait(report: AfterAction) -> AfterAction:
    """Return the report with the picture of its hero, or the shield that stands for it. One query."""
    hero = report.hero_side
    unit = Dossier.objects.filter(register=hero.story.key or None, key=hero.story.keys.get(hero.hero.name, ""))
    if row := unit.select_related("picture", "unit").first():
        return replace(report, portrait=row.picture, shield=shield_of(row.unit.slug, row.key))
    return report


def picture_of(battle: Battle, *, shape: str, look: str, portrait: bool = False) -> bytes:
    """Return the report as a PNG that says no more than the public chronicle: of a size of SHAPES, in a look of LOOKS.
    With `portrait` it shows the hero's, which only members of the campaign see. Raises what `core.pdf.to_png` raises.
    """
    report = report_of_story(battle_story.battle_stories([battle])[battle.pk])
    report = _with_portrait(report) if portrait else report
    html = picture_html(report, battle.campaign.name, shape=shape, look=look)
    return picture_png(html, *SHAPES[shape], report.portrait and report.portrait.pk)


def picture_html(report: AfterAction, campaign: str, *, shape: str, look: str) -> str:
    """Return the document of a picture: the hero, and a box for each side with a Register."""
    boxes = [side for side in report.sides if side.story.has_sequence]
    lines = 5 if len(boxes) == 1 else LINES[shape]
    context = {
        "report": report, "campaign": campaign, "boxes": boxes, "room": f":{lines}", "shape": shape, "look": look,
    }  # fmt: skip
    return render_to_string("chronicle/after_action_picture.html", context)


@lru_cache(maxsize=64)  # drawing takes half a second, and anyone with the link may ask for it
def picture_png(html: str, width: int, height: int, portrait: UUID | None = None) -> bytes:
    """Return a document as a PNG of this size in pixels. Raises what `core.pdf.to_png` raises."""
    opened = opener(Picture.objects.in_bulk([portrait])) if portrait else None
    return to_png(html, width=width, height=height, opened=opened)


def report_of_story(story: battle_story.BattleStory) -> AfterAction:
    """Return the part of a battle's report that its story tells. No query."""
    blue, red = (
        SideReport(story=side, foe=other.name, won=story.winner == side.colour)
        for side, other in (story.sides, story.sides[::-1])
    )
    return AfterAction(story, (blue, red))


def _shortened(names: Sequence[str]) -> str:
    shown, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    return ", ".join(shown) + (gettext(" and %(number)s more") % {"number": more} if more > 0 else "")
