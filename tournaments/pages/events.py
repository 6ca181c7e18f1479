"""Events as pages show them: the lists of events, and the public page with the options in force (E8, E10, E12, E19,
E20, E26, E30, E35).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from core.names import name_order
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, events_for
from tournaments.models import Entry, Event, ListsPublished, Membership, Tier
from tournaments.models.entry import ACTIVE, PLACED
from tournaments.models.event import OVER
from tournaments.pages.entries import EntryLine, lines_of
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import are_factions_public, has_started, waiting_list
from tournaments.queries.events import LocalTime, Plan, local_time, plan_for, structure_title
from tournaments.queries.leaders import Leader, leaders_of
from tournaments.roles import role_title

#: How many coming events the list shows, and how many past ones a page of it.
MOST_COMING, PAST_A_PAGE = 60, 20


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list: its local start, its number of players, and what the reader is in it ("" for nothing)."""

    event: Event
    starts: LocalTime | None
    players: int
    own: str


def event_lists(user: User | AnonymousUser) -> dict[str, list[EventLine]]:
    """Return the events that are not over, each once in the order in which it is shown, in two queries: the user's
    `own`, then all others that are `running` or `coming`.
    """
    found: dict[str, list[EventLine]] = {"own": [], "running": [], "coming": []}
    if user.is_authenticated:
        led = Membership.objects.filter(user=user.pk).values("event")
        played = Entry.objects.filter(user=user.pk).values("event")
        own = _described(Event.objects.filter(Q(pk__in=led) | Q(pk__in=played)), user)
        found["own"] = [
            event_line(each) for each in own.exclude(state__in=OVER).order_by("starts_at", "pk")[:MOST_COMING]
        ]
    public = _described(Event.objects.exclude(state__in=(*OVER, Event.State.DRAFT)), user)
    shown = {line.event.pk for line in found["own"]}
    for each in public.order_by("starts_at", "pk")[:MOST_COMING]:
        if each.pk in shown:
            continue
        found["running" if each.state == Event.State.RUNNING else "coming"].append(event_line(each))
    return found


def past_events(user: User | AnonymousUser) -> QuerySet[Event]:
    """Return the events that are over and that the user may see, newest first."""
    return _described(events_for(user).filter(state__in=OVER), user).order_by("-starts_at", "pk")


def _described(events: QuerySet[Event], user: User | AnonymousUser) -> QuerySet[Event]:
    own = user.pk or 0  # None would find players without an account
    mine = Membership.objects.filter(event=OuterRef("pk"), user=own).values("role")[:1]
    plays = Entry.objects.filter(event=OuterRef("pk"), user=own).values("state")[:1]
    started, played = Q(state__in=(Event.State.RUNNING, Event.State.FINISHED)), Q(entries__ticket__isnull=False)
    placed = Count("entries", filter=(started & played) | (~started & Q(entries__state__in=PLACED)))
    return events.annotate(players=placed, own_role=Subquery(mine), own_state=Subquery(plays))


def event_line(event: Event) -> EventLine:
    """Return an event of `past_events` as a line."""
    role, state = event.own_role, event.own_state  # type: ignore[attr-defined]
    words = [role_title(event.rule_set, role)] if role in Event.roles else []
    if state == Entry.State.WAITING:
        words.append(gettext("on the waiting list"))
    elif state in (*PLACED, Entry.State.CUT):
        words.append(gettext("you play"))
    return EventLine(event, local_time(event, event.starts_at), event.players, " · ".join(words))  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class EventPage:
    """The public page of an event. `players` have a place or, once it has started, have
    played, with their faction once that is public (E10); `waiting` is
    the waiting list in order (E6). `cancelled_because` is the reason of a cancellation. `own` is the reader's line,
    None for others.
    """

    event: Event
    starts: LocalTime | None
    deadline: LocalTime | None
    plan: Plan
    structure: str
    options: list[tuple[str, str]]
    leaders: list[Leader]
    players: list[EntryLine]
    waiting: list[EntryLine]
    own: EntryLine | None
    cancelled_because: str
    seed: str

    @property
    def free(self) -> int | None:
        """How many places are free; None without a limit."""
        limit = self.event.registration_limit
        return None if limit is None else max(limit - len(self.players), 0)

    @property
    def summary(self) -> str:
        """What, when and where, for those to whom the link is sent."""
        starts = self.starts
        when = f"{date_format(starts.moment, 'DATETIME_FORMAT')} ({starts.zone})" if starts else ""
        rules = gettext("Galactic Conquest") if self.is_galactic else gettext("Tournament Regulations")
        return " · ".join(part for part in ("Star Wars: Legion", rules, when, self.event.place) if part)

    @property
    def is_galactic(self) -> bool:
        """Whether it is a Galactic Conquest event."""
        return self.event.rule_set == RuleSet.GALACTIC_CONQUEST

    @property
    def is_coming(self) -> bool:
        """Whether the reader is in the event, or waits to be."""
        return self.own is not None and self.own.entry.state in ACTIVE

    @property
    def has_started(self) -> bool:
        """Whether it runs or is finished."""
        return has_started(self.event)

    def claimable(self) -> list[EntryLine]:
        """Return the players without an account that nobody asks for (E5)."""
        lines = (*self.players, *self.waiting)
        return [line for line in lines if line.entry.user_id is None and line.entry.claimant_id is None]


def event_page(event: Event, role: EventRole) -> EventPage:
    """Return the public page of an event for a reader, in at most four queries."""
    entries = list(event.entries.all())
    public = are_factions_public(event)
    lists = lists_by_entry(event) if public or role.entry else {}
    lines = {line.entry.pk: line for line in lines_of(event, entries, lists if public else {})}
    own = [entry for entry in entries if role.entry and entry.pk == role.entry.pk]
    own_lines = lines_of(event, own, lists)
    started = has_started(event)
    counted = sum(entry.state in PLACED for entry in entries)
    by_name = sorted(entries, key=lambda entry: (name_order(entry.name), entry.number))
    return EventPage(
        event=event,
        starts=local_time(event, event.starts_at),
        deadline=local_time(event, event.registration_deadline),
        plan=plan_for(event, counted if event.frozen_players is None else event.frozen_players),
        structure=structure_title(event.rule_set, event.structure),
        options=options_in_force(event),
        leaders=leaders_of(event),
        players=[
            lines[entry.pk] for entry in by_name if (entry.ticket is not None if started else entry.state in PLACED)
        ],
        waiting=[lines[entry.pk] for entry in waiting_list(entries)],
        own=replace(own_lines[0], place=lines[own[0].pk].place) if own else None,
        cancelled_because=_reason(event),
        seed=bytes(event.seed).hex() if event.state == Event.State.FINISHED else "",
    )


def _reason(event: Event) -> str:
    if event.state != Event.State.CANCELLED:
        return ""
    line = event.log.filter(kind="state", facts__after=Event.State.CANCELLED.value).first()
    return line.reason if line else ""


def options_in_force(event: Event) -> list[tuple[str, str]]:
    """Return which readings of rules are in force: the number of each rule and a sentence, in their order."""
    options = [
        ("E10", _lists(event)),
        ("E10", _hands(event)),
        ("E12", _products(event)),
        ("E19", gettext("The bye is drawn before the pairs. If that forces a rematch, the organizer may swap it.")),
    ]
    if event.rule_set == RuleSet.GALACTIC_CONQUEST:
        text = gettext("A bye and a no-show count as %(number)s points defeated, a concession as at least %(number)s.")
        tokens = ngettext(
            "A bye is worth %(number)s victory token.", "A bye is worth %(number)s victory tokens.", event.bye_tokens
        )
        options += [
            ("E20", tokens % {"number": event.bye_tokens}), ("E26", _bracket_clock(event)),
            ("E30", text % {"number": event.awarded_points}),
        ]  # fmt: skip
    else:
        options.insert(0, ("E8", _battle_deck(event)))
    text = gettext("A bye is left out of the strength of schedule.")
    if event.bye_is_opponent:
        text = gettext("A bye counts as an opponent with 0 points in the strength of schedule.")
    losses = gettext("Unpaired losses of an opponent count as rounds in the strength of schedule.")
    if event.skips_unpaired_losses:
        losses = gettext("Unpaired losses of an opponent do not count as rounds in the strength of schedule.")
    if event.team_size:
        number = event.team_best or event.team_size
        best = ngettext("The best player counts.", "The best %(number)s players count.", number) % {"number": number}
        text_of_teams = gettext("Teams have up to %(number)s players. Teammates meet only if no pairing avoids it.")
        options.append(("E17", f"{text_of_teams % {'number': event.team_size}} {best}"))
    return [*options, ("E35", text), ("E35", losses)]


def _battle_deck(event: Event) -> str:
    if event.deck_of_2020:
        return gettext("The Battle Deck is that of 2020: twelve typed cards, which nobody checks.")
    return gettext("The Battle Deck has today’s nine cards, three of each type.")


def _bracket_clock(event: Event) -> str:
    if event.bracket_minutes is None:
        return gettext("Bracket rounds have the hidden clock of the Swiss rounds.")
    if not event.bracket_minutes:
        return gettext("Bracket rounds have no clock.")
    return gettext("Bracket rounds have %(number)s minutes, and everyone sees the clock.") % {
        "number": event.bracket_minutes
    }


def _lists(event: Event) -> str:
    galactic = event.rule_set == RuleSet.GALACTIC_CONQUEST
    match event.lists_published:
        case ListsPublished.NEVER:
            return gettext("Army lists are not published. Leaders see them.")
        case ListsPublished.WITH_PAIRINGS:
            return gettext(
                "Army lists are published with the pairings of each round. Opponents see each other’s lists."
            )
        case _ if galactic:
            return gettext("Army lists are published when the event starts. All players see them.")
        case _:
            return gettext("Army lists are published when the event starts. Opponents see each other’s lists.")


def _hands(event: Event) -> str:
    if event.rule_set == RuleSet.GALACTIC_CONQUEST:
        if event.hands_published:
            return gettext("Command hands are published when the event ends.")
        return gettext("Command hands are not published.")
    if event.hands_published:
        return gettext("Command hands and battle cards are published when the event ends.")
    return gettext("Command hands and battle cards are not published.")


def _products(event: Event) -> str:
    if event.other_cards:
        return gettext("Unreleased cards may be played.")
    if event.rule_set == RuleSet.TOURNAMENT_REGULATIONS and event.tier == Tier.COMPETITIVE:
        return gettext("Only cards released at least 11 days before the event may be played.")
    return gettext("Only cards released before the event may be played.")
