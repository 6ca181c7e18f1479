"""The words of each rule set for the leaders of an event (E1)."""

from django.utils.translation import gettext

from members.models import Role
from rules.core.translation import sentences_of
from tournaments.models import Event

SAID = sentences_of(__file__)


def role_title(rule_set: str, role: str) -> str:
    """Return what a rule set calls a role of an event: "Consular" for a judge of Galactic Conquest (E1)."""
    return gettext(SAID["titles"][rule_set][role])


def role_word(rule_set: str, role: str) -> str:
    """Return what a rule set calls a role inside a sentence: "Consular" or "judge" (E1)."""
    return gettext(SAID["words"][rule_set][role])


def judge_word(event: Event) -> str:
    """Return what the rule set of an event calls a judge inside a sentence (E1)."""
    return role_word(event.rule_set, Role.JUDGE)


def judge_words(rule_set: str) -> dict[str, str]:
    """Return the words for judges (E1): a `title`, a heading (`many`), and in a sentence `one` and the `head`."""
    return {
        "title": role_title(rule_set, Role.JUDGE),
        "many": gettext(SAID["judges"][rule_set]),
        "one": role_word(rule_set, Role.JUDGE),
        "head": role_word(rule_set, Role.HEAD_JUDGE),
    }


def about_role(role: str) -> str:
    """Return what a leader with a role may do."""
    return gettext(SAID["about"][role])
