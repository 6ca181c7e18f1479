"""Who stands out in a campaign: its leading Registers, the roll of honour, the roll of the fallen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.models import Battle, Campaign
from registers.models import Register

from .poster import Leader
from .tale import Tale

LEADING = 3


@dataclass(frozen=True, slots=True)
class Honour:
    """Somebody on the roll of honour: the Register, the unit, and what it reached and was awarded, in battle order.

    `veteran_rank` is 0 where none was reached in a battle that is told.
    """

    register: str
    unit: str
    veteran_rank: int
    commendations: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fallen:
    """Somebody on the roll of the fallen, and the battle (its number) in which it fell."""

    register: str
    unit: str
    battle: int


def told_of(campaign: Campaign) -> QuerySet[Register]:
    """The Registers of the battles that are told: nobody reads of others."""
    closed = Battle.objects.filter(campaign=campaign, status=Battle.Status.CLOSED)
    return Register.objects.filter(sides__battle__in=closed).distinct().order_by("name", "created_at")


def leaders(campaign: Campaign) -> list[Leader]:
    """Those among them of the highest Reputation."""
    found = told_of(campaign).order_by("-reputation", "name", "created_at")[:LEADING]
    words = _("Reputation %(points)d")
    return [Leader(each.name, each.faction, words % {"points": each.reputation}) for each in found]


def battles_words(campaign: Campaign) -> str:
    """How many battles are told."""
    return words_of(campaign.battles.filter(status=Battle.Status.CLOSED).count())


def words_of(number: int) -> str:
    """A chronicle of so many battles."""
    if not number:
        return _("The chronicle has just begun")
    return ngettext("The chronicle of %(n)d battle", "The chronicle of %(n)d battles", number) % {"n": number}


def honours(tales: Sequence[Tale]) -> list[Honour]:
    """The roll of honour of these battles, oldest first: the highest Veteran Ranks first."""
    names: dict[str, str] = {}
    ranks: dict[tuple[str, str], int] = {}
    awards: dict[tuple[str, str], list[str]] = {}
    for side in (side for tale in tales for side in tale.sides):
        names[side.key] = side.name
        for unit, rank in side.ranks:
            ranks[side.key, unit] = max(rank, ranks.get((side.key, unit), 0))
        for unit, commendation in side.commendations:
            awards.setdefault((side.key, unit), []).append(commendation)
    found = [
        Honour(names[key], unit, ranks.get((key, unit), 0), awards.get((key, unit), []))
        for key, unit in dict.fromkeys([*ranks, *awards])
    ]
    return sorted(found, key=lambda each: (-each.veteran_rank, each.register, each.unit))


def fallen(tales: Sequence[Tale]) -> list[Fallen]:
    """The roll of the fallen of these battles, in the order in which they fell."""
    return [
        Fallen(side.name, unit, tale.number) for tale in tales for side in tale.sides for unit in side.fallen
    ]
