"""Links from a Register to its campaign, its battle and its next task."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from campaign.access import CampaignRole, leads_register, role_in
from campaign.battles.access import may_act
from campaign.battles.models import Side
from campaign.battles.models.battle import BEFORE_PLAY
from campaign.models import Campaign, Enlistment, Membership
from core.db.prepared import Prepared
from members.models import Role
from registers.campaign_side import NextStep, RegisterLinks
from registers.models import Register

NOT_ACCEPTED = gettext_lazy(
    "Waiting for approval: an organizer of the campaign must approve it before it can play a battle."
)
WITHDRAWN = gettext_lazy("Withdrawn from the campaign: it cannot be planned for battles until it is brought back.")
RETIRED = gettext_lazy("Retired from the campaign: it plays no more battles unless it is brought back.")
NOWHERE = gettext_lazy("Not in a campaign yet. Play against guests, or join a campaign by link and add it there.")


def campaign_name_of_register(user: User, register: Register) -> str:
    """Return the name of the campaign in which a Register plays; empty if the user is no member. One query."""
    enlistment = _enlistment(user, register)
    if enlistment is None or not CampaignRole(user, enlistment.role, enlistment.campaign).is_member:
        return ""
    return str(enlistment.campaign)


def _enlistment(user: User, register: Register) -> Any:
    """Return a Register in its campaign with the user's `role` there, and whether it has `solo` battles; or None."""
    return next(iter(_enlistments(user.pk, register.pk)), None)


@Prepared
def _enlistments(user: int, register: UUID) -> QuerySet[Any]:
    solo = Exists(Campaign.everything.filter(solo=OuterRef("register")))
    found = Enlistment.objects.filter(register__pk=register).select_related("campaign")
    return found.annotate(role=role_in(user, "campaign"), solo=solo)


def links_of_register(user: User, register: Register) -> RegisterLinks:
    """Return a Register's campaign, and links to its achievements and battle: two queries, three for an organizer."""
    enlistment = _enlistment(user, register)
    if enlistment is None and register.commissioned and register.owner_id == user.pk:
        return _links_outside(user, register)
    if enlistment is None:
        return RegisterLinks(lacks=NOWHERE if register.commissioned else "")
    campaign = enlistment.campaign
    role = CampaignRole(user, enlistment.role, campaign)
    if not role.is_member:
        return RegisterLinks()
    links = _links_in(enlistment, role, register)
    if enlistment.solo and register.owner_id == user.pk:
        links = replace(links, rows=(*links.rows, _solo_row(register)))
    if not (register.commissioned and enlistment.plays):
        return links
    page = reverse("achievements:index", args=[campaign.pk])
    return replace(links, achievements=f"{page}#register-{register.pk}")


def _links_outside(user: User, register: Register) -> RegisterLinks:
    """Return the links of a Register in no campaign, which plays against guests (R17)."""
    rows = ({"title": gettext("Find a campaign"), "href": f"{reverse('home')}#next"}, _solo_row(register))
    if (own := _next_side(register)) is None:
        return RegisterLinks(lacks=NOWHERE, label=gettext("Play a battle"), href=rows[1]["href"], rows=rows)
    role = CampaignRole(user, Role.ORGANIZER, own.battle.campaign)
    return replace(_links_to_battle(role, own), rows=rows)


def _solo_row(register: Register) -> dict[str, str]:
    return {"title": gettext("Solo battles"), "href": reverse("battles:solo", args=[register.pk])}


def _links_in(enlistment: Enlistment, role: CampaignRole, register: Register) -> RegisterLinks:
    campaign, user = enlistment.campaign, role.user
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    if not campaign.is_open:
        return RegisterLinks(crumbs=crumbs, stamp=str(campaign.get_state_display()))
    leads = leads_register(role, register) and user.guest_until is None
    rows = _status_rows(enlistment) if leads and not register.discarded else ()
    if not enlistment.plays:
        return _links_when_gone(enlistment, crumbs, rows)
    if enlistment.awaits_consent:
        return RegisterLinks(crumbs=crumbs, lacks=NOT_ACCEPTED, rows=rows)
    if (own := _next_side(register, campaign.pk)) is None:
        if not register.commissioned or register.saga_complete or not leads_register(role, register):
            return RegisterLinks(crumbs=crumbs, rows=rows)
        plan = reverse("battles:plan", args=[campaign.pk])
        return RegisterLinks(crumbs=crumbs, label=gettext("Plan a battle"), href=plan, rows=rows)
    to_battle = _links_to_battle(role, own)
    return replace(to_battle, crumbs=crumbs + to_battle.crumbs, rows=rows)


def _links_to_battle(role: CampaignRole, own: Side) -> RegisterLinks:
    """Return the links of a Register to its battle, and to what its player has to do there."""
    battle, there = own.battle, own.battle.get_absolute_url()
    label = gettext("To %(battle)s") % {"battle": battle}
    if not own.army_chosen and may_act(role, own):
        label = gettext("Choose army for %(battle)s") % {"battle": battle}
        there = reverse("battles:army", args=[own.pk])
    crumb = {"label": str(battle), "href": battle.get_absolute_url()}
    return RegisterLinks(crumbs=(crumb,), label=label, href=there)


def _status_rows(enlistment: Enlistment) -> tuple[dict[str, str], ...]:
    """Return the link to the page that withdraws or retires a Register, or brings it back."""
    href = reverse("campaign:register_status", args=[enlistment.campaign_id, enlistment.register_id])
    title = gettext("Withdraw or retire") if enlistment.plays else gettext("Bring back")
    return ({"title": title, "href": href},)


def _links_when_gone(
    enlistment: Enlistment, crumbs: tuple[dict[str, str], ...], rows: tuple[dict[str, str], ...]
) -> RegisterLinks:
    """Return the links of a withdrawn or retired Register; `rows` are empty for those who may not change that."""
    retired = enlistment.status == Enlistment.Status.RETIRED
    bring_back = {"label": gettext("Bring back"), "href": rows[0]["href"]} if rows else {}
    return RegisterLinks(
        crumbs=crumbs,
        lacks=RETIRED if retired else WITHDRAWN,
        stamp=str(enlistment.get_status_display()),
        rows=rows,
        **bring_back,
    )


def _next_side(register: Register, campaign: UUID | None = None) -> Side | None:
    """Return the Register's side of the battle that it is in, or else of the planned one with the earliest date, in
    this campaign or (None) of its solo battles.
    """
    own = next(iter(_open_sides(register.pk, campaign)), None)
    if own is not None:
        own.register = register
    return own


@Prepared
def _open_sides(register: UUID, campaign: UUID | None) -> QuerySet[Any]:
    there = Q(battle__campaign__pk=campaign) if campaign else Q(battle__campaign__solo__pk=register)
    sides = Side.objects.filter(there, register__pk=register, open=True).select_related("battle__campaign")
    planned_last = sides.annotate(is_planned=Q(battle__status__in=BEFORE_PLAY))
    return planned_last.order_by("is_planned", "battle__date", "battle__number")[:1]


#: So many campaigns are offered to a new Register; a player rarely has more.
MOST_CAMPAIGNS = 5


def next_steps_of_register(user: User, register: Register) -> list[NextStep]:
    """Return what a player can do with a new Register: add it to a campaign, invite an opponent, plan a battle."""
    if (enlistment := _enlistment(user, register)) is None:
        solo = gettext("Against a guest, with the whole Post-Battle Sequence and without a campaign.")
        new = gettext("Then invite an opponent. If you have an invitation, open its link and add this Register there.")
        return [
            *_campaigns_to_join(user, register),
            NextStep(title=gettext("Play a battle"), note=solo, href=reverse("battles:solo", args=[register.pk])),
            NextStep(title=gettext("Create campaign"), note=new, href=reverse("campaign:new")),
        ]
    campaign = enlistment.campaign
    role = CampaignRole(user, enlistment.role, campaign)
    found = []
    if role.may_organize():
        found.append(
            NextStep(
                title=gettext("Invite an opponent"),
                note=gettext("Send a link or show a code to join %(campaign)s.") % {"campaign": campaign},
                href=reverse("campaign:invite", args=[campaign.pk]),
            )
        )
    if role.may_play() and not enlistment.awaits_consent:
        plan = reverse("battles:plan", args=[campaign.pk])
        found.append(NextStep(title=gettext("Plan a battle"), note=str(campaign), href=plan))
    if role.is_member:
        found.append(NextStep(title=gettext("Open campaign"), note=str(campaign), href=campaign.get_absolute_url()))
    return found


def _campaigns_to_join(user: User, register: Register) -> list[NextStep]:
    if register.owner_id != user.pk:
        return []
    played = Campaign.objects.filter(state=Campaign.State.OPEN, memberships__user=user).exclude(
        memberships__in=Membership.objects.filter(user=user, role=Role.VIEWER)
    )
    return [
        NextStep(
            title=str(campaign),
            note=gettext("Add this Register to the campaign."),
            label=gettext("Add Register"),
            href=reverse("campaign:add_register", args=[campaign.pk, register.pk]),
            posts=True,
        )
        for campaign in played.order_by("name")[:MOST_CAMPAIGNS]
    ]
