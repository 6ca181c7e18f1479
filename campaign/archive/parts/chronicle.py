"""The activity log and the stories of a campaign in the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.chronicle.models import Story
from campaign.models import Activity, ActivityKind

#: Facts that name people in lines of every kind; `named_in` adds those of one kind.
PEOPLE = ("user", "invited_by")
PEOPLE_OF = {ActivityKind.GIVEN.value: ("user", "before")}
EVENT = ("kind", "battle", "actor", "on_behalf_of", "facts", "at")
STORY = ("id", "title", "byline", "text", "version", "battle", "author", "written_at", "changed_at")
#: How many rows are read at a time.
AT_ONCE = 200


def written(scope: Scope) -> dict[str, Iterator[dict[str, Any]]]:
    """Return the lines of the activity log, oldest first, and the stories without withdrawn ones: they have no text."""
    events = scope.campaign.activity.order_by("at", "pk")
    stories = scope.campaign.stories.filter(withdrawn_at=None).order_by("written_at", "pk")
    return {
        "events": (_event_written(scope, event) for event in events.iterator(chunk_size=AT_ONCE)),
        "stories": (scope.values(story, *STORY) for story in stories.iterator(chunk_size=AT_ONCE)),
    }


def _event_written(scope: Scope, event: Activity) -> dict[str, Any]:
    for name in named_in(event.kind):
        scope.person(event.facts.get(name))
    return scope.values(event, *EVENT)


def bring(arrival: Arrival) -> None:
    """Create the lines of the activity log and the stories."""
    Activity.objects.bulk_create(_event(arrival, row) for row in arrival.data["events"])
    Story.objects.bulk_create(
        Story(campaign=arrival.campaign, **arrival.values(Story, row, *STORY)) for row in arrival.data["stories"]
    )


def _event(arrival: Arrival, row: Mapping[str, Any]) -> Activity:
    facts, names = row["facts"], named_in(row["kind"])
    people = {name: arrival.people[facts[name]].pk for name in names if type(facts.get(name)) is int}
    values = arrival.values(Activity, row, *EVENT)
    return Activity(campaign=arrival.campaign, **{**values, "facts": facts | people})


def named_in(kind: str) -> tuple[str, ...]:
    """Return the facts that name people in a line of this kind."""
    return PEOPLE_OF.get(kind, PEOPLE)
