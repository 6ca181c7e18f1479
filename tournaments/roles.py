"""The words of each rule set for the leaders of an event (E1)."""

from django.utils.translation import gettext, gettext_noop

from members.models import Role
from rules.tournaments.rule_sets import RuleSet

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
