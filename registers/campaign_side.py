"""What Registers ask of the campaigns they play in and tell them. The app above, which this one does not know,
connects answers and receivers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.dispatch import Signal
from django.utils.translation import gettext

from accounts.models import User
from registers.models import Register
from registers.projection import StateChange
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation


class BattleName(Value):
    """The name of a battle, its page, its number for where the name does not fit, and its day."""

    label: str
    url: str = ""
    number: str = ""
    day: date | None = None


class RegisterLinks(KeywordValue):
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


class NextStep(KeywordValue):
    """Something to do with a new Register: a link, or a button with a `label` that `posts` to `href`."""

    title: str
    href: str
    note: str = ""
    label: str = ""
    posts: bool = False


class Frozen(NamedTuple):
    """Why the campaign of a Register lets nobody change what belongs to the game, and its texts, pictures and paint.
    Each is empty if they can change.
    """

    game: str = ""
    texts: str = ""


class CampaignSide(KeywordValue):
    """The answers of campaigns. Without a campaign, the defaults hold."""

    #: The Registers that a user sees, and those they may change and correct, apart from their own. Of staff this is
    #: asked with the user, of others with their key, since the answer is compiled once for all of them.
    seen_by: Callable[[User | int], Q] = lambda user: Q()
    managed_by: Callable[[User | int], Q] = lambda user: Q()
    frozen: Callable[[Register], Frozen] = lambda register: Frozen()
    #: Battles by id.
    battle_names: Callable[[Collection[str]], Mapping[str, BattleName]] = lambda ids: {}
    #: What a user reads about the campaign of a Register. The name is empty if the user may not know it.
    name: Callable[[User, Register], str] = lambda user, register: ""
    links: Callable[[User, Register], RegisterLinks] = lambda user, register: RegisterLinks()
    next_steps: Callable[[User, Register], Sequence[NextStep]] = lambda user, register: ()
    #: What corrections, given with the states before and after, would break in battles.
    hindrances: Callable[[Sequence[StateChange]], Iterable[tuple[Register, Violation]]] = lambda changes: ()


campaigns = CampaignSide()
#: Sent when Registers were corrected by hand or given an award, or when such an entry was undone or redone. `entries`
#: are the new ledger entries with their Registers. Sent in the transaction that writes them.
registers_corrected = Signal()


def connect(side: CampaignSide) -> None:
    """Let `side` answer from now on. The app above calls this in `AppConfig.ready`."""
    global campaigns
    campaigns = side


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """Return the names of battles by id. A battle without a known name is called just a battle."""
    wanted = {battle for battle in ids if battle}
    names = {battle: BattleName(gettext("a battle")) for battle in wanted}
    return names | dict(campaigns.battle_names(wanted)) if wanted else {}
