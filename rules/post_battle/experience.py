"""Step 5, Award Experience and the Most Feared Rival (R39, R40)."""

from collections.abc import Sequence

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, kept
from rules.post_battle.dialogue import Await, Choose, Context, Dialogue, Option, unit_option
from rules.post_battle.setbacks import gain
from rules.register.effects import Noted, RivalNamed
from rules.register.labels import unit_label
from rules.register.state import RegisterState

#: How the reason for the Experience of a rival begins, as the ledger stores it.
MOST_FEARED = "Most Feared Rival of"

FOR_TAKING_PART = 1
FOR_AN_OBJECTIVE = 1
FOR_THE_RIVAL = 3


def award_experience(context: Context, report: Report) -> Dialogue[None]:
    """Name the opponent's rival, learn one's own, then award the XP; a side that conceded gets none (R39, R40, R51). A
    rival has to be named if a unit of the opponent can be; only a side that conceded may name nobody [reading].
    """
    yield from _name_a_rival(context.book, report)
    rival = yield from _learn_own_rival(context, report)
    if report.conceded:
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        return
    for key in report.fielded:
        if key in context.state.dossiers:
            yield from gain(context, key, FOR_TAKING_PART, rule="R39", why=gettext_noop("took part"))
    for key in report.contesting:
        if key in context.state.dossiers:
            yield from gain(context, key, FOR_AN_OBJECTIVE, rule="R39", why=gettext_noop("at an objective at the end"))
    if rival in context.state.dossiers:
        why: str = kept(gettext_noop("Most Feared Rival of {opponent}"), opponent=report.opponent)
        yield from gain(context, rival, FOR_THE_RIVAL, rule="R39", why=why)
    elif rival in report.lent_units:
        why = kept(gettext_noop("Most Feared Rival: {unit}, a lent unit"), unit=report.lent_units[rival].name)
        yield Noted(rule="R39", why=why)
    elif rival:  # an organizer has removed the unit since
        yield Noted(rule="R39", why=gettext_noop("Most Feared Rival: a unit that has left the Register"))


def nameable(book: Rulebook, state: RegisterState, report: Report) -> list[tuple[str, str]]:
    """Return the units of a side that its opponent may name, by key and name: lent ones too, but no casualties (R39).
    There are none for a side that conceded (R51) or whose Paragon had Captious Command when the battle began (R40).
    """
    if not _can_be_named(book, state, report):
        return []
    own = [(key, unit_label(book, state, key)) for key in report.fielded if key in state.dossiers]
    return own + [(key, unit.name) for key, unit in report.lent_units.items()]


def _can_be_named(book: Rulebook, state: RegisterState, report: Report) -> bool:
    trait = state.in_field.trait if state.in_field else ""
    if report.conceded or (trait and book.defining_traits[trait].blocks_rival):
        return False
    return any(key in state.dossiers for key in report.fielded) or bool(report.lent_units)


def _names_nobody(book: Rulebook, conceded: bool) -> bool:
    return conceded and book.house.conceding_rival == "names_nobody"


def _name_a_rival(book: Rulebook, report: Report) -> Dialogue[None]:
    if _names_nobody(book, report.conceded):
        yield RivalNamed(rule="R40", why=gettext_noop("a side that conceded names no rival"))
        return
    if report.opponent_is_guest or report.opponent_conceded:
        yield RivalNamed(rule="R39", why=gettext_noop("no unit of the opponent can be named"))
        return
    text = gettext(
        "{opponent} is not done with step 4 yet. Only survivors can be named rival.", opponent=report.opponent
    )
    survivors: Sequence[tuple[str, str]] = yield Await(rule="R39", text=text, what="survivors")
    if not (options := tuple(Option(key, label) for key, label in survivors)):
        yield RivalNamed(rule="R40", why=gettext_noop("no unit of the opponent can be named"))
        return
    key: str | None = yield Choose(
        rule="R39",
        text=gettext("Name the Most Feared Rival among the units of {opponent}.", opponent=report.opponent),
        kind="rival",
        options=options,
        decline=gettext("nobody") if report.conceded else "",
        may_lack=True,
    )
    yield RivalNamed(rival=key or "", name=dict(survivors)[key] if key else "", rule="R39")


def _learn_own_rival(context: Context, report: Report) -> Dialogue[str]:
    """Return this side's unit that the opponent named; for a guest, this player names one (R39)."""
    if not _can_be_named(context.book, context.state, report) or _names_nobody(context.book, report.opponent_conceded):
        return ""
    if report.opponent_is_guest:
        key: str | None = yield Choose(
            rule="R39",
            text=gettext("Which of your units does {opponent} name the Most Feared Rival?", opponent=report.opponent),
            kind="guest_rival",
            options=tuple(
                Option(key, label, gettext("lent"))
                if key in report.lent_units
                else unit_option(context.book, context.state, key)
                for key, label in nameable(context.book, context.state, report)
            ),
            decline=gettext("nobody"),
        )
    else:
        text = gettext("{opponent} has not named a rival among your units yet.", opponent=report.opponent)
        key = yield Await(rule="R39", text=text, what="rival")
    return key or ""
