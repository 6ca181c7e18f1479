"""The preview of an amendment: what it changes in the report of its battle, and the dice rolled for it."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from campaign.battles.models import Amendment, Side
from campaign.battles.pages.dice import DrawnDice, pool_words
from campaign.battles.report_data import OF_UNITS, Facts
from campaign.battles.services.replay.plan import Plan
from campaign.battles.services.sequence import APP, TABLE
from registers.ledger.text import names_of
from rules.core.translation import sentences_of
from rules.core.values import Value
from rules.register.upgrade_slots import spoken

#: The names of the facts of a report.
_FACTS = sentences_of(__file__)["facts"]

Names = Mapping[UUID | None, Mapping[str, str]]


class ReportChange(Value):
    """A value of a report, in words, before and after an amendment."""

    label: str
    before: str
    after: str


def report_changes(amendment: Amendment, plan: Plan) -> list[ReportChange]:
    """Return what an amendment changes in the report of its battle, each side's result first; empty unless it corrects
    the report or voids the battle. The battle has both sides loaded.
    """
    names = _names(plan)
    changes = [*_result_changes(amendment)]
    if amendment.what == Amendment.What.REPORT:
        agendas = {slug: card.name for reached in plan.registers for slug, card in reached.book.agendas.items()}
        changes += _fact_changes(amendment, names, agendas)
    return [change for change in changes if change.before != change.after]


def preview_rolls(amendment: Amendment, plan: Plan) -> list[DrawnDice]:
    """Return the dice rolled or typed in since an amendment was opened: one query. Each roll has its last faces."""
    rolls = {
        (item["side"], item["step"], item["what"], item["slot"]): item
        for item in amendment.decisions
        if item.get("source") in (APP, TABLE)
    }
    if not rolls:
        return []
    sides = Side.objects.select_related("register", "battle").in_bulk({item["side"] for item in rolls.values()})
    names = _names(plan)
    return [_roll(item, sides[item["side"]], names) for item in rolls.values()]


def _roll(item: Mapping[str, Any], side: Side, names: Names) -> DrawnDice:
    kind, _about, pool = [*item["what"].split(":", 2), "", ""][:3]
    is_roll = kind == "Roll"
    return DrawnDice(
        side=side,
        step=item["step"],
        ordinal=0,
        label="",
        what=pool_words(pool if is_roll else "tokens", names.get(side.register_id, {})),
        die=item["shape"].partition(" ")[2] if is_roll else "",
        faces=tuple(item["answer"]),
        number=max(item.get("draws", ()), default=0),
    )


def _names(plan: Plan) -> dict[UUID | None, dict[str, str]]:
    """Return the names of the units by Register, as they are now."""
    return {reached.register.pk: names_of(reached.book, reached.before) for reached in plan.registers}


def _result_changes(amendment: Amendment) -> Iterator[ReportChange]:
    battle, wanted = amendment.battle, amendment.wanted
    for side in battle.sides.all():
        before = after = _result(side.colour, battle.winner)
        if amendment.what == Amendment.What.ANNUL:
            after = gettext("does not count")
        elif amendment.what == Amendment.What.REPORT:
            after = _result(side.colour, wanted["winner"])
        yield ReportChange(side.name, before, after)


def _result(colour: str, winner: str) -> str:
    if not winner:
        return gettext("drawn")
    return gettext("won") if winner == colour else gettext("lost")


def _fact_changes(amendment: Amendment, names: Names, agendas: Mapping[str, str]) -> Iterator[ReportChange]:
    battle, wanted = amendment.battle, amendment.wanted
    for side in battle.sides.all():
        points = wanted["victory_points"].get(side.colour, 0)
        yield ReportChange(_of(side, gettext("Victory points")), str(side.victory_points), str(points))
    for side in battle.sides.all():
        facts = Facts(**side.report).as_data(), Facts(**wanted["facts"][side.colour]).as_data()
        units = names.get(side.register_id, {})
        for name, label in _FACTS.items():
            before, after = (_words(name, each[name], units, agendas) for each in facts)
            yield ReportChange(_of(side, gettext(label)), before, after)
    for name, label in (("mission", gettext("Mission played")), ("notes", gettext("Notes"))):
        nothing = gettext("nothing")
        yield ReportChange(label, getattr(battle, name) or nothing, wanted[name] or nothing)


def _of(side: Side, label: str) -> str:
    return gettext("%(side)s: %(value)s") % {"side": side.name, "value": label}


def _words(name: str, value: Any, units: Mapping[str, str], agendas: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if not value:
        return gettext("nothing")
    if name == "agenda":
        return agendas.get(value, value)
    if name in OF_UNITS:
        # The order of the units in a report means nothing.
        return ", ".join(sorted(_unit(units, key) for key in value))
    if name == "in_game_experience":
        return ", ".join(f"{_unit(units, key)}: {number}" for key, number in sorted(value.items()))
    if name == "asks":
        return ", ".join(f"{spoken(key)}: {number}" for key, number in sorted(value.items()))
    return ", ".join(value) if isinstance(value, list) else str(value)


def _unit(units: Mapping[str, str], key: str) -> str:
    return units.get(key) or gettext("Unit %(key)s") % {"key": key}
