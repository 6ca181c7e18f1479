"""Change whose Turning Point Mission a planned battle plays (R22)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import User
from campaign.battles import state_machine
from campaign.battles.models import Battle, CommandHand, Side
from campaign.battles.report_data import book_of
from campaign.battles.services.agendas import reset_agendas
from campaign.battles.services.contenders import mission_violations
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.transition import on_behalf_of, transition
from campaign.models import activity
from rules.core.violations import Fault, RuleViolation, raise_if_any

FOREIGN_OWNER = Fault("R22", gettext_noop("Choose a Register of this battle."))
PLAN_CHANGED = Fault("", gettext_noop("The plan changed a moment ago. Check it, then make your changes again."))

CONTENDER = ("register", "guest_name", "guest_faction", "guest_points")


@transaction.atomic
def change_mission(*, actor: User, battle_id: UUID, version: int, owner: UUID | None) -> Battle:
    """Let a battle play the Turning Point Mission of one of its Registers (`owner`, by key), or of none.

    The owner is Blue: if it was Red, the sides change colors, and both choose their armies again. Otherwise only the
    Agendas are chosen again. `version` is that of the plan on the page. Repeating it does nothing. Refuses anyone who
    neither plays nor organizes, a battle that has begun, a plan that has changed since, and a mission that may not be,
    or must be, played.
    """
    battle, (blue, red), session = lock_battle(battle_id)
    state_machine.check_actor(actor, battle, activity.Action.REPLAN)
    states = {side.register_id: session.state(side.own_register) for side in (blue, red) if side.register}
    if owner not in (None, *states):
        raise RuleViolation([FOREIGN_OWNER("owner")])
    arc = states[owner].story_arc if owner else None
    if (battle.turning_point_id, bool(battle.owner)) == (arc, bool(owner)) and owner in (None, blue.register_id):
        return battle
    if battle.plan_version != version:
        raise RuleViolation([PLAN_CHANGED()])
    swaps = owner is not None and owner == red.register_id
    first, second = (states.get(side.register_id) for side in ((red, blue) if swaps else (blue, red)))
    book = book_of(blue if blue.register else red)
    raise_if_any(mission_violations(book, first, second, Side.BLUE if owner else ""))
    was, player = battle.turning_point_id or "", on_behalf_of(actor, battle)
    battle.owner, battle.turning_point_id = Side.BLUE if owner else "", arc
    battle.plan_version += 1
    if swaps:
        _swap_colors(battle, blue, red)
    elif blue.army_chosen and red.army_chosen:
        reset_agendas(battle, [blue, red], session)
    transition(
        actor=actor,
        battle=battle,
        act=activity.Action.REPLAN,
        to=Battle.Status.PLANNED if swaps else battle.status,
        changed=["owner", "turning_point", "plan_version"],
        on_behalf_of=player,
        before={"mission": was},
        after={"mission": arc or ""},
    )
    return battle


def _swap_colors(battle: Battle, blue: Side, red: Side) -> None:
    """Let both sides change colors. Armies, Command Hands and words for the dice belonged to the former sides."""
    values = [{name: getattr(side, name) for name in CONTENDER} for side in (red, blue)]
    for side, new in zip((blue, red), values, strict=True):
        for name, value in new.items():
            setattr(side, name, value)
        side.army, side.army_chosen, side.acting_user = {}, side.register is None, None
        side.version += 1
    Side.objects.bulk_update([blue, red], [*CONTENDER, "army", "army_chosen", "acting_user", "version"])
    CommandHand.objects.filter(side__battle=battle).delete()
    battle.dice_seeds.filter(revealed_at=None).update(blue_word="", red_word="")
