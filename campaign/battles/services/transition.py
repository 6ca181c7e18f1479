"""Helpers that the services of battles share: moving to the next state, and finding whom an organizer acts for."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access, state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.services import notifications
from campaign.battles.services.locks import lock_battle
from campaign.models import ActivityKind, activity
from campaign.services.activity import log_activity
from registers.ledger.session import LedgerSession
from registers.models import Register
from rules.core.violations import refuse
from rules.register.effects import Effect
from rules.register.state import RegisterState


def transition(
    *,
    actor: User | None,
    battle: Battle,
    act: activity.Action,
    to: str,
    on_behalf_of: User | None = None,
    changed: Collection[str] = (),
    **facts: Any,
) -> None:
    """Move a locked battle to the state `to`, save it with its other `changed` fields, and log that with further
    `facts`. Refuses what `state_machine.check` refuses. Raises ValueError for a state to which the action never leads.
    """
    state_machine.check(battle, act)
    if to not in state_machine.TRANSITIONS[act][battle.status].to:
        raise ValueError(f"{act} never leads from {battle.status} to {to}")
    was, battle.status = battle.status, to
    if changed or was != to:
        battle.save(update_fields=["status", *changed])
    record_action(actor=actor, battle=battle, act=act, was=was, on_behalf_of=on_behalf_of, **facts)


def record_action(
    *,
    actor: User | None,
    battle: Battle,
    act: activity.Action,
    was: str,
    on_behalf_of: User | None = None,
    **facts: Any,
) -> None:
    """Record in the activity log an action on a battle whose previous state was `was`."""
    facts = {"act": str(act), "from": str(was), "to": str(battle.status), **facts}
    log_activity(
        actor=actor,
        campaign=battle.campaign,
        kind=ActivityKind.BATTLE,
        battle=battle,
        on_behalf_of=on_behalf_of,
        **facts,
    )
    notifications.after_action(actor=actor, battle=battle, act=act, facts=facts)


def append_to_all(
    session: LedgerSession,
    *,
    actor: User,
    battle: Battle,
    act: str,
    effects_for: Callable[[RegisterState], Sequence[Effect]],
) -> None:
    """Append the effects from `effects_for` to the ledger of each Register of a locked battle, if any, and commit.

    Either player may change both Registers, for nobody.
    """
    for_owner = actor.pk not in battle_access.fighters_of(battle)
    for register in _registers(battle):
        if effects := effects_for(session.state(register)):
            session.stage(register, actor=actor, for_owner=for_owner, act=act, effects=effects, battle=str(battle.pk))
    session.commit()


def check_may_act(actor: User, side: Side) -> None:
    """Refuse a user who may not act for a side of a locked battle."""
    if not battle_access.may_act(access.campaign_role(actor, side.battle.campaign), side):
        raise refuse("", gettext("Only its player and the organizers can act for this side."))


@transaction.atomic
def act_for_side(*, actor: User, side_id: int) -> Battle:
    """Let an organizer who plays the other side act for this one for the rest of the battle; the chronicle records it.
    Repeating it does nothing. Refuses everyone else, and a battle that is over.
    """
    battle, sides, _session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    if side.acting_user_id == actor.pk:
        return battle
    state_machine.check_actor(actor, battle, activity.Action.ACT_FOR)
    if not battle_access.opposes(actor, side):
        raise refuse("", gettext("Only an organizer who plays the other side can do this."))
    side.acting_user = actor
    side.save(update_fields=["acting_user"])
    transition(
        actor=actor, battle=battle, act=activity.Action.ACT_FOR, to=battle.status,
        on_behalf_of=side.own_register.owner, colour=side.colour,
    )  # fmt: skip
    return battle


def on_behalf_of(actor: User, battle: Battle) -> User | None:
    """Return the only player of the battle, for whom an actor who does not play acts. In a battle of two players an
    organizer acts as organizer, for neither of them, and this is None.
    """
    players = {register.owner_id: register.owner for register in _registers(battle)}
    return None if actor.pk in players or len(players) != 1 else next(iter(players.values()))


def arbiter_facts(actor: User, battle: Battle) -> dict[str, Any]:
    """Return the chronicle facts of an organizer who decides about the report of a battle in which they play."""
    return {"played": True} if actor.pk in battle_access.fighters_of(battle) else {}


def _registers(battle: Battle) -> list[Register]:
    return [side.register for side in battle.sides.all() if side.register]
