"""Where a Register serves and what it does next, for its own page."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign import access
from campaign.models import Campaign, Side
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
    """The campaign of a Register, and the way to its battle or to a new one: nine queries at most."""
    campaign = Campaign.objects.filter(enlistments__register=register).first()
    if campaign is None:
        return Whereabouts(lacks=NOWHERE if register.commissioned else "")
    if not access.campaigns_of(user).filter(pk=campaign.pk).exists():
        return Whereabouts()
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    if register.enlistment.awaits_consent:
        return Whereabouts(crumbs=crumbs, lacks=UNSEEN)
    side = (
        Side.objects.filter(register=register, open=True)
        .select_related("battle__campaign", "register")
        .prefetch_related("battle__sides__register")
        .first()
    )
    organises = access.is_organiser(user, campaign)
    if side is None:
        leads = organises or (register.owner_id == user.pk and access.is_player(user, campaign))
        if not register.commissioned or not leads:
            return Whereabouts(crumbs=crumbs)
        return Whereabouts(
            crumbs=crumbs, label=gettext("Plan a battle"), href=reverse("campaign:plan", args=[campaign.pk])
        )
    battle = side.battle
    crumbs += ({"label": str(battle), "href": battle.get_absolute_url()},)
    if not side.mustered and access.may_act(user, side, organises=organises):
        return Whereabouts(
            crumbs=crumbs,
            label=gettext("Muster for {battle}", battle=battle),
            href=reverse("campaign:muster", args=[side.pk]),
        )
    return Whereabouts(
        crumbs=crumbs, label=gettext("To {battle}", battle=battle), href=battle.get_absolute_url()
    )
