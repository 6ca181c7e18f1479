"""Army lists of players: submit, accept, unlock (E7–E9, E12)."""

from dataclasses import replace
from itertools import dropwhile
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext, override

from accounts.models import User, has_right
from catalogue.snapshot import rulebook
from core.db.rows import update
from lists.formats.parsed import LineKind
from lists.services.army_lists import check_army_list, read_army_list, unit_data
from members.models import Role
from members.roles import ORGANIZE
from rules.battle.plain_army import PlainArmy, loadout_points
from rules.core.violations import Violation, refuse
from rules.tournaments.army_lists import ListRules, list_violations
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import check_impartial, check_not_ejected
from tournaments.models import Entry, Event, LogKind, SubmittedList, Tier
from tournaments.queries.army_lists import EVERYTHING, last_lists, visible_army
from tournaments.queries.leaders import roles_of
from tournaments.services.locks import lock_event, lock_organized
from tournaments.services.log import checked_reason, log_line
from tournaments.services.notifications import notify_of_unlocked_list

#: Roles that decide about lists (E8, E9).
DECIDING = (Role.ORGANIZER,)


def list_rules(event: Event) -> ListRules:
    """Return what an event asks of an army list."""
    first_day = event.starts_at.astimezone(ZoneInfo(event.time_zone)).date() if event.starts_at else None
    return ListRules(
        rule_set=RuleSet(event.rule_set), army_size=event.army_size, first_day=first_day,
        is_competitive=event.tier == Tier.COMPETITIVE, other_cards=event.other_cards, deck_of_2020=event.deck_of_2020,
    )  # fmt: skip


def problems_of(event: Event, army: PlainArmy) -> list[Violation]:
    """Return everything that is wrong with an army list in an event, in the language of the reader (E8, E12)."""
    return list(list_violations(rulebook(), army, list_rules(event)))


def sized(event: Event, army: PlainArmy) -> PlainArmy:
    """Return an army with the size of the event's games, whatever its list says (E7), and one Battle Deck (E8)."""
    return replace(army, size=event.army_size, battle_cards=() if army.typed_deck else army.battle_cards)


def typed_deck_of(event: Event, entry: Entry) -> list[list[str]] | None:
    """Return the names of battle cards in a player's last list; None if the event's Battle Deck is not typed (E8)."""
    if not event.deck_of_2020 or event.rule_set != RuleSet.TOURNAMENT_REGULATIONS:
        return None
    last = entry.lists.last()
    return last.typed_deck if last else []


def is_locked(event: Event, entry: Entry) -> bool:
    """Return whether a player can no longer change the army list (E9)."""
    if event.is_over:
        return True
    return event.state == Event.State.RUNNING and not entry.list_unlocked


@transaction.atomic
def submit_text(*, actor: User | None, entry: Entry, text: str) -> SubmittedList | None:
    """Submit a player's own army list as a link or text; return None if the player has to decide or see lines of
    it first: open ones, left out ones, and guesses. Refuses what `read_army_list` and `submit_list` refuse.
    """
    read = read_army_list(text)
    army = dropwhile(lambda line: line.kind is not LineKind.UNIT, read.parsed.lines)  # the list's name comes before
    if read.open or any(line.violations or line.because for line in army):
        return None
    return submit_list(actor=actor, entry=entry, player=entry, army=read.checked.army, source_text=read.source.text)


@transaction.atomic
def submit_list(
    *, actor: User | None, entry: Entry, player: Entry | None, army: PlainArmy, source_text: str = ""
) -> SubmittedList:
    """Submit an army list as the next version of a player's; earlier versions are kept (E9). Its violations and points
    are kept with it, and the entry gets the points (E27). The list that counts already changes nothing.

    `player` is the entry that the reader plays with, by account or by personal link; leaders may submit for anybody
    (`actor`), and a first list even after the start, for a late entry (E21). Submitting locks a list that was unlocked.
    Refuses anyone else, a list that is locked (E9), and an army that no list can hold.
    """
    event = lock_event(entry.event)
    leads = actor is not None and (has_right(actor, ORGANIZE) or actor.pk in roles_of(event))
    if not leads and (player is None or player.pk != entry.pk):
        raise refuse("", gettext("Only the player or a leader of this event can submit this list."))
    if not leads:
        check_not_ejected(entry)
    locked = event.entries.select_for_update(of=("self",), no_key=True).get(pk=entry.pk)
    last = locked.lists.last()
    with override("en"):
        values = _values(event, army)
    is_fixed = is_locked(event, locked)
    is_same = last is not None and all(getattr(last, name) == values[name] for name in ("units", *_CARDS))
    # The same cards are another version only if the event has changed what it asks of them.
    if last is not None and is_same and (is_fixed or last.violations == values["violations"]):
        _lock_again(locked)
        return last
    if is_fixed and not (leads and last is None and not event.is_over):
        text = gettext("Army lists are locked since the event started. Ask an organizer to unlock yours.")
        raise refuse("E9", gettext("This event is over.") if event.is_over else text)
    submitted = SubmittedList.objects.create(
        entry=locked, number=last.number + 1 if last else 1, source_text=source_text, submitted_by=actor, **values
    )
    update(locked, army_points=submitted.points)
    _lock_again(locked)
    if event.state == Event.State.RUNNING or player is None or player.pk != entry.pk:
        log_line(actor, event, LogKind.LIST, entry=locked.number, act="submitted", number=submitted.number)
    return submitted


@transaction.atomic
def accept_list(*, actor: User, entry: Entry, number: int, reason: str) -> None:
    """Accept a player's list with its problems, for a reason that everybody can read in the log (E8). Accepting it
    again changes nothing. Refuses an acceptance without a reason, a version that is no longer the last, and the
    organizer's own list as long as there is another organizer (E2).
    """
    event = lock_organized(actor, entry.event)
    last = SubmittedList.objects.filter(entry=entry).last()
    if last is None or last.number != number:
        raise refuse("E8", gettext("The player has submitted another list. Check that one."))
    if not last.needs_decision:
        return
    check_impartial(actor, event, (entry,), DECIDING)
    reason = checked_reason("E8", reason)
    update(last, accepted_by=actor, accepted_reason=reason)
    log_line(actor, event, LogKind.LIST, reason=reason, entry=entry.number, act="accepted", number=number)


@transaction.atomic
def check_lists_again(*, actor: User, event: Event) -> int:
    """Check the last list of every player by what the event asks for now, and return how many are judged otherwise than
    before: for an organizer who has changed the size, the date, the rule set or the legal cards (E7, E8, E12). A list
    that is judged otherwise needs a new decision. Checking them again changes nothing.
    """
    locked = lock_organized(actor, event)
    changed = []
    with override("en"):
        for submitted in last_lists(locked).select_for_update(of=("self",), no_key=True).order_by("pk"):
            army = visible_army(submitted, EVERYTHING)
            found = [{"rule": each.rule, "text": each.text} for each in problems_of(locked, army)] if army else []
            if found != submitted.violations:
                submitted.violations, submitted.accepted_by, submitted.accepted_reason = found, None, ""
                changed.append(submitted)
    SubmittedList.objects.bulk_update(changed, ["violations", "accepted_by", "accepted_reason"])
    if changed:
        log_line(actor, locked, LogKind.LIST, act="checked", number=len(changed))
    return len(changed)


@transaction.atomic
def unlock_list(*, actor: User, entry: Entry, reason: str) -> None:
    """Let a player change the army list once more during the event, for a reason that everybody can read in the log
    (E9). Unlocking it again changes nothing. Refuses it without a reason, before the start and after the end, and the
    organizer's own list as long as there is another organizer (E2).
    """
    event = lock_organized(actor, entry.event)
    locked = event.entries.get(pk=entry.pk)
    if locked.list_unlocked:
        return
    if event.state != Event.State.RUNNING:
        over = gettext("This event is over.")
        raise refuse("E9", over if event.is_over else gettext("Lists can be changed until the event starts."))
    check_impartial(actor, event, (locked,), DECIDING)
    reason = checked_reason("E9", reason)
    update(locked, list_unlocked=True)
    log_line(actor, event, LogKind.LIST, reason=reason, entry=locked.number, act="unlocked")
    notify_of_unlocked_list(locked, reason)


#: Columns that hold what was submitted, next to the units.
_CARDS = ("faction", "battle_force", "command_hand", "battle_deck", "typed_deck")


def _values(event: Event, army: PlainArmy) -> dict[str, Any]:
    checked = check_army_list(army)
    return {
        "faction": army.faction,
        "battle_force": army.battle_force,
        "points": checked.points,
        "loadout_points": loadout_points(rulebook(), army),
        "units": [unit_data(unit) for unit in army.units],
        "command_hand": list(army.command_cards),
        "battle_deck": [] if army.typed_deck else list(army.battle_cards),
        "typed_deck": [list(cards) for cards in army.typed_deck],
        "violations": [{"rule": each.rule, "text": each.text} for each in problems_of(event, army)],
    }


def _lock_again(entry: Entry) -> None:
    if entry.list_unlocked:
        update(entry, list_unlocked=False)
