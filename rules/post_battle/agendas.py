"""Step 1, Progress Agendas (R25 to R27)."""

from collections.abc import Callable

from rules.battle.report import Report
from rules.core import reward_effects as c
from rules.core.card_types import Agenda
from rules.core.translation import gettext_noop, kept, ngettext
from rules.core.violations import Fault, Violation
from rules.post_battle.dialogue import Context, Dialogue
from rules.post_battle.rewards import Occasion, resolve
from rules.post_battle.setbacks import NO_SHIELD, Shield
from rules.register.effects import AgendaProgressed, Noted

FOREIGN_AGENDA = Fault("R25", gettext_noop("{name} is not an Agenda of the current Story Arc."))


def progress_agendas(context: Context, report: Report) -> Dialogue[None]:
    """Progress the Agenda in play at the end and resolve its reward (R25, R26)."""
    if not report.agenda:
        yield Noted(rule="R25", why=gettext_noop("no Agenda in play"))
        return
    agenda = context.book.agendas[report.agenda]
    if not (times := progressions(agenda, report, context.state.agendas.get(agenda.slug, 0))):
        yield Noted(rule="R25", why=kept(gettext_noop("{agenda} did not progress"), agenda=agenda.name))
        return
    yield AgendaProgressed(agenda=agenda.slug, amount=times, rule="R25")
    occasion = Occasion(report, "R26", agenda.name, progressions=times, withheld=rewards_withheld(context))
    yield from resolve(context, occasion, agenda.reward)


def progressions(agenda: Agenda, report: Report, already: int, confirm: Callable[[str], bool] | None = None) -> int:
    """Return how often `agenda` progresses, having progressed `already` times before (R25). The first condition that
    fails ends the test. `confirm` answers those a player confirms; by default the report does.
    """
    confirmed = confirm or (lambda text: text in report.confirmed)
    times = 0
    for condition in agenda.progress:
        if already + times >= agenda.progressions_to_complete or not holds(condition, report, confirmed):
            break
        times += 1
    return times


def too_much_progress(agenda: Agenda, times: int, about: str) -> Violation:
    """Return the violation for more progress than it takes to complete an Agenda (R25)."""
    text = ngettext(
        "{name} can progress at most {number} time, not {times}.",
        "{name} can progress at most {number} times, not {times}.",
        agenda.progressions_to_complete,
        name=agenda.name,
        times=times,
    )
    return Violation("R25", text, about)


def holds(condition: c.Condition, report: Report, confirm: Callable[[str], bool]) -> bool:
    """Return whether a condition of an Agenda or of a mission's end of game holds for this side (section 8)."""
    match condition:
        case c.TokensAtLeast(count):
            return report.tokens >= count
        case c.SecondaryVpAtLeast(count):
            return report.secondary_vp >= count
        case c.SecondaryVpMoreThanOpponent():
            return report.secondary_vp > report.opponent_secondary_vp
        case c.MarkedUndefeatedAtLeast(count):
            return sum(key not in report.defeated for key in report.marked) >= count
        case c.NoMarkedUnitDefeated():
            return not set(report.marked) & set(report.defeated)
        case c.Won():
            return report.won
        case c.Lost():
            return report.lost
        case c.Confirmed(text):
            return confirm(text)
    return all(holds(part, report, confirm) for part in condition.parts)


def confirmations(conditions: tuple[c.Condition, ...]) -> list[str]:
    """Return the texts that a player confirms or denies among `conditions`, in the order of the card."""
    texts: list[str] = []
    for condition in conditions:
        if isinstance(condition, c.Confirmed):
            texts.append(condition.text)
        elif isinstance(condition, c.All):
            texts += confirmations(condition.parts)
    return texts


def rewards_withheld(context: Context) -> bool:
    """Return whether the Trait the Paragon had when the battle began takes SP and XP of the Agenda (R27)."""
    trait = context.state.in_field.trait if context.state.in_field else ""
    return bool(trait) and context.book.defining_traits[trait].blocks_agenda_rewards


def shield(context: Context, report: Report) -> Shield:
    """Return the marked units' shield from casualties in step 4, if the Agenda progressed (R28, `shield`)."""
    field = context.state.in_field
    progressed = bool(field and field.progressions)
    if not report.agenda or not (progressed or context.book.house.shield == "always"):
        return NO_SHIELD
    if not (instead := context.book.agendas[report.agenda].casualty_shield):
        return NO_SHIELD
    return Shield(frozenset(report.marked), instead, withheld=rewards_withheld(context))
