"""Registers that may fight in a new battle, and the reasons why others may not."""

from dataclasses import replace
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Value
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.models import User
from campaign.access import CampaignRole, players_of
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.models import Campaign
from campaign.queries.registers import by_standing, registers_of
from members.roles import MemberRole
from registers import projection
from registers.ledger import session
from registers.models import Register
from rules.battle.army import AGENDAS_TO_MAY, AGENDAS_TO_MUST, completed_agendas
from rules.core.values import KeywordValue
from rules.register.building import combat_potential_spent
from rules.register.state import RegisterState

UNSEEN = gettext_lazy("waits for an organizer to approve its import")
GONE = gettext_lazy("has no player in the campaign now")
_PLANNED = Count("sides", Q(sides__battle__status__in=BEFORE_PLAY))


class Candidate(KeywordValue):
    """A Register of the campaign as a side of a new battle.

    `why` is the reason it may not fight; `may` and `must` are about its Turning Point Mission (R22). `own` marks the
    user's Registers, `mine` those the user may choose as their own side: all of them for an organizer.
    """

    register: Register
    own: bool
    mine: bool
    note: str
    why: str = ""
    may: bool = False
    must: bool = False


def candidates(role: CampaignRole, campaign: Campaign) -> list[Candidate]:
    """Return the Registers of a campaign as sides of a new battle, the user's own first: two queries."""
    plays = Exists(players_of(campaign).filter(user=OuterRef("owner")))
    listed = registers_of(campaign).annotate(planned=_PLANNED, owner_plays=plays)
    registers = sorted(by_standing(listed), key=lambda register: register.owner_id != role.user.pk)
    states = projection.states_of(registers)
    return [_candidate(role, register, states[register.pk]) for register in registers]


def solo_candidate(user: User, register: Register) -> Candidate:
    """Return a Register of `user` outside campaigns as a side of a solo battle: two queries."""
    own = Register.objects.annotate(planned=_PLANNED, owner_plays=Value(True)).select_related("owner", "enlistment")
    found = own.get(pk=register.pk)
    candidate = _candidate(MemberRole(user, None), found, projection.state_of(found))
    return replace(candidate, why=gettext("is in a campaign")) if hasattr(found, "enlistment") else candidate


def _candidate(role: MemberRole, register: Any, state: RegisterState) -> Candidate:
    book, why, enlistment = session.rulebook_for(register), "", getattr(register, "enlistment", None)
    if not register.owner_plays:
        why = GONE
    elif state.saga_complete:
        why = gettext("has played its last Story Arc (R49)")
    elif enlistment and not enlistment.plays:
        why = str(enlistment.get_status_display())
    elif enlistment and enlistment.awaits_consent:
        why = UNSEEN
    done = completed_agendas(book.story_arcs[state.story_arc], state) if state.story_arc else 0
    parts, spent = [register.owner.get_username()] if register.owner else [], combat_potential_spent(book, state)
    parts.append(ngettext("%(number)s point", "%(number)s points", spent) % {"number": spent})
    if done:
        parts.append(ngettext("%(number)s Agenda completed", "%(number)s Agendas completed", done) % {"number": done})
    if state.in_field:
        parts.append(gettext("in a battle"))
    if register.planned:
        parts.append(
            ngettext("%(number)s battle planned", "%(number)s battles planned", register.planned)
            % {"number": register.planned}
        )
    return Candidate(
        register=register,
        own=register.owner_id == role.user.pk,
        mine=role.is_organizer or register.owner_id == role.user.pk,
        note=" · ".join(parts),
        why=why,
        may=not why and done >= AGENDAS_TO_MAY,
        must=not why and done >= AGENDAS_TO_MUST,
    )
