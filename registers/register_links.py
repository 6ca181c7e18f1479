"""Links from a Register to its campaign, its achievements and its next task. Another app provides them; this one knows
no campaigns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accounts.models import User
from registers.models import Register


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLinks:
    """Links to where a Register plays and to the next thing to do; `lacks` says why there is nothing to do.

    `achievements` is the address of its achievements, `stamp` a word for a Register that plays no more, and `rows` are
    further links ({title, href}).
    """

    crumbs: tuple[dict[str, str], ...] = ()
    label: str = ""
    href: str = ""
    lacks: str = ""
    achievements: str = ""
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


NextSteps = Callable[[User, Register], Sequence[NextStep]]

Guide = Callable[[User, Register], RegisterLinks]

CampaignNamer = Callable[[User, Register], str]

_guides: list[Guide] = []
_next_steps: list[NextSteps] = []
_campaign_namers: list[CampaignNamer] = []


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
