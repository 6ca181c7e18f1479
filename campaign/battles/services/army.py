"""Choose armies for a planned battle, and begin the battle with them (R11, R18 to R24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Required, TypedDict, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access
from campaign.battles import state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import army_data, army_of, book_of
from campaign.battles.services import table
from campaign.battles.services.contenders import mission_violations
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.transition import append_to_all, check_may_act, on_behalf_of, transition
from campaign.models import activity
from registers.ledger import session as ledger_session
from registers.ledger.session import LedgerSession
from registers.models import EntryType
from rules.battle import army as armies
from rules.battle.army import army_violations
from rules.core.translation import gettext
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.post_battle.steps import take_the_field


class ChosenArmy(TypedDict, total=False):
    """Arguments of `choose_army`.

    `hand` are the slugs of the Command Hand (empty: none; left out: unchanged). `version` is that of the army the
    form was drawn from (None: the present one).
    """

    army: Required[armies.Army]
    hand: Sequence[str] | None
    version: int | None


@transaction.atomic
def choose_army(*, actor: User, side_id: int, **entry: Unpack[ChosenArmy]) -> Battle:
    """Choose the army of a side; it may be changed until the battle begins. Repeating the same army does nothing.

    Refuses an army that breaks R19, R21, R22 or R23, a hand that breaks R24 or is entered by the opponent, a
    different army once the battle has begun, another user's side, and an outdated version.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    _muster(actor, battle, sides, session, side_id, **entry)
    return battle


@transaction.atomic
def choose_army_and_begin(
    *, actor: User, side_id: int, **entry: Unpack[ChosenArmy]
) -> tuple[Battle, RuleViolation | None]:
    """Choose the army of a side as `choose_army` does, and begin the battle if possible, under one lock.

    Returns the battle, and the reason why it could not begin, if any. Refuses what `choose_army` refuses. The army is
    kept even if the battle cannot begin, because the other army may be the reason.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    _muster(actor, battle, sides, session, side_id, **entry)
    try:
        _begin(actor, battle, sides, session)
    except RuleViolation as refusal:  # nothing has been written yet
        return battle, refusal
    return battle, None


def _muster(
    actor: User,
    battle: Battle,
    sides: list[Side],
    session: LedgerSession,
    side_id: int,
    *,
    army: armies.Army,
    hand: Sequence[str] | None = None,
    version: int | None = None,
) -> None:
    side = next(side for side in sides if side.pk == side_id)
    stands_already = side.army_chosen and side.army == army_data(army) and table.is_hand_unchanged(side=side, hand=hand)
    if stands_already and battle.status not in state_machine.BEFORE_PLAY:
        return
    state_machine.check(battle, activity.Action.CHOOSE_ARMY)
    if side.register is None:
        raise refuse("R17", gettext("A guest's army is not kept here."))
    check_may_act(actor, side)
    if version not in (None, side.version) and not stands_already:
        raise refuse("R19", gettext("Another army was fielded meanwhile. Look at it, then field yours again."))
    book, state = book_of(side), session.state(side.own_register)
    amiss = army_violations(book, state, army, setup_for(battle, side, sides))
    hand_amiss = table.hand_entry_violations(actor=actor, side=side, state=state, army=army, hand=hand)
    raise_if_any([*amiss, *hand_amiss])
    if stands_already:
        return
    table.record_hand(side=side, hand=hand)
    side.army, side.army_chosen, side.version = army_data(army), True, side.version + 1
    side.save(update_fields=["army", "army_chosen", "version"])
    both_stand = all(side.army_chosen for side in sides)
    transition(
        actor=actor,
        battle=battle,
        act=activity.Action.CHOOSE_ARMY,
        to=Battle.Status.READY if both_stand else Battle.Status.PLANNED,
        on_behalf_of=ledger_session.on_behalf_of(actor, side.own_register),
        colour=side.colour,
    )


@transaction.atomic
def begin(*, actor: User, battle_id: UUID) -> Battle:
    """Begin the battle: check both armies again and lock the Registers (R11). Repeating it does nothing.

    Refuses if an army is missing, anyone who neither plays nor organizes, and armies and Command Hands that a change
    of a Register or of the catalogue has made illegal (R19 to R24). Each violation names its side; only users who act
    for that side see the details.
    """
    battle, sides, session = lock_battle(battle_id)
    _begin(actor, battle, sides, session)
    return battle


def _begin(actor: User, battle: Battle, sides: list[Side], session: LedgerSession) -> None:
    if battle.status == Battle.Status.IN_PLAY:
        return
    state_machine.check(battle, activity.Action.BEGIN)
    state_machine.check_actor(actor, battle, activity.Action.BEGIN)
    raise_if_any(_start_violations(actor, battle, sides, session))
    # Read under the locks: campaign rules changed while waiting for the Registers apply from this battle on.
    battle.campaign_rules = battle.campaign.campaign_rules
    transition(
        actor=actor,
        battle=battle,
        act=activity.Action.BEGIN,
        to=Battle.Status.IN_PLAY,
        on_behalf_of=on_behalf_of(actor, battle),
        changed=["campaign_rules"],
    )
    append_to_all(
        session, actor=actor, battle=battle, act=EntryType.BEGIN,
        effects_for=lambda state: take_the_field(state, str(battle.pk)),
    )  # fmt: skip


def setup_for(battle: Battle, side: Side, sides: list[Side]) -> armies.BattleSetup:
    """Return the size, reinforcements and Turning Point Mission of one side (R18, R20, R22). The sides have their
    Registers loaded.
    """
    other = next(other for other in sides if other.pk != side.pk)
    ahead = other.register.reputation if other.register else 0
    return armies.BattleSetup(
        size=battle.size,
        reinforcements=armies.reinforcements(side.register.reputation, ahead) if side.register else 0,
        own_turning_point=battle.owner == side.colour,
    )


def _start_violations(actor: User, battle: Battle, sides: list[Side], session: LedgerSession) -> Iterator[Violation]:
    """Yield the violations of the armies and Command Hands as the battle begins.

    An army is hidden until then, so users who do not act for it learn only which rule it breaks.
    """
    role, recorded = access.campaign_role(actor, battle.campaign), table.recorded_hands(battle)
    yield from _mission_violations(battle, sides, session)
    for side in sides:
        if side.register:
            book, state = book_of(side), session.state(side.register)
            army, setup = army_of(book, side.army), setup_for(battle, side, sides)
            found = list(army_violations(book, state, army, setup))
            if found and not battle_access.may_act(role, side):
                text = gettext("The army is not legal any more, and has to be mustered anew.")
                found = [Violation(found[0].rule, text)]
            for violation in found:
                yield Violation(violation.rule, f"{side.name}: {violation.text}", side.colour)
            yield from table.violations_at_the_start(
                side=side, book=book, state=state, army=army, hand=recorded.get(side.pk)
            )


def _mission_violations(battle: Battle, sides: Sequence[Side], session: LedgerSession) -> Iterator[Violation]:
    states = {side.colour: session.state(side.register) for side in sides if side.register}
    book = book_of(next(side for side in sides if side.register))
    what_to_do = gettext("Call this battle off, and plan it anew.")
    for violation in mission_violations(book, states.get(Side.BLUE), states.get(Side.RED), battle.owner):
        yield Violation(violation.rule, f"{violation.text} {what_to_do}")
