"""Report a battle: either player reports, the other confirms or disputes it (section 5, R51)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles import access as battle_access, state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.report_changes import changes_between, whole_report
from campaign.battles.report_data import Facts, army_of, book_of, report_of
from campaign.battles.services import sequence
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.planning import LONGEST_REASON, text_violations
from campaign.battles.services.transition import arbiter_facts, on_behalf_of, transition
from campaign.models import activity
from registers.ledger.session import LedgerSession
from rules.battle.report_violations import concession_violations, report_violations
from rules.core.values import KeywordValue
from rules.core.violations import Violation, raise_if_any, refuse
from rules.register.state import RegisterState


class BattleReport(KeywordValue):
    """A complete report: the winner ("blue", "red" or empty), VP by color, facts by color, and notes."""

    winner: str
    facts: Mapping[str, Facts]
    victory_points: Mapping[str, int]
    mission: str = ""
    notes: str = ""


@transaction.atomic
def report(*, actor: User, battle_id: UUID, version: int | None, report: BattleReport, colour: str = "") -> Battle:
    """Write or replace the report of a battle. `version` is the one the form was drawn from.

    An organizer who does not play writes it for the player of `colour`, or else for the first Register's. Refuses an
    impossible report (R21, R25, R39, R51), each violation `about` a color and a field, a battle that is not in play,
    and anyone who neither plays nor organizes. A report drawn from an older version is refused, so that nobody's
    entries are overwritten unseen; sending the same one twice changes nothing.
    """
    battle, sides, session = lock_battle(battle_id)
    _write(actor, battle, sides, session, version, report, colour)
    return battle


@transaction.atomic
def report_and_begin(*, actor: User, battle_id: UUID, version: int | None, report: BattleReport) -> Battle:
    """Report a battle that nobody else confirms, and begin its sequence: both or neither. Otherwise as `report`."""
    battle, sides, session = lock_battle(battle_id)
    _write(actor, battle, sides, session, version, report)
    if battle.status == Battle.Status.REPORTED:
        _begin(actor, battle, sides, session, activity.Action.CONFIRM, on_behalf_of=on_behalf_of(actor, battle))
    return battle


@transaction.atomic
def report_and_settle(
    *, actor: User, battle_id: UUID, version: int | None, report: BattleReport, reason: str = ""
) -> Battle:
    """Write or replace the report of a battle as an organizer, and accept it: nobody confirms it (R25).

    The report is the organizer's, and both sequences begin; both or neither. `reason` is optional. Refuses what
    `report` and `settle` refuse, and the first report by an organizer who plays in the battle
    (`state_machine.may_report_and_settle`). Repeating it does nothing.
    """
    battle, sides, session = lock_battle(battle_id)
    if battle.status in state_machine.BEGUN and _says_already(battle, sides, report):
        return battle
    state_machine.check(battle, activity.Action.REPORT)
    if battle.status == Battle.Status.IN_PLAY and actor.pk in battle_access.fighters_of(battle):
        raise refuse("R25", gettext("You play in this battle. Report it, so that the other player can confirm it."))
    state_machine.check_role(actor, battle, state_machine.BattleRole.ARBITER)
    _write(actor, battle, sides, session, version, report, reporter=actor)
    played = arbiter_facts(actor, battle)
    _begin(actor, battle, sides, session, activity.Action.SETTLE, reason=reason.strip()[:LONGEST_REASON], **played)
    return battle


@transaction.atomic
def confirm_report(*, actor: User, battle_id: UUID, version: int | None, ask_all: bool = False) -> Battle:
    """Confirm a report: the in-game gains are entered and both sequences begin. Repeating it does nothing.

    `version` is the one on the page; a newer one is refused, and so is anyone but the player who has to confirm it.
    `ask_all`: see `rules.post_battle.dialogue.run`.
    """
    battle, sides, session = lock_battle(battle_id)
    if battle.status in state_machine.BEGUN:
        return battle
    _check(actor, battle, activity.Action.CONFIRM, version)
    _begin(actor, battle, sides, session, activity.Action.CONFIRM, ask_all=ask_all)
    return battle


@transaction.atomic
def dispute(*, actor: User, battle_id: UUID, version: int | None, reason: str) -> Battle:
    """Dispute a report; `reason` says what is wrong. A player reports again, or an organizer settles the dispute.

    Refuses as `confirm_report` does, and an empty or overlong reason. Repeating it does nothing.
    """
    battle, _sides, _session = lock_battle(battle_id)
    if battle.status == Battle.Status.DISPUTED and version in (None, battle.version):
        return battle
    _check(actor, battle, activity.Action.DISPUTE, version)
    if not (reason := reason.strip()):
        raise refuse("R25", gettext("Say what is wrong with the report."), "reason")
    if len(reason) > LONGEST_REASON:
        sentence = gettext("Shorten the reason to %(longest_reason)s characters or fewer.")
        raise refuse("R25", sentence % {"longest_reason": LONGEST_REASON}, "reason")
    transition(actor=actor, battle=battle, act=activity.Action.DISPUTE, to=Battle.Status.DISPUTED, reason=reason)
    return battle


@transaction.atomic
def settle(*, actor: User, battle_id: UUID, version: int | None, reason: str = "") -> Battle:
    """Accept a report as an organizer: one that is disputed, or that the other player has not answered.

    Both sequences begin. `reason` is optional. Refuses anyone but an organizer, one who plays in the battle while
    another does not (`state_machine.decides`), and a report that has changed since. Repeating it does nothing.
    """
    battle, sides, session = lock_battle(battle_id)
    if battle.status in state_machine.BEGUN:
        return battle
    _check(actor, battle, activity.Action.SETTLE, version)
    played = arbiter_facts(actor, battle)
    _begin(actor, battle, sides, session, activity.Action.SETTLE, reason=reason.strip()[:LONGEST_REASON], **played)
    return battle


def needs_other_to_confirm(sides: list[Side]) -> bool:
    """Return whether another player has to confirm a report: two Registers of different owners fought."""
    return len({side.register.owner_id for side in sides if side.register}) > 1


def player_reporting(actor: User, sides: list[Side], colour: str = "") -> User | None:
    """Return whose report this is: the actor's if they play, else that of `colour` or of the first Register."""
    playing = {side.colour: side.register.owner for side in sides if side.register}
    if actor in playing.values():
        return actor
    return playing.get(colour, next(iter(playing.values())))


def _check(actor: User, battle: Battle, act: activity.Action, version: int | None) -> None:
    state_machine.check_actor(actor, battle, act)
    if version is not None and version != battle.version:
        raise refuse("R25", gettext("The report changed a moment ago. Check it, then try again."))


def _write(
    actor: User,
    battle: Battle,
    sides: list[Side],
    session: LedgerSession,
    version: int | None,
    report: BattleReport,
    colour: str = "",
    reporter: User | None = None,
) -> None:
    if version is not None and battle.version == version + 1 and _says_already(battle, sides, report):
        return
    state_machine.check_actor(actor, battle, activity.Action.REPORT)
    if version is not None and version != battle.version:
        raise refuse("R25", gettext("The report changed a moment ago. Check it, then enter your changes again."))
    before = whole_report(battle, sides)
    for side in sides:
        side.report = report.facts.get(side.colour, Facts()).as_data()
        side.victory_points = report.victory_points.get(side.colour, 0)
    battle.winner, battle.mission, battle.notes = report.winner, report.mission, report.notes
    states = {pk: session.state(register) for pk, register in session.registers.items()}
    raise_if_any([*text_violations(report.notes, "notes"), *violations_of(battle, sides, states)])
    Side.objects.bulk_update(sides, ["report", "victory_points"])
    changes = changes_between(before, whole_report(battle, sides)) if battle.status != Battle.Status.IN_PLAY else {}
    battle.reported_by, battle.version = reporter or player_reporting(actor, sides, colour), battle.version + 1
    transition(
        actor=actor, battle=battle, act=activity.Action.REPORT, to=Battle.Status.REPORTED,
        changed=["winner", "mission", "notes", "reported_by", "version"],
        on_behalf_of=None if battle.reported_by == actor else battle.reported_by,
        winner=battle.winner, victory_points={side.colour: side.victory_points for side in sides},
        **({"changes": changes} if changes else {}),
    )  # fmt: skip


def _begin(
    actor: User,
    battle: Battle,
    sides: list[Side],
    session: LedgerSession,
    act: activity.Action,
    *,
    ask_all: bool = False,
    **facts: Any,
) -> None:
    transition(actor=actor, battle=battle, act=act, to=Battle.Status.SEQUENCE, **facts)
    sequence.begin(actor, battle, sides, session, ask_all=ask_all)


def _says_already(battle: Battle, sides: list[Side], report: BattleReport) -> bool:
    same = all(getattr(battle, name) == getattr(report, name) for name in ("winner", "mission", "notes"))
    return same and all(
        side.report == report.facts.get(side.colour, Facts()).as_data()
        and side.victory_points == report.victory_points.get(side.colour, 0)
        for side in sides
    )


def violations_of(battle: Battle, sides: list[Side], states: Mapping[UUID, RegisterState]) -> list[Violation]:
    """Return the impossible facts of a report, `about` a color and a field; `states` as when the battle began."""
    conceded = frozenset(side.colour for side in sides if side.report.get("conceded"))
    book = next(book_of(side) for side in sides if side.register)
    violations = list(concession_violations(book, battle.winner, conceded))
    for side, other in (sides, sides[::-1]):
        if side.register:
            book, state = book_of(side), states[side.register.pk]
            brought = army_of(book, side.army).agenda
            found = report_violations(book, state, report_of(book, battle, side, other), brought)
            violations += [replace(each, about=f"{side.colour} {each.about}".strip()) for each in found]
    return violations
