"""The awards of a campaign: what was given to which Registers, and which awards may be undone."""

from collections.abc import Sequence
from dataclasses import field, replace
from uuid import UUID

from django.db.models import Subquery
from django.utils.translation import gettext as _

from campaign.battles.models import Side
from campaign.battles.state_machine import BEGUN, FOUGHT
from campaign.models import Campaign
from campaign.schedule.queries import created_rounds
from campaign.teams.standings import team_of
from registers.models import EntryType, LedgerEntry, Register
from rules.adjustments.awards import Gift
from rules.core.values import Value
from rules.register.upgrade_slots import faction_name

#: How many are shown; older ones are undone on the correction page of each Register.
LATEST = 10


class GivenAward(Value):
    """An award that counts: what each Register got (for any of its units), and the entries, newest first."""

    gift: Gift
    entries: list[LedgerEntry] = field(default_factory=list)

    def takes(self, entry: LedgerEntry, gift: Gift) -> bool:
        """Return whether an entry belongs to this award: same gift, actor, reason and name, once for each Register."""
        first = self.entries[0]
        common = (self.gift, first.actor_id, first.reason, first.answers[1:])
        same = (gift, entry.actor_id, entry.reason, entry.answers[1:]) == common
        return same and entry.register_id not in {each.register_id for each in self.entries}


class RegisterGroup(Value):
    """Registers that an award can go to by one tick: the `value` of the tick, its name, and their primary keys."""

    value: str
    name: str
    registers: Sequence[UUID]


def groups_of(campaign: Campaign, registers: Sequence[Register]) -> list[RegisterGroup]:
    """Return the groups among these Registers of `registers_of`: all, those that played the last round, each team, and
    each Faction. A group of nobody or of everybody is left out, except all. One query.
    """
    battles = created_rounds(campaign).values("pk")[:1]
    sides = Side.objects.filter(battle__pairing__round=Subquery(battles), battle__status__in=(*FOUGHT, *BEGUN))
    played = set(sides.values_list("register", flat=True))
    found = {("round", _("Played the last round")): [each.pk for each in registers if each.pk in played]}
    for each in registers:
        if team := team_of(each):
            found.setdefault((f"team:{team.pk}", team.name), []).append(each.pk)
    for each in sorted(registers, key=lambda each: each.faction):
        found.setdefault((f"faction:{each.faction}", faction_name(each.faction)), []).append(each.pk)
    some = [RegisterGroup(*named, keys) for named, keys in found.items() if 0 < len(keys) < len(registers)]
    return [RegisterGroup("all", _("All"), [each.pk for each in registers]), *some] if len(registers) > 1 else []


def awards_of(campaign: Campaign) -> list[GivenAward]:
    """Return the latest awards of a campaign that count, newest first, in one query."""
    awarded = LedgerEntry.objects.filter(
        register__enlistment__campaign=campaign, act=EntryType.CORRECT, answers__0__has_key="supply_points",
        undone_by__isnull=True,
    )  # fmt: skip
    found: list[GivenAward] = []
    for entry in awarded.select_related("actor", "register").defer("effects").order_by("-pk"):
        gift = replace(Gift.from_data(entry.answers[0]), units=None)
        if found and found[-1].takes(entry, gift):
            found[-1].entries.append(entry)
        elif len(found) == LATEST:
            break
        else:
            found.append(GivenAward(gift, [entry]))
    return found
