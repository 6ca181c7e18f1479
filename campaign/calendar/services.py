"""Make, renew, and delete the secret address of a person's calendar feeds."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaign.calendar.models import CalendarAddress
from core.tokens import new_token


def make_address(*, actor: User) -> CalendarAddress:
    """Return the address of a person's feeds, and make it if there is none."""
    address, _made = CalendarAddress.objects.get_or_create(user=actor)
    return address


@transaction.atomic
def renew_address(*, actor: User, token: str) -> None:
    """Replace the address, so that nobody who has the old one reads the feeds any more. `token` is the one on the
    page: a form sent twice replaces it once.
    """
    new = {"token": new_token(), "made_at": timezone.now()}
    CalendarAddress.objects.filter(user=actor, token=token).update(**new)


def forget_address(user: User) -> None:
    """Delete the address of a person."""
    CalendarAddress.objects.filter(user=user).delete()
