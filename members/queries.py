"""The invitations of a group, for the people who organize it."""

from collections.abc import Callable

from django.db.models import Count
from django.utils import timezone

from members.models import AbstractInvitation, InvitationEnd, MemberGroup, Role
from rules.core.values import Value


class InvitationLine(Value):
    """An invitation, the group's word for its role, how many people joined by it, and why it no longer works (empty
    while it does).
    """

    invitation: AbstractInvitation
    title: str
    uses: int
    end: InvitationEnd


def role_label(role: str) -> str:
    """Return what a group without words of its own calls a role."""
    return str(Role(role).label)


def invitation_lines(
    group: MemberGroup, title: Callable[[str], str] = role_label, **only: object
) -> list[InvitationLine]:
    """Return the group's invitations (filtered by `only`), newest first, in one query."""
    model = group.invitations.model
    related = {"created_by", "placeholder"} & {field.name for field in model._meta.fields}
    # Django ignores the model's own ordering in a query that counts.
    counted = group.invitations.filter(**only).select_related(*related).annotate(uses=Count("admissions"))
    now = timezone.now()
    return [
        InvitationLine(each, title(each.role), each.uses, each.end(now=now, uses=each.uses))
        for each in counted.order_by("-created_at")
    ]
