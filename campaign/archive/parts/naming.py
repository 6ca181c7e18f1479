"""Replace ids of a file that are taken on this site, wherever the file uses them."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID, uuid5

from campaign.archive.parts.arrival import Shipped, ids_of
from catalogue.models import StoryArc
from rules.arcs.custom_arcs import named
from rules.catalogue.loader import read_arc

Data = Mapping[str, Any]


def renamed(data: Data, key: UUID, *, shipped: Shipped, taken: Collection[str] | None) -> dict[str, Any]:
    """Return the file with ids that are free on this site.

    Ids in `taken` are replaced, or all of them for a copy (None). New ids follow from `key`, so posting a form twice
    produces the same ids. Story Arcs in `shipped` get the names they have on this site.
    """
    names = _ids(data, key, taken)
    own = [arc for arc in data["story_arcs"] if not arc["origin"]]
    cards = [version["card"] for arc in own for version in arc["versions"]]
    there = set(StoryArc.objects.filter(slug__in=cards).values_list("slug", flat=True))
    for arc in data["story_arcs"]:
        for version in arc["versions"]:
            old = version["card"]
            if arc["origin"]:
                new = shipped[arc["id"], version["number"]].story_arc_id
            elif arc["id"] in names or old in there:
                new = f"{old[:90]}-{names.get(arc['id'], arc['id'])[:8]}"
            else:
                continue
            names |= dict(zip(_cards(version, old), _cards(version, new), strict=True))
    battles = {battle["id"] for battle in data["battles"]}
    for register in data["registers"]:
        for entry in register["ledger"]:
            if entry["battle"] and entry["battle"] not in battles:  # a battle of another campaign
                names[entry["battle"]] = str(uuid5(key, entry["battle"]))
    result: dict[str, Any] = _replaced(data, names)
    return result


def _ids(data: Data, key: UUID, taken: Collection[str] | None) -> dict[str, str]:
    ids = [each for of_part in ids_of(data).values() for each in of_part if taken is None or each in taken]
    if taken is None:
        ids.append(data["campaign"]["id"])
    return {each: str(uuid5(key, each)) for each in ids}


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
