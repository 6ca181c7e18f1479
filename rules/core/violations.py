"""Refusals of the rules: every broken rule at once, each with its number and a sentence for the player."""

from collections.abc import Callable, Iterable

from rules.core.translation import gettext, gettext_noop
from rules.core.values import Value


class Violation(Value):
    """One broken rule by its number (or empty), what is wrong and what to do, and `about` which unit, card or field."""

    rule: str
    text: str
    about: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class Fault(Value):
    """What several places may find wrong: the rule and the sentence of their violations, which are said once."""

    rule: str
    sentence: str

    def __call__(self, about: str = "", *, rule: str = "", **places: object) -> Violation:
        """Return the violation, with these `places` in its sentence. `rule` is another rule that forbids the same."""
        return Violation(rule or self.rule, gettext(self.sentence, **places), about)


OUT_OF_RANGE = Fault("", gettext_noop("Enter a whole number from 0 to {most}."))
POINTS_UNPUBLISHED = Fault("R5", gettext_noop("{card} cannot be used yet: points not published."))
LISTED_TWICE = Fault("", gettext_noop("{name} is listed twice. Remove one."))


class RuleViolation(Exception):
    """An act that the rules do not allow, with all its violations; nothing has changed."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__(" ".join(map(str, self.violations)))

    @property
    def rules(self) -> frozenset[str]:
        """The numbers of all broken rules."""
        return frozenset(violation.rule for violation in self.violations)


def refuse(rule: str, text: str, about: str = "") -> RuleViolation:
    """Return a refusal for one broken rule, ready to be raised."""
    return RuleViolation([Violation(rule, text, about)])


def retired(rule: str, card: str, about: str = "") -> Violation:
    """Return the violation for a card that has left the catalogue: units keep it, but no unit gains it."""
    return Violation(rule, gettext("{card} is no longer in the catalogue.", card=card), about)


def not_offered(rule: str, names: Iterable[str], about: str = "") -> Violation:
    """Return the violation for an answer that is not among the options with these names."""
    return Violation(rule, gettext("Choose one of these: {names}.", names=", ".join(names)), about)


def violations_of(act: Callable[[], object]) -> tuple[Violation, ...]:
    """Return every violation of an act that changes nothing by itself."""
    try:
        act()
    except RuleViolation as refusal:
        return refusal.violations
    return ()


def raise_if_any(violations: Iterable[Violation]) -> None:
    """Raise one RuleViolation with all `violations`; do nothing when there are none."""
    if found := tuple(violations):
        raise RuleViolation(found)
