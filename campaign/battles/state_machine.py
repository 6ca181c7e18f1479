"""The state machine of a battle: its states, the actions that lead from one to the next, and who may do each.

    planned → ready → in play → reported → sequence ⇄ closed
                                  ↓ ↑         ↑
                                disputed ─────┘         and canceled, from any state before the sequence

A confirmed report (the other player agrees) or a settled one (an organizer decides) starts the sequence.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum

from django.utils.translation import gettext as _, gettext_lazy

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models.battle import BEFORE_PLAY, Battle, BattleStatus
from campaign.models.activity import Action
from rules.core.translation import sentences_of
from rules.core.values import Value
from rules.core.violations import refuse

__all__ = ["BEFORE_PLAY", "BEGUN", "FOUGHT", "OPEN", "TRANSITIONS", "BattleRole", "BattleStatus", "Transition"]


class BattleRole(Enum):
    """The role of a user in a battle. The other player answers the report; its only player has this role too. The
    arbiter is an organizer who may decide about a report: see `decides`.
    """

    PLAYER = "player"
    OTHER_PLAYER = "other player"
    ORGANIZER = "organizer"
    ARBITER = "arbiter"


#: States in which a battle is over, and (`OPEN`) those in which its Registers are still in it.
OVER = (BattleStatus.CLOSED, BattleStatus.CANCELLED)
OPEN = tuple(status for status in BattleStatus if status not in OVER)

#: States from the sequence on. The Registers' ledgers hold the results of the battle.
BEGUN = (BattleStatus.SEQUENCE, BattleStatus.CLOSED)


class Transition(Value):
    """The states an action can lead to, and who may do it. If there are several states, the service decides which."""

    to: Collection[str]
    by: tuple[BattleRole, ...] = ()


_AT_THE_TABLE = (BattleRole.PLAYER, BattleRole.ORGANIZER)
_CALLED_OFF = Transition((BattleStatus.CANCELLED,), _AT_THE_TABLE)
#: One player cannot drop a report alone. A player who disagrees disputes it.
_DROPPED = Transition((BattleStatus.CANCELLED,), (BattleRole.ARBITER,))
_REPORTED = Transition((BattleStatus.REPORTED,), _AT_THE_TABLE)
_SETTLED = Transition((BattleStatus.SEQUENCE,), (BattleRole.ARBITER,))

#: Actions that are possible in each state. Choosing the second army makes a battle ready; then the Agendas are chosen,
#: Blue first. Nobody closes a battle by hand.
TRANSITIONS: Mapping[Action, Mapping[str, Transition]] = {
    Action.PLAN: {"": Transition((BattleStatus.PLANNED,))},
    Action.REPLAN: {
        BattleStatus.PLANNED: Transition((BattleStatus.PLANNED,), _AT_THE_TABLE),
        BattleStatus.READY: Transition((BattleStatus.READY, BattleStatus.PLANNED), _AT_THE_TABLE),
    },
    Action.CHOOSE_ARMY: {
        BattleStatus.PLANNED: Transition((BattleStatus.PLANNED, BattleStatus.READY), _AT_THE_TABLE),
        BattleStatus.READY: Transition((BattleStatus.READY,), _AT_THE_TABLE),
    },
    Action.CHOOSE_AGENDA: {BattleStatus.READY: Transition((BattleStatus.READY,), _AT_THE_TABLE)},
    Action.BEGIN: {BattleStatus.READY: Transition((BattleStatus.IN_PLAY,), _AT_THE_TABLE)},
    Action.REPORT: dict.fromkeys((BattleStatus.IN_PLAY, BattleStatus.REPORTED, BattleStatus.DISPUTED), _REPORTED),
    # Who disputed a report may confirm it after all, which withdraws the dispute.
    Action.CONFIRM: dict.fromkeys(
        (BattleStatus.REPORTED, BattleStatus.DISPUTED), Transition((BattleStatus.SEQUENCE,), (BattleRole.OTHER_PLAYER,))
    ),
    Action.DISPUTE: {BattleStatus.REPORTED: Transition((BattleStatus.DISPUTED,), (BattleRole.OTHER_PLAYER,))},
    Action.SETTLE: dict.fromkeys((BattleStatus.REPORTED, BattleStatus.DISPUTED), _SETTLED),
    Action.CLOSE: {BattleStatus.SEQUENCE: Transition((BattleStatus.CLOSED,))},
    Action.REOPEN: {BattleStatus.CLOSED: Transition((BattleStatus.SEQUENCE,), _AT_THE_TABLE)},
    Action.CANCEL: {
        **dict.fromkeys((BattleStatus.PLANNED, BattleStatus.READY, BattleStatus.IN_PLAY), _CALLED_OFF),
        **dict.fromkeys((BattleStatus.REPORTED, BattleStatus.DISPUTED), _DROPPED),
    },
    Action.ACT_FOR: {status: Transition((status,), (BattleRole.ORGANIZER,)) for status in OPEN},
    Action.AMEND: {status: Transition((status,), (BattleRole.ORGANIZER,)) for status in BEGUN},
    Action.ANNUL: dict.fromkeys(BEGUN, Transition((BattleStatus.CANCELLED,), (BattleRole.ORGANIZER,))),
    # Actions for the dice of an amendment not yet applied or dropped: promising a seed, and recording that dice were
    # rolled.
    Action.SEAL: {status: Transition((status,)) for status in BEGUN},
    Action.LET_GO: {status: Transition((status,)) for status in BEGUN},
}

#: The rule behind each action, and a sentence that says when it can be done.
WHEN = sentences_of(__file__)

_ONLY_ORGANIZERS = gettext_lazy("Only organizers can settle or drop a report, or act for a player.")
_ONLY = {
    _AT_THE_TABLE: gettext_lazy("Only its players and the organizers can do this."),
    (BattleRole.OTHER_PLAYER,): gettext_lazy("Only the player who did not report the battle can do this."),
    (BattleRole.ORGANIZER,): _ONLY_ORGANIZERS,
    (BattleRole.ARBITER,): _ONLY_ORGANIZERS,
    (): gettext_lazy("This happens automatically."),
}

_PLAYS_ONESELF = gettext_lazy(
    "You play in this battle, so another organizer has to settle or drop its report. The rulebook does not mention "
    "organizers; this is our reading."
)

#: States in which the Registers are in a battle that has had no effect on them yet (R11).
FOUGHT = (BattleStatus.IN_PLAY, BattleStatus.REPORTED, BattleStatus.DISPUTED)


def check(battle: Battle, act: Action) -> None:
    """Refuse an action that is not possible in the state of the battle (R11, R18, R19, R25, R50)."""
    if battle.status not in TRANSITIONS[act]:
        state, when = battle.get_status_display(), WHEN[act]
        raise refuse(when["rule"], _("%(when)s This battle is %(state)s.") % {"when": _(when["text"]), "state": state})


def check_actor(user: User, battle: Battle, act: Action) -> None:
    """Refuse an action that `check` refuses, and a user who may not do it with the battle."""
    check(battle, act)
    check_role(user, battle, *TRANSITIONS[act][battle.status].by)


def check_role(user: User, battle: Battle, *by: BattleRole) -> None:
    """Refuse a user who has none of these roles in the battle."""
    who = battle_role(access.campaign_role(user, battle.campaign), battle)
    if who.intersection(by):
        return
    if BattleRole.ARBITER in by and BattleRole.ORGANIZER in who:
        raise refuse("R25", str(_PLAYS_ONESELF))
    raise refuse("", str(_ONLY[by]))


def battle_role(role: access.CampaignRole, battle: Battle) -> frozenset[BattleRole]:
    """Return the roles in the battle of a user with this campaign role: one query for organizers, none for others.
    Nobody has one in a campaign that is not open.
    """
    user, found = role.user, set()
    if not role.campaign.is_open:
        return frozenset()
    if role.is_organizer:
        found.add(BattleRole.ORGANIZER)
        organizers = access.organizers().filter(campaign=battle.campaign_id).values_list("user_id", flat=True)
        if decides(user, battle_access.fighters_of(battle), organizers):
            found.add(BattleRole.ARBITER)
    if battle_access.plays(role, battle):
        found.add(BattleRole.PLAYER)
        if user.pk != battle.reported_by_id or len(battle_access.fighters_of(battle)) == 1:
            found.add(BattleRole.OTHER_PLAYER)
    return frozenset(found)


def decides(user: User, fighters: Collection[int | None], organizers: Iterable[int]) -> bool:
    """Return whether an organizer may settle or drop the report of a battle.

    `fighters` and `organizers` are primary keys of users. An organizer who fights in the battle leaves this to one
    who does not, if there is one. The rulebook names no organizers; this is our reading.
    """
    return user.pk not in fighters or set(organizers) <= set(fighters)


def may_report_and_settle(who: Collection[BattleRole], battle: Battle) -> bool:
    """Return whether a user with these roles may write the report of a battle and accept it in one act. An organizer
    who plays may do so only once the other player has seen a report.
    """
    if battle.status not in TRANSITIONS[Action.REPORT] or BattleRole.ARBITER not in who:
        return False
    return battle.status != BattleStatus.IN_PLAY or BattleRole.PLAYER not in who


def open_actions(who: Collection[BattleRole], battle: Battle) -> frozenset[Action]:
    """Return the actions that a user with these roles may do with the battle in its current state."""
    ways = {act: TRANSITIONS[act][battle.status] for act in Action if battle.status in TRANSITIONS[act]}
    return frozenset(act for act, way in ways.items() if set(who).intersection(way.by))
