"""The Discord messages about battles: planned, reported, and closed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import when_text
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.models import Notification, Subject, Webhook
from campaign.models.notification import NEEDS
from core.names import name_order
from notifications.discord import LONGEST, escaped, length
from registers import projection
from registers.ledger import session
from registers.ledger.text import names_of
from registers.models import EntryType, LedgerEntry
from rules.core.values import Value
from rules.register.effects import Effect, ReputationGained, UnitFell, VeteranRankReached


def text_of_notification(notification: Notification, webhook: Webhook) -> str | None:
    """Return the text of a campaign's notification: empty if there is nothing to say, or nothing of the webhook's
    kinds, any more. None while a battle that closed is open again.
    """
    battle = notification.battle
    if notification.text:
        return notification.text if webhook.kinds & set(NEEDS[Subject(notification.about)]) else ""
    if battle is None:
        page = reverse("campaign:detail", args=[notification.campaign_id])
        return check_message(notification.campaign.name, f"{webhook.site}{page}")
    address = f"{webhook.site}{battle.get_absolute_url()}"
    match notification.about:
        case Subject.PLANNED:
            return planned_message(battle, address) if webhook.planned and battle.status in BEFORE_PLAY else ""
        case Subject.CONFIRM:
            waits = battle.status == Battle.Status.REPORTED and battle.version == notification.version
            return confirmation_message(battle, address) if webhook.confirmations and waits else ""
    if battle.status != Battle.Status.CLOSED:
        return None
    return battle_message(battle, webhook.kinds, address)


class _Side(Value):
    name: str
    units: Mapping[str, str]
    effects: Sequence[Effect]


def check_message(campaign: str, address: str) -> str:
    """Return the test message of an organizer."""
    text = gettext("Test message: Musterbook will post news of %(campaign)s here.")
    return f"{text % {'campaign': _strong(campaign)}}\n<{address}>"


def planned_message(battle: Battle, address: str) -> str:
    """Return the message about a planned battle; `address` is its page."""
    sides = list(battle.sides.select_related("register"))
    where = gettext(", %(place)s") % {"place": escaped(battle.place)} if battle.place else ""
    words = {"when": escaped(when_text(battle)), "where": where, "size": battle.size}
    planned = gettext("Planned for %(when)s%(where)s, %(size)s points.") % words
    return "\n".join([_heading(battle, sides), planned, f"<{address}>"])


def confirmation_message(battle: Battle, address: str) -> str:
    """Return the message about a report that waits for its confirmation; `address` is the battle's page."""
    sides = list(battle.sides.select_related("register__owner"))
    reporter = battle.reported_by
    owners = {side.register.owner for side in sides if side.register and side.register.owner}
    names = sorted((owner.get_username() for owner in owners if owner != reporter), key=name_order)
    waits = gettext("%(reporter)s reported: %(result)s Waiting for %(players)s to confirm.") % {
        "reporter": escaped(reporter.get_username() if reporter else gettext("Somebody")),
        "result": " ".join(_result(battle, sides)),
        "players": escaped(gettext(" and ").join(names)),
    }
    return "\n".join([_heading(battle, sides), waits, f"<{address}>"])


def battle_message(battle: Battle, kinds: Collection[str], address: str) -> str:
    """Return the message about a closed battle (at most LONGEST characters: the line before the last counts what was
    left out); empty if nothing of the `kinds` happened. `address` is the battle's page.
    """
    sides = list(battle.sides.select_related("register"))
    fallen, veterans, arcs = _happened(battle, _stories(battle, sides))
    blocks = [
        (gettext("Fallen"), fallen if "casualties" in kinds else []),
        (gettext("Promotions"), veterans if "veterans" in kinds else []),
        (gettext("Story Arcs"), arcs if "arcs" in kinds else []),
    ]
    head = [_heading(battle, sides), *(_result(battle, sides) if "battles" in kinds else ())]
    if "battles" not in kinds and not any(lines for _, lines in blocks):
        return ""
    return _fitting(head, blocks, f"<{address}>")


def _stories(battle: Battle, sides: Iterable[Side]) -> Iterator[_Side]:
    registers = [side.register for side in sides if side.register]
    states = projection.states_of(registers)
    entries = LedgerEntry.objects.filter(battle=str(battle.pk), register__in=registers, undone_by__isnull=True)
    effects = defaultdict[Any, list[Effect]](list)
    for entry in entries.exclude(act=EntryType.UNDO).order_by("register", "place", "position"):
        effects[entry.register_id] += session.effects_of_entry(entry)
    for register in registers:
        names = names_of(session.rulebook_for(register), states[register.pk])
        yield _Side(register.name, names, effects[register.pk])


def _happened(battle: Battle, stories: Iterable[_Side]) -> tuple[list[str], list[str], list[str]]:
    fallen, veterans, arcs = list[str](), list[str](), list[str]()
    for story in stories:
        ranks, gained = dict[str, int](), 0
        for effect in story.effects:
            match effect:
                case UnitFell(unit=unit):
                    sentence = gettext("%(unit)s, %(register)s")
                    fallen.append(_item(sentence, unit=story.units[unit], register=story.name))
                case VeteranRankReached(unit=unit, veteran_rank=rank):
                    ranks[unit] = rank  # the higher one, if a unit gained two in one sequence
                case ReputationGained(rule="R48", amount=amount):  # the end of a Story Arc
                    gained += amount
        sentence = gettext("%(unit)s reached Veteran Rank %(rank)s, %(register)s")
        for unit, rank in ranks.items():
            veterans.append(_item(sentence, unit=story.units[unit], rank=str(rank), register=story.name))
        if gained and battle.turning_point:
            sentence = gettext("%(register)s completed %(arc)s: Reputation +%(gained)s")
            arcs.append(_item(sentence, register=story.name, arc=str(battle.turning_point), gained=str(gained)))
    return fallen, veterans, arcs


def _heading(battle: Battle, sides: Sequence[Side]) -> str:
    blue, red = sides
    names = {"battle": _strong(str(battle)), "campaign": escaped(battle.campaign.name)}
    names |= {"blue": _strong(blue.name), "red": _strong(red.name)}
    return gettext("%(battle)s of %(campaign)s: %(blue)s against %(red)s") % names


def _result(battle: Battle, sides: Sequence[Side]) -> Iterator[str]:
    winner = next((side.name for side in sides if side.colour == battle.winner), "")
    sentence = gettext("%(winner)s won") % {"winner": _strong(winner)} if winner else gettext("Draw")
    points = [side.victory_points for side in sorted(sides, key=lambda side: side.colour != battle.winner)]
    yield f"{sentence}, {points[0]}–{points[1]}." if any(points) else f"{sentence}."
    for side in sides:
        if side.report.get("conceded"):
            yield gettext("%(side)s conceded.") % {"side": escaped(side.name)}


def _strong(name: str) -> str:
    return f"**{escaped(name)}**"


def _item(sentence: str, **names: str) -> str:
    return f"• {sentence % {key: escaped(name) for key, name in names.items()}}"


def _fitting(head: Sequence[str], blocks: Sequence[tuple[str, Sequence[str]]], link: str) -> str:
    """Return the whole message, or as many lines as fit and the number of lines left out."""
    everything = sum(len(lines) for _, lines in blocks)
    for shown in range(everything, -1, -1):
        left = everything - shown
        more = [ngettext("… and %(n)s more", "… and %(n)s more", left) % {"n": left}] if left else []
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
