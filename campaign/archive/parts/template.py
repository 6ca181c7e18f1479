"""The contents of a campaign file without its people and what they did: a template for a new campaign."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from campaign.archive.parts import arcs, campaign, schedule, star_map, teams
from campaign.archive.parts.reading import CAMPAIGN_FILE
from campaign.archive.parts.scope import Scope, moment
from campaign.models import Campaign
from campaign.star_map.layouts import LAYOUTS
from core.time_zones import site_zone
from rules.core.campaign_rules import TRILOGY
from rules.core.values import KeywordValue

Data = Mapping[str, Any]
#: The parts of a file that a template has nothing of.
EMPTY = ("registers", "battles", "rounds", "events", "stories", "pictures", "people")


class Shipped(KeywordValue):
    """A template that ships with Musterbook. `phases` have a name, weeks, and the points of a game; `layout` is one of
    LAYOUTS or empty; `length` is in Story Arcs (None: open-ended).
    """

    name: Any
    about: Any
    length: int | None
    phases: tuple[tuple[Any, int, int], ...]
    teams: tuple[tuple[Any, str, str], ...] = ()
    layout: str = ""


SHIPPED = {
    "winter": Shipped(
        name=gettext_lazy("Trilogy of a winter"),
        about=gettext_lazy("three Story Arcs in three chapters of a month"),
        length=TRILOGY,
        phases=(
            (gettext_lazy("First frost"), 4, 600), (gettext_lazy("Deep winter"), 4, 800),
            (gettext_lazy("Thaw"), 4, 1000),
        ),
    ),
    "escalation": Shipped(
        name=gettext_lazy("Escalation league"),
        about=gettext_lazy("games grow from 500 to 1000 points every two weeks"),
        length=None,
        phases=tuple((gettext_lazy("Games of %(points)s"), 2, points) for points in (500, 600, 800, 1000)),
    ),
    "map": Shipped(
        name=gettext_lazy("Map campaign for two teams"),
        about=gettext_lazy("two teams fight for twelve systems"),
        length=None,
        phases=((gettext_lazy("The war for the map"), 12, 800),),
        teams=((gettext_lazy("Blue team"), "azure", "shield"), (gettext_lazy("Red team"), "crimson", "star")),
        layout="12",
    ),
}  # fmt: skip


def content_of(source: Campaign) -> dict[str, Any]:
    """Return what a template takes from a campaign, as in its file."""
    scope = Scope(source)
    return {
        "campaign": campaign.written(scope),
        "story_arcs": list(arcs.written(scope)),
        "teams": teams.written(scope),
        "systems": star_map.written(scope),
        "phases": schedule.written(scope)["phases"],
    }


def content_of_shipped(slug: str) -> dict[str, Any]:
    """Return a template that ships with Musterbook as the contents of a file. Raises KeyError for an unknown one."""
    template = SHIPPED[slug]
    phases, first = [], date(2026, 1, 1)
    for name, weeks, size in template.phases:
        last = first + timedelta(weeks=weeks, days=-1)
        words = {"id": str(uuid4()), "name": str(name) % {"points": size}, "size": size, "note": "", "version": 1}
        phases.append({**words, "first_day": first.isoformat(), "last_day": last.isoformat()})
        first = last + timedelta(days=1)
    return {
        "campaign": {
            "id": str(uuid4()), "house_rules": "", "campaign_rules_version": 1, "time_zone": site_zone(),
            "campaign_rules": {"length": template.length} if template.length else {},
        },
        "story_arcs": [],
        "teams": [
            {"id": str(uuid4()), "name": str(name), "colour": colour, "emblem": emblem}
            for name, colour, emblem in template.teams
        ],
        "systems": _systems(template.layout),
        "phases": phases,
    }  # fmt: skip


def _systems(layout: str) -> list[dict[str, Any]]:
    if not layout:
        return []
    places, lanes = LAYOUTS[layout].places, LAYOUTS[layout].lanes
    keys = [str(uuid4()) for _place in places]
    ways = [*lanes, *((other, one) for one, other in lanes)]
    return [
        {
            "id": keys[at],
            "number": at + 1,
            "name": gettext("System %(number)s") % {"number": at + 1},
            "x": x,
            "y": y,
            "bonus_supply": 0,
            "bonus_experience": 0,
            "lanes": [keys[other] for one, other in ways if one == at],
        }
        for at, (x, y) in enumerate(places)
    ]


def as_template(data: Data, *, name: str, first_day: date) -> dict[str, Any]:
    """Return the contents of a file as those of a new campaign with this name: its rules, phases (the first of which
    begins on `first_day`), teams, star map and custom Story Arcs, without people, Registers, battles and pictures.
    """
    starts = [date.fromisoformat(phase["first_day"]) for phase in data.get("phases", ())]
    later = first_day - min(starts, default=first_day)
    now = moment(timezone.now())
    settings = data["campaign"].get("star_map")
    return {
        "format": CAMPAIGN_FILE.name,
        "version": CAMPAIGN_FILE.version,
        "made_at": now,
        "campaign": {
            **data["campaign"], "name": name, "about": "", "created_at": now, "picture": None,
            "star_map": {**settings, "turn": 1} if settings else None,
        },
        "story_arcs": [
            {**arc, "picture": None, "versions": [{**version, "by": None} for version in arc["versions"]]}
            for arc in data["story_arcs"]
        ],
        "teams": [{**team, "registers": []} for team in data.get("teams", ())],
        "systems": [{**system, "changes": [], "battles": [], "bonuses": []} for system in data.get("systems", ())],
        "phases": [{**phase, **_moved(phase, later)} for phase in data.get("phases", ())],
        **{part: [] for part in EMPTY},
    }  # fmt: skip


def _moved(phase: Data, later: timedelta) -> dict[str, str]:
    return {day: (date.fromisoformat(phase[day]) + later).isoformat() for day in ("first_day", "last_day")}
