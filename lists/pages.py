"""An army list judged for everything it may be for: a game by the core rules, an event, a Register."""

from collections.abc import Iterator
from datetime import date
from itertools import chain

from django.utils.translation import gettext

from lists.services.army_lists import CheckedArmy
from rules.battle.plain_army import points
from rules.core.card_types import Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import Violation
from rules.register.upgrade_slots import card_ban_violations
from rules.tournaments.army_lists import ListRules, list_violations
from rules.tournaments.rule_sets import RuleSet


class Check(Value):
    """One check of an army: its name, and each reason against it once."""

    name: str
    violations: tuple[Violation, ...]


def checks(book: Rulebook, checked: CheckedArmy) -> Iterator[Check]:
    """Yield the checks of an army by the core rules, for both rule sets of events, and for a Register (R5, E8, E12)."""
    army = checked.army
    yield _check(gettext("Core rules"), checked.violations)
    for name, rule_set in (
        (gettext("Galactic Conquest event"), RuleSet.GALACTIC_CONQUEST),
        (gettext("Tournament"), RuleSet.TOURNAMENT_REGULATIONS),
    ):
        rules = ListRules(
            rule_set=rule_set,
            army_size=army.size or points(book, army),
            first_day=date.fromisoformat(book.today) if book.today else None,
        )
        yield _check(name, list_violations(book, army, rules))
    units = (book.units[unit.card] for unit in army.units if unit.card in book.units)
    upgrades = (book.upgrades[slug] for unit in army.units for slug in unit.upgrades if slug in book.upgrades)
    banned = (
        violation for card in chain[Unit | Upgrade](units, upgrades) for violation in card_ban_violations(book, card)
    )
    yield _check(gettext("Register"), banned)


def _check(name: str, violations: Iterator[Violation] | tuple[Violation, ...]) -> Check:
    by_text = {violation.text: violation for violation in violations}
    return Check(name, tuple(by_text.values()))
