"""The life of a battle: its states, the acts that lead from one to the next, and who may do each of them.

    planned → mustered → in play → reported → sequence ⇄ closed
                                      ↓ ↑         ↑
                                    disputed ─────┘         and cancelled, from any state before the sequence

A report gets into the sequence by being confirmed (the other player agrees) or settled (an organizer decides).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models.battle import BEFORE_PLAY, Battle, Status
from campaign.models.activity import Action
from rules.core.violations import refuse

__all__ = ["BEFORE_PLAY", "BEGUN", "FOUGHT", "OPEN", "TRANSITIONS", "BattleRole", "Status", "Transition"]


class BattleRole(Enum):
    """The role of a user in a battle. The other player answers the report, or plays alone. The arbiter is an organizer
    who may decide about a report: see `decides`.
    """

    PLAYER = "player"
    OTHER_PLAYER = "other player"
    ORGANIZER = "organizer"
    ARBITER = "arbiter"


#: States in which a battle is over, and those in which its Registers stand in it.
OVER = (Status.CLOSED, Status.CANCELLED)
OPEN = tuple(status for status in Status if status not in OVER)

#: States from the sequence on: what happened to the Registers stands in their ledgers.
BEGUN = (Status.SEQUENCE, Status.CLOSED)


@dataclass(frozen=True, slots=True)
class Transition:
    """To which states an act leads, and who may do it. Of several the service finds out where it leads."""

    to: Collection[str]
    by: tuple[BattleRole, ...] = ()


_AT_THE_TABLE = (BattleRole.PLAYER, BattleRole.ORGANIZER)
_CALLED_OFF = Transition((Status.CANCELLED,), _AT_THE_TABLE)
#: A report is not one player's to drop: who disagrees disputes it.
_DROPPED = Transition((Status.CANCELLED,), (BattleRole.ARBITER,))
_REPORTED = Transition((Status.REPORTED,), _AT_THE_TABLE)
_SETTLED = Transition((Status.SEQUENCE,), (BattleRole.ARBITER,))

#: What may be done in which state. The second army to stand makes a battle mustered; nobody closes it by hand.
TRANSITIONS: Mapping[Action, Mapping[str, Transition]] = {
    Action.PLAN: {"": Transition((Status.PLANNED,))},
    Action.REPLAN: {
        Status.PLANNED: Transition((Status.PLANNED,), _AT_THE_TABLE),
        Status.READY: Transition((Status.READY,), _AT_THE_TABLE),
    },
    Action.CHOOSE_ARMY: {
        Status.PLANNED: Transition((Status.PLANNED, Status.READY), _AT_THE_TABLE),
        Status.READY: Transition((Status.READY,), _AT_THE_TABLE),
    },
    Action.BEGIN: {Status.READY: Transition((Status.IN_PLAY,), _AT_THE_TABLE)},
    Action.REPORT: dict.fromkeys((Status.IN_PLAY, Status.REPORTED, Status.DISPUTED), _REPORTED),
    Action.CONFIRM: {Status.REPORTED: Transition((Status.SEQUENCE,), (BattleRole.OTHER_PLAYER,))},
    Action.DISPUTE: {Status.REPORTED: Transition((Status.DISPUTED,), (BattleRole.OTHER_PLAYER,))},
    Action.SETTLE: dict.fromkeys((Status.REPORTED, Status.DISPUTED), _SETTLED),
    Action.CLOSE: {Status.SEQUENCE: Transition((Status.CLOSED,))},
    Action.REOPEN: {Status.CLOSED: Transition((Status.SEQUENCE,), _AT_THE_TABLE)},
    Action.CANCEL: {
        **dict.fromkeys((Status.PLANNED, Status.READY, Status.IN_PLAY), _CALLED_OFF),
        **dict.fromkeys((Status.REPORTED, Status.DISPUTED), _DROPPED),
    },
    Action.ACT_FOR: {status: Transition((status,), (BattleRole.ORGANIZER,)) for status in OPEN},
    Action.AMEND: {status: Transition((status,), (BattleRole.ORGANIZER,)) for status in BEGUN},
    Action.ANNUL: dict.fromkeys(BEGUN, Transition((Status.CANCELLED,), (BattleRole.ORGANIZER,))),
    # What comes of a revision that is not applied yet, or never: a seed for its dice, and that they were rolled.
    Action.SEAL: {status: Transition((status,)) for status in BEGUN},
    Action.LET_GO: {status: Transition((status,)) for status in BEGUN},
}

#: The rule that speaks of an act, and when it can be done.
_WHEN = {
    Action.PLAN: ("R18", gettext_lazy("A battle is planned once.")),
    Action.REPLAN: ("R18", gettext_lazy("A battle can be planned anew until it begins.")),
    Action.CHOOSE_ARMY: ("R19", gettext_lazy("Armies are mustered until the battle begins.")),
    Action.BEGIN: ("R11", gettext_lazy("A battle begins once both armies stand.")),
    Action.REPORT: ("R25", gettext_lazy("Only a battle in play can be reported.")),
    Action.CONFIRM: ("R25", gettext_lazy("There is no report to confirm.")),
    Action.DISPUTE: ("R25", gettext_lazy("There is no report to dispute.")),
    Action.SETTLE: ("R25", gettext_lazy("There is no report to settle.")),
    Action.CLOSE: ("R50", gettext_lazy("A battle is closed once both sequences are over.")),
    Action.REOPEN: ("R50", gettext_lazy("Only a battle that is closed is opened again.")),
    Action.CANCEL: ("R11", gettext_lazy("Once its sequence has begun a battle cannot be canceled.")),
    Action.AMEND: ("R50", gettext_lazy("Before its sequence a battle is reported anew, or canceled.")),
    Action.ANNUL: ("R50", gettext_lazy("Before its sequence a battle is reported anew, or canceled.")),
    Action.SEAL: ("R50", gettext_lazy("Before its sequence no dice of a battle are rolled anew.")),
    Action.LET_GO: ("R50", gettext_lazy("Before its sequence no dice of a battle are rolled anew.")),
    Action.ACT_FOR: ("R50", gettext_lazy("Nobody has to act for a player once a battle is over.")),
}

_ONLY_ORGANIZERS = gettext_lazy("Only an organizer settles a report, drops it, or acts for a player.")
_ONLY = {
    _AT_THE_TABLE: gettext_lazy("Only its players and the organizers do this."),
    (BattleRole.OTHER_PLAYER,): gettext_lazy("This is for the player who did not report the battle."),
    (BattleRole.ORGANIZER,): _ONLY_ORGANIZERS,
    (BattleRole.ARBITER,): _ONLY_ORGANIZERS,
    (): gettext_lazy("Nobody does this by hand."),
}

_PLAYS_ONESELF = gettext_lazy(
    "You play in this battle: an organizer who does not settles its report or drops it. The rulebook names no "
    "organizer; this is how we read it."
)

#: States in which the Registers are in the field and nothing has come of it yet (R11).
FOUGHT = (Status.IN_PLAY, Status.REPORTED, Status.DISPUTED)


def check(battle: Battle, act: Action) -> None:
    """Refuse an act that the table does not have for the state of the battle (R11, R18, R19, R25, R50)."""
    if battle.status not in TRANSITIONS[act]:
        rule, when = _WHEN[act]
        state = battle.get_status_display()
        raise refuse(rule, _("%(when)s This one is %(state)s.") % {"when": when, "state": state})


def check_actor(user: User, battle: Battle, act: Action) -> None:
    """Refuse somebody who may not do this with a battle in its state, to which the act must be open (see `check`)."""
    by = TRANSITIONS[act][battle.status].by
    who = battle_role(access.campaign_role(user, battle.campaign), battle)
    if who.intersection(by):
        return
    if BattleRole.ARBITER in by and BattleRole.ORGANIZER in who:
        raise refuse("R25", str(_PLAYS_ONESELF))
    raise refuse("", str(_ONLY[by]))


def battle_role(role: access.CampaignRole, battle: Battle) -> frozenset[BattleRole]:
    """Return what somebody with this role is to a battle: one query for organizers, none for others."""
    user, found = role.user, set()
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
    """Whether an organizer may settle or drop the report of a battle; fighters and organizers are keys of people. Who
    fights in it leaves that to an organizer who does not, where there is one. The rulebook names no organizer at all,
    so that this is a reading of ours.
    """
    return user.pk not in fighters or set(organizers) <= set(fighters)


def open_actions(who: Collection[BattleRole], battle: Battle) -> frozenset[Action]:
    """The acts that somebody may do with the battle as it is."""
    ways = {act: TRANSITIONS[act][battle.status] for act in Action if battle.status in TRANSITIONS[act]}
    return frozenset(act for act, way in ways.items() if set(who).intersection(way.by))
