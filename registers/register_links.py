"""Links from a Register to its campaign and its next task, and its achievements. Another app provides them; this one
knows no campaigns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from accounts.models import User
from registers.models import Register


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLinks:
    """Links to where a Register plays and to the next thing to do; `lacks` says why there is nothing to do.

    `stamp` is a word for a Register that plays no more, and `rows` are further links ({title, href}).
    """

    crumbs: tuple[dict[str, str], ...] = ()
    label: str = ""
    href: str = ""
    lacks: str = ""
    stamp: str = ""
    rows: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """Something to do with a new Register: a link, or a button with a `label` that `posts` to `href`."""

    title: str
    href: str
    note: str = ""
    label: str = ""
    posts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedAchievement:
    """An achievement that a Register has reached: what it is, when, in which battle (its name and address, empty for
    none), and the name of the unit it is about.
    """

    name: str
    description: str
    icon: str
    day: date
    unit: str = ""
    battle: str = ""
    href: str = ""


#: Takes a Register and the names of its units by key.
AchievementFinder = Callable[[Register, Mapping[str, str]], Sequence[ReachedAchievement]]

NextSteps = Callable[[User, Register], Sequence[NextStep]]

Guide = Callable[[User, Register], RegisterLinks]

CampaignNamer = Callable[[User, Register], str]

_guides: list[Guide] = []
_next_steps: list[NextSteps] = []
_campaign_namers: list[CampaignNamer] = []
_achievement_finders: list[AchievementFinder] = []


def set_guide(guide: Guide) -> None:
    """Register `guide`, which returns the links that a user may see. Another app calls this in `AppConfig.ready`."""
    _guides.append(guide)


def links_for(user: User, register: Register) -> RegisterLinks:
    """Return where a Register plays and what its player does next; empty if no guide knows."""
    return _guides[-1](user, register) if _guides else RegisterLinks()


def set_next_steps(next_steps: NextSteps) -> None:
    """Register `next_steps`, which returns what a user can do with a new Register."""
    _next_steps.append(next_steps)


def next_steps_for(user: User, register: Register) -> Sequence[NextStep]:
    """Return what a user can do with a Register that was just created; empty if no app knows."""
    return _next_steps[-1](user, register) if _next_steps else ()


def set_campaign_namer(namer: CampaignNamer) -> None:
    """Register `namer`, which returns the name of a Register's campaign if the user may see it, else nothing."""
    _campaign_namers.append(namer)


def campaign_name_for(user: User, register: Register) -> str:
    """Return the name of the campaign in which a Register plays; empty if the user may see none."""
    return _campaign_namers[-1](user, register) if _campaign_namers else ""


def set_achievements(finder: AchievementFinder) -> None:
    """Register `finder`, which returns the achievements of a Register, oldest first."""
    _achievement_finders.append(finder)


def achievements_for(register: Register, names: Mapping[str, str]) -> Sequence[ReachedAchievement]:
    """Return the achievements of a Register, oldest first; `names` are those of its units by key. None without an app
    that computes them.
    """
    return _achievement_finders[-1](register, names) if _achievement_finders else ()
