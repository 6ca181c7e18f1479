"""The Registers of a campaign as lines of a list, and links from a Register to its campaign and battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign.access import CampaignRole, role_in
from campaign.battles.access import SIDES, may_act
from campaign.battles.models import Battle, Side
from campaign.models import Campaign, Enlistment
from registers import projection
from registers.ledger import session
from registers.models import Register
from registers.queries.sheet import arc_of
from registers.register_links import RegisterLinks
from rules.battle.report import result_for
from rules.core.translation import gettext
from rules.register.building import combat_potential_spent
from rules.register.state import RegisterState

NOT_ACCEPTED = gettext_lazy(
    "Waiting for approval: an organizer of the campaign must approve its imported values before it can play a battle."
)
NOWHERE = gettext_lazy("Not in a campaign yet. Join a campaign by link or create one, then add this Register there.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A Register in a list, using only its own row."""

    register: Register

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
    won: int = 0
    drawn: int = 0
    lost: int = 0


def register_lines(registers: Iterable[Register]) -> list[RegisterLine]:
    """Return the lines of these Registers in three queries. Their owners must be loaded."""
    listed = list(registers)
    if not listed:
        return []
    states, results = projection.states_of(listed), _results(listed)
    return [
        RegisterLine(
            register=register,
            state=(state := states[register.pk]),
            spent=combat_potential_spent(book := session.rulebook_for(register), state),
            arc=arc_of(book, state),
            won=results[register.pk, "won"],
            drawn=results[register.pk, "drawn"],
            lost=results[register.pk, "lost"],
        )
        for register in listed
    ]


def _results(registers: Iterable[Register]) -> Counter[tuple[UUID, str]]:
    fought = Side.objects.filter(register__in=registers, battle__status=Battle.Status.CLOSED).order_by()
    rows = fought.values_list("register", "colour", "battle__winner").annotate(times=Count("pk"))
    results: Counter[tuple[UUID, str]] = Counter()
    for register, colour, winner, times in rows:
        results[register, result_for(colour, winner)] += times
    return results


def registers_of(campaign: Campaign) -> QuerySet[Register]:
    """Return the Registers of a campaign, highest Reputation first and unfinished ones last."""
    return (
        campaign.registers.filter(discarded=False)
        .select_related("owner", "enlistment")
        .defer("biography")
        .order_by("-commissioned", "-reputation", "name", "created_at")
    )


def campaign_name_of_register(user: User, register: Register) -> str:
    """Return the name of the campaign in which a Register plays; empty if the user is no member. One query."""
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None or not CampaignRole(user, enlistment.role, enlistment.campaign_id).is_member:
        return ""
    return str(enlistment.campaign)


def links_of_register(user: User, register: Register) -> RegisterLinks:
    """Return the campaign of a Register, and the link to its battle or to a new one: at most three queries."""
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None:
        return RegisterLinks(lacks=NOWHERE if register.commissioned else "")
    campaign = enlistment.campaign
    role = CampaignRole(user, enlistment.role, campaign.pk)
    if not role.is_member:
        return RegisterLinks()
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    if enlistment.awaits_consent:
        return RegisterLinks(crumbs=crumbs, lacks=NOT_ACCEPTED)
    battle = campaign.battles.filter(sides__register=register, sides__open=True).prefetch_related(SIDES).first()
    if battle is None:
        leads = role.is_organizer or (role.is_player and register.owner_id == user.pk)
        if not register.commissioned or not leads:
            return RegisterLinks(crumbs=crumbs)
        plan = reverse("battles:plan", args=[campaign.pk])
        return RegisterLinks(crumbs=crumbs, label=gettext("Plan a battle"), href=plan)
    crumbs += ({"label": str(battle), "href": battle.get_absolute_url()},)
    [own] = [side for side in battle.sides.all() if side.register_id == register.pk]
    if not own.army_chosen and may_act(role, own):
        choose_army = reverse("battles:army", args=[own.pk])
        return RegisterLinks(crumbs=crumbs, label=gettext("Choose army for {battle}", battle=battle), href=choose_army)
    there = battle.get_absolute_url()
    return RegisterLinks(crumbs=crumbs, label=gettext("To {battle}", battle=battle), href=there)
