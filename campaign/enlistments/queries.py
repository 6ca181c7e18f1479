"""The awards of a campaign: what was given to which Registers, and which awards may be undone."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from campaign.models import Campaign
from registers.models import EntryType, LedgerEntry
from rules.adjustments.awards import Gift

#: How many are shown; older ones are undone on the correction page of each Register.
LATEST = 10


@dataclass(frozen=True, slots=True)
class GivenAward:
    """An award that counts: what each Register got (for any of its units), and the entries, newest first."""

    gift: Gift
    entries: list[LedgerEntry] = field(default_factory=list)

    def takes(self, entry: LedgerEntry, gift: Gift) -> bool:
        """Return whether an entry belongs to this award: same gift, actor and reason, once for each Register."""
        first = self.entries[0]
        same = (gift, entry.actor_id, entry.reason) == (self.gift, first.actor_id, first.reason)
        return same and entry.register_id not in {each.register_id for each in self.entries}


def awards_of(campaign: Campaign) -> list[GivenAward]:
    """Return the latest awards of a campaign that count, newest first, in one query."""
    return list(islice(_awards(campaign), LATEST))


def _awards(campaign: Campaign) -> Iterator[GivenAward]:
    awarded = LedgerEntry.objects.filter(
        register__enlistment__campaign=campaign, act=EntryType.CORRECT, answers__0__has_key="supply_points",
        undone_by__isnull=True,
    )  # fmt: skip
    now: GivenAward | None = None
    for entry in awarded.select_related("actor", "register").defer("effects").order_by("-pk"):
        gift = replace(Gift.from_data(entry.answers[0]), units=None)
        if now and now.takes(entry, gift):
            now.entries.append(entry)
            continue
        if now:
            yield now
        now = GivenAward(gift, [entry])
    if now:
        yield now
