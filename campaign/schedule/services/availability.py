"""Say whether one can play the next round, and what happens to that with an account."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.models import Campaign
from campaign.schedule.models import Availability
from campaign.schedule.queries import next_number
from campaign.services.locks import lock_campaign
from members.roles import is_player
from rules.core.violations import refuse


@transaction.atomic
def set_availability(
    *, actor: User, campaign: Campaign, number: int, can_play: bool, weekdays: Collection[int] = (), note: str = ""
) -> None:
    """Save whether `actor` can play the round with this `number`, on which `weekdays` (0 is Monday; none means any
    day), and a short note. Repeating it does nothing. Refuses anyone who does not play in the campaign, and a round
    whose battles exist already.
    """
    locked = lock_campaign(campaign)
    if not is_player(actor, locked):
        raise refuse("", gettext("Only players of the campaign can say when they play."))
    if number != next_number(locked):
        text = gettext("The battles of round %(number)s exist already. Check the next round.") % {"number": number}
        raise refuse("", text)
    own = Availability.objects.filter(campaign=locked, user=actor, number=number)
    if not can_play:
        own.delete()
        return
    words = {"weekdays": sorted(set(weekdays) & set(range(7))), "note": note.strip()[:120]}
    Availability.objects.update_or_create(
        campaign=locked, user=actor, number=number, defaults={**words, "changed_at": timezone.now()}
    )


def forget(user: User) -> None:
    """Delete when a person can play, because their account is being deleted."""
    Availability.objects.filter(user=user).delete()


def move_to(gone: User, into: User) -> None:
    """Give what `gone` said to `into`, who is the same person; what `into` said counts."""
    said = Availability.objects.filter(user=into, campaign=OuterRef("campaign"), number=OuterRef("number"))
    theirs = Availability.objects.filter(user=gone)
    theirs.filter(Exists(said)).delete()
    theirs.update(user=into)
