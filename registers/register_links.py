"""Where a Register serves and what it does next: this room knows no campaigns, and another says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from registers.models import Register


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLinks:
    """The way back to where a Register serves, and the next thing to do; `lacks` says why there is nothing."""

    crumbs: tuple[dict[str, str], ...] = ()
    label: str = ""
    href: str = ""
    lacks: str = ""


Guide = Callable[[User, Register], RegisterLinks]

_guides: list[Guide] = []


def register_guide(guide: Guide) -> None:
    """Let `guide` say where a Register serves, as a user may see it; for the `AppConfig.ready` of another room."""
    _guides.append(guide)


def links_for(user: User, register: Register) -> RegisterLinks:
    """Where a Register serves and what its player does next; nothing where nobody knows."""
    return _guides[-1](user, register) if _guides else RegisterLinks()
