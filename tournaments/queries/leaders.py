"""The leaders of an event in the words of its rule set, their invitations, and whether they may play (E1, E2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from members.models import Role
from rules.core.violations import Violation
from rules.tournaments.leaders import playing_violation
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Membership, Tier
from tournaments.models.entry import ACTIVE

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
#: The same inside a sentence, and several judges as a heading.
IN_A_SENTENCE = {
    RuleSet.GALACTIC_CONQUEST: WORDS[RuleSet.GALACTIC_CONQUEST],
    RuleSet.TOURNAMENT_REGULATIONS: {
        Role.ORGANIZER: gettext_noop("organizer"),
        Role.HEAD_JUDGE: gettext_noop("head judge"),
        Role.JUDGE: gettext_noop("judge"),
    },
}
JUDGES = {RuleSet.GALACTIC_CONQUEST: gettext_noop("Consulars"), RuleSet.TOURNAMENT_REGULATIONS: gettext_noop("Judges")}
#: What a leader with each role may do.
ABOUT = {
    Role.ORGANIZER: gettext_noop("runs the event: settings, players, pairings, results"),
    Role.HEAD_JUDGE: gettext_noop("rules at the tables and decides on appeals"),
    Role.JUDGE: gettext_noop("rules at the tables and enters results"),
}


@dataclass(frozen=True, slots=True)
class Leader:
    """A leader of an event, with the rule set's word for the role."""

    membership: Membership
    title: str


def role_title(rule_set: str, role: str) -> str:
    """Return what a rule set calls a role of an event: "Consular" for a judge of Galactic Conquest (E1)."""
    return gettext(WORDS[RuleSet(rule_set)][Role(role)])


def role_word(rule_set: str, role: str) -> str:
    """Return what a rule set calls a role inside a sentence: "Consular" or "judge" (E1)."""
    return gettext(IN_A_SENTENCE[RuleSet(rule_set)][Role(role)])


def judge_words(rule_set: str) -> dict[str, str]:
    """Return the words for judges (E1): a `title`, a heading (`many`), and in a sentence `one` and the `head`."""
    return {
        "title": role_title(rule_set, Role.JUDGE),
        "many": gettext(JUDGES[RuleSet(rule_set)]),
        "one": role_word(rule_set, Role.JUDGE),
        "head": role_word(rule_set, Role.HEAD_JUDGE),
    }


def about_role(role: str) -> str:
    """Return what a leader with a role may do."""
    return gettext(ABOUT[Role(role)])


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
