"""What is here already of all that a file brings: one statement, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.db.models.fields.json import KT

from campaign.models import ArcVersion, Battle, Campaign, Event, Kind, OwnArc, Writing
from config.together import Row, Together, columns, made, one_of
from registers.models import Register
from uploads.models import Picture

Data = Mapping[str, Any]
#: Versions of Story Arcs by the id of the arc and the number of the version in the file.
Shipped = Mapping[tuple[str, int], ArcVersion]

#: The parts of which ids may be taken.
MODELS: Mapping[str, type[Model]] = {
    "registers": Register, "battles": Battle, "story_arcs": OwnArc, "writings": Writing, "pictures": Picture,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What is here of a file: the campaign that came by its form (`brought`), whether its campaign is here, the ids
    that others have (`taken`), and the versions of Story Arcs that come with Musterbook (`shipped`)."""

    brought: Campaign | None
    campaign: bool
    taken: frozenset[str]
    shipped: Shipped


def look(data: Data, key: UUID) -> Here:
    """Look for what stands in a file, and for what has come by the form of this key."""
    brought, campaign, shipped_, *taken = _ALL.ask(
        key=str(key), campaign=UUID(data["campaign"]["id"]), origins=_origins(data), **ids_of(data)
    )
    return Here(
        brought=made(Campaign, brought[0], "campaign__") if brought else None,
        campaign=bool(campaign),
        taken=frozenset(row["pk"] for rows in taken for row in rows),
        shipped=_the_same(data, shipped_),
    )


def is_here(data: Data) -> bool:
    """Whether the campaign is here already, or was."""
    return Campaign.objects.filter(pk=data["campaign"]["id"]).exists()


def ids_of(data: Data) -> dict[str, list[str]]:
    """The ids that a file brings along, by its parts; an arc that comes with Musterbook has its own here."""
    return {part: [each["id"] for each in data[part] if not each.get("origin")] for part in MODELS}


def shipped(data: Data) -> Shipped:
    """Of the arcs that come with Musterbook, the versions here that say the same."""
    return _the_same(data, _SHIPPED.ask(origins=origins)[0]) if (origins := _origins(data)) else {}


def _origins(data: Data) -> list[str]:
    return [arc["origin"] for arc in data["story_arcs"] if arc["origin"]]


def _the_same(data: Data, rows: Iterable[Row]) -> Shipped:
    by_number = [_version(row) for row in rows]
    return {
        (arc["id"], version["number"]): same
        for arc in data["story_arcs"]
        if arc["origin"]
        for version in arc["versions"]
        for same in by_number  # the last one counts
        if same.arc.origin == arc["origin"] and same.content == version["content"]
    }


def _version(row: Row) -> ArcVersion:
    version = made(ArcVersion, row)
    version.arc = made(OwnArc, row, "arc__")
    return version


# --- What is asked ---------------------------------------------------------------------------------------------------


def _brought(key: str, **_others: Any) -> QuerySet[Event, Any]:
    came = Event.objects.filter(kind=Kind.CARRIED).annotate(file=KT("facts__file")).filter(file=key)
    return came.order_by().values(*columns(Campaign, "campaign__"))


def _campaign(campaign: UUID, **_others: Any) -> QuerySet[Campaign, Any]:
    return Campaign.objects.filter(pk=campaign).values("pk")


def _shipped(origins: str, **_others: Any) -> QuerySet[ArcVersion, Any]:
    versions = ArcVersion.objects.filter(arc__origin__in=one_of(origins)).order_by("number")
    return versions.values(*columns(ArcVersion), *columns(OwnArc, "arc__"))


def _taken(part: str, model: type[Model]) -> Callable[..., QuerySet[Any, Any]]:
    return lambda **ids: model._default_manager.filter(pk__in=one_of(ids[part], "uuid")).values("pk")


_SHIPPED = Together({"origins": list[str]}, _shipped)
_ALL = Together(
    {"key": str, "campaign": UUID, "origins": list[str], **dict.fromkeys(MODELS, list[str])},
    _brought,
    _campaign,
    _shipped,
    *(_taken(part, model) for part, model in MODELS.items()),
)
