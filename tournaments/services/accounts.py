"""What happens to events when a person's account is deleted or merged into another."""

from django.utils.translation import gettext

from accounts.models import User
from accounts.services.closing import DeletionRefused
from core.db.rows import update
from members.models import Role
from tournaments.models import Admission, Entry, Event, Invitation, JudgeCall, League, Membership, SubmittedList
from tournaments.models.event import OVER
from tournaments.services.entries import forget_account

HIGHEST_FIRST = Event.roles


def leave_all(user: User) -> None:
    """Leave every event, because the account is being deleted. Results stay under the number of the entry, without the
    texts the person typed and with a new personal link; in events that have not started the person is dropped, and the
    waiting list moves up (E6). Leagues stay, unless they have no event. Raises DeletionRefused if an event that is not
    over has no other organizer.
    """
    led = Event.objects.filter(memberships__user=user, memberships__role=Role.ORGANIZER)
    running = led.exclude(state__in=OVER).order_by("pk")
    others = Membership.objects.filter(role=Role.ORGANIZER, user__is_active=True).exclude(user=user)
    orphaned = [
        event.name for event in running.select_for_update(of=("self",)) if not others.filter(event=event).exists()
    ]
    if orphaned:
        names = ", ".join(orphaned)
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
    played = Entry.objects.filter(user=into).values("event")
    Entry.objects.filter(user=gone).exclude(event__in=played).update(user=into)
    Entry.objects.filter(user=gone).update(user=None)
    Entry.objects.filter(claimant=gone, event__in=Entry.objects.filter(user=into).values("event")).update(claimant=None)
    Entry.objects.filter(claimant=gone).update(claimant=into)
    JudgeCall.objects.filter(judge=gone).update(judge=into)
    League.objects.filter(owner=gone).update(owner=into)
    own = {membership.event_id: membership for membership in Membership.objects.filter(user=into)}
    for membership in Membership.objects.filter(user=gone):
        there = own.get(membership.event_id)
        if there is None:
            update(membership, user=into)
        else:
            update(there, role=min(there.role, membership.role, key=lambda role: HIGHEST_FIRST.index(Role(role))))
            membership.delete()
    Invitation.objects.filter(created_by=gone).update(created_by=into)
    used = Admission.objects.filter(user=into).values("invitation")
    Admission.objects.filter(user=gone).exclude(invitation__in=used).update(user=into)


def what_moves(gone: User) -> list[str]:
    """Return what another account would get from `gone`: one line for each entry and role in an event, and league."""
    entries = Entry.objects.filter(user=gone).select_related("event").order_by("pk")
    roles = Membership.objects.filter(user=gone).select_related("event")
    return [
        *(f"The player {entry.name} of {entry.event}" for entry in entries),
        *(f"The role in {role.event}: {role.get_role_display()}" for role in roles),
        *(f"The league {league}" for league in League.objects.filter(owner=gone)),
    ]
