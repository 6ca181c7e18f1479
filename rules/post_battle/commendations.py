"""Step 6, Award Commendations and Paragon Command Cards (R9, R15, R16)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules.battle.report import Report
from rules.core.card_types import Commendation, Requirement, Unit
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import Value
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse, retired
from rules.post_battle.dialogue import Choose, Context, Dialogue, Option, Question
from rules.register import effects as e
from rules.register.building import name_unit
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import spoken
from rules.register.veterans import NAMELESS_VETERAN

NO_COMMENDATION = Fault("R15", gettext_noop("Choose a Commendation, or skip it."))
UNFIT = Fault("R15", gettext_noop("{unit} cannot have {card}: {why}."))

LAUDED = "Lauded"


class Due(Value):
    """A unit that is due a Commendation: those it may have, and whether it needs a name as well (R9)."""

    unit: str
    label: str
    veteran_rank: int
    options: tuple[Option, ...]
    needs_name: bool


class Award(Question):
    """The choice of one Commendation for each unit that is due one. Answer: for each unit {"commendation": slug or None
    (skipped)}, and "name" and "keyword" if they are asked for.
    """

    dues: tuple[Due, ...]

    def check(self, answer: Any) -> dict[str, dict[str, Any]]:
        """Return choices by unit. Refuses missing units and answers of another shape."""
        if not isinstance(answer, Mapping) or set(answer) != {due.unit for due in self.dues}:
            raise refuse(self.rule, gettext("Choose a Commendation for each unit, or skip it."))
        for unit, choice in answer.items():
            if not isinstance(choice, Mapping) or not set(choice) <= {"commendation", "name", "keyword"}:
                raise RuleViolation([NO_COMMENDATION(unit)])
            if any(value is not None and not isinstance(value, str) for value in choice.values()):
                raise RuleViolation([NO_COMMENDATION(unit)])
        return {unit: dict(choice) for unit, choice in answer.items()}


def award_commendations(context: Context, report: Report) -> Dialogue[None]:
    """Award Commendations that are due, one at a time for each unit (R15), then the Paragon's Command Cards (R16)."""
    if not any(dossier.owed for dossier in context.state.dossiers.values()) and not context.state.command_cards_owed:
        yield e.Noted(rule="R15", why=gettext_noop("no Commendation to choose"))
        return
    while owed := [key for key, dossier in context.state.dossiers.items() if dossier.owed]:
        dues = tuple(due for due in (_due(context, key) for key in owed) if due.options or due.needs_name)
        answer: dict[str, dict[str, Any]] = {}
        if dues:
            answer = yield Award(rule="R15", text=gettext("Choose Commendations."), dues=dues)
        raise_if_any(violation for key in owed for violation in _choice_violations(context, key, answer.get(key, {})))
        for key in owed:
            yield from _award(context, key, answer.get(key, {}))
    while context.state.command_cards_owed:
        yield from _command_card(context)


def open_to(book: Rulebook, state: RegisterState, dossier: Dossier) -> list[Commendation]:
    """Return the Commendations a unit may be awarded now (R15)."""
    return [
        card
        for card in _for_card(book, book.units[dossier.card])
        if card.requires.veteran_rank <= dossier.veteran_rank  # most require a higher one
        and not any(_unmet(book, state, dossier, card))
    ]


def _for_card(book: Rulebook, unit: Unit) -> Sequence[Commendation]:
    """Return the Commendations whose requirements a unit card can meet; computed once for each card."""
    if (fitting := book.commendations_by_card.get(unit.slug)) is None:
        fitting = book.commendations_by_card[unit.slug] = tuple(
            card
            for card in book.commendations.values()
            if not (_is_gone(book, card) or any(_unmet_by_card(unit, card.requires)))
        )
    return fitting


def _is_gone(book: Rulebook, card: Commendation) -> bool:
    """Return whether a Commendation has left the catalogue; units keep it, and a Story Arc keeps its own."""
    return card.retired and card.slug not in book.commendations_of_arcs


def requirement_violations(book: Rulebook, state: RegisterState, dossier: Dossier, card: Commendation) -> Iterator[str]:
    """Yield why a unit cannot be awarded `card`, in words (R15)."""
    return (text() for text in _unmet(book, state, dossier, card))


def _unmet(book: Rulebook, state: RegisterState, dossier: Dossier, card: Commendation) -> Iterator[Callable[[], str]]:
    """Yield unmet requirements, each as a function that makes its words; callers who only count never call it."""
    unit, needs = book.units[dossier.card], card.requires
    if card.slug in dossier.commendations:
        yield lambda: gettext("already awarded")
    high = sum(book.commendations[slug].high for slug in dossier.commendations)
    if card.high and high >= (2 if LAUDED in dossier.keywords else 1):
        yield lambda: gettext("already has its High Commendation")
    if card.story_arc and card.story_arc != state.story_arc:
        yield lambda: gettext("only during {arc}", arc=book.story_arcs[card.story_arc].name)
    if dossier.veteran_rank < needs.veteran_rank:
        yield lambda: gettext("needs VR {veteran_rank}", veteran_rank=needs.veteran_rank)
    for slug in needs.commendations:
        if slug not in dossier.commendations:
            yield _lacks(book.commendations[slug])
    yield from _unmet_by_card(unit, needs)
    if needs.paragon and dossier.key != state.paragon:
        yield lambda: gettext("only for the Paragon")


def _lacks(card: Commendation) -> Callable[[], str]:
    return lambda: gettext("needs {commendation}", commendation=card.name)


def _unmet_by_card(unit: Unit, needs: Requirement) -> Iterator[Callable[[], str]]:
    if needs.unit_class and unit.unit_class != needs.unit_class:
        yield lambda: gettext("only for a {unit_class}", unit_class=spoken(needs.unit_class))
    if needs.rank and unit.rank not in needs.rank:
        yield lambda: gettext("only for {ranks}", ranks=_either(needs.rank))
    if needs.unit_type and unit.unit_type not in needs.unit_type:
        yield lambda: gettext("only for a {unit_types}", unit_types=_either(needs.unit_type))
    if needs.unit_keyword and needs.unit_keyword not in unit.keyword_names:
        yield lambda: gettext("only with {unit_keyword}", unit_keyword=needs.unit_keyword)


def _either(slugs: Iterable[str]) -> str:
    return gettext(" or ").join(spoken(slug) for slug in slugs)


def _needs_name(dossier: Dossier) -> bool:
    return dossier.veteran_rank >= 1 and not dossier.name


def _due(context: Context, key: str) -> Due:
    dossier = context.state.dossiers[key]
    return Due(
        unit=key,
        label=unit_label(context.book, context.state, key),
        veteran_rank=dossier.veteran_rank,
        options=tuple(
            Option(card.slug, card.name, card.effect) for card in open_to(context.book, context.state, dossier)
        ),
        needs_name=_needs_name(dossier),
    )


def _choice_violations(context: Context, key: str, choice: Mapping[str, Any]) -> Iterator[Violation]:
    dossier, slug = context.state.dossiers[key], choice.get("commendation")
    name, keyword = choice.get("name") or "", choice.get("keyword") or ""
    if _needs_name(dossier) and not str(name).strip():
        yield NAMELESS_VETERAN(key)
    if slug is None:
        if keyword:
            yield Violation("R15", gettext("Only a Commendation gives a keyword. Choose one."), key)
        return
    if (card := context.book.commendations.get(slug)) is None:
        yield Violation("R15", gettext("This Commendation does not exist. Choose another one."), key)
        return
    if _is_gone(context.book, card):
        yield retired("R15", card.name, key)
    if why := "; ".join(requirement_violations(context.book, context.state, dossier, card)):
        yield UNFIT(key, unit=unit_label(context.book, context.state, key), card=card.name, why=why)
    if keyword not in (card.choose_keyword or ("",)):
        text = gettext(
            "{card}: choose {keywords}.",
            card=card.name,
            keywords=gettext(" or ").join(card.choose_keyword) or gettext("no keyword"),
        )
        yield Violation("R15", text, key)


def _award(context: Context, key: str, choice: Mapping[str, Any]) -> Dialogue[None]:
    if _needs_name(context.state.dossiers[key]):
        yield from name_unit(context.state, key, choice["name"])
    if slug := choice.get("commendation"):
        yield e.CommendationAwarded(unit=key, commendation=slug, keyword=choice.get("keyword") or "", rule="R15")
    else:
        open_now = open_to(context.book, context.state, context.state.dossiers[key])
        why = gettext_noop("skipped") if open_now else gettext_noop("no Commendation is available")
        yield e.CommendationWaived(unit=key, rule="R15", why=why)


def _command_card(context: Context) -> Dialogue[None]:
    """Award one Paragon Command Card for each VR the Paragon reached, no card twice (R16)."""
    cards = [
        card
        for card in context.book.command_cards.values()
        if not card.retired and card.slug not in context.state.command_cards
    ]
    slug: str | None = None
    if cards:
        slug = yield Choose(
            rule="R16",
            text=gettext("The Paragon reached a Veteran Rank. Choose a Command Card to unlock."),
            about=context.state.paragon,
            kind="command_card",
            options=tuple(Option(card.slug, f"{'•' * card.pips} {card.name}", card.orders) for card in cards),
            decline=gettext("none"),
        )
    if slug:
        yield e.CommandCardUnlocked(command_card=slug, rule="R16")
    else:
        why = gettext_noop("declined") if cards else gettext_noop("all are unlocked")
        yield e.CommandCardDeclined(rule="R16", why=why)
