"""Speaking to a Discord webhook: its address, what may stand in a message, and sending one.

The address is a secret: anyone who has it can post to the channel. No exception that leaves this module carries it,
not even as its cause.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import requests
from django.conf import settings
from django.utils.translation import gettext, ngettext

from campaign.battles.models import Battle, Side
from registers import projection
from registers.ledger import session
from registers.ledger.text import names_of
from registers.models import EntryType, LedgerEntry
from rules.register.effects import Effect, ReputationGained, UnitFell, VeteranRankReached

#: Characters of a message; Discord counts as UTF-16 does.
LONGEST = 2000
#: Discord answers this when there is no such webhook, or the address is not (or no longer) the right one.
GONE = frozenset({401, 403, 404})
#: Why nothing was answered.
UNREACHABLE, SILENT = "unreachable", "silent"

_TOO_MANY = 429
_SUPPRESS_EMBEDS = 1 << 2
_PATH = re.compile(r"/api(?:/v[0-9]{1,2})?/webhooks/(?P<number>[0-9]{4,20})/[A-Za-z0-9_-]{1,200}")
# What Discord gives a meaning to anywhere in a line, or at its beginning.
_MARKS = re.compile(r"([\\`*_~|<>\[\]()#:@+.-])")


class Undelivered(Exception):
    """The message did not arrive. `trouble` says why: an HTTP status, or one of the words above."""

    def __init__(self, trouble: str) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Gone(Undelivered):
    """Discord knows no such webhook, or not with this token: trying again is no use."""


class Refused(Undelivered):
    """Discord does not take this message, and would not take it the next time either."""


class TryLater(Undelivered):
    """It may arrive later, not before so many `seconds`."""

    def __init__(self, trouble: str, seconds: int = 0) -> None:
        super().__init__(trouble)
        self.seconds = seconds


def number_of(address: str) -> str | None:
    """The number of the webhook with this address, or None if it is no address of a Discord webhook. No other host,
    port, user or query: the server shall call nobody else on somebody's word.
    """
    origin = next((each for each in settings.WEBHOOK_ORIGINS if address.startswith(f"{each}/")), None)
    found = _PATH.fullmatch(address.removeprefix(origin)) if origin else None
    return found["number"] if found else None


def escaped(text: str) -> str:
    """A text that people wrote, on one line, so that Discord shows it as it is: no links, no marks."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def length(text: str) -> int:
    """Characters, as Discord counts them."""
    return len(text.encode("utf-16-le")) // 2


def send(address: str, text: str) -> None:
    """Send a message that mentions nobody and shows no previews. Takes no longer than `WEBHOOK_TIMEOUT` allows. Raises
    `Gone`, `Refused` or `TryLater`. A redirection is not followed.
    """
    if number_of(address) is None:
        raise Refused("address")
    outcome = _post(address, {"content": text, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS})
    if isinstance(outcome, str):
        raise TryLater(outcome)
    status, retry_after = outcome
    if status in GONE:
        raise Gone(str(status))
    if status == _TOO_MANY or status >= 500:
        raise TryLater(str(status), retry_after)
    if not 200 <= status < 300:
        raise Refused(str(status))


def _post(address: str, message: dict[str, object]) -> tuple[int, int] | str:
    """The status and the seconds to wait that were answered, or why nothing was. Answered and not raised, since an
    exception raised while another is handled would bring that one along, and its text names the address.
    """
    try:
        with requests.post(
            address,
            json=message,
            headers={"User-Agent": "Musterbook"},
            timeout=settings.WEBHOOK_TIMEOUT,
            allow_redirects=False,
            stream=True,  # what the answer says besides its status is not read
        ) as response:
            after = response.headers.get("Retry-After", "")
            # Discord says seconds with or without decimals; a date is left to the back-off.
            seconds = int(float(after)) + 1 if re.fullmatch(r"\d{1,5}(\.\d+)?", after) else 0
            return response.status_code, seconds
    except requests.Timeout:
        return SILENT
    except requests.RequestException:
        return UNREACHABLE


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    units: Mapping[str, str]
    effects: Sequence[Effect]


def trial_message(campaign: str, address: str) -> str:
    """What is sent when an organiser wants to see whether messages arrive."""
    said = gettext("This is a test: the battles of {campaign} will be told here.")
    return f"{said.format(campaign=_strong(campaign))}\n<{address}>"


def message_of(battle: Battle, told: Collection[str], address: str) -> str:
    """Return the message about a closed battle; empty if nothing of the kinds in `told` (`Webhook.KINDS`) happened.

    `address` is the battle's page. The message has at most LONGEST characters; the line before the last counts what was
    left out.
    """
    sides = list(battle.sides.select_related("register"))
    fallen, veterans, arcs = _happened(battle, _stories(battle, sides))
    blocks = [
        (gettext("Fallen"), fallen if "casualties" in told else []),
        (gettext("Veterans"), veterans if "veterans" in told else []),
        (gettext("Story Arcs"), arcs if "arcs" in told else []),
    ]
    head = [_heading(battle, sides), *(_result(battle, sides) if "battles" in told else ())]
    if "battles" not in told and not any(lines for _, lines in blocks):
        return ""
    return _fitting(head, blocks, f"<{address}>")


def _stories(battle: Battle, sides: Iterable[Side]) -> Iterator[_Side]:
    registers = [side.register for side in sides if side.register]
    forces = projection.states_of(registers)
    entries = LedgerEntry.objects.filter(
        battle=str(battle.pk), register__in=registers, undone_by__isnull=True
    )
    effects = defaultdict[Any, list[Effect]](list)
    for entry in entries.exclude(act=EntryType.UNDO).order_by("register", "place", "position"):
        effects[entry.register_id] += session.effects_of_entry(entry)
    for register in registers:
        names = names_of(session.rulebook_for(register), forces[register.pk])
        yield _Side(register.name, names, effects[register.pk])


def _happened(battle: Battle, stories: Iterable[_Side]) -> tuple[list[str], list[str], list[str]]:
    fallen, veterans, arcs = list[str](), list[str](), list[str]()
    for story in stories:
        ranks, gained = dict[str, int](), 0
        for effect in story.effects:
            match effect:
                case UnitFell(unit=unit):
                    said = gettext("{unit}, {register}")
                    fallen.append(_item(said, unit=story.units[unit], register=story.name))
                case VeteranRankReached(unit=unit, veteran_rank=rank):
                    ranks[unit] = rank  # who reached two in one sequence is told once, with the higher one
                case ReputationGained(rule="R48", amount=amount):  # the end of a Story Arc
                    gained += amount
        said = gettext("{unit} reached Veteran Rank {rank}, {register}")
        for unit, rank in ranks.items():
            veterans.append(_item(said, unit=story.units[unit], rank=str(rank), register=story.name))
        if gained and battle.turning_point:
            said, arc = gettext("{register} has ended {arc}: Reputation +{gained}"), str(battle.turning_point)
            arcs.append(_item(said, register=story.name, arc=arc, gained=str(gained)))
    return fallen, veterans, arcs


def _heading(battle: Battle, sides: Sequence[Side]) -> str:
    blue, red = sides
    said = gettext("{battle} of {campaign}: {blue} against {red}")
    return said.format(
        battle=_strong(str(battle)),
        campaign=escaped(battle.campaign.name),
        blue=_strong(blue.name),
        red=_strong(red.name),
    )


def _result(battle: Battle, sides: Sequence[Side]) -> Iterator[str]:
    winner = next((side.name for side in sides if side.colour == battle.winner), "")
    said = gettext("{winner} won").format(winner=_strong(winner)) if winner else gettext("Nobody won")
    points = [side.victory_points for side in sides]
    yield f"{said}, {points[0]} : {points[1]}." if any(points) else f"{said}."
    for side in sides:
        if side.report.get("conceded"):
            yield gettext("{side} conceded.").format(side=escaped(side.name))


def _strong(name: str) -> str:
    return f"**{escaped(name)}**"


def _item(said: str, **names: str) -> str:
    return f"• {said.format(**{key: escaped(name) for key, name in names.items()})}"


def _fitting(head: Sequence[str], blocks: Sequence[tuple[str, Sequence[str]]], link: str) -> str:
    """All of it, or as many lines as fit, with the number of those that do not."""
    everything = sum(len(lines) for _, lines in blocks)
    for shown in range(everything, -1, -1):
        left = everything - shown
        more = [ngettext("… and {n} more", "… and {n} more", left).format(n=left)] if left else []
        text = "\n".join([*head, *_first(blocks, shown), *more, link])
        if length(text) <= LONGEST:
            return text
    raise ValueError("Names have 80 letters at most, so the head always fits")


def _first(blocks: Sequence[tuple[str, Sequence[str]]], shown: int) -> Iterator[str]:
    for title, lines in blocks:
        if some := lines[:shown]:
            yield f"__{title}__"
            yield from some
        shown -= len(some)
