"""The leaders of an event in the words of its rule set, their invitations, and whether they may play (E1, E2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from members.models import InvitationEnd, Role
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import Violation
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Invitation, Membership, Tier

#: What each rule set calls a leader (E1).
WORDS = {
    RuleSet.GALACTIC_CONQUEST: {
        Role.ORGANIZER: gettext_noop("Event Organizer"),
        Role.HEAD_JUDGE: gettext_noop("Head Consular"),
        Role.JUDGE: gettext_noop("Consular"),
    },
    RuleSet.TOURNAMENT_REGULATIONS: {
        Role.ORGANIZER: gettext_noop("Tournament Organizer"),
        Role.HEAD_JUDGE: gettext_noop("Head Judge"),
        Role.JUDGE: gettext_noop("Judge"),
    },
}
#: What a leader with each role may do.
ABOUT = {
    Role.ORGANIZER: gettext_noop("runs the event: settings, players, pairings, results"),
    Role.HEAD_JUDGE: gettext_noop("rules at the tables and decides on appeals"),
    Role.JUDGE: gettext_noop("rules at the tables and enters results"),
}
#: States of a player who is in the event.
ACTIVE = (Entry.State.REGISTERED, Entry.State.WAITING, Entry.State.CHECKED_IN, Entry.State.PLAYING)


@dataclass(frozen=True, slots=True)
class Leader:
    """A leader of an event, with the rule set's word for the role."""

    membership: Membership
    title: str


@dataclass(frozen=True, slots=True)
class InvitationLine:
    """An invitation, the rule set's word for its role, how many joined by it, and why it no longer works (empty while
    it does).
    """

    invitation: Invitation
    title: str
    uses: int
    end: InvitationEnd


def role_title(rule_set: str, role: str) -> str:
    """Return what a rule set calls a role of an event: "Consular" for a judge of Galactic Conquest (E1)."""
    return gettext(WORDS[RuleSet(rule_set)][Role(role)])


def about_role(role: str) -> str:
    """Return what a leader with a role may do."""
    return gettext(ABOUT[Role(role)])


def leaders_of(event: Event) -> list[Leader]:
    """Return the leaders of an event, organizers first, then the head judge, in one query."""
    order = {role.value: place for place, role in enumerate(Event.roles)}
    found = [each for each in event.memberships.select_related("user") if each.role in order]
    found.sort(key=lambda each: (order[each.role], each.pk))
    return [Leader(each, role_title(event.rule_set, each.role)) for each in found]


def invitation_lines(event: Event, **only: object) -> list[InvitationLine]:
    """Return the event's invitations (filtered by `only`), newest first, in one query."""
    invitations = event.invitations.filter(**only).select_related("created_by")
    counted = invitations.annotate(uses=Count("admissions")).order_by("-created_at")
    now = timezone.now()
    return [
        InvitationLine(each, role_title(event.rule_set, each.role), each.uses, each.end(now=now, uses=each.uses))
        for each in counted
    ]


def playing_leader_violation(event: Event, user: User) -> Violation | None:
    """Return why a leader of an event cannot play in it, or None, also for people who do not lead it (E2).

    In Galactic Conquest and in competitive tournaments no leader plays. In a casual tournament a leader plays if there
    is at least one other leader.
    """
    leading = set(event.memberships.filter(role__in=Event.roles).values_list("user", flat=True))
    return _violation(event, leading, user.pk)


def playing_leaders(event: Event, leaders: Sequence[Leader], entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries of leaders who play against E2, as after a change of the tier or an override."""
    leading = {each.membership.user_id for each in leaders}
    mine = [entry for entry in entries if entry.user_id in leading and entry.state in ACTIVE]
    return [entry for entry in mine if _violation(event, leading, entry.user_id or 0)]


def leaders_kept_out(event: Event, leaders: Sequence[Leader]) -> list[Leader]:
    """Return the leaders who cannot register by themselves (E2)."""
    leading = {each.membership.user_id for each in leaders}
    return [each for each in leaders if _violation(event, leading, each.membership.user_id)]


def _violation(event: Event, leading: set[int], user: int) -> Violation | None:
    if user not in leading:
        return None
    if event.rule_set == RuleSet.GALACTIC_CONQUEST:
        return Violation("E2", gettext("You lead this event, and its leaders cannot play in it. Ask an organizer."))
    if event.tier == Tier.COMPETITIVE:
        return Violation("E2", gettext("Leaders cannot play in a competitive tournament. Ask an organizer."))
    if len(leading) < 2:
        text = gettext(
            "You are the only leader, and a leader plays only if another one is there. Invite a judge first."
        )
        return Violation("E2", text)
    return None
