"""Links from a Register to its campaign and its next task. Another app provides them; this one knows no campaigns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from registers.models import Register


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLinks:
    """Links to where a Register plays and to the next thing to do; `lacks` says why there is nothing to do."""

    crumbs: tuple[dict[str, str], ...] = ()
    label: str = ""
    href: str = ""
    lacks: str = ""


Guide = Callable[[User, Register], RegisterLinks]

CampaignNamer = Callable[[User, Register], str]

_guides: list[Guide] = []
_campaign_namers: list[CampaignNamer] = []


def set_guide(guide: Guide) -> None:
    """Register `guide`, which returns the links that a user may see. Another app calls this in `AppConfig.ready`."""
    _guides.append(guide)


def links_for(user: User, register: Register) -> RegisterLinks:
    """Return where a Register plays and what its player does next; empty if no guide knows."""
    return _guides[-1](user, register) if _guides else RegisterLinks()


def set_campaign_namer(namer: CampaignNamer) -> None:
    """Register `namer`, which returns the name of a Register's campaign if the user may see it, else nothing."""
    _campaign_namers.append(namer)


def campaign_name_for(user: User, register: Register) -> str:
    """Return the name of the campaign in which a Register plays; empty if the user may see none."""
    return _campaign_namers[-1](user, register) if _campaign_namers else ""
