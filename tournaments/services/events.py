"""An event: create it, change its settings, and lead it from its draft to its end (E6–E10, E12, E14–E16, E30, E35)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pgtrigger
from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User, has_right
from core.time_zones import time_violations
from members.models import Role
from members.roles import ORGANIZE
from rules.core.violations import Violation, raise_if_any, refuse
from rules.tournaments.bracket import cut_violation
from rules.tournaments.rule_sets import ARMY_SIZE, RuleSet
from tournaments.models import Entry, Event, League, ListsPublished, LogKind, Membership, Round, StructureChoice, Tier
from tournaments.models.event import BEFORE_START
from tournaments.models.team import MOST_IN_TEAM
from tournaments.queries.army_lists import list_gaps
from tournaments.queries.events import CHOICES, RULE, check_players, structure_violations
from tournaments.queries.schedule import wrong_schedule_line
from tournaments.queries.tables import wrong_line
from tournaments.queries.trophies import trophy_names
from tournaments.services import entries
from tournaments.services.locks import lock_organized
from tournaments.services.log import checked_reason, log_line
from tournaments.services.notifications import notify_of_final_standings
from tournaments.services.rounds import LAST_TABLE

LONGEST_NAME = 80
#: The most characters of the other texts.
LONGEST = {
    "about": 4000, "place": 200, "kept_tables": 200, "trophies": 1000, "voted_trophy": LONGEST_NAME, "schedule": 4000,
    "announcement": 160, "price": 40, "payment_link": 200, "table_names": 2000,
}  # fmt: skip
MOST_ROUNDS = 20
#: Victory tokens of a bye, and minutes of a bracket round with a visible clock (E20, E26).
MOST_TOKENS, MOST_BRACKET_MINUTES = 50, 600
NO_START = gettext_lazy("Enter when the event starts.")
UNKNOWN_ZONE = gettext_lazy("Choose the time zone of the place.")
#: Players whom a refusal names.
SHOWN = 5

#: What can be changed at any time, also after the event.
ALWAYS = ("name", "about", "announcement", "hands_published", "league", "trophies", "voted_trophy")
#: What can be changed until the event is over.
UNTIL_OVER = ("starts_at", "time_zone", "place", "lists_published", "clubs_apart", "registration_limit",
              "registration_deadline", "table_count", "table_names", "kept_tables", "schedule", "price",
              "payment_link")  # fmt: skip
#: What is settled once the event runs: results and lists are judged by it.
UNTIL_START = ("rule_set", "tier", "army_size", "lists_required", "other_cards", "awarded_points", "bye_tokens",
               "bye_is_opponent", "skips_unpaired_losses", "bracket_minutes", "deck_of_2020", "team_size",
               "team_best")  # fmt: skip
#: What is settled once the first pairings are published (section 3 of the rulings).
UNTIL_PAIRED = ("structure", "rounds", "cut")
SETTINGS = (*ALWAYS, *UNTIL_OVER, *UNTIL_START, *UNTIL_PAIRED)


@transaction.atomic
def create_event(
    *, actor: User, name: str, rule_set: RuleSet, starts_at: datetime | None = None, time_zone: str = "UTC",
    place: str = "", tier: str = Tier.CASUAL, army_size: int | None = None, structure: str = "", rounds: int = 0,
    cut: int = 0, event_id: UUID | None = None,
) -> Event:  # fmt: skip
    """Create an event that `actor` organizes. `army_size` is in army points, by default that of the rule set (E7).

    `structure` is a `StructureChoice`, by default as printed, or custom with `rounds` or a `cut`, which count for a
    custom one alone; there 0 rounds are as printed (E14, E15). `event_id` is its primary key, so that a form sent twice
    creates one. Refuses an empty or overlong name, a cut that is no power of two (E38), and a structure that the rule
    set does not know (E14, E15, E42).
    """
    name = name.strip()
    structure = structure or (StructureChoice.CUSTOM if rounds or cut else StructureChoice.STANDARD)
    raise_if_any([
        *_name_violations(name), *_cut_violations(cut), *structure_violations(rule_set, structure),
        *time_violations(starts_at, "starts_at"),
    ])  # fmt: skip
    event, new = Event.objects.get_or_create(
        pk=event_id or uuid4(),
        defaults={
            "name": name, "rule_set": rule_set, "starts_at": starts_at, "time_zone": time_zone, "place": place,
            "tier": tier, "army_size": army_size or ARMY_SIZE[rule_set], "structure": structure, "rounds": rounds,
            "cut": cut,
        },
    )  # fmt: skip
    if new:
        Membership.objects.create(event=event, user=actor, role=Role.ORGANIZER)
        log_line(actor, event, LogKind.CREATED)
    return event


@transaction.atomic
def open_registration(*, actor: User, event: Event) -> Event:
    """Publish a draft, or open registration again. Refuses an event without a date, running or over. Idempotent."""
    locked = lock_organized(actor, event)
    if locked.state == Event.State.OPEN:
        return locked
    entries.check_state(locked, BEFORE_START)
    if locked.starts_at is None:
        raise refuse("", gettext("Enter when the event starts before you open registration."), "starts_at")
    return set_state(actor, locked, Event.State.OPEN)


@transaction.atomic
def delete_draft(*, actor: User, event: Event) -> None:
    """Delete a draft for good, with its players, settings and log; nobody but its leaders has seen it. Doing it again
    changes nothing. Refuses anyone but an organizer, and an event that was published.
    """
    locked = Event.objects.select_for_update(of=("self",)).filter(pk=event.pk).first()
    if locked is None:
        return
    lock_organized(actor, event)
    if locked.state != Event.State.DRAFT:
        raise refuse("", gettext("This event was published. Cancel it instead."))
    with pgtrigger.ignore("tournaments.LogLine:append_only"):
        locked.log.all().delete()
    locked.delete()


@transaction.atomic
def close_registration(*, actor: User, event: Event) -> Event:
    """Close registration; the waiting list moves on. Refuses a draft and an event running or over. Idempotent."""
    locked = lock_organized(actor, event)
    if locked.state == Event.State.CLOSED:
        return locked
    entries.check_state(locked, BEFORE_START)
    if locked.state == Event.State.DRAFT:
        raise refuse("E6", gettext("Registration is not open yet."))
    return set_state(actor, locked, Event.State.CLOSED)


@transaction.atomic
def cancel_event(*, actor: User, event: Event, reason: str) -> Event:
    """Cancel an event, with a reason that its page shows. Refuses a finished event. Idempotent."""
    locked = lock_organized(actor, event)
    if locked.state == Event.State.CANCELLED:
        return locked
    entries.check_state(locked, (*BEFORE_START, Event.State.RUNNING))
    return set_state(actor, locked, Event.State.CANCELLED, checked_reason("", reason, entries.LONGEST_NOTE))


@transaction.atomic
def start(*, actor: User, event: Event, reason: str = "") -> Event:
    """Start an event: everyone who has checked in plays and gets a ticket (E34); nobody else does. Starting it again
    changes nothing. Refuses too few players (E14, E15), and an event that is over. If lists are missing (E9) or have
    problems on which nobody has decided (E8), it needs a `reason`, which the public log shows as an override.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.RUNNING:
        return locked
    entries.check_state(locked, BEFORE_START)
    players = list(locked.entries.filter(state=Entry.State.CHECKED_IN))
    check_players(locked, len(players))
    _check_lists(actor, locked, players, reason.strip())
    entries.start_playing(actor=actor, event=locked, entries=players)
    return set_state(actor, locked, Event.State.RUNNING)


@transaction.atomic
def finish(*, actor: User, event: Event) -> Event:
    """End an event, so that its seed is public (E23). Refuses one not running or with an open round. Idempotent."""
    locked = lock_organized(actor, event)
    if locked.state == Event.State.FINISHED:
        return locked
    if locked.state != Event.State.RUNNING:
        raise refuse("", gettext("This event has not started."))
    if locked.round_set.exclude(state="closed").exists():
        raise refuse("", gettext("Close the round first."))
    notify_of_final_standings(locked)
    return set_state(actor, locked, Event.State.FINISHED)


def _check_lists(actor: User, event: Event, players: Sequence[Entry], reason: str) -> None:
    """Refuse to start without the lists of these players, or record why the organizer does (E8, E9)."""
    gaps = list_gaps(event, players)
    if gaps and not reason:
        names = ", ".join(gap.entry.name for gap in gaps[:SHOWN])
        if len(gaps) > SHOWN:
            names = gettext("%(players)s and %(number)s more") % {"players": names, "number": len(gaps) - SHOWN}
        rule = "E9" if any(gap.is_missing for gap in gaps) else "E8"
        text = gettext("No accepted army list: %(players)s. Accept the lists, wait for them, or give a reason.") % {
            "players": names
        }
        raise refuse(rule, text, "reason")
    for rule, missing in (("E9", True), ("E8", False)):
        numbers = [gap.entry.number for gap in gaps if gap.is_missing == missing]
        if numbers:
            log_line(actor, event, LogKind.OVERRIDE, reason=reason, rule=rule, entries=numbers)


def set_state(actor: User, event: Event, state: str, reason: str = "", **facts: Any) -> Event:
    """Change the state of a locked event, and log it with further `facts`."""
    before, event.state = event.state, state
    event.save(update_fields=["state"])
    log_line(actor, event, LogKind.STATE, reason=reason, before=before, after=state, **facts)
    return event


# --- Settings -------------------------------------------------------------------------------------------------------


@transaction.atomic
def change_settings(*, actor: User, event: Event, changes: Mapping[str, Any]) -> Event:
    """Change settings of an event, named in `SETTINGS`, and return it. Only what differs is written; the log says what
    changed. A higher limit moves the waiting list up (E6).

    Refuses an actor who does not organize it; unknown values and values out of range; a structure of the other rule set
    (E14, E15); custom rounds without a number and a cut that is no power of two (E38); Galactic Conquest without lists
    (E9); a trophy that a player holds, or a size below that of a team; and whatever is settled: see `locked_settings`.
    """
    locked = lock_organized(actor, event)
    known = {
        key: value.strip() if isinstance(value, str) else value for key, value in changes.items() if key in SETTINGS
    }
    if known.get("structure", StructureChoice.CUSTOM) != StructureChoice.CUSTOM:
        known |= {"rounds": 0, "cut": 0}  # the app proposes them
    changed = {key: value for key, value in known.items() if getattr(locked, key) != value}
    if not changed:
        return locked
    settled = locked_settings(locked)
    raise_if_any(_settled_violation(locked, key) for key in changed if key in settled)
    before = {key: getattr(locked, key) for key in changed}
    trophies = trophy_names(locked)
    for key, value in changed.items():
        setattr(locked, key, value)
    raise_if_any([*_violations(locked, changed, actor), *_taken_violations(locked, changed, trophies)])
    locked.save(update_fields=list(changed))
    facts = {key: [_plain(before[key]), _plain(value)] for key, value in changed.items() if key != "about"}
    log_line(actor, locked, LogKind.SETTINGS, changed=sorted(changed), values=facts)
    if "registration_limit" in changed:
        entries.fill_places(actor, locked)
    return locked


def locked_settings(event: Event) -> frozenset[str]:
    """Return the settings that are final: most once the event runs, the structure once pairings are published."""
    if event.is_over:
        return frozenset((*UNTIL_OVER, *UNTIL_START, *UNTIL_PAIRED))
    if event.state != Event.State.RUNNING:
        return frozenset()
    if event.frozen_players is None and not event.round_set.exclude(state=Round.State.DRAFT).exists():
        return frozenset(UNTIL_START)
    return frozenset((*UNTIL_START, *UNTIL_PAIRED))


def _settled_violation(event: Event, key: str) -> Violation:
    if event.is_over:
        return Violation("", gettext("This event is over. This setting is final."), key)
    if key in UNTIL_PAIRED:
        text = gettext("The first pairings are published. The structure is final.")
        return Violation(RULE[RuleSet(event.rule_set)], text, key)
    return Violation("", gettext("This event is running. This setting is final."), key)


def _violations(event: Event, changed: Mapping[str, Any], actor: User) -> Iterable[Violation]:
    """Return what is wrong with the changed settings. The event holds them already."""
    league = event.league if "league" in changed else None
    is_foreign_league = league is not None and not has_right(actor, ORGANIZE) and league.owner_id != actor.pk
    return [
        *_text_violations(event),
        *_number_violations(event),
        *_choice_violations(event),
        *(_structure_violations(event) if {"rule_set", *UNTIL_PAIRED} & set(changed) else ()),
        *(_date_violations(event) if {"starts_at", "registration_deadline"} & set(changed) else ()),
        *([Violation("", gettext("Choose a league of your own."), "league")] if is_foreign_league else []),
    ]


def _name_violations(name: str) -> Iterator[Violation]:
    if not 0 < len(name) <= LONGEST_NAME:
        text = gettext("Give the event a name of up to %(number)s characters.") % {"number": LONGEST_NAME}
        yield Violation("", text, "name")


def _cut_violations(cut: int) -> Iterator[Violation]:
    if cut and (wrong := cut_violation(cut)):
        yield Violation("E38", wrong, "cut")


def _text_violations(event: Event) -> Iterator[Violation]:
    yield from _name_violations(event.name)
    for key, longest in LONGEST.items():
        if len(getattr(event, key)) > longest:
            yield Violation("", gettext("Enter up to %(number)s characters.") % {"number": longest}, key)
    if number := wrong_schedule_line(event):
        text = gettext("Schedule: line %(number)s has no time. Write it as in: 10:00 Round 1") % {"number": number}
        yield Violation("", text, "schedule")
    if event.payment_link and not event.payment_link.startswith(("https://", "http://")):
        yield Violation("", gettext("Enter the link with https:// at its start."), "payment_link")
    if number := wrong_line(event.table_names):
        text = gettext("Line %(number)s has no table and name. Write it as: 1–20 Hall A") % {"number": number}
        yield Violation("E22", text, "table_names")


def _number_violations(event: Event) -> Iterator[Violation]:
    limits = (
        ("army_size", "E7", 1, entries.LARGEST_ARMY), ("awarded_points", "E30", 0, entries.LARGEST_ARMY),
        ("registration_limit", "E6", 1, entries.MOST_PLAYERS), ("rounds", "E14", 0, MOST_ROUNDS),
        ("cut", "E38", 0, entries.MOST_PLAYERS), ("bye_tokens", "E20", 0, MOST_TOKENS),
        ("bracket_minutes", "E26", 0, MOST_BRACKET_MINUTES), ("table_count", "E22", 1, LAST_TABLE),
        ("team_size", "", 2, MOST_IN_TEAM), ("team_best", "", 1, event.team_size or MOST_IN_TEAM),
    )  # fmt: skip
    for key, rule, least, most in limits:
        value = getattr(event, key)
        if value is None and key in ("registration_limit", "bracket_minutes", "table_count", "team_size", "team_best"):
            continue
        if not isinstance(value, int) or not least <= value <= most:
            text = gettext("Enter a number from %(least)s to %(most)s.") % {"least": least, "most": most}
            yield Violation(rule, text, key)


def _choice_violations(event: Event) -> Iterator[Violation]:
    choices = (("rule_set", RuleSet), ("tier", Tier), ("lists_published", ListsPublished))
    for key, known in choices:
        if getattr(event, key) not in [each.value for each in known]:
            yield Violation("", gettext("Choose one of these."), key)
    try:
        ZoneInfo(event.time_zone)
    except (KeyError, ValueError):
        yield Violation("", str(UNKNOWN_ZONE), "time_zone")
    if event.rule_set == RuleSet.GALACTIC_CONQUEST and not event.lists_required:
        text = gettext("Galactic Conquest requires an army list of every player.")
        yield Violation("E9", text, "lists_required")


def _structure_violations(event: Event) -> Iterator[Violation]:
    if event.rule_set not in CHOICES:
        return
    rule = RULE[RuleSet(event.rule_set)]
    yield from structure_violations(event.rule_set, event.structure)
    if event.structure != StructureChoice.CUSTOM:
        if event.rounds or event.cut:
            yield Violation(rule, gettext("Choose Custom to set the rounds or the cut yourself."), "structure")
        return
    if event.rounds < 1:
        yield Violation(rule, gettext("Enter how many rounds are played."), "rounds")
    yield from _cut_violations(event.cut)


def _taken_violations(event: Event, changed: Collection[str], trophies: Collection[str]) -> Iterator[Violation]:
    """Yield what players would lose: one of these `trophies`, which are found by their names, or their team."""
    text = gettext("%(player)s has the trophy “%(trophy)s”. Untick it on their page before you rename or remove it.")
    about = "trophies" if "trophies" in changed else "voted_trophy"
    for name in set(trophies).difference(trophy_names(event)):
        for entry in event.entries.filter(trophies__contains=[name]):
            yield Violation("", text % {"player": entry.name, "trophy": name}, about)
    if "team_size" in changed and event.team_size:
        text = gettext("%(team)s has %(number)s players. Take players out of the team first.")
        for team in event.teams.annotate(size=Count("members")).filter(size__gt=event.team_size):
            yield Violation("", text % {"team": team.name, "number": team.size}, "team_size")


def _date_violations(event: Event) -> Iterator[Violation]:
    if event.starts_at is None and event.state != Event.State.DRAFT:
        yield Violation("", str(NO_START), "starts_at")
    yield from time_violations(event.starts_at, "starts_at")
    yield from time_violations(event.registration_deadline, "registration_deadline")
    if event.starts_at and event.registration_deadline and event.registration_deadline > event.starts_at:
        text = gettext("The deadline is after the start of the event.")
        yield Violation("E6", text, "registration_deadline")


def _plain(value: Any) -> Any:
    """Return a value of a setting as plain JSON."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, League):
        return str(value.pk)
    return value
