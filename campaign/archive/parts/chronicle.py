"""The activity log and the stories of a campaign in the file."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.scope import Scope, moment, plain
from campaign.chronicle.models import Story
from campaign.models import Activity, ActivityKind

#: Facts that name people in lines of every kind; `named_in` adds those of one kind.
PEOPLE = ("user", "invited_by")
PEOPLE_OF = {ActivityKind.GIVEN.value: ("user", "before")}
WRITING = ("title", "byline", "text", "version")
#: How many rows are read at a time.
AT_ONCE = 200


def written(scope: Scope) -> dict[str, Iterator[dict[str, Any]]]:
    """Return the lines of the activity log, oldest first, and the stories without withdrawn ones: they have no text."""
    events = scope.campaign.activity.order_by("at", "pk")
    stories = scope.campaign.stories.filter(withdrawn_at=None).order_by("written_at", "pk")
    return {
        "events": (_event_written(scope, event) for event in events.iterator(chunk_size=AT_ONCE)),
        "stories": (_story_written(scope, story) for story in stories.iterator(chunk_size=AT_ONCE)),
    }


def _event_written(scope: Scope, event: Activity) -> dict[str, Any]:
    for name in named_in(event.kind):
        scope.person(event.facts.get(name))
    return {
        "kind": event.kind,
        "battle": str(event.battle_id) if event.battle_id else None,
        "actor": scope.person(event.actor_id),
        "on_behalf_of": scope.person(event.on_behalf_of_id),
        "facts": event.facts,
        "at": moment(event.at),
    }


def _story_written(scope: Scope, story: Story) -> dict[str, Any]:
    return {
        "id": str(story.pk),
        **plain(story, *WRITING),
        "battle": str(story.battle_id) if story.battle_id else None,
        "author": scope.person(story.author_id),
        "written_at": moment(story.written_at),
        "changed_at": moment(story.changed_at),
    }


def bring(arrival: Arrival) -> None:
    """Create the lines of the activity log and the stories."""
    Activity.objects.bulk_create(_event(arrival, row) for row in arrival.data["events"])
    Story.objects.bulk_create(_story(arrival, row) for row in arrival.data["stories"])


def _event(arrival: Arrival, row: Mapping[str, Any]) -> Activity:
    facts, names = row["facts"], named_in(row["kind"])
    people = {name: arrival.people[facts[name]].pk for name in names if type(facts.get(name)) is int}
    return Activity(
        campaign=arrival.campaign,
        battle=arrival.battles.get(row["battle"]),
        kind=row["kind"],
        actor=arrival.person(row["actor"]),
        on_behalf_of=arrival.person(row["on_behalf_of"]),
        facts=facts | people,
        at=when(row["at"]),
    )


def _story(arrival: Arrival, row: Mapping[str, Any]) -> Story:
    return Story(
        pk=UUID(row["id"]),
        campaign=arrival.campaign,
        battle=arrival.battles.get(row["battle"]),
        author=arrival.people[row["author"]],
        written_at=when(row["written_at"]),
        changed_at=when(row["changed_at"]),
        **{name: row[name] for name in WRITING},
    )


def named_in(kind: str) -> tuple[str, ...]:
    """Return the facts that name people in a line of this kind."""
    return PEOPLE_OF.get(kind, PEOPLE)
