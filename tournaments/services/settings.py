"""Change the settings of an event (E7, E9, E10, E12, E14–E16, E30, E35)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any
from rules.tournaments.bracket import cut_violation
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Event, League, ListsPublished, LogKind, Round, StructureChoice, Tier
from tournaments.queries.structures import CHOICES, RULE, structure_violations
from tournaments.services.events import LONGEST_NAME
from tournaments.services.locks import lock_organized
from tournaments.services.log import record
from tournaments.services.registration import LARGEST_ARMY, MOST_PLAYERS, fill_places

LONGEST_ABOUT = 4000
LONGEST_PLACE = 200
MOST_ROUNDS = 20

#: What can be changed at any time, also after the event.
ALWAYS = ("name", "about", "hands_published", "league")
#: What can be changed until the event is over.
UNTIL_OVER = ("starts_at", "time_zone", "place", "lists_published", "clubs_apart", "registration_limit",
              "registration_deadline")  # fmt: skip
#: What is settled once the event runs: results and lists are judged by it.
UNTIL_START = ("rule_set", "tier", "army_size", "lists_required", "other_cards", "awarded_points", "bye_is_opponent")
#: What is settled once the first pairings are published (section 3 of the rulings).
UNTIL_PAIRED = ("structure", "rounds", "cut")
SETTINGS = (*ALWAYS, *UNTIL_OVER, *UNTIL_START, *UNTIL_PAIRED)


@transaction.atomic
def change_settings(*, actor: User, event: Event, changes: Mapping[str, Any]) -> Event:
    """Change settings of an event, named in `SETTINGS`, and return it. Only what differs is written; the log says what
    changed. A higher limit moves the waiting list up (E6).

    Refuses an actor who does not organize it; unknown values and values out of range; a structure of the other rule set
    (E14, E15); custom rounds without a number and a cut that is no power of two (E38); Galactic Conquest without lists
    (E9); and whatever is settled: see `locked_settings`.
    """
    locked = lock_organized(actor, event)
    known = {key: _cleaned(value) for key, value in changes.items() if key in SETTINGS}
    if known.get("structure", StructureChoice.CUSTOM) != StructureChoice.CUSTOM:
        known |= {"rounds": 0, "cut": 0}  # the app proposes them
    changed = {key: value for key, value in known.items() if getattr(locked, key) != value}
    if not changed:
        return locked
    settled = locked_settings(locked)
    raise_if_any(_settled_violation(locked, key) for key in changed if key in settled)
    before = {key: getattr(locked, key) for key in changed}
    for key, value in changed.items():
        setattr(locked, key, value)
    raise_if_any(_violations(locked, changed, actor))
    locked.save(update_fields=list(changed))
    facts = {key: [_plain(before[key]), _plain(value)] for key, value in changed.items() if key != "about"}
    record(actor=actor, event=locked, kind=LogKind.SETTINGS, changed=sorted(changed), values=facts)
    if "registration_limit" in changed:
        fill_places(actor, locked)
    return locked


def locked_settings(event: Event) -> frozenset[str]:
    """Return the settings that can no longer be changed: most of them once the event runs, the structure once its
    first pairings are published.
    """
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
    return [
        *_text_violations(event),
        *_number_violations(event),
        *_choice_violations(event),
        *(_structure_violations(event) if {"rule_set", *UNTIL_PAIRED} & set(changed) else ()),
        *(_date_violations(event) if {"starts_at", "registration_deadline"} & set(changed) else ()),
        *(_league_violations(event, actor) if "league" in changed else ()),
    ]


def _text_violations(event: Event) -> Iterable[Violation]:
    if not 0 < len(event.name) <= LONGEST_NAME:
        text = gettext("Give the event a name of up to {number} characters.", number=LONGEST_NAME)
        yield Violation("", text, "name")
    for key, longest in (("about", LONGEST_ABOUT), ("place", LONGEST_PLACE)):
        if len(getattr(event, key)) > longest:
            yield Violation("", gettext("Enter up to {number} characters.", number=longest), key)


def _number_violations(event: Event) -> Iterable[Violation]:
    limits = (
        ("army_size", "E7", 1, LARGEST_ARMY), ("awarded_points", "E30", 0, LARGEST_ARMY),
        ("registration_limit", "E6", 1, MOST_PLAYERS), ("rounds", "E14", 0, MOST_ROUNDS),
        ("cut", "E38", 0, MOST_PLAYERS),
    )  # fmt: skip
    for key, rule, least, most in limits:
        value = getattr(event, key)
        if value is None and key == "registration_limit":
            continue
        if not isinstance(value, int) or not least <= value <= most:
            text = gettext("Enter a number from {least} to {most}.", least=least, most=most)
            yield Violation(rule, text, key)


def _choice_violations(event: Event) -> Iterable[Violation]:
    choices = (("rule_set", RuleSet), ("tier", Tier), ("lists_published", ListsPublished))
    for key, known in choices:
        if getattr(event, key) not in [each.value for each in known]:
            yield Violation("", gettext("Choose one of these."), key)
    try:
        ZoneInfo(event.time_zone)
    except (KeyError, ValueError):
        yield Violation("", gettext("Choose the time zone of the place."), "time_zone")
    if event.rule_set == RuleSet.GALACTIC_CONQUEST and not event.lists_required:
        text = gettext("Galactic Conquest requires an army list of every player.")
        yield Violation("E9", text, "lists_required")


def _structure_violations(event: Event) -> Iterable[Violation]:
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
    if event.cut and (wrong := cut_violation(event.cut, event.cut)):
        yield Violation("E38", wrong, "cut")


def _date_violations(event: Event) -> Iterable[Violation]:
    if event.starts_at is None and event.state != Event.State.DRAFT:
        yield Violation("", gettext("Enter when the event starts."), "starts_at")
    if event.starts_at and event.registration_deadline and event.registration_deadline > event.starts_at:
        text = gettext("The deadline is after the start of the event.")
        yield Violation("E6", text, "registration_deadline")


def _league_violations(event: Event, actor: User) -> Iterable[Violation]:
    if event.league and not actor.is_staff and event.league.owner_id != actor.pk:
        yield Violation("", gettext("Choose a league of your own."), "league")


def _cleaned(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """Return a value of a setting as plain JSON."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, League):
        return str(value.pk)
    return value
