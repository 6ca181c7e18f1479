"""The public log of an event in sentences, which are made from the facts of each line when it is read.

Facts name players by the number of their entry, so that a name that was changed or deleted is so here, too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.models import User
from core.activity_log import Presenters
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, LogKind, LogLine, Round
from tournaments.queries.leaders import judge_words, role_word

Facts = Mapping[str, Any]
#: What facts can cause that nobody wrote here: those of an imported event are what its file says.
NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line of the log as a page shows it. `details` are what was and what is, one line each."""

    at: datetime
    kind: str
    who: str
    text: str
    reason: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogContext:
    """The names in the log of one event: players by number, leaders by primary key. With `clock_is_secret` the lines
    say nothing about the length of a round (E26).
    """

    event: Event
    players: Mapping[int, str]
    users: Mapping[int, str]
    clock_is_secret: bool = False

    def player(self, number: Any) -> str:
        """Return the name of a player."""
        return self.players.get(number, gettext("a player")) if isinstance(number, int) else gettext("a player")

    def user(self, pk: Any) -> str:
        """Return the name of a leader."""
        return self.users.get(pk, gettext("somebody")) if isinstance(pk, int) else gettext("somebody")

    def several(self, numbers: Any) -> str:
        """Return the names of several players."""
        return ", ".join(self.player(each) for each in numbers or ())


#: One presenter for each kind of line. It returns a sentence, and what was and what is, one line each.
PRESENTERS: Presenters[Callable[[LogContext, Facts], tuple[str, ...]]] = Presenters()


def lines_for(event: Event, role: EventRole) -> QuerySet[LogLine]:
    """Return the lines of the log that somebody may read: all, but for changes of a draft, which name its pairs. These
    are public once the pairings are (E24).
    """
    lines = event.log.all()
    if role.is_leader:
        return lines
    public = event.round_set.exclude(state=Round.State.DRAFT).aggregate(last=Max("number"))["last"] or 0
    return lines.exclude(pk__in=event.log.filter(kind=LogKind.PAIRED, facts__round__gt=public).values("pk"))


def sentences(event: Event, role: EventRole, lines: Iterable[LogLine]) -> list[Sentence]:
    """Return lines of the log in words for a reader, in four queries however many there are. `lines` come with their
    actors. In Galactic Conquest only leaders who do not play read the minutes of an extension before the end (E26).
    """
    lines = list(lines)
    entries = list(event.entries.values_list("number", "name", "user"))
    wanted = {pk for line in lines if isinstance(pk := line.facts.get("user"), int)}
    users = {user.pk: user.get_username() for user in User.objects.filter(pk__in=wanted)} if wanted else {}
    secret = event.rule_set == RuleSet.GALACTIC_CONQUEST and not event.is_over and not role.sees_clock
    context = LogContext(event, {number: name for number, name, _user in entries}, users, secret)
    own_names = {user: name for _number, name, user in entries if user}
    others = {line.actor.pk: line.actor for line in lines if line.actor and line.actor.pk not in own_names}
    leaders = {pk: others[pk].get_username() for pk in _public(event, others)}
    return [_sentence(context, leaders | own_names, line) for line in lines]


def _public(event: Event, actors: Mapping[int, User]) -> set[int]:
    """Return which of these accounts without an entry the log may name: those who lead or led the event, the staff, and
    deleted ones, which have no name. The rest played here until their name was deleted.
    """
    found = {pk for pk, user in actors.items() if user.is_staff or user.username == user.former_name}
    if found != actors.keys():
        found |= set(event.memberships.filter(user__in=actors).values_list("user", flat=True))
    if found != actors.keys():
        gone = event.log.filter(kind__in=(LogKind.LEFT, LogKind.REMOVED)).values_list("facts", flat=True)
        found |= {facts.get("user") for facts in gone} & actors.keys()
    return found


def _sentence(context: LogContext, actors: Mapping[int, str], line: LogLine) -> Sentence:
    present = PRESENTERS.get(line.kind)
    try:
        text, *details = present(context, line.facts) if present else (_kind_label(line.kind),)
    except NONSENSE:
        text, details = _kind_label(line.kind), []
    return Sentence(line.at, line.kind, actors.get(line.actor_id or 0, ""), text, line.reason, tuple(details))


def _kind_label(kind: str) -> str:
    label = str(dict(LogKind.choices).get(kind, kind))
    return label[:1].upper() + label[1:] + "."


def kinds_in(event: Event) -> list[tuple[str, str]]:
    """Return the kinds of lines that the log of an event has, with their labels, for its filter."""
    there = set(event.log.order_by().values_list("kind", flat=True).distinct())
    return [(kind, _kind_label(kind).rstrip(".")) for kind in LogKind.values if kind in there]


@PRESENTERS.presents(LogKind.CREATED)
def _created(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("The event was created."),)


@PRESENTERS.presents(LogKind.STATE)
def _state(context: LogContext, facts: Facts) -> tuple[str, ...]:
    state = facts.get("after", "")
    match state:
        case Event.State.OPEN:
            return (gettext("The registration was opened."),)
        case Event.State.CLOSED:
            return (gettext("The registration was closed."),)
        case Event.State.RUNNING:
            return (gettext("The event started."),)
        case Event.State.FINISHED:
            return (gettext("The event ended. The seed of its draws is public."),)
        case Event.State.CANCELLED:
            return (gettext("The event was cancelled."),)
    return (gettext("The event is a draft again."),)


def _role_name(context: LogContext, role: Any) -> str:
    return role_word(context.event.rule_set, role) if role in Event.roles else str(role or gettext("leader"))


@PRESENTERS.presents(LogKind.JOINED)
def _joined(context: LogContext, facts: Facts) -> tuple[str, ...]:
    person, role = context.user(facts.get("user")), _role_name(context, facts.get("role"))
    return (gettext("%(person)s joined as %(role)s.") % {"person": person, "role": role},)


@PRESENTERS.presents(LogKind.LEFT)
def _left(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("%(person)s left the leaders.") % {"person": context.user(facts.get("user"))},)


@PRESENTERS.presents(LogKind.REMOVED)
def _removed(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("%(person)s was removed from the leaders.") % {"person": context.user(facts.get("user"))},)


@PRESENTERS.presents(LogKind.ROLE)
def _role(context: LogContext, facts: Facts) -> tuple[str, ...]:
    person, role = context.user(facts.get("user")), _role_name(context, facts.get("role"))
    return (gettext("%(person)s is %(role)s now.") % {"person": person, "role": role},)


@PRESENTERS.presents(LogKind.ENTERED)
def _entered(context: LogContext, facts: Facts) -> tuple[str, ...]:
    if several := facts.get("entries"):
        return (
            ngettext("%(number)s player was added.", "%(number)s players were added.", len(several))
            % {"number": len(several)},
        )
    return (gettext("%(player)s was registered.") % {"player": context.player(facts.get("entry"))},)


@PRESENTERS.presents(LogKind.ENTRY)
def _entry(context: LogContext, facts: Facts) -> tuple[str, ...]:
    before, after = str(facts.get("before", "")), str(facts.get("after", ""))
    if isinstance(facts.get("changed"), list):
        labels = ", ".join(_field_label(str(each)) for each in facts["changed"])
        player = context.player(facts.get("entry"))
        return (gettext("The entry of %(player)s was changed: %(fields)s.") % {"player": player, "fields": labels},)
    if "taken_over" in facts:
        player = context.player(facts.get("entry"))
        if facts["taken_over"]:
            return (gettext("%(player)s took over this entry with their account.") % {"player": player},)
        return (gettext("The request for the entry of %(player)s was declined.") % {"player": player},)
    sentence = (
        _MOVES.get((before, after)) or _MOVES.get(("", after)) or gettext_noop("The entry of %(player)s changed.")
    )
    return (
        gettext(sentence) % {"player": context.several(facts.get("entries")) or context.player(facts.get("entry"))},
    )


#: What a change of a player's state is called, by the state before (empty for any other) and after.
_MOVES: dict[tuple[str, str], str] = {
    (Entry.State.REGISTERED, Entry.State.DROPPED): gettext_noop("%(player)s will not take part."),
    (Entry.State.WAITING, Entry.State.DROPPED): gettext_noop("%(player)s will not take part."),
    ("", Entry.State.DROPPED): gettext_noop("%(player)s dropped."),
    ("", Entry.State.EJECTED): gettext_noop("%(player)s was ejected."),
    (Entry.State.DROPPED, Entry.State.PLAYING): gettext_noop("%(player)s rejoined."),
    ("", Entry.State.PLAYING): gettext_noop("%(player)s entered late."),
    (Entry.State.WAITING, Entry.State.REGISTERED): gettext_noop("%(player)s moved up from the waiting list."),
    ("", Entry.State.REGISTERED): gettext_noop("%(player)s is registered again."),
    ("", Entry.State.WAITING): gettext_noop("%(player)s is on the waiting list."),
    ("", Entry.State.CHECKED_IN): gettext_noop("%(player)s was checked in."),
    ("", Entry.State.CUT): gettext_noop("%(player)s missed the cut."),
}


@PRESENTERS.presents(LogKind.WARNED)
def _warned(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("%(player)s was warned.") % {"player": context.player(facts.get("entry"))},)


@PRESENTERS.presents(LogKind.DRAFTED)
def _drafted(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("The pairings of round %(round)s were drawn.") % {"round": facts.get("round") or "?"},)


@PRESENTERS.presents(LogKind.PAIRED)
def _paired(context: LogContext, facts: Facts) -> tuple[str, ...]:
    number, several = facts.get("round") or "?", context.several(facts.get("entries"))
    details = _was_and_is(context, facts)
    match facts.get("act"):
        case "swap":
            return (
                gettext("Round %(round)s: %(players)s changed places.") % {"round": number, "players": several},
                *details,
            )
        case "bye":
            return (
                gettext("Round %(round)s: %(players)s was given the bye.") % {"round": number, "players": several},
                *details,
            )
        case "tables":
            return (gettext("Round %(round)s: tables were changed.") % {"round": number}, *details)
        case "restored":
            return (gettext("Round %(round)s: the app’s own draw was restored.") % {"round": number}, *details)
        case "fixed":
            player, table = context.player(facts.get("entry")), facts.get("after")
            if table is None:
                return (gettext("%(player)s no longer has a fixed table.") % {"player": player},)
            return (gettext("%(player)s always plays at table %(table)s.") % {"player": player, "table": table},)
    if facts.get("discarded"):
        return (gettext("The draft of round %(round)s was deleted: the players have changed.") % {"round": number},)
    if facts.get("withdrawn"):
        return (gettext("The publishing of round %(round)s was undone to change its pairings.") % {"round": number},)
    if details:
        return (gettext("Round %(round)s: the pairings were changed by hand.") % {"round": number}, *details)
    return (gettext("The pairings of round %(round)s were made by hand.") % {"round": number},)


def _was_and_is(context: LogContext, facts: Facts) -> list[str]:
    """Return what games were and are, one line for each state."""
    sentence = {"before": gettext("It was: %(games)s"), "after": gettext("It is: %(games)s")}
    found = [
        sentence[key] % {"games": "; ".join(_game(context, game) for game in facts[key])}
        for key in ("before", "after")
        if isinstance(facts.get(key), list) and facts[key]
    ]
    for key, label in (("instead_of", sentence["before"]), ("pairs", sentence["after"])):
        if isinstance(facts.get(key), list) and facts[key]:
            pairs = ("{} – {}".format(*map(context.player, pair)) for pair in facts[key] if len(pair) == 2)
            found.append(label % {"games": "; ".join(pairs)})
    for key, label in (("bye_before", sentence["before"]), ("bye", sentence["after"])):
        if facts.get(key):
            found.append(label % {"games": gettext("bye for %(player)s") % {"player": context.player(facts[key])}})
    if isinstance(facts.get("tables"), list) and facts["tables"]:
        games = [{"players": each[:2], "table": each[2]} for each in facts["tables"] if len(each) == 3]
        found.append(sentence["after"] % {"games": "; ".join(_game(context, game) for game in games)})
    return found


def _game(context: LogContext, game: Any) -> str:
    players = [context.player(each) for each in game.get("players", ())]
    if len(players) < 2:
        return gettext("bye for %(player)s") % {"player": players[0] if players else "–"}
    return gettext("table %(table)s: %(one)s – %(other)s") % {
        "table": game.get("table", "?"),
        "one": players[0],
        "other": players[1],
    }


@PRESENTERS.presents(LogKind.PUBLISHED)
def _published(context: LogContext, facts: Facts) -> tuple[str, ...]:
    text = gettext("The pairings of round %(round)s were published.") % {"round": facts.get("round") or "?"}
    if not facts.get("players"):
        return (text,)
    figures = {name: facts.get(name) or 0 for name in ("players", "rounds", "cut")}
    after = gettext("cut to the top %(cut)s") % {"cut": figures["cut"]} if figures["cut"] else gettext("no cut")
    rounds = ngettext("%(number)s round", "%(number)s rounds", figures["rounds"]) % {"number": figures["rounds"]}
    return (
        text,
        gettext("%(players)s players, %(rounds)s, %(cut)s.")
        % {"players": figures["players"], "rounds": rounds, "cut": after},
    )


@PRESENTERS.presents(LogKind.CLOSED)
def _closed(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("Round %(round)s was closed.") % {"round": facts.get("round") or "?"},)


def _in_round(facts: Facts) -> dict[str, Any]:
    return {"round": facts.get("round") or "?"}


def _players_of(context: LogContext, facts: Facts) -> str:
    after = facts.get("after")
    found = after.get("players") if isinstance(after, Mapping) else None
    numbers = facts.get("players") or facts.get("entries") or found or ()
    return " – ".join(context.player(each) for each in numbers)


@PRESENTERS.presents(LogKind.CORRECTED)
def _corrected(context: LogContext, facts: Facts) -> tuple[str, ...]:
    details = _results(context, facts)
    if players := _players_of(context, facts):
        text = gettext("Round %(round)s: the result of %(players)s was corrected.") % {
            **_in_round(facts),
            "players": players,
        }
        return (text, *details)
    return (gettext("A result of round %(round)s was corrected.") % _in_round(facts), *details)


@PRESENTERS.presents(LogKind.DECIDED)
def _decided(context: LogContext, facts: Facts) -> tuple[str, ...]:
    details = _results(context, facts)
    if players := _players_of(context, facts):
        return (
            gettext("Round %(round)s: a leader entered the result of %(players)s.")
            % {**_in_round(facts), "players": players},
            *details,
        )
    return (gettext("A leader entered a result of round %(round)s.") % _in_round(facts), *details)


@PRESENTERS.presents(LogKind.DISPUTED)
def _disputed(context: LogContext, facts: Facts) -> tuple[str, ...]:
    if facts.get("entry"):
        player = context.player(facts["entry"])
        return (gettext("Round %(round)s: %(player)s disputed the result.") % {**_in_round(facts), "player": player},)
    return (gettext("A result of round %(round)s was disputed.") % _in_round(facts),)


def _results(context: LogContext, facts: Facts) -> list[str]:
    """Return results as they were and as they are."""
    found = []
    for key, sentence in (("before", gettext("It was: %(result)s")), ("after", gettext("It is: %(result)s"))):
        result = facts.get(key)
        if isinstance(result, Mapping) and result.get("how"):
            found.append(sentence % {"result": _result(context, result)})
    if not found and facts.get("how"):
        found.append(_result(context, facts))
    return found


def _result(context: LogContext, result: Facts) -> str:
    points, tokens = result.get("points") or (0, 0), result.get("tokens") or (0, 0)
    figures = {"points": f"{points[0]}:{points[1]}", "tokens": f"{tokens[0]}:{tokens[1]}"}
    if result.get("winner"):
        winner = context.player(result["winner"])
        return gettext("%(winner)s won; points defeated %(points)s, victory tokens %(tokens)s") % {
            "winner": winner,
            **figures,
        }
    return gettext("a draw; points defeated %(points)s, victory tokens %(tokens)s") % figures


@PRESENTERS.presents(LogKind.CUT)
def _cut(context: LogContext, facts: Facts) -> tuple[str, ...]:
    seeds = facts.get("seeds") or ()
    lines = [f"{place}. {context.player(number)}" for place, number in enumerate(seeds, start=1)]
    text = ngettext(
        "The cut was made: %(number)s player advances.", "The cut was made: %(number)s players advance.", len(seeds)
    ) % {"number": len(seeds)}
    return (text, ", ".join(lines)) if lines else (text,)


@PRESENTERS.presents(LogKind.SETTINGS)
def _settings(context: LogContext, facts: Facts) -> tuple[str, ...]:
    if "league" in facts:
        league = facts["league"]
        if league:
            return (gettext("The event counts for the league %(league)s.") % {"league": league},)
        return (gettext("The event no longer counts for a league."),)
    changed = facts.get("changed")
    labels = ", ".join(_field_label(each) for each in changed or () if isinstance(each, str))
    if labels:
        return (gettext("The settings were changed: %(names)s.") % {"names": labels},)
    return (gettext("The settings were changed."),)


def _field_label(name: str) -> str:
    """Return a field of an event or of a player in words."""
    return _FIELDS[name]() if name in _FIELDS else name.replace("_", " ")


_FIELDS: dict[str, Callable[[], str]] = {
    "name": lambda: gettext("name"),
    "about": lambda: gettext("description"),
    "starts_at": lambda: gettext("start"),
    "time_zone": lambda: gettext("time zone"),
    "place": lambda: gettext("place"),
    "rule_set": lambda: gettext("rules"),
    "tier": lambda: gettext("tier"),
    "army_size": lambda: gettext("army size"),
    "rounds": lambda: gettext("rounds"),
    "cut": lambda: gettext("cut"),
    "structure": lambda: gettext("structure"),
    "awarded_points": lambda: gettext("points of a bye"),
    "bye_is_opponent": lambda: gettext("bye as an opponent"),
    "registration_limit": lambda: gettext("number of places"),
    "registration_deadline": lambda: gettext("deadline"),
    "lists_required": lambda: gettext("army lists required"),
    "lists_published": lambda: gettext("publication of army lists"),
    "hands_published": lambda: gettext("publication of command hands"),
    "other_cards": lambda: gettext("legal cards"),
    "clubs_apart": lambda: gettext("clubs apart"),
    "club": lambda: gettext("club"),
    "army_points": lambda: gettext("army points"),
    "fixed_table": lambda: gettext("fixed table"),
}


@PRESENTERS.presents(LogKind.LIST)
def _list(context: LogContext, facts: Facts) -> tuple[str, ...]:
    player = context.player(facts.get("entry"))
    match facts.get("act") or facts.get("what"):
        case "submitted":
            return (gettext("%(player)s submitted an army list.") % {"player": player},)
        case "accepted":
            return (gettext("The army list of %(player)s was accepted with its problems.") % {"player": player},)
        case "unlocked":
            return (gettext("The army list of %(player)s was unlocked.") % {"player": player},)
        case "checked":
            text = ngettext(
                "%(number)s army list has other problems after a new check.",
                "%(number)s army lists have other problems after a new check.",
                facts.get("number") or 0,
            ) % {"number": facts.get("number") or 0}
            return (text,)
    return (gettext("The army list of %(player)s was changed.") % {"player": player},)


@PRESENTERS.presents(LogKind.CLOCK)
def _clock(context: LogContext, facts: Facts) -> tuple[str, ...]:
    number = facts.get("round") or "?"
    if facts.get("table"):
        minutes = facts.get("after", 0)
        places = {"round": number, "table": facts["table"]}
        if context.clock_is_secret:
            return (gettext("Round %(round)s, table %(table)s: the extension was changed.") % places,)
        if not minutes:
            return (gettext("Round %(round)s, table %(table)s: the extension was removed.") % places,)
        text = ngettext(
            "Round %(round)s, table %(table)s: %(number)s more minute.",
            "Round %(round)s, table %(table)s: %(number)s more minutes.",
            minutes,
        ) % {"number": minutes, **places}
        return (text,)
    if facts.get("reset"):
        return (gettext("Round %(round)s: the clock was reset.") % {"round": number},)
    return (gettext("Round %(round)s: the clock was changed.") % {"round": number},)


@PRESENTERS.presents(LogKind.RULED)
def _ruled(context: LogContext, facts: Facts) -> tuple[str, ...]:
    words = judge_words(context.event.rule_set)
    places = {"round": facts.get("round") or facts.get("round_number") or "?", "table": facts.get("table", "?")}
    places |= {"judge": words["one"], "head": words["head"]}
    if facts.get("appeal") or facts.get("overruled") is not None:
        if facts.get("overruled"):
            return (gettext("Round %(round)s, table %(table)s: the %(head)s overruled a ruling.") % places,)
        return (gettext("Round %(round)s, table %(table)s: the %(head)s upheld a ruling.") % places,)
    return (gettext("Round %(round)s, table %(table)s: a %(judge)s ruled.") % places,)


@PRESENTERS.presents(LogKind.OVERRIDE)
def _override(context: LogContext, facts: Facts) -> tuple[str, ...]:
    rule = facts.get("rule")
    player = context.player(facts["entry"]) if facts.get("entry") else context.several(facts.get("entries"))
    if rule and player:
        return (gettext("The organizer overrode rule %(rule)s for %(player)s.") % {"rule": rule, "player": player},)
    if rule:
        return (gettext("The organizer overrode rule %(rule)s.") % {"rule": rule},)
    return (gettext("The organizer overrode a rule."),)


@PRESENTERS.presents(LogKind.IMPORTED)
def _imported(context: LogContext, facts: Facts) -> tuple[str, ...]:
    return (gettext("The event was imported from a file."),)


@PRESENTERS.presents(LogKind.FORGOTTEN)
def _forgotten(context: LogContext, facts: Facts) -> tuple[str, ...]:
    number = facts.get("entry", "?")
    return (gettext("The name of player %(number)s was deleted on request.") % {"number": number},)
