"""Personal links and invitations by mail (E5)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from procrastinate.contrib.django import app
from procrastinate.types import JSONDict

from accounts.models import User
from core.db.rows import update
from rules.core.violations import refuse
from tournaments.models import Entry, Event, InvitedPlayer
from tournaments.models.event import BEFORE_START
from tournaments.queries.entries import name_key, name_keys
from tournaments.services.entries import MOST_ADDED, registration_violation
from tournaments.services.locks import lock_organized

log = structlog.get_logger(__name__)


def mail_link(entry: Entry, address: str) -> bool:
    """Send a player their personal link and word, and return whether the mail server took the mail. The address is not
    stored.
    """
    text = gettext(
        "%(player)s, you are registered for %(event)s.\n\nYour page, with army list, table and results:\n%(link)s\n\n"
        "Your word on another phone: %(word)s\n\nAnyone who has this link can act for you."
    ) % {
        "player": entry.name, "event": entry.event, "word": entry.word,
        "link": f"{settings.SITE_URL}{reverse('tournaments:personal', args=[entry.token])}",
    }  # fmt: skip
    try:
        return bool(_mail(entry.event, address, text).send())
    except OSError:
        log.exception("mail could not be sent", template="personal link")
        return False


#: Where a person of a table of people to invite stands.
NEW, INVITED, REGISTERED, NO_ADDRESS = "new", "invited", "registered", "no_address"
LONGEST_ADDRESS = 254


class Invitee(NamedTuple):
    """A person of the table, in one of the states above."""

    name: str
    address: str
    state: str


def invitees(event: Event, people: Iterable[tuple[str, str]]) -> Iterator[Invitee]:
    """Yield where each of `people`, names with addresses, stands, in two queries. Players are known by name, and those
    who registered by their invitation by its address.
    """
    names = name_keys(event)
    invited = {each.address: each for each in InvitedPlayer.objects.filter(event=event)}
    # An invitation that was not mailed within a day has failed. The table may send it again.
    waiting = timezone.now() - timedelta(days=1)
    seen = {each.address for each in invited.values() if each.mailed_at or each.created_at > waiting}
    for name, given in people:
        address = given.lower()
        state = INVITED if address in seen else NEW
        try:
            validate_email(address if len(address) <= LONGEST_ADDRESS else "")
        except ValidationError:
            state = NO_ADDRESS
        if {name_key(name), name_key(invited[address].name if address in invited else "")} & names:
            state = REGISTERED
        seen.add(address)
        yield Invitee(name, address, state)


@transaction.atomic
def invite_players(*, actor: User, event: Event, people: Sequence[tuple[str, str]], now: datetime) -> int:
    """Mail an invitation to everybody of `people`, names with addresses, who has an address, is not registered and was
    not invited before. Return how many are mailed: nobody, if the table is sent twice. Refuses it while nobody can
    register (E6), and more than `MOST_ADDED` people.
    """
    locked = lock_organized(actor, event)
    if why := registration_violation(locked, now):
        raise refuse("E6", why)
    if len(people) > MOST_ADDED:
        raise refuse("", gettext("Invite at most %(most)s at once.") % {"most": MOST_ADDED})
    new = [
        InvitedPlayer(event=locked, name=each.name, address=each.address)
        for each in invitees(locked, people)
        if each.state == NEW
    ]
    # An invitation that is sent again keeps its row and its link.
    saved = InvitedPlayer.objects.bulk_create(
        new, update_conflicts=True, unique_fields=["event", "address"], update_fields=["name", "created_at"]
    )
    jobs: list[JSONDict] = [{"invited": each.pk} for each in saved]
    if jobs:
        app.configure_task("mail_player_invitation").batch_defer(*jobs)
    return len(new)


def note_registered(entry: Entry, token: str) -> None:
    """Give the invitation with this token, if there is one, the name of the entry that came by it."""
    InvitedPlayer.objects.filter(event=entry.event_id, token=token).update(name=entry.name)


def forget_started() -> None:
    """Delete the invitations to all events that have started, or should have 30 days ago."""
    late = Q(event__starts_at__lt=timezone.now() - timedelta(days=30))
    InvitedPlayer.objects.filter(~Q(event__state__in=BEFORE_START) | late).delete()


def mail_invitation(pk: int, now: datetime) -> None:
    """Mail a player the link by which they register, unless it was mailed since or nobody can register (E6). Raises
    what the mail server's refusal raises. A worker that is killed before the row is saved sends it once more.
    """
    invited = InvitedPlayer.objects.filter(pk=pk, mailed_at=None).select_related("event").first()
    if invited is None or registration_violation(invited.event, now):
        return
    # A stranger could advertise in a name.
    name = "" if "://" in invited.name or "www." in invited.name.lower() else invited.name
    text = gettext(
        "%(player)s\n\nYou are invited to %(event)s. Register here, with or without an account:\n%(link)s\n\n"
        "This link is for you alone. If you do not want to play, ignore this mail: nothing happens."
    ) % {
        "player": name, "event": invited.event,
        "link": f"{settings.SITE_URL}{reverse('tournaments:personal', args=[invited.token])}",
    }  # fmt: skip
    _mail(invited.event, invited.address, text.strip()).send()
    update(invited, mailed_at=now)


def _mail(event: Event, address: str, text: str) -> EmailMessage:
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{' '.join(event.name.split())}"
    return EmailMessage(subject, text, to=[address], headers={"Auto-Submitted": "auto-generated"})
