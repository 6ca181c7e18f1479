"""The leaders of an event, and whether they may play (E1, E2)."""

from collections.abc import Mapping, Sequence

from accounts.models import User
from rules.core.values import Value
from rules.core.violations import Violation
from rules.tournaments.leaders import playing_violation
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Membership, Tier
from tournaments.models.entry import ACTIVE
from tournaments.roles import role_title


class Leader(Value):
    """A leader of an event, with the rule set's word for the role."""

    membership: Membership
    title: str


def leaders_of(event: Event) -> list[Leader]:
    """Return the leaders of an event, organizers first, then the head judge, in one query."""
    order = {role.value: place for place, role in enumerate(Event.roles)}
    found = [each for each in event.memberships.select_related("user") if each.role in order]
    found.sort(key=lambda each: (order[each.role], each.pk))
    return [Leader(each, role_title(event.rule_set, each.role)) for each in found]


def playing_leader_violation(event: Event, user: User) -> Violation | None:
    """Return why a leader of an event cannot play in it, or None, also for people who do not lead it (E2)."""
    return _violation(event, roles_of(event), user.pk)


def playing_leaders(event: Event, leaders: Sequence[Leader], entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries of leaders who play against E2, as after a change of the tier or an override."""
    roles = _roles(leaders)
    return [entry for entry in entries if entry.state in ACTIVE and _violation(event, roles, entry.user_id)]


def leaders_kept_out(event: Event, leaders: Sequence[Leader]) -> list[Leader]:
    """Return the leaders who need an override to register (E2)."""
    roles = _roles(leaders)
    return [each for each in leaders if _violation(event, roles, each.membership.user_id)]


def roles_of(event: Event) -> dict[int, str]:
    """Return the roles of an event's leaders by the primary key of the user, in one query."""
    return dict(event.memberships.filter(role__in=Event.roles).values_list("user", "role"))


def leading_violation(event: Event, user: User, role: str) -> Violation | None:
    """Return why a player of an event could not go on playing as one of its leaders with `role`, or None (E2)."""
    return _violation(event, {**roles_of(event), user.pk: role}, user.pk)


def _roles(leaders: Sequence[Leader]) -> dict[int, str]:
    return {each.membership.user_id: each.membership.role for each in leaders}


def _violation(event: Event, roles: Mapping[int, str], user: int | None) -> Violation | None:
    if user is None or user not in roles:
        return None
    others = [role for person, role in roles.items() if person != user]
    competitive = event.tier == Tier.COMPETITIVE
    text = playing_violation(RuleSet(event.rule_set), roles[user], others, is_competitive=competitive)
    return Violation("E2", text) if text else None
