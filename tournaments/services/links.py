"""Personal links by mail (E5)."""

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext

from tournaments.models import Entry

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
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{' '.join(entry.event.name.split())}"
    message = EmailMessage(subject, text, to=[address], headers={"Auto-Submitted": "auto-generated"})
    try:
        return bool(message.send())
    except OSError:
        log.exception("mail could not be sent", template="personal link")
        return False
