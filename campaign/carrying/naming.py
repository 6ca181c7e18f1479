"""Names that a file brings along: what is taken here gets another one, everywhere it is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Model, QuerySet

from campaign.models import ArcVersion, Battle, Campaign, OwnArc, Writing
from catalogue.models import StoryArc
from config.together import Together, one_of
from registers.models import Register
from rules.own_arcs import named
from rules.reading import read_arc
from uploads.models import Picture

MODELS: Mapping[str, type[Model]] = {
    "registers": Register, "battles": Battle, "story_arcs": OwnArc, "writings": Writing, "pictures": Picture,
}  # fmt: skip

Data = Mapping[str, Any]


def renamed(
    data: Data, key: UUID, *, shipped: Mapping[tuple[str, int], ArcVersion], as_copy: bool
) -> dict[str, Any]:
    """The file with names that are free here: those that are taken, or all for a copy, become others.

    Which ones follows from `key`, so that a form which comes twice names the same. What is `shipped` is called as here.
    """
    names = _ids(data, key, as_copy=as_copy)
    own = [arc for arc in data["story_arcs"] if not arc["origin"]]
    cards = [version["card"] for arc in own for version in arc["versions"]]
    taken = set(StoryArc.objects.filter(slug__in=cards).values_list("slug", flat=True))
    for arc in data["story_arcs"]:
        for version in arc["versions"]:
            old = version["card"]
            if arc["origin"]:
                new = shipped[arc["id"], version["number"]].story_arc_id
            elif arc["id"] in names or old in taken:
                new = f"{old[:90]}-{names.get(arc['id'], arc['id'])[:8]}"
            else:
                continue
            names |= dict(zip(_cards(version, old), _cards(version, new), strict=True))
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
    ids = {part: [each["id"] for each in data[part] if not each.get("origin")] for part in MODELS}
    if not as_copy:
        ids = {part: [row["pk"] for row in rows] for part, rows in zip(ids, _TAKEN.ask(**ids), strict=True)}
    return names | {each: str(uuid5(key, each)) for those in ids.values() for each in those}


def _taken(part: str, model: type[Model]) -> Callable[..., QuerySet[Any, Any]]:
    return lambda **ids: model._default_manager.filter(pk__in=one_of(ids[part], "uuid")).values("pk")


_TAKEN = Together(dict.fromkeys(MODELS, list[str]), *(_taken(part, model) for part, model in MODELS.items()))


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
