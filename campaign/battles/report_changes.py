"""What a rewritten report of a battle changed, as plain values for the activity log, and in words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from campaign.battles.models import Battle, Side
from catalogue.snapshot import rulebook
from rules.core.translation import sentences_of

#: The fields of a side's report (`campaign.battles.report_data.Facts`). Of lists the log has how many there are.
FIELDS: Mapping[str, str] = sentences_of(__file__)["fields"]


def whole_report(battle: Battle, sides: Iterable[Side]) -> dict[str, Any]:
    """Return the report of a battle as it is now."""
    return {
        "winner": battle.winner,
        "mission": battle.mission,
        "notes": battle.notes,
        "victory_points": {side.colour: side.victory_points for side in sides},
        "sides": {side.colour: dict(side.report) for side in sides},
    }


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs between two reports (`whole_report`), each value as [before, after]; empty if nothing does.
    Values are short: a list is the number of its items, and of notes only that they have changed.
    """
    found: dict[str, Any] = {
        name: [before[name], after[name]]
        for name in ("winner", "mission", "victory_points")
        if before[name] != after[name]
    }
    if before["notes"] != after["notes"]:
        found["notes"] = True
    sides = {colour: _side_changes(before["sides"].get(colour, {}), new) for colour, new in after["sides"].items()}
    if changed := {colour: fields for colour, fields in sides.items() if fields}:
        found["sides"] = changed
    return found


def _side_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {
        name: [_short(old.get(name)), _short(new.get(name))]
        for name in FIELDS
        if (old.get(name) or None) != (new.get(name) or None)
    }


def _short(value: Any) -> Any:
    return len(value) if isinstance(value, list | dict) else value


def changes_in_words(changes: Mapping[str, Any], sides: Mapping[str, str]) -> list[str]:
    """Return the result of `changes_between` in words, a part each. `sides` are the names of the sides by color."""
    return list(_words(changes, sides))


def _words(changes: Mapping[str, Any], sides: Mapping[str, str]) -> Iterator[str]:
    if winners := changes.get("winner"):
        before, after = (
            gettext("%(winner)s won") % {"winner": sides[each]} if each in sides else gettext("a draw")
            for each in winners
        )
        yield f"{before} → {after}"
    if points := changes.get("victory_points"):
        yield " → ".join("–".join(str(each.get(colour, 0)) for colour in (Side.BLUE, Side.RED)) for each in points)
    if missions := changes.get("mission"):
        before, after = (each or "—" for each in missions)
        yield gettext("mission %(before)s → %(after)s") % {"before": before, "after": after}
    for colour, fields in changes.get("sides", {}).items():
        parts = ", ".join(_field(name, *values) for name, values in fields.items() if name in FIELDS)
        yield f"{sides.get(colour, colour)}: {parts}"
    if changes.get("notes"):
        yield gettext("notes changed")


def _field(name: str, before: Any, after: Any) -> str:
    label = gettext(FIELDS[name])
    if before == after:  # as many others
        return gettext("other %(things)s") % {"things": label}
    if name == "agenda":
        agendas = rulebook().agendas
        before, after = (agendas[slug].name if slug in agendas else "—" for slug in (before, after))
    if isinstance(after, bool):
        before, after = (gettext("yes") if each else gettext("no") for each in (before, after))
    return f"{label} {before or 0} → {after or 0}"
