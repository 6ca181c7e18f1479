"""Step 8, Edit Register (R47, R11, R4)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, kept
from rules.core.violations import Fault, RuleViolation, refuse
from rules.post_battle.dialogue import Context, Dialogue, Question
from rules.register import building
from rules.register.effects import AssetUsedUp, Effect, Noted
from rules.register.state import RegisterState

NOTHING_TO_EDIT = Fault("R11", gettext_noop("Add a unit, add an upgrade, or name a unit."))

_WORDS = {
    "add": {"unit", "name", "upgrades"}, "upgrade": {"unit", "upgrade"}, "name": {"unit", "name"},
    "let_go": {"unit"},
}  # fmt: skip


class EditRegister(Question):
    """The next edit. Answer: an edit as `edit` takes it, or None when the player is done. `nothing_fits`: nothing can
    be added, so the step passes. Units can be named at any time outside battles (R11).
    """

    nothing_fits: bool = False

    def check(self, answer: Any) -> Mapping[str, Any] | None:
        """Return the edit, or None. Refuses answers of another shape."""
        if answer is None:
            return None
        if not isinstance(answer, Mapping) or len(answer) != 1:
            raise refuse("R11", gettext("Make one edit at a time."))
        [(word, details)] = answer.items()
        if word not in _WORDS or not isinstance(details, Mapping) or not set(details) <= _WORDS[word]:
            raise RuleViolation([NOTHING_TO_EDIT()])
        upgrades = details.get("upgrades") or []
        texts = [value for name, value in details.items() if name != "upgrades" and value is not None]
        if not isinstance(upgrades, list | tuple) or any(not isinstance(text, str) for text in (*texts, *upgrades)):
            raise refuse("R11", gettext("Choose the cards of the unit and its upgrades."))
        return answer

    @property
    def forced(self) -> tuple[Any] | None:
        """The answer None, which ends the step, if nothing can be added."""
        return (None,) if self.nothing_fits else None


def edit_register(context: Context, report: Report) -> Dialogue[None]:
    """Remove assets used in this battle (R47), then let the player edit; due corps units that fit are a must (R4)."""
    for slug in report.assets:
        stays = context.book.assets[slug].kept_if_unused and not report.contingency_switched
        if stays:
            why = kept(gettext_noop("{asset} was not used and stays"), asset=context.book.assets[slug].name)
            yield Noted(rule="R47", why=why)
        else:
            yield AssetUsedUp(asset=slug, rule="R47")
    question = EditRegister(rule="R11", text=gettext("Edit the Register: add units, upgrades and names."))
    first = replace(question, nothing_fits=not building.may_grow(context.book, context.state))
    change = yield first
    while change:
        yield from edit(context.book, context.state, change)
        change = yield question
    if building.must_add_corps(context.book, context.state):
        text = gettext(
            "Add corps units until there are {minimum_corps}. One still fits.", minimum_corps=building.MINIMUM_CORPS
        )
        raise refuse("R4", text)
    if building.corps_owed(context.book, context.state):
        yield Noted(rule="R4", why=gettext_noop("too few corps units, but none fits the remaining Combat Potential"))


def edit(book: Rulebook, state: RegisterState, change: Mapping[str, Any]) -> list[Effect]:
    """Return the effects of one edit (R11). `change` is {"add": {"unit": card, "upgrades": [cards], "name": text}},
    {"upgrade": {"unit": key, "upgrade": card}}, {"name": {"unit": key, "name": text}} or {"let_go": {"unit": key}}.
    Refuses what the building rules refuse.
    """
    [(word, details)] = change.items()
    unit, name = details.get("unit") or "", details.get("name") or ""
    match word:
        case "add":
            return building.add_unit(book, state, unit, upgrades=details.get("upgrades") or (), name=name)
        case "upgrade":
            return building.add_upgrade(book, state, unit, details.get("upgrade") or "")
        case "let_go":
            return building.let_go(book, state, unit)
    return building.name_unit(state, unit, name)
