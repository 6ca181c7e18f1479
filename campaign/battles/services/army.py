"""Choose armies for a planned battle, and begin the battle with them (R11, R18 to R22, R24)."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.timezone import localdate
from django.utils.translation import gettext, ngettext

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access, state_machine
from campaign.battles.models import Battle, CommandHand, Side
from campaign.battles.queries.battles import setup_for, side_to_choose
from campaign.battles.report_data import army_data, army_of, book_of
from campaign.battles.services import table
from campaign.battles.services.agendas import reset_agendas
from campaign.battles.services.contenders import mission_violations
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.transition import append_to_all, check_may_act, on_behalf_of, transition
from campaign.models import activity
from core.db.rows import update
from core.time_zones import zone_of
from registers.ledger import session as ledger_session
from registers.ledger.session import LedgerSession
from registers.models import EntryType
from rules.battle import army as armies
from rules.battle.army import army_violations
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.post_battle.steps import take_the_field
from rules.register.state import RegisterState


@transaction.atomic
def choose_army(
    *, actor: User, side_id: int, army: armies.Army, hand: Sequence[str] | None = None, version: int | None = None
) -> Battle:
    """Choose the army of a side; it may be changed until the battle begins. Repeating the same army does nothing.

    `hand` are the slugs of the Command Hand (empty: none; None: unchanged). `version` is that of the army the form was
    drawn from (None: the present one). Agendas are chosen afterwards, and again after a change (`agendas`). Refuses an
    army that breaks R19 or R21, a hand that breaks R24 or is entered by the opponent, a different army once the battle
    has begun, another user's side, and an outdated version. Raises ValueError for an army with an Agenda.
    """
    if army.agenda:
        raise ValueError("the Agenda is chosen once both armies are ready")
    battle, sides, session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    chosen = {name: value for name, value in side.army.items() if name != "agenda"}
    same_army = side.army_chosen and chosen == army_data(army)
    is_saved = same_army and table.is_hand_unchanged(side=side, hand=hand)
    if is_saved and battle.status not in state_machine.BEFORE_PLAY:
        return battle
    state_machine.check(battle, activity.Action.CHOOSE_ARMY)
    if side.register is None:
        raise RuleViolation([table.GUEST_ARMY()])
    check_may_act(actor, side)
    if version not in (None, side.version) and not is_saved:
        raise refuse("R19", gettext("This army or its Agenda changed a moment ago. Check it, then save yours again."))
    book, state = book_of(side), session.state(side.own_register)
    amiss = army_violations(book, state, army, setup_for(battle, side, sides))
    hand_amiss = table.hand_entry_violations(actor=actor, side=side, state=state, army=army, hand=hand)
    raise_if_any([*amiss, *hand_amiss])
    if is_saved:
        return battle
    table.record_hand(side=side, hand=hand)
    update(side, army=side.army if same_army else army_data(army), army_chosen=True, version=side.version + 1)
    both_chosen = all(side.army_chosen for side in sides)
    if both_chosen and not same_army:
        reset_agendas(battle, sides, session)
    transition(
        actor=actor, battle=battle, act=activity.Action.CHOOSE_ARMY,
        to=Battle.Status.READY if both_chosen else Battle.Status.PLANNED,
        on_behalf_of=ledger_session.on_behalf_of(actor, side.own_register), colour=side.colour,
    )  # fmt: skip
    return battle


@transaction.atomic
def begin(*, actor: User, battle_id: UUID) -> Battle:
    """Begin the battle: check both armies again and lock the Registers (R11). Repeating it does nothing.

    Refuses a Register that is still in another battle (R11), if an army is missing or an Agenda not chosen (R23),
    anyone who neither plays nor organizes, and armies and Command Hands that a change of a Register, such as an earlier
    battle, or of the catalogue has made illegal (R19 to R24). Each violation names its side; only users who act for
    that side see the details.
    """
    battle, sides, session = lock_battle(battle_id)
    if battle.status == Battle.Status.IN_PLAY:
        return battle
    state_machine.check_actor(actor, battle, activity.Action.BEGIN)
    raise_if_any(_busy_violations(sides, session))
    raise_if_any(_start_violations(actor, battle, sides, session))
    # Read under the locks: campaign rules changed while waiting for the Registers apply from this battle on.
    battle.campaign_rules = battle.campaign.campaign_rules
    # A battle played before its planned day, such as the last day of its round, has the day on which it is played.
    moved: dict[str, Any] = {}
    if (today := localdate(timezone=zone_of(battle.time_zone or battle.campaign.time_zone))) < battle.date:
        moved = {"before": {"date": battle.date.isoformat()}, "after": {"date": today.isoformat()}}
        battle.date, battle.plan_version = today, battle.plan_version + 1
    transition(
        actor=actor, battle=battle, act=activity.Action.BEGIN, to=Battle.Status.IN_PLAY,
        on_behalf_of=on_behalf_of(actor, battle), changed=["campaign_rules", "date", "plan_version"], **moved,
    )  # fmt: skip
    for side in sides:
        side.begun = True
    Side.objects.bulk_update(sides, ["begun"])
    append_to_all(
        session, actor=actor, battle=battle, act=EntryType.BEGIN,
        effects_for=lambda state: take_the_field(state, str(battle.pk)),
    )  # fmt: skip
    return battle


def _busy_violations(sides: Sequence[Side], session: LedgerSession) -> Iterator[Violation]:
    """Yield a violation for each Register that is in another battle, from its start to the end of its sequence (R11).
    An army is checked only once its Register is free, because that battle may still change it.
    """
    fields = {side.colour: session.state(side.register).in_field for side in sides if side.register}
    others = Battle.objects.in_bulk([UUID(field.battle) for field in fields.values() if field])
    for side in sides:
        if field := fields.get(side.colour):
            text = gettext("%(register)s is still in %(battle)s. Finish or cancel that battle first.") % {
                "register": side.name,
                "battle": others.get(UUID(field.battle), gettext("another battle")),
            }
            yield Violation("R11", text, side.colour)


def _start_violations(actor: User, battle: Battle, sides: list[Side], session: LedgerSession) -> Iterator[Violation]:
    """Yield the violations of the armies and Command Hands as the battle begins. An army is hidden until then, so users
    who do not act for it learn only which rule it breaks.
    """
    role = access.campaign_role(actor, battle.campaign)
    recorded = dict(CommandHand.objects.filter(side__battle=battle).values_list("side", "cards"))
    yield from _mission_violations(battle, sides, session)
    if waits_for := side_to_choose(sides):
        text = gettext("%(side)s has not chosen an Agenda yet. Choose one, or none.") % {"side": waits_for.name}
        yield Violation("R23", text, waits_for.colour)
    for side in sides:
        if side.register:
            book, state = book_of(side), session.state(side.register)
            army, setup = army_of(book, side.army), setup_for(battle, side, sides)
            found = list(_army_violations(book, state, army, setup))
            if found and not battle_access.may_act(role, side):
                text = gettext("This army is no longer legal. Its player has to change it.")
                found = [Violation(found[0].rule, text)]
            for violation in found:
                yield Violation(violation.rule, f"{side.name}: {violation.text}", side.colour)
            yield from table.violations_at_the_start(
                side=side, book=book, state=state, army=army, hand=recorded.get(side.pk)
            )


def _army_violations(
    book: Rulebook, state: RegisterState, army: armies.Army, setup: armies.BattleSetup
) -> Iterator[Violation]:
    """Yield the violations of an army chosen earlier, and what to do about them. Units that are gone are counted."""
    gone = army.fielded.keys() - state.dossiers.keys()
    found = [violation for violation in army_violations(book, state, army, setup) if violation.about not in gone]
    if gone:
        text = ngettext(
            "%(number)s unit of the army is no longer on the Register.",
            "%(number)s units of the army are no longer on the Register.",
            len(gone),
        ) % {"number": len(gone)}
        yield Violation("R19", text)
    yield from found
    if gone or any(violation.about != "agenda" for violation in found):
        yield Violation("", gettext("The army no longer fits its Register. Change the army."))


def _mission_violations(battle: Battle, sides: Sequence[Side], session: LedgerSession) -> Iterator[Violation]:
    states = {side.colour: session.state(side.register) for side in sides if side.register}
    book = book_of(next(side for side in sides if side.register))
    what_to_do = gettext("Change the Turning Point Mission of this battle.")
    found = list(mission_violations(book, states.get(Side.BLUE), states.get(Side.RED), battle.owner))
    blue = states.get(Side.BLUE)
    if not found and battle.owner and blue and blue.story_arc != battle.turning_point_id:
        name = next(side.name for side in sides if side.colour == Side.BLUE)
        text = gettext("%(register)s has started another Story Arc since this battle was planned.") % {"register": name}
        found = [Violation("R22", text)]
    for violation in found:
        yield Violation(violation.rule, f"{violation.text} {what_to_do}")
