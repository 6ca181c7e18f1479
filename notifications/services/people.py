"""Notify people, as each of them has chosen, and what happens to notifications with an account."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.types import JSONDict

from accounts.adapters import can_mail
from accounts.models import User
from core.retention import NOTIFICATION
from notifications.models import Kind, Means, PersonalNotification, Preference, PushSubscription

#: What people get by mail unless they choose otherwise: everything but each turn and what happens in the hall of an
#: event. Push messages are on for all kinds, because turning them on for a device is a choice already.
MAILED = frozenset(Kind.values) - {Kind.TURN, Kind.PAIRED, Kind.STARTED, Kind.JUDGE}
LONGEST_TITLE = 200

_SALT = "notifications.stop"


class Message(NamedTuple):
    """A message to a person: `title` says in one line what it is about, `body` the rest in plain text. `url` is an
    address of this site, from the root. `key` names the thing: a person gets at most one message of each kind and key.
    """

    title: str
    body: str
    url: str
    key: str


def notify(users: Iterable[User | int], kind: str, title: str, body: str, url: str, key: str) -> set[int]:
    """Queue the same message to each of these people (or primary keys of people): see `notify_each`."""
    message = Message(title, body, url, key)
    return notify_each({each if isinstance(each, int) else each.pk: message for each in users}, kind)


def notify_each(messages: Mapping[int, Message], kind: str) -> set[int]:
    """Queue a message of one `Kind` to each of these people (by primary key), in the transaction that causes it, in as
    many queries as for one. Return the primary keys of those who get one now. Left out are people who have turned this
    kind off, who have neither a confirmed mail address nor a device, who cannot sign in, and guests of the demo.
    """
    wanted = means_of(messages, kind) if messages else {}
    if not wanted:
        return set()
    rows = [
        PersonalNotification(
            pk=uuid4(), user_id=user, kind=kind, key=each.key, title=" ".join(each.title.split())[:LONGEST_TITLE],
            body=each.body, url=each.url,
        )
        for user, each in messages.items() if user in wanted
    ]  # fmt: skip
    PersonalNotification.objects.bulk_create(rows, ignore_conflicts=True)
    created = PersonalNotification.objects.filter(pk__in=[row.pk for row in rows])
    new = {user: str(pk) for user, pk in created.values_list("user", "pk")}
    mails: list[JSONDict] = [{"notification": pk} for user, pk in new.items() if Means.MAIL in wanted[user]]
    if mails:
        app.configure_task("mail_notification").batch_defer(*mails)
    pushed = [user for user in new if Means.PUSH in wanted[user]]
    devices = PushSubscription.objects.filter(user__in=pushed).values_list("pk", "user") if pushed else ()
    pushes: list[JSONDict] = [{"notification": new[user], "device": str(device)} for device, user in devices]
    if pushes:
        app.configure_task("push_notification").batch_defer(*pushes)
    return set(new)


def means_of(users: Iterable[int], kind: str) -> dict[int, frozenset[str]]:
    """Return how each of these people gets notifications of a kind. People without any are left out. One query."""
    chosen = Preference.objects.filter(user=OuterRef("pk"), kind=kind)
    people = User.objects.filter(pk__in=users, is_active=True, guest_until=None).annotate(
        has_address=Exists(EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)),
        has_device=Exists(PushSubscription.objects.filter(user=OuterRef("pk"))),
        mail=Subquery(chosen.filter(means=Means.MAIL).values("on")[:1]),
        push=Subquery(chosen.filter(means=Means.PUSH).values("on")[:1]),
    )
    found = dict[int, frozenset[str]]()
    for pk, has_address, has_device, mail, push in people.values_list(
        "pk", "has_address", "has_device", "mail", "push"
    ):
        by_mail = has_address and can_mail() and (kind in MAILED if mail is None else mail)
        by_push = has_device and push is not False
        if means := frozenset(each for each, on in ((Means.MAIL, by_mail), (Means.PUSH, by_push)) if on):
            found[pk] = means
    return found


def address_of(user: User) -> str:
    """Return the confirmed mail address of a person, or an empty text."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return str(found.values_list("email", flat=True).first() or "")


def choices_of(user: User) -> Mapping[str, set[str]]:
    """Return the kinds that a person wants by each means, whether they can get them or not. One query."""
    wanted = {Means.MAIL.value: set(MAILED), Means.PUSH.value: set(Kind.values)}
    for kind, means, on in Preference.objects.filter(user=user).values_list("kind", "means", "on"):
        (wanted[means].add if on else wanted[means].discard)(kind)
    return wanted


@transaction.atomic
def choose(*, actor: User, **wanted: Collection[str]) -> None:
    """Store which kinds a person wants by each of these means (`mail`, `push`); all others are off."""
    _store(actor, {(kind, means): kind in wanted[means] for kind in Kind.values for means in wanted})


def stop_token(user: User, kind: str) -> str:
    """Return the token of a link that stops the mails of a kind to a person. It does not expire, as mails do not."""
    return signing.dumps([user.pk, kind], salt=_SALT)


def read_stop_token(token: str) -> tuple[User, str] | None:
    """Return the person and the kind of a token, or None for a wrong one and for a person who has left."""
    try:
        pk, kind = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    return (user, kind) if user and kind in Kind.values else None


@transaction.atomic
def stop_mails(*, actor: User, kinds: Collection[str]) -> None:
    """Turn off the mails of these kinds to a person. Repeating it changes nothing."""
    _store(actor, {(kind, Means.MAIL): False for kind in kinds})


def _store(user: User, choices: Mapping[tuple[str, str], bool]) -> None:
    rows = [Preference(user=user, kind=kind, means=means, on=on) for (kind, means), on in choices.items()]
    Preference.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "kind", "means"], update_fields=["on"]
    )


def send_mail(pk: UUID | str) -> None:
    """Send a notification by mail, unless it was sent or the person has turned it off since. Raises what the mail
    server's refusal raises. A worker that is killed before the row is saved sends it once more.
    """
    found = PersonalNotification.objects.filter(pk=pk, mailed_at=None).select_related("user").first()
    if found is None or Means.MAIL not in means_of([found.user_id], found.kind).get(found.user_id, ()):
        return
    stop = f"{settings.SITE_URL}{reverse('notifications:stop', args=[stop_token(found.user, found.kind)])}"
    context = {
        "notification": found,
        "link": f"{settings.SITE_URL}{found.url}",
        "stop": stop,
        "settings": f"{settings.SITE_URL}{reverse('notifications:settings')}",
    }
    message = EmailMessage(
        f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{found.title}",
        render_to_string("notifications/mail.txt", context),
        to=[address_of(found.user)],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.send()
    PersonalNotification.objects.filter(pk=pk).update(mailed_at=timezone.now())


def delete_old() -> None:
    """Delete notifications that were sent long ago."""
    PersonalNotification.objects.filter(created_at__lt=timezone.now() - NOTIFICATION).delete()


def delete_notifications_of(user: User) -> None:
    """Delete the choices, devices and notifications of a person whose account is being deleted."""
    for model in (Preference, PushSubscription, PersonalNotification):
        model._default_manager.filter(user=user).delete()


def give_devices(gone: User, into: User) -> None:
    """Give the devices of an account to the one that it is merged into, which keeps its own choices."""
    PushSubscription.objects.filter(user=gone).update(user=into)
    delete_notifications_of(gone)


def notifications_of(user: User) -> dict[str, Any]:
    """Return the choices, devices and notifications of a person. Addresses and keys of devices are secrets."""
    sent = PersonalNotification.objects.filter(user=user).order_by("created_at")
    return {
        "choices": list(Preference.objects.filter(user=user).order_by("pk").values("kind", "means", "on")),
        "devices": [
            {"name": each.device, "push service": each.service, "added": each.added_at}
            for each in PushSubscription.objects.filter(user=user)
        ],
        "sent": list(sent.values("kind", "title", "body", "url", "created_at", "mailed_at")),
    }
