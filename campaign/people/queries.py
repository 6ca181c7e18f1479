"""The members, former members and invitations of a campaign for its people page."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from campaign.access import players_of
from campaign.models import ActivityKind, Campaign, Enlistment, Membership
from core.names import name_order
from registers.models import Register
from rules.core.values import Value


class PersonRegister(Value):
    """A Register of a person: its name, and its status in the campaign in words unless it plays."""

    pk: UUID
    name: str
    status: str = ""

    @property
    def url(self) -> str:
        """The address of its page."""
        return reverse("registers:detail", args=[self.pk])


class Person(Value):
    """A person with their Registers in a campaign; `membership` is None for those who are no member now."""

    user: User
    registers: Sequence[PersonRegister]
    membership: Membership | None = None


def people_of(campaign: Campaign) -> list[Person]:
    """Return the members in the order in which they joined, in one query."""
    members = campaign.memberships.select_related("user").annotate(registers=_registers_of(campaign, "user"))
    return [Person(each.user, _listed(each.registers), each) for each in members]


def registers_of_person(campaign: Campaign, user: User) -> list[PersonRegister]:
    """Return the Registers of a person in a campaign, by name: one query. Drafts are left out, except those of a player
    without an account, which organizers build.
    """
    own = campaign.registers.filter(discarded=False, owner=user).select_related("enlistment")
    own = own if user.is_placeholder else own.filter(commissioned=True)
    in_order = sorted(own, key=lambda each: name_order(str(each)))
    return [PersonRegister(each.pk, str(each), status_words(each.enlistment.status)) for each in in_order]


def former_people_of(campaign: Campaign) -> list[Person]:
    """Return the people who left or were removed and are not back, and the players of Registers who are not in the
    campaign, by name: two queries. Accounts that were merged into others are left out.
    """
    people = _former_people(campaign).annotate(own=_registers_of(campaign, "pk"))
    in_order = sorted(people, key=lambda each: name_order(each.username))
    return [Person(each, _listed(each.own)) for each in in_order]


def former_person(campaign: Campaign, user: int) -> Person | None:
    """Return one of `former_people_of` by primary key, or None: two queries."""
    found = _former_people(campaign).filter(pk=user).annotate(own=_registers_of(campaign, "pk")).first()
    return Person(found, _listed(found.own)) if found else None


def _former_people(campaign: Campaign) -> QuerySet[User]:
    gone = campaign.activity.filter(kind__in=(ActivityKind.LEFT, ActivityKind.REMOVED)).order_by()
    named = gone.values_list("facts__user", flat=True).distinct()
    left = [user for user in named if isinstance(user, int)]  # an imported file may contain anything
    players = campaign.registers.filter(discarded=False, owner__isnull=False).values("owner")
    known = User.objects.filter(Q(pk__in=left) | Q(pk__in=players), merged_into=None)
    return known.exclude(pk__in=campaign.memberships.values("user"))


def _registers_of(campaign: Campaign, user: str) -> ArraySubquery:
    """Return a subquery for the Registers of a person; `user` is the name of their column in the outer query."""
    own = Register.objects.filter(enlistment__campaign=campaign, commissioned=True, owner=OuterRef(user))
    values = JSONObject(pk="pk", name="name", status="enlistment__status")
    return ArraySubquery(own.values(json=values))


def _listed(rows: Iterable[Mapping[str, str]]) -> list[PersonRegister]:
    return [
        PersonRegister(UUID(row["pk"]), row["name"] or gettext("Unnamed Register"), status_words(row["status"]))
        for row in sorted(rows, key=lambda row: name_order(row["name"]))
    ]


def status_words(status: str) -> str:
    """Return the status of a Register in its campaign in words; empty if it plays."""
    return "" if status == Enlistment.Status.PLAYING else str(Enlistment.Status(status).label)


def players_for_invited(campaign: Campaign) -> list[tuple[str, list[Register]]]:
    """Return who plays in a campaign, by name, with their ready Registers, in the order in which they joined: two
    queries. Anyone with an open invitation reads this. It has names only: no viewers, and nothing of what a Register
    holds.
    """
    playing = campaign.registers.filter(enlistment__status=Enlistment.Status.PLAYING)
    ready = playing.filter(discarded=False, commissioned=True)
    registers = defaultdict[int | None, list[Register]](list)
    for register in sorted(ready.only("name", "faction", "owner"), key=lambda each: name_order(each.name)):
        registers[register.owner_id].append(register)
    return [(each.user.carried_name, registers[each.user_id]) for each in players_of(campaign).select_related("user")]
