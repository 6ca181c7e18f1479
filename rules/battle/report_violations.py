"""Checks of a battle report (section 5, R21, R25, R39, R51)."""

from collections import Counter
from collections.abc import Iterator

from rules.battle.army import CONTINGENCY_PLAN, open_agendas
from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext
from rules.core.violations import Violation
from rules.register.labels import unit_label
from rules.register.state import RegisterState


def report_violations(book: Rulebook, state: RegisterState, report: Report, chosen_agenda: str) -> Iterator[Violation]:
    """Yield everything that cannot be true of one side's report, given its army and the Agenda it brought."""
    army = {*report.fielded, *report.lent_units}
    yield from _unit_violations(book, state, report, army)
    yield from _agenda_violations(book, state, report, chosen_agenda)
    yield from _mark_violations(book, state, report, army)
    if min(report.tokens, report.secondary_vp, report.in_game_supply, *report.asks.values(), 0) < 0:
        yield Violation("R25", gettext("Numbers in a report must be 0 or more."))
    for key, amount in report.in_game_experience.items():
        if key not in report.fielded or amount < 0:
            yield Violation("R16", gettext("Only units that took part can gain XP during the game."), key)


def concession_violations(book: Rulebook, winner: str, conceded: frozenset[str]) -> Iterator[Violation]:
    """Yield why `winner` ("blue", "red", "") does not agree with the sides that conceded (R51, `ended_together`)."""
    if len(conceded) == 2 and book.house.ended_together == "nobody_concedes":
        text = gettext(
            "Both sides ended this battle together, so nobody conceded. Untick both, and report the battle as it stood."
        )
        yield Violation("R51", text, "conceded")
    if len(conceded) == 1 and winner in ("", *conceded):
        [loser] = conceded
        text = gettext("The {loser} side conceded, so the other side won. Change the winner.", loser=gettext(loser))
        yield Violation("R51", text, "winner")


def _unit_violations(book: Rulebook, state: RegisterState, report: Report, army: set[str]) -> Iterator[Violation]:
    for words, keys in (
        (gettext("defeated"), report.defeated),
        (gettext("contesting or holding an objective"), report.contesting),
    ):
        if not set(keys) <= army or max(Counter(keys).values(), default=0) > 1:
            text = gettext("Only units of the army can be reported as {words}, once each.", words=words)
            yield Violation("R39", text)
    for key in dict.fromkeys(report.contesting):
        if key in report.defeated and key in army:
            lent = report.lent_units.get(key)
            name = lent.name if lent else unit_label(book, state, key)
            text = gettext(
                "{name} was defeated, so it cannot contest or hold an objective. Untick one of them.", name=name
            )
            yield Violation("R39", text, key)


def _agenda_violations(book: Rulebook, state: RegisterState, report: Report, chosen_agenda: str) -> Iterator[Violation]:
    if report.contingency_switched:
        if CONTINGENCY_PLAN not in report.assets or not chosen_agenda:
            text = gettext("The Agenda can be switched only with a Contingency Plan in use.")
            yield Violation("R21", text, "agenda")
        elif report.agenda not in {agenda.slug for agenda in open_agendas(book, state)} - {chosen_agenda}:
            text = gettext("Choose another Agenda of the Story Arc that is not complete.")
            yield Violation("R25", text, "agenda")
    elif report.agenda != chosen_agenda:
        yield Violation("R25", gettext("The Agenda in play must be the one that was brought."), "agenda")


def _mark_violations(book: Rulebook, state: RegisterState, report: Report, army: set[str]) -> Iterator[Violation]:
    marks = book.agendas[report.agenda].marks if report.agenda in book.agendas else None
    if not set(report.marked) <= army or len(set(report.marked)) != len(report.marked):
        yield Violation("R25", gettext("Only units of the army can be marked, once each."), "marked")
    if marks is None:
        return
    if marks.count is not None and len(report.marked) > marks.count:
        yield Violation("R25", gettext("This Agenda marks at most {count}. Untick some.", count=marks.count), "marked")
    if marks.source == "non_paragon" and state.paragon in report.marked:
        yield Violation("R25", gettext("This Agenda cannot mark the Paragon. Untick it."), "marked")
    if marks.source == "undefeated" and set(report.marked) & set(report.defeated):
        yield Violation("R25", gettext("This Agenda cannot mark defeated units. Untick them."), "marked")
