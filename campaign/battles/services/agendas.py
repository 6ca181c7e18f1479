"""Choose the Agendas of a battle once both armies are ready: Blue first, openly (R22, R23)."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles import state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import agendas_version, setup_for, side_to_choose
from campaign.battles.report_data import book_of
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.transition import check_may_act, transition
from campaign.models import activity
from registers.ledger import session as ledger_session
from registers.ledger.session import LedgerSession
from rules.battle.army import agenda_violations, may_bring_agenda
from rules.core.violations import raise_if_any, refuse


@transaction.atomic
def choose_agenda(*, actor: User, side_id: int, agenda: str | None, version: int | None = None) -> Battle:
    """Choose the Agenda that a side brings: a slug, "" for none, or None to undo the choice. Repeating it does nothing.

    `version` is that of the choices on the page (`agendas_version`; None: the present one). Refuses a battle that is
    not ready, a side whose turn it is not, an Agenda that R22 or R23 does not allow, undoing a choice that the opponent
    has answered, another user's side, and an outdated version.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    if side.agenda == agenda:
        return battle
    state_machine.check(battle, activity.Action.CHOOSE_AGENDA)
    if side.register is None:
        raise refuse("R17", gettext("A guest’s Agenda is not recorded here."))
    check_may_act(actor, side)
    if version not in (None, agendas_version(sides)):
        raise refuse("R23", gettext("An army or Agenda changed a moment ago. Check the page, then choose again."))
    if agenda is None:
        _check_undo(battle, sides, session, side)
    else:
        _check_choice(battle, sides, session, side, agenda)
    _set_agenda(side, agenda)
    transition(
        actor=actor,
        battle=battle,
        act=activity.Action.CHOOSE_AGENDA,
        to=Battle.Status.READY,
        on_behalf_of=ledger_session.on_behalf_of(actor, side.register),
        colour=side.colour,
        agenda=agenda,
    )
    return battle


def reset_agendas(battle: Battle, sides: Sequence[Side], session: LedgerSession) -> None:
    """Open the choice of Agendas again, for new armies; a side that may bring none has none at once (R22, R23)."""
    for side in sides:
        if side.register:
            now = None if _may_choose(battle, sides, session, side) else ""
            if side.agenda != now:
                _set_agenda(side, now)


def _set_agenda(side: Side, agenda: str | None) -> None:
    army = {name: value for name, value in side.army.items() if name != "agenda"}
    side.army = army if agenda is None else {**army, "agenda": agenda}
    side.version += 1
    side.save(update_fields=["army", "version"])


def _check_choice(battle: Battle, sides: Sequence[Side], session: LedgerSession, side: Side, agenda: str) -> None:
    due = side_to_choose(sides)
    if due is not side and side.agenda is None and due:
        raise refuse("R23", gettext("Blue chooses first. Wait for %(side)s.") % {"side": due.name})
    setup = setup_for(battle, side, list(sides))
    raise_if_any(agenda_violations(book_of(side), session.state(side.own_register), agenda, setup))
    if due is not side:
        raise refuse("R23", gettext("%(side)s has chosen already. Undo that choice first.") % {"side": side.name})


def _check_undo(battle: Battle, sides: Sequence[Side], session: LedgerSession, side: Side) -> None:
    """Refuse to undo a choice that the opponent has answered with its own; Red chooses last. An Agenda that is no
    longer allowed, because an earlier battle has completed it, can always be chosen again.
    """
    book, state = book_of(side), session.state(side.own_register)
    if any(agenda_violations(book, state, side.agenda or "", setup_for(battle, side, list(sides)))):
        return
    chosen = [each for each in sides if each.agenda is not None and _may_choose(battle, sides, session, each)]
    last = max(chosen, key=lambda each: each.colour, default=None)
    if last is not side:
        raise refuse("R23", gettext("Only the last choice can be undone. Ask your opponent to undo theirs first."))


def _may_choose(battle: Battle, sides: Sequence[Side], session: LedgerSession, side: Side) -> bool:
    if side.register is None:
        return False
    state = session.state(side.register)
    # A Register that is still in an earlier battle may be about to choose its next Story Arc.
    return not state.story_arc or may_bring_agenda(book_of(side), state, setup_for(battle, side, list(sides)))
