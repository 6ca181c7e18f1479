"""What waits for a player: each thing by its name, with the page where it is done.

The home page lists it and the cover of every page counts it; both read the same query (`waiting_rows`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.models import User
from registers.models import Register
from registers.queries import Lacking
from rules.force import Force
from rules.post_battle.commendations import Award
from rules.post_battle.sequence import LAST_STEP
from rules.script import Choose, Question, Roll

from .life import decides
from .models import Battle, Enlistment, Side
from .services.sequence import standing
from .standing import waits_for
from .waiting_rows import Fight, rows_of

#: What a step asks for; `in_full` says more where its question does.
_STEPS = {
    1: gettext_lazy("Resolve your Agenda"),
    2: gettext_lazy("Resolve the Turning Point"),
    3: gettext_lazy("Roll for Supply Points"),
    4: gettext_lazy("Roll the Casualty Checks"),
    5: gettext_lazy("Name a rival"),
    6: gettext_lazy("Award Commendations"),
    7: gettext_lazy("Make Aid Requests"),
    8: gettext_lazy("Edit the Register"),
    9: gettext_lazy("Adjust Reputation"),
    10: gettext_lazy("Choose a Story Arc"),
}
#: What a question of this kind asks for, where its step does not say it.
_CHOICES = {
    "guest_rival": gettext_lazy("Name your guest’s rival"),
    "command_card": gettext_lazy("Unlock a Command Card"),
    "medevac": gettext_lazy("Choose whom the Medevac saves"),
    "setback": gettext_lazy("Choose a Setback"),
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something a player is waited for, or (`idle`) waits for. `end` stands at the end of the line ("5/10").

    `sides` are the player's and the other one of a sequence that asks something.
    """

    title: str
    note: str
    href: str
    end: str = ""
    idle: bool = False
    sides: tuple[Side, Side] | None = None


@dataclass(frozen=True, slots=True)
class Badge:
    """How many things a player is waited for, and `tag`, which changes whenever the list does."""

    number: int
    tag: str


def waiting_for(user: User, *, fully: bool = False) -> list[Waiting]:
    """What a player is waited for, then what they wait for: one query. `fully`, if `in_full` is to follow."""
    fights, registers, enlistments = rows_of(user, fully=fully)
    found = [*_in_battles(user, fights), *_in_registers(registers), *_in_campaigns(enlistments)]
    return sorted(found, key=lambda item: item.idle)


def badge_of(waiting: Iterable[Waiting]) -> Badge:
    """What the cover of a page shows of it."""
    listed = list(waiting)
    lines = [
        (item.title, item.note, item.href, item.end, item.idle, item.sides and item.sides[0].turn)
        for item in listed
    ]
    tag = hashlib.sha256(repr(lines).encode()).hexdigest()[:16]
    return Badge(sum(not item.idle for item in listed), tag)


def in_full(waiting: Iterable[Waiting], forces: Mapping[UUID, Force]) -> list[Waiting]:
    """The same with titles that say what a sequence asks. `forces` are those of the player's Registers."""
    return [
        _in_full(item, *item.sides, forces[item.sides[0].own_register.pk]) if item.sides else item
        for item in waiting
    ]


# --- Registers -----------------------------------------------------------------------------------------------


def _in_registers(registers: Iterable[tuple[Register, Lacking]]) -> Iterator[Waiting]:
    for register, lacking in registers:
        founding, edit = (reverse(f"registers:{page}", args=[register.pk]) for page in ("founding", "edit"))
        match lacking:
            case Lacking.COMMISSION:
                faction = register.get_faction_display() or gettext("no Faction yet")
                about = f"{register}, {faction}"
                yield Waiting(gettext("Finish founding"), about, founding)
            case Lacking.STORY_ARC:
                about = gettext("The campaign of {register} goes on (R49)").format(register=register)
                yield Waiting(gettext("Choose a Story Arc"), about, edit)
            case Lacking.CORPS:
                about = gettext("{register} has fewer than 2 (R4)").format(register=register)
                yield Waiting(gettext("Add corps units"), about, edit)


# --- Campaigns -----------------------------------------------------------------------------------------------


def _in_campaigns(awaiting: Iterable[Enlistment]) -> Iterator[Waiting]:
    """What was taken over from lists and counts once an organiser consents."""
    for each in awaiting:
        title = gettext("Look at what {register} took over")
        about = gettext("It fights in {campaign} once you consent")
        consent = reverse("campaign:consent", args=[each.campaign_id, each.register_id])
        yield Waiting(title.format(register=each.register), about.format(campaign=each.campaign), consent)


# --- Battles -------------------------------------------------------------------------------------------------


def _in_battles(user: User, fights: Iterable[Fight]) -> Iterator[Waiting]:
    for fight in fights:
        blue, red = fight.sides
        both = ((blue, red), (red, blue))
        fighters = [side.register.owner_id for side in (blue, red) if side.register]
        if fight.revision:
            yield Waiting(
                gettext("Decide what is undone or corrected"),
                _about(blue, red),
                reverse("campaign:revision", args=[fight.revision]),
            )
        may_settle = decides(user, fighters, fight.organisers)
        if fight.disputed and may_settle:
            yield _dispute(blue, red)
            continue
        yield from _once(_at(*each) for each in both if each[0].open and _player(each[0]) == user)
        if fight.left and (may_settle or blue.battle.status != Battle.Status.REPORTED):
            yield from _once(_in_stead(*each) for each in both if _waits_for_an_organiser(*each))


def _waits_for_an_organiser(side: Side, other: Side) -> bool:
    """Whether a side has something to do, and nobody but an organiser to do it."""
    if not (side.open and side.deserted):
        return False
    # Either of them begins and reports: the other one is waited for already.
    either = side.battle.status in (Battle.Status.MUSTERED, Battle.Status.IN_PLAY)
    return not _at(side, other).idle and not (either and _player(other))


def _in_stead(side: Side, other: Side) -> Waiting:
    item = _at(side, other)
    said = gettext("{battle}; {side} has no player now")
    note = said.format(battle=_about(side, other), side=side.name)
    settles = side.battle.status == Battle.Status.REPORTED
    title = gettext("Settle the report") if settles else item.title
    # From the page of the battle, where who plays against the side can say that they act for it.
    return Waiting(title, note, side.battle.get_absolute_url(), item.end)


def _once(items: Iterable[Waiting]) -> Collection[Waiting]:
    """What one battle asks of a player. Who leads both sides is asked once, and does not wait for themselves."""
    found = {(item.title, item.href): item for item in items}
    return [item for item in found.values() if not item.idle] or list(found.values())[:1]


def _dispute(blue: Side, red: Side) -> Waiting:
    there = f"{blue.battle.get_absolute_url()}#dispute"
    return Waiting(gettext("Settle a dispute"), _about(blue, red), there)


def _about(side: Side, other: Side) -> str:
    said = gettext("Battle {number}: {side} against {other}")
    return said.format(number=side.battle.number, side=side.name, other=other.name)


def _at(side: Side, other: Side) -> Waiting:
    battle, there = side.battle, side.battle.get_absolute_url()
    about = _about(side, other)
    match battle.status:
        case Battle.Status.PLANNED if not side.mustered:
            muster = reverse("campaign:muster", args=[side.pk])
            return Waiting(gettext("Muster {side}").format(side=side.name), about, muster)
        case Battle.Status.PLANNED:
            return Waiting(gettext("{side} musters").format(side=other.name), about, there, idle=True)
        case Battle.Status.MUSTERED:
            return Waiting(gettext("Begin the battle"), about, there)
        case Battle.Status.IN_PLAY:
            return Waiting(gettext("Report the battle"), about, reverse("campaign:report", args=[battle.pk]))
        case Battle.Status.REPORTED:
            return _reported(battle, side, other)
        case Battle.Status.DISPUTED:
            return _disputed(battle, side, about)
    return _in_sequence(side, other, about)


def _reported(battle: Battle, side: Side, other: Side) -> Waiting:
    """Who reported waits for the other one, if there is one (R25)."""
    there, about, reporter = battle.get_absolute_url(), _about(side, other), battle.reported_by
    if reporter and reporter == _owner(side) and _owner(other) not in (None, reporter):
        if other.deserted:
            return Waiting(gettext("An organiser looks at your report"), about, there, idle=True)
        said = gettext("{player} looks at your report").format(player=_owner(other))
        return Waiting(said, about, there, idle=True)
    said = gettext("Confirm {player}’s report") if reporter else gettext("Confirm the report")
    return Waiting(said.format(player=reporter), about, there)


def _disputed(battle: Battle, side: Side, about: str) -> Waiting:
    """Who reported writes it again, unless an organiser settles it; who disputed it waits for either."""
    if battle.reported_by in (None, _owner(side)):
        return Waiting(gettext("Write the report again"), about, reverse("campaign:report", args=[battle.pk]))
    said = gettext("{player} looks at your dispute").format(player=battle.reported_by)
    return Waiting(said, about, battle.get_absolute_url(), idle=True)


def _in_sequence(side: Side, other: Side, about: str) -> Waiting:
    # Organisers who play have a side of their own, and are led to it.
    there = reverse("campaign:sequence_side", args=[side.battle_id, side.colour])
    at = f"{side.step}/{LAST_STEP}"
    if waits_for(other, side):
        said = gettext("{side} is at step {step}").format(side=other.name, step=other.step)
        return Waiting(said, about, there, at, idle=True)
    return Waiting(str(_STEPS[side.step]), about, there, at, sides=(side, other))


def _owner(side: Side) -> User | None:
    return side.register.owner if side.register else None


def _player(side: Side) -> User | None:
    """Who owns the side's Register and still plays."""
    return None if side.deserted else _owner(side)


# --- In full -------------------------------------------------------------------------------------------------


def _in_full(item: Waiting, side: Side, other: Side, force: Force) -> Waiting:
    question = standing(side, other, force).question
    return replace(item, title=_title(question) or item.title)


def _title(question: Question | None) -> str:
    """What a question asks for, in a few words; empty where its step says it."""
    match question:
        case Award(dues=dues) if owed := sum(bool(due.options) for due in dues):
            return ngettext("Award a Commendation", "Award {n} Commendations", owed).format(n=owed)
        case Award(dues=dues):
            return ngettext("Name a veteran", "Name {n} veterans", len(dues)).format(n=len(dues))
        case Choose(kind=kind):
            return str(_CHOICES.get(kind, ""))
        case Roll(rule="R36" | "R37", text=text):  # Setbacks and Traits roll in several steps
            return text
    return ""
