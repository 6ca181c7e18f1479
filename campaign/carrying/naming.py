"""Names that a file brings along: what is taken here gets another one, everywhere it is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Model

from campaign.models import Battle, Campaign, OwnArc, Writing
from catalogue.models import StoryArc
from registers.models import Register
from rules.own_arcs import named
from rules.reading import read_arc
from uploads.models import Picture

from .checking import shipped

MODELS: Mapping[str, type[Model]] = {
    "registers": Register, "battles": Battle, "story_arcs": OwnArc, "writings": Writing, "pictures": Picture,
}  # fmt: skip

Data = Mapping[str, Any]


def renamed(data: Data, key: UUID, *, as_copy: bool) -> dict[str, Any]:
    """The file with names that are free here: those that are taken, or all for a copy, become others.

    Which ones follows from `key`, so that a form which comes twice names the same.
    """
    names = _ids(data, key, as_copy=as_copy)
    for arc in data["story_arcs"]:
        names |= _slugs(arc, names.get(arc["id"], arc["id"]))
    battles = {battle["id"] for battle in data["battles"]}
    for register in data["registers"]:
        for entry in register["ledger"]:
            if entry["battle"] and entry["battle"] not in battles:  # it was fought in another campaign
                names[entry["battle"]] = str(uuid5(key, entry["battle"]))
    result: dict[str, Any] = _replaced(data, names)
    return result


def is_here(data: Data) -> bool:
    """Whether the campaign is here already, or was."""
    return Campaign.objects.filter(pk=data["campaign"]["id"]).exists()


def _ids(data: Data, key: UUID, *, as_copy: bool) -> dict[str, str]:
    names: dict[str, str] = {}
    if as_copy:
        names[data["campaign"]["id"]] = str(uuid5(key, data["campaign"]["id"]))
    for part, model in MODELS.items():
        ids = [each["id"] for each in data[part] if not each.get("origin")]
        taken = model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)
        names |= {each: str(uuid5(key, each)) for each in (ids if as_copy else map(str, taken))}
    return names


def _slugs(arc: Data, new_id: str) -> dict[str, str]:
    """Old slug to new for the cards of an arc's versions: those of an arc that comes along are its own here."""
    names: dict[str, str] = {}
    for version in arc["versions"]:
        old = version["card"]
        if arc["origin"]:
            here = shipped(arc["origin"], version)
            new = here.story_arc_id if here else old
        elif new_id != arc["id"] or StoryArc.objects.filter(slug=old).exists():
            new = f"{old[:90]}-{new_id[:8]}"
        else:
            continue
        names |= dict(zip(_cards(version, old), _cards(version, new), strict=True))
    return names


def _cards(version: Data, slug: str) -> list[str]:
    return [card["slug"] for cards in read_arc(named(version["content"], slug)).values() for card in cards]


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_replaced(each, names) for each in value]
    if isinstance(value, dict):
        return {name: _replaced(each, names) for name, each in value.items()}
    return value
