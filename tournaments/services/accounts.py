"""What happens to events when a person's account is deleted or merged into another."""

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from accounts.services.closing import DeletionRefused
from core.db.rows import update
from members.models import Role
from tournaments.models import Admission, Entry, Event, Invitation, JudgeCall, League, Membership, SubmittedList
from tournaments.models.event import OVER
from tournaments.services.entries import forget_account


def leave_all(user: User) -> None:
    """Leave every event, because the account is being deleted. Results stay under the number of the entry, without the
    texts the person typed and with a new personal link; in events that have not started the person is dropped, and the
    waiting list moves up (E6). Leagues stay, unless they have no event. Raises DeletionRefused if an event that is not
    over has no other organizer.
    """
    _lock_events(user)
    led = Event.objects.filter(memberships__user=user, memberships__role=Role.ORGANIZER).exclude(state__in=OVER)
    others = Membership.objects.filter(role=Role.ORGANIZER, user__is_active=True).exclude(user=user)
    if names := ", ".join(led.exclude(pk__in=others.values("event")).order_by("pk").values_list("name", flat=True)):
        raise DeletionRefused(
            gettext("You are the only organizer of %(names)s. Make somebody else organizer first.") % {"names": names}
        )
    Membership.objects.filter(user=user).delete()
    Entry.objects.filter(claimant=user).update(claimant=None)
    SubmittedList.objects.filter(entry__user=user).update(source_text="")
    League.objects.filter(owner=user, events=None).delete()
    for event in Event.objects.filter(entries__user=user).order_by("pk"):
        forget_account(user=user, event=event)


def move_everything(gone: User, into: User) -> None:
    """Give the entries, roles, leagues and judge calls of `gone` to `into`. Where both have one, the entry of `gone`
    stays under its name, and the higher role counts. The log, army lists and rulings on appeals keep the old account.
    """
    _lock_events(gone)
    played = Entry.objects.filter(user=into).values("event")
    Entry.objects.filter(user=gone).exclude(event__in=played).update(user=into)
    Entry.objects.filter(user=gone).update(user=None)
    Entry.objects.filter(claimant=gone, event__in=Entry.objects.filter(user=into).values("event")).update(claimant=None)
    Entry.objects.filter(claimant=gone).update(claimant=into)
    JudgeCall.objects.filter(judge=gone).update(judge=into)
    League.objects.filter(owner=gone).update(owner=into)
    own = {membership.event_id: membership for membership in Membership.objects.filter(user=into)}
    for membership in Membership.objects.filter(user=gone):
        if there := own.get(membership.event_id):
            update(there, role=min(there.role, membership.role, key=lambda role: Event.roles.index(Role(role))))
            membership.delete()
        else:
            update(membership, user=into)
    Invitation.objects.filter(created_by=gone).update(created_by=into)
    used = Admission.objects.filter(user=into).values("invitation")
    Admission.objects.filter(user=gone).exclude(invitation__in=used).update(user=into)


def _lock_events(person: User) -> None:
    """Lock all events that a person plays in, asks to play in or leads, in primary-key order."""
    theirs = Q(memberships__user=person) | Q(entries__user=person) | Q(entries__claimant=person)
    found = Event.objects.filter(pk__in=Event.objects.filter(theirs).values("pk")).order_by("pk")
    list(found.select_for_update(of=("self",), no_key=True))


def what_moves(gone: User) -> list[str]:
    """Return what another account would get from `gone`: one line for each entry and role in an event, and league."""
    entries = Entry.objects.filter(user=gone).select_related("event").order_by("pk")
    roles = Membership.objects.filter(user=gone).select_related("event")
    return [
        *(f"The player {entry.name} of {entry.event}" for entry in entries),
        *(f"The role in {role.event}: {role.get_role_display()}" for role in roles),
        *(f"The league {league}" for league in League.objects.filter(owner=gone)),
    ]
