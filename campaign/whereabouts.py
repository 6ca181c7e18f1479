"""Where a Register serves and what it does next, for its own page."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign.models import Battle, Campaign, Enlistment, Membership, Side
from config.together import Together, made
from registers.models import Register
from registers.whereabouts import Whereabouts
from rules.language import gettext

UNSEEN = gettext_lazy(
    "It was taken over from a list, and cannot fight before an organiser of the campaign consents to that."
)
NOWHERE = gettext_lazy(
    "It serves in no campaign yet, and cannot fight before it does. A campaign's page takes it in."
)


def whereabouts(user: User, register: Register) -> Whereabouts:
    """The campaign of a Register, and the way to its battle or to a new one: one query."""
    served, sides = _ROWS.ask(user=user.pk, register=register.pk)
    if not served:
        return Whereabouts(lacks=NOWHERE if register.commissioned else "")
    [row] = served
    campaign, role = made(Campaign, row, "campaign__"), row["role"]
    if not (user.is_staff or role):
        return Whereabouts()
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    if row["awaits_consent"]:
        return Whereabouts(crumbs=crumbs, lacks=UNSEEN)
    organises = user.is_staff or role == Membership.Role.ORGANISER
    leads = organises or (register.owner_id == user.pk and role != Membership.Role.READER)
    if not sides:
        if not register.commissioned or not leads:
            return Whereabouts(crumbs=crumbs)
        return Whereabouts(
            crumbs=crumbs, label=gettext("Plan a battle"), href=reverse("campaign:plan", args=[campaign.pk])
        )
    battle = made(Battle, sides[0], "battle__")
    crumbs += ({"label": str(battle), "href": battle.get_absolute_url()},)
    [own] = [side for side in sides if side["register_id"] == str(register.pk)]
    fought_by = {side["register__owner_id"] for side in sides}
    opposes = register.owner_id != user.pk and user.pk in fought_by
    if not own["mustered"] and leads and (not opposes or own["stand_in_id"] == user.pk):
        return Whereabouts(
            crumbs=crumbs,
            label=gettext("Muster for {battle}", battle=battle),
            href=reverse("campaign:muster", args=[own["id"]]),
        )
    return Whereabouts(
        crumbs=crumbs, label=gettext("To {battle}", battle=battle), href=battle.get_absolute_url()
    )


def _served(user: int, register: UUID) -> QuerySet[Enlistment, Any]:
    """The campaign in which the Register serves, and the role of the user in it."""
    own = Membership.objects.filter(campaign=OuterRef("campaign"), user=user)
    found = Enlistment.objects.filter(register=register).annotate(role=Subquery(own.values("role")))
    return found.values("awaits_consent", "campaign__id", "campaign__name", "role")


def _sides(user: int, register: UUID) -> QuerySet[Side, Any]:
    """Both sides of the battle in which the Register fights now."""
    fights = Side.objects.filter(register=register, open=True)
    return Side.objects.filter(battle__in=fights.values("battle")).values(
        "id", "mustered", "stand_in_id", "register_id", "register__owner_id", "battle__id", "battle__number"
    )


_ROWS = Together({"user": int, "register": UUID}, _served, _sides)
