"""Personal links and invitations by mail (E5)."""

from datetime import datetime

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext

from core.db.rows import update
from tournaments.models import Entry, Event, InvitedPlayer

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


def mail_invitation(pk: int, now: datetime) -> None:
    """Mail a player the link by which they register, unless it was mailed since. Raises what the mail server's refusal
    raises. A worker that is killed before the row is saved sends it once more.
    """
    invited = InvitedPlayer.objects.filter(pk=pk, mailed_at=None).select_related("event").first()
    if invited is None:
        return
    text = gettext(
        "%(player)s\n\nYou are invited to %(event)s. Register here, with or without an account:\n%(link)s\n\n"
        "This link is for you alone. If you do not want to play, ignore this mail: nothing happens."
    ) % {
        "player": invited.name, "event": invited.event,
        "link": f"{settings.SITE_URL}{reverse('tournaments:personal', args=[invited.token])}",
    }  # fmt: skip
    _mail(invited.event, invited.address, text.strip()).send()
    update(invited, mailed_at=now)


def _mail(event: Event, address: str, text: str) -> EmailMessage:
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{' '.join(event.name.split())}"
    return EmailMessage(subject, text, to=[address], headers={"Auto-Submitted": "auto-generated"})
