"""The life of a battle: its states, the acts that lead from one to the next, and who may do each of them.

    planned → mustered → in play → reported → sequence ⇄ closed
                                      ↓ ↑         ↑
                                    disputed ─────┘         and cancelled, from any state before the sequence

A report gets into the sequence by being confirmed (the other player agrees) or settled (an organiser decides).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from rules.core.violations import refuse

from . import access
from .models.battle import BEFORE_PLAY, Battle, Status

__all__ = ["BEFORE_PLAY", "BEGUN", "FOUGHT", "OPEN", "TABLE", "Act", "Status", "Way", "Who"]


class Act(models.TextChoices):
    """What is done with a battle."""

    PLAN = "plan"
    REPLAN = "replan"
    MUSTER = "muster"
    BEGIN = "begin"
    REPORT = "report"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    SETTLE = "settle"
    CLOSE = "close"
    REOPEN = "reopen"
    CALL_OFF = "call_off"
    STAND_IN = "stand_in"
    REVISE = "revise"
    ANNUL = "annul"
    SEAL = "seal"
    LET_GO = "let_go"


class Who(Enum):
    """The role of a user in a battle. The other player answers the report, or plays alone. The arbiter is an organizer
    who may decide about a report: see `decides`.
    """

    PLAYER = "player"
    OTHER_PLAYER = "other player"
    ORGANISER = "organiser"
    ARBITER = "arbiter"


#: States in which a battle is over, and those in which its Registers stand in it.
OVER = (Status.CLOSED, Status.CANCELLED)
OPEN = tuple(status for status in Status if status not in OVER)

#: States from the sequence on: what happened to the Registers stands in their ledgers.
BEGUN = (Status.SEQUENCE, Status.CLOSED)


@dataclass(frozen=True, slots=True)
class Way:
    """To which states an act leads, and who may do it. Of several the service finds out where it leads."""

    to: Collection[str]
    by: tuple[Who, ...] = ()


_AT_THE_TABLE = (Who.PLAYER, Who.ORGANISER)
_CALLED_OFF = Way((Status.CANCELLED,), _AT_THE_TABLE)
#: A report is not one player's to drop: who disagrees disputes it.
_DROPPED = Way((Status.CANCELLED,), (Who.ARBITER,))
_REPORTED = Way((Status.REPORTED,), _AT_THE_TABLE)
_SETTLED = Way((Status.SEQUENCE,), (Who.ARBITER,))

#: What may be done in which state. The second army to stand makes a battle mustered; nobody closes it by hand.
TABLE: Mapping[Act, Mapping[str, Way]] = {
    Act.PLAN: {"": Way((Status.PLANNED,))},
    Act.REPLAN: {
        Status.PLANNED: Way((Status.PLANNED,), _AT_THE_TABLE),
        Status.MUSTERED: Way((Status.MUSTERED,), _AT_THE_TABLE),
    },
    Act.MUSTER: {
        Status.PLANNED: Way((Status.PLANNED, Status.MUSTERED), _AT_THE_TABLE),
        Status.MUSTERED: Way((Status.MUSTERED,), _AT_THE_TABLE),
    },
    Act.BEGIN: {Status.MUSTERED: Way((Status.IN_PLAY,), _AT_THE_TABLE)},
    Act.REPORT: dict.fromkeys((Status.IN_PLAY, Status.REPORTED, Status.DISPUTED), _REPORTED),
    Act.CONFIRM: {Status.REPORTED: Way((Status.SEQUENCE,), (Who.OTHER_PLAYER,))},
    Act.DISPUTE: {Status.REPORTED: Way((Status.DISPUTED,), (Who.OTHER_PLAYER,))},
    Act.SETTLE: dict.fromkeys((Status.REPORTED, Status.DISPUTED), _SETTLED),
    Act.CLOSE: {Status.SEQUENCE: Way((Status.CLOSED,))},
    Act.REOPEN: {Status.CLOSED: Way((Status.SEQUENCE,), _AT_THE_TABLE)},
    Act.CALL_OFF: {
        **dict.fromkeys((Status.PLANNED, Status.MUSTERED, Status.IN_PLAY), _CALLED_OFF),
        **dict.fromkeys((Status.REPORTED, Status.DISPUTED), _DROPPED),
    },
    Act.STAND_IN: {status: Way((status,), (Who.ORGANISER,)) for status in OPEN},
    Act.REVISE: {status: Way((status,), (Who.ORGANISER,)) for status in BEGUN},
    Act.ANNUL: dict.fromkeys(BEGUN, Way((Status.CANCELLED,), (Who.ORGANISER,))),
    # What comes of a revision that is not applied yet, or never: a seed for its dice, and that they were rolled.
    Act.SEAL: {status: Way((status,)) for status in BEGUN},
    Act.LET_GO: {status: Way((status,)) for status in BEGUN},
}

#: The rule that speaks of an act, and when it can be done.
_WHEN = {
    Act.PLAN: ("R18", gettext_lazy("A battle is planned once.")),
    Act.REPLAN: ("R18", gettext_lazy("A battle can be planned anew until it begins.")),
    Act.MUSTER: ("R19", gettext_lazy("Armies are mustered until the battle begins.")),
    Act.BEGIN: ("R11", gettext_lazy("A battle begins once both armies stand.")),
    Act.REPORT: ("R25", gettext_lazy("Only a battle in play can be reported.")),
    Act.CONFIRM: ("R25", gettext_lazy("There is no report to confirm.")),
    Act.DISPUTE: ("R25", gettext_lazy("There is no report to dispute.")),
    Act.SETTLE: ("R25", gettext_lazy("There is no report to settle.")),
    Act.CLOSE: ("R50", gettext_lazy("A battle is closed once both sequences are over.")),
    Act.REOPEN: ("R50", gettext_lazy("Only a battle that is closed is opened again.")),
    Act.CALL_OFF: ("R11", gettext_lazy("Once its sequence has begun a battle cannot be called off.")),
    Act.REVISE: ("R50", gettext_lazy("Before its sequence a battle is reported anew, or called off.")),
    Act.ANNUL: ("R50", gettext_lazy("Before its sequence a battle is reported anew, or called off.")),
    Act.SEAL: ("R50", gettext_lazy("Before its sequence no dice of a battle are rolled anew.")),
    Act.LET_GO: ("R50", gettext_lazy("Before its sequence no dice of a battle are rolled anew.")),
    Act.STAND_IN: ("R50", gettext_lazy("Nobody has to act for a player once a battle is over.")),
}

_ONLY_ORGANISERS = gettext_lazy("Only an organiser settles a report, drops it, or acts for a player.")
_ONLY = {
    _AT_THE_TABLE: gettext_lazy("Only its players and the organisers do this."),
    (Who.OTHER_PLAYER,): gettext_lazy("This is for the player who did not report the battle."),
    (Who.ORGANISER,): _ONLY_ORGANISERS,
    (Who.ARBITER,): _ONLY_ORGANISERS,
    (): gettext_lazy("Nobody does this by hand."),
}

_PLAYS_ONESELF = gettext_lazy(
    "You play in this battle: an organiser who does not settles its report or drops it. The rulebook names no "
    "organiser; this is how we read it."
)

#: States in which the Registers are in the field and nothing has come of it yet (R11).
FOUGHT = (Status.IN_PLAY, Status.REPORTED, Status.DISPUTED)


def check(battle: Battle, act: Act) -> None:
    """Refuse an act that the table does not have for the state of the battle (R11, R18, R19, R25, R50)."""
    if battle.status not in TABLE[act]:
        rule, when = _WHEN[act]
        state = battle.get_status_display()
        raise refuse(rule, _("%(when)s This one is %(state)s.") % {"when": when, "state": state})


def check_actor(user: User, battle: Battle, act: Act) -> None:
    """Refuse somebody who may not do this with a battle in its state, to which the act must be open (see `check`)."""
    by = TABLE[act][battle.status].by
    who = who_is(access.campaign_role(user, battle.campaign), battle)
    if who.intersection(by):
        return
    if Who.ARBITER in by and Who.ORGANISER in who:
        raise refuse("R25", str(_PLAYS_ONESELF))
    raise refuse("", str(_ONLY[by]))


def who_is(role: access.CampaignRole, battle: Battle) -> frozenset[Who]:
    """Return what somebody with this role is to a battle: one query for organizers, none for others."""
    user, found = role.user, set()
    if role.is_organizer:
        found.add(Who.ORGANISER)
        organisers = access.organising().filter(campaign=battle.campaign_id).values_list("user_id", flat=True)
        if decides(user, access.fighters_of(battle), organisers):
            found.add(Who.ARBITER)
    if access.plays(role, battle):
        found.add(Who.PLAYER)
        if user.pk != battle.reported_by_id or len(access.fighters_of(battle)) == 1:
            found.add(Who.OTHER_PLAYER)
    return frozenset(found)


def decides(user: User, fighters: Collection[int | None], organisers: Iterable[int]) -> bool:
    """Whether an organiser may settle or drop the report of a battle; fighters and organisers are keys of people. Who
    fights in it leaves that to an organiser who does not, where there is one. The rulebook names no organiser at all,
    so that this is a reading of ours.
    """
    return user.pk not in fighters or set(organisers) <= set(fighters)


def open_to(who: Collection[Who], battle: Battle) -> frozenset[Act]:
    """The acts that somebody may do with the battle as it is."""
    ways = {act: TABLE[act][battle.status] for act in Act if battle.status in TABLE[act]}
    return frozenset(act for act, way in ways.items() if set(who).intersection(way.by))
