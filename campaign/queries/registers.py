"""The Registers of a campaign as lines of a list, and links from a Register to its campaign and battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign.access import CampaignRole, leads_register, role_in
from campaign.battles.access import may_act
from campaign.battles.models import Battle, Side
from campaign.battles.models.battle import BEFORE_PLAY
from campaign.models import Campaign, Enlistment, Membership
from members.models import Role
from registers import projection
from registers.ledger import session
from registers.models import Register
from registers.queries.sheet import arc_of
from registers.register_links import NextStep, RegisterLinks
from rules.battle.report import result_for
from rules.core.translation import gettext
from rules.register.building import combat_potential_spent
from rules.register.state import RegisterState

NOT_ACCEPTED = gettext_lazy(
    "Waiting for approval: an organizer of the campaign must approve its imported values before it can play a battle."
)
WITHDRAWN = gettext_lazy("Withdrawn from the campaign: it cannot be planned for battles until it is brought back.")
RETIRED = gettext_lazy("Retired from the campaign: it plays no more battles unless it is brought back.")
NOWHERE = gettext_lazy("Not in a campaign yet. Join a campaign by link or create one, then add this Register there.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A Register in a list, using only its own row, and how many battles it has won, drawn and lost."""

    register: Register
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def name(self) -> str:
        """The Register's name."""
        return str(self.register)

    @property
    def player(self) -> str:
        """The name of its player; empty if it has none."""
        return self.register.owner.get_username() if self.register.owner else ""

    @property
    def url(self) -> str:
        """The address of its page, or of the page for building it."""
        page = "registers:detail" if self.register.commissioned else "registers:building"
        return reverse(page, args=[self.register.pk])


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLine(Outline):
    """A complete line. `spent` is the Combat Potential used, in points; `arc` is as in
    `registers.queries.sheet.arc_of`.
    """

    state: RegisterState
    spent: int
    arc: Mapping[str, Any] | None


def outlines(registers: Iterable[Register]) -> list[Outline]:
    """Return outlines of these Registers in one query. Their owners must be loaded."""
    listed = list(registers)
    results = _results(listed)
    return [Outline(register=register, **_record(results, register)) for register in listed]


def register_lines(registers: Iterable[Register]) -> list[RegisterLine]:
    """Return the lines of these Registers in three queries. Their owners must be loaded."""
    listed = list(registers)
    return complete_lines(outlines(listed)) if listed else []


def complete_lines(found: Sequence[Outline]) -> list[RegisterLine]:
    """Return outlines as complete lines, in two queries."""
    states = projection.states_of([line.register for line in found])
    return [
        RegisterLine(
            register=line.register,
            state=(state := states[line.register.pk]),
            spent=combat_potential_spent(book := session.rulebook_for(line.register), state),
            arc=arc_of(book, state),
            won=line.won,
            drawn=line.drawn,
            lost=line.lost,
        )
        for line in found
    ]


def _record(results: Counter[tuple[UUID, str]], register: Register) -> dict[str, int]:
    return {result: results[register.pk, result] for result in ("won", "drawn", "lost")}


def _results(registers: Iterable[Register]) -> Counter[tuple[UUID, str]]:
    fought = Side.objects.filter(register__in=registers, battle__status=Battle.Status.CLOSED).order_by()
    rows = fought.values_list("register", "colour", "battle__winner").annotate(times=Count("pk"))
    results: Counter[tuple[UUID, str]] = Counter()
    for register, colour, winner, times in rows:
        results[register, result_for(colour, winner)] += times
    return results


def registers_of(campaign: Campaign, *, and_free_of: User | None = None) -> QuerySet[Register]:
    """Return the Registers of a campaign, highest Reputation first and unfinished ones last. With `and_free_of`, also
    those of this user that are in no campaign; they have no `enlistment`.
    """
    wanted = Q(enlistment__campaign=campaign)
    if and_free_of is not None:
        wanted |= Q(enlistment=None, owner=and_free_of)
    return (
        Register.objects.filter(wanted, discarded=False)
        .select_related("owner", "enlistment", "team_place__team")
        .defer("biography")
        .order_by("-commissioned", "-reputation", "name", "created_at")
    )


def playing_in(registers: Iterable[Register]) -> list[Register]:
    """Return those of `registers_of` that play: they were neither withdrawn nor retired."""
    return [register for register in registers if register.enlistment.plays]


def left_of(registers: Iterable[Register]) -> list[Register]:
    """Return the Registers of `registers_of` that were withdrawn or retired."""
    return [register for register in registers if not register.enlistment.plays]


def campaign_name_of_register(user: User, register: Register) -> str:
    """Return the name of the campaign in which a Register plays; empty if the user is no member. One query."""
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None or not CampaignRole(user, enlistment.role, enlistment.campaign_id).is_member:
        return ""
    return str(enlistment.campaign)


def links_of_register(user: User, register: Register) -> RegisterLinks:
    """Return the campaign of a Register, and the links to its achievements and to its battle or a new one: two queries,
    and one more for an organizer.
    """
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None and register.commissioned and register.owner_id == user.pk:
        return RegisterLinks(lacks=NOWHERE, label=gettext("Find a campaign"), href=f"{reverse('home')}#next")
    if enlistment is None:
        return RegisterLinks(lacks=NOWHERE if register.commissioned else "")
    campaign = enlistment.campaign
    role = CampaignRole(user, enlistment.role, campaign.pk)
    if not role.is_member:
        return RegisterLinks()
    links = _links_in(enlistment, role, register)
    if not (register.commissioned and enlistment.plays):
        return links
    page = reverse("achievements:index", args=[campaign.pk])
    return replace(links, achievements=f"{page}#register-{register.pk}")


def _links_in(enlistment: Enlistment, role: CampaignRole, register: Register) -> RegisterLinks:
    campaign, user = enlistment.campaign, role.user
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    leads = leads_register(role, register) and user.guest_until is None
    rows = _status_rows(enlistment) if leads and not register.discarded else ()
    if not enlistment.plays:
        return _links_when_gone(enlistment, crumbs, rows)
    if enlistment.awaits_consent:
        return RegisterLinks(crumbs=crumbs, lacks=NOT_ACCEPTED, rows=rows)
    own = _next_side(campaign, register)
    if own is None:
        if not register.commissioned or register.saga_complete or not leads_register(role, register):
            return RegisterLinks(crumbs=crumbs, rows=rows)
        plan = reverse("battles:plan", args=[campaign.pk])
        return RegisterLinks(crumbs=crumbs, label=gettext("Plan a battle"), href=plan, rows=rows)
    battle = own.battle
    crumbs += ({"label": str(battle), "href": battle.get_absolute_url()},)
    if not own.army_chosen and may_act(role, own):
        choose_army = reverse("battles:army", args=[own.pk])
        label = gettext("Choose army for {battle}", battle=battle)
        return RegisterLinks(crumbs=crumbs, label=label, href=choose_army, rows=rows)
    there = battle.get_absolute_url()
    return RegisterLinks(crumbs=crumbs, label=gettext("To {battle}", battle=battle), href=there, rows=rows)


def _status_rows(enlistment: Enlistment) -> tuple[dict[str, str], ...]:
    """Return the link to the page that withdraws or retires a Register, or brings it back."""
    href = reverse("campaign:register_status", args=[enlistment.campaign_id, enlistment.register_id])
    title = gettext("Withdraw or retire") if enlistment.plays else gettext("Bring back")
    return ({"title": title, "href": href},)


def _links_when_gone(
    enlistment: Enlistment, crumbs: tuple[dict[str, str], ...], rows: tuple[dict[str, str], ...]
) -> RegisterLinks:
    """Return the links of a Register that was withdrawn or retired; `rows` are empty for anyone who may not change
    that.
    """
    retired = enlistment.status == Enlistment.Status.RETIRED
    bring_back = {"label": gettext("Bring back"), "href": rows[0]["href"]} if rows else {}
    return RegisterLinks(
        crumbs=crumbs,
        lacks=RETIRED if retired else WITHDRAWN,
        stamp=str(enlistment.get_status_display()),
        rows=rows,
        **bring_back,
    )


def _next_side(campaign: Campaign, register: Register) -> Side | None:
    """Return the Register's side of the battle that it is in, or else of the planned one with the earliest date."""
    sides = Side.objects.filter(battle__campaign=campaign, register=register, open=True).select_related("battle")
    planned_last = sides.annotate(is_planned=Q(battle__status__in=BEFORE_PLAY))
    own = planned_last.order_by("is_planned", "battle__date", "battle__number").first()
    if own is not None:
        own.register = register
    return own


#: So many campaigns are offered to a new Register; a player rarely has more.
MOST_CAMPAIGNS = 5


def next_steps_of_register(user: User, register: Register) -> list[NextStep]:
    """Return what a player can do with a new Register: add it to a campaign, invite an opponent, plan a battle."""
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None:
        return [*_campaigns_to_join(user, register), _new_campaign()]
    campaign = enlistment.campaign
    role = CampaignRole(user, enlistment.role, campaign.pk)
    found = []
    if role.is_organizer:
        found.append(
            NextStep(
                title=gettext("Invite an opponent"),
                note=gettext("Send a link or show a code to join {campaign}.", campaign=campaign),
                href=reverse("campaign:invite", args=[campaign.pk]),
            )
        )
    if role.is_player and not enlistment.awaits_consent:
        plan = reverse("battles:plan", args=[campaign.pk])
        found.append(NextStep(title=gettext("Plan battle"), note=str(campaign), href=plan))
    if role.is_member:
        found.append(NextStep(title=gettext("Open campaign"), note=str(campaign), href=campaign.get_absolute_url()))
    return found


def _campaigns_to_join(user: User, register: Register) -> list[NextStep]:
    if register.owner_id != user.pk:
        return []
    played = Campaign.objects.filter(memberships__user=user).exclude(
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


def _new_campaign() -> NextStep:
    return NextStep(
        title=gettext("Create campaign"),
        note=gettext("Then invite an opponent. If you have an invitation, open its link and add this Register there."),
        href=reverse("campaign:new"),
    )
