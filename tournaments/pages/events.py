"""Events as pages show them: the lists of events, and the public page with the options in force (E8, E10, E12, E19,
E20, E26, E30, E35).
"""

from dataclasses import replace

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from core.names import name_order
from core.sentences import said
from rules.core.translation import sentences_of
from rules.core.values import Value
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, events_for
from tournaments.models import Entry, Event, Membership, Tier
from tournaments.models.entry import ACTIVE, PLACED
from tournaments.models.event import OVER
from tournaments.pages.entries import EntryLine, lines_of
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import are_factions_public, has_started, waiting_list
from tournaments.queries.events import LocalTime, Plan, local_time, plan_for, structure_title
from tournaments.queries.leaders import Leader, leaders_of
from tournaments.roles import role_title

SAID = sentences_of(__file__)
#: How many coming events the list shows, and how many past ones a page of it.
MOST_COMING, PAST_A_PAGE = 60, 20


class EventLine(Value):
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


class EventPage(Value):
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
    rules, minutes = event.rule_set, event.bracket_minutes
    tested = rules == RuleSet.TOURNAMENT_REGULATIONS and event.tier == Tier.COMPETITIVE
    cases: list[tuple[str, str, object, int]] = [
        ("E10", f"lists_{rules}", event.lists_published, 0), ("E10", f"hands_{rules}", event.hands_published, 0),
        ("E12", "products", "all" if event.other_cards else "tested" if tested else "released", 0),
        ("E19", "bye", "drawn", 0),
    ]  # fmt: skip
    if rules == RuleSet.GALACTIC_CONQUEST:
        clock = "hidden" if minutes is None else "visible" if minutes else "none"
        cases += [
            ("E20", "bye", "tokens", event.bye_tokens), ("E26", "clock", clock, minutes or 0),
            ("E30", "bye", "points", event.awarded_points),
        ]  # fmt: skip
    else:
        cases.insert(0, ("E8", "deck", event.deck_of_2020, 0))
    if event.team_size:
        best = event.team_best or event.team_size
        cases += [("E17", "teams", "size", event.team_size), ("E17", "teams", "best", best)]
    cases += [
        ("E35", "byes_as_opponents", event.bye_is_opponent, 0),
        ("E35", "losses_skipped", event.skips_unpaired_losses, 0),
    ]
    return [
        (rule, said(SAID[table][str(case).lower()], {"number": number}, number)) for rule, table, case, number in cases
    ]
