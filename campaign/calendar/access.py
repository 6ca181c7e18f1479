"""Who reads a feed by its secret address."""

from django.shortcuts import get_object_or_404

from accounts.models import User
from campaign.calendar.models import CalendarAddress


def owner_of(token: str) -> User:
    """Return the person whose feeds have this address, or raise 404."""
    known = CalendarAddress.objects.select_related("user")
    return get_object_or_404(known, token=token, user__is_active=True).user
