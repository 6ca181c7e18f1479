"""Experience and Veteran Rank (R12 to R14)."""

from bisect import bisect_right

from rules.core.rulebook import Rulebook
from rules.core.translation import gettext_noop
from rules.core.violations import Fault
from rules.register.effects import Effect, ExperienceGained, VeteranRankReached
from rules.register.state import Dossier, RegisterState

MAXIMUM_IS_HIGHEST = Fault("R44", gettext_noop("This unit’s maximum is already VR {highest}."))
NAMELESS_VETERAN = Fault("R9", gettext_noop("A unit with a Veteran Rank needs a name. Enter one."))

#: The XP at which each Veteran Rank, from 0 to 5, is reached (R12).
THRESHOLDS = (0, 5, 13, 25, 40, 50)
HIGHEST = len(THRESHOLDS) - 1

#: The maximum VR of a rank before Special Training (R12).
MAXIMUM_VETERAN_RANK = {
    "commander": 5, "operative": 4, "corps": 3, "special-forces": 3, "support": 3, "heavy": 3,
}  # fmt: skip


def veteran_rank(experience: int) -> int:
    """Return the VR for an amount of XP (R12)."""
    return bisect_right(THRESHOLDS, experience) - 1


def maximum_veteran_rank(book: Rulebook, dossier: Dossier) -> int:
    """Return the highest VR a unit can reach: by its rank, raised by Special Training, never above 5 (R12)."""
    return min(MAXIMUM_VETERAN_RANK[book.units[dossier.card].rank] + dossier.training, HIGHEST)


def experience_cap(book: Rulebook, dossier: Dossier) -> int:
    """Return the XP at which a unit stops gaining: the threshold of its maximum VR (R13)."""
    return THRESHOLDS[maximum_veteran_rank(book, dossier)]


def gain_experience(
    book: Rulebook, state: RegisterState, key: str, amount: int, *, rule: str, why: str
) -> list[Effect]:
    """Return the effects of a unit gaining `amount` XP: its gain, the part cut off, and every VR it reaches. A gain is
    cut to the cap, or counts whole up to the highest threshold (R13, `last_gain`); VR is never lost (R14).
    """
    dossier = state.dossiers[key]
    maximum = maximum_veteran_rank(book, dossier)
    most = cap = THRESHOLDS[maximum]
    if dossier.experience < cap and book.house.last_gain == "whole":
        most = THRESHOLDS[HIGHEST]
    gained = max(0, min(amount, most - dossier.experience))
    reached = min(veteran_rank(dossier.experience + gained), maximum)
    ranks = range(dossier.veteran_rank + 1, reached + 1)
    return [
        ExperienceGained(unit=key, amount=gained, lost=amount - gained, rule=rule, why=why),
        *(VeteranRankReached(unit=key, veteran_rank=rank, rule="R12") for rank in ranks),
    ]
