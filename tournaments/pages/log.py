"""The public log of an event in sentences, which are made from the facts of each line when it is read.

Facts name players by the number of their entry, so that a name that was changed or deleted is so here, too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext, ngettext

from accounts.models import User
from core.activity_log import Presenters
from core.sentences import sentences_of
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Event, LogKind, LogLine, Round
from tournaments.roles import judge_words, role_word

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

    def words(self, facts: Facts) -> dict[str, str]:
        """Return the words that facts have for the places of a sentence."""
        role = facts.get("role")
        return {
            "player": self.player(facts.get("entry")), "person": self.user(facts.get("user")),
            "role": role_word(self.event.rule_set, role) if role in Event.roles else str(role or gettext("leader")),
            "round": str(facts.get("round") or "?"), "table": str(facts.get("table", "?")),
        }  # fmt: skip

    def several(self, numbers: Any) -> str:
        """Return the names of several players."""
        return ", ".join(self.player(each) for each in numbers or ())


SAID = sentences_of(__file__)
#: One presenter for each kind of line. It returns a sentence, or a sentence with what was and what is, one line each.
PRESENTERS: Presenters[Callable[[LogContext, Facts], str | tuple[str, ...]]] = Presenters()


def lines_for(event: Event, role: EventRole) -> QuerySet[LogLine]:
    """Return the lines that somebody may read: all but changes of a draft, which are public once that is (E24)."""
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
    return [sentence_of(context, leaders | own_names, line) for line in lines]


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


def sentence_of(context: LogContext, actors: Mapping[int, str], line: LogLine) -> Sentence:
    """Return a line of the log in words. `actors` are the names that the log may tell, by primary key."""
    present = PRESENTERS.get(line.kind)
    try:
        said = present(context, line.facts) if present else _kind_label(line.kind)
        text, *details = (said,) if isinstance(said, str) else said
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


def _plain(sentence: str, context: LogContext, facts: Facts) -> str:
    return gettext(sentence) % context.words(facts)


for _kind, _said in SAID["plain"].items():
    PRESENTERS.presents(_kind)(partial(_plain, _said))


@PRESENTERS.presents(LogKind.STATE)
def _state(context: LogContext, facts: Facts) -> str:
    said = SAID["states"].get(facts.get("after"), SAID["states"]["other"])
    if facts.get("undone"):
        said = SAID["states_undone"].get(facts.get("before"), said)
    return gettext(said)


@PRESENTERS.presents(LogKind.ENTERED)
def _entered(context: LogContext, facts: Facts) -> str:
    if number := len(facts.get("entries") or ()):
        return ngettext("%(number)s player was added.", "%(number)s players were added.", number) % {"number": number}
    return gettext("%(player)s was registered.") % context.words(facts)


@PRESENTERS.presents(LogKind.ENTRY)
def _entry(context: LogContext, facts: Facts) -> str:
    words = context.words(facts)
    if isinstance(facts.get("changed"), list):
        fields = ", ".join(_field_label(str(each)) for each in facts["changed"])
        return gettext("The entry of %(player)s was changed: %(fields)s.") % {**words, "fields": fields}
    if "taken_over" in facts:
        if facts["taken_over"]:
            return gettext("%(player)s took over this entry with their account.") % words
        return gettext("The request for the entry of %(player)s was declined.") % words
    if "team" in facts:
        return gettext(SAID["teams"]["joined" if facts["team"] else "left"]) % {**words, "team": facts["team"]}
    before, moves = facts.get("before"), SAID["moves"].get(facts.get("after"), SAID["moves"]["other"])
    sentence = SAID["moves_undone"].get(before) if facts.get("undone") else None
    sentence = sentence or moves.get(before, moves["other"])
    return gettext(sentence) % {"player": context.several(facts.get("entries")) or words["player"]}


@PRESENTERS.presents(LogKind.DRAFTED)
def _drafted(context: LogContext, facts: Facts) -> str:
    said = SAID["drawn_again"].get(facts.get("because"), SAID["drawn_again"]["other"])
    return gettext(said) % {**context.words(facts), "players": context.several(facts.get("entries"))}


@PRESENTERS.presents(LogKind.PAIRED)
def _paired(context: LogContext, facts: Facts) -> str | tuple[str, ...]:
    words, act = context.words(facts), facts.get("act")
    details = _was_and_is(context, facts)
    if act in SAID["paired"]:
        return gettext(SAID["paired"][act]) % {**words, "players": context.several(facts.get("entries"))}, *details
    if act == "fixed":
        if facts.get("after") is None:
            return gettext("%(player)s no longer has a fixed table.") % words
        return gettext("%(player)s always plays at table %(table)s.") % {**words, "table": facts["after"]}
    if facts.get("lost"):
        text = gettext("Round %(round)s: choices made by hand were lost when the draft was drawn again.") % words
        return text, gettext("Lost: %(games)s") % {"games": "; ".join(_game(context, game) for game in facts["lost"])}
    if facts.get("discarded"):
        return gettext("The draft of round %(round)s was deleted: the players have changed.") % words
    if facts.get("withdrawn"):
        return gettext("The publishing of round %(round)s was undone to change its pairings.") % words
    return gettext("The pairings of round %(round)s were made by hand.") % words, *details


def _was_and_is(context: LogContext, facts: Facts) -> list[str]:
    """Return what games were and are, one line for each state."""
    sentence = {"before": gettext("It was: %(games)s"), "after": gettext("It is: %(games)s")}
    return [
        text % {"games": "; ".join(_game(context, game) for game in facts[key])}
        for key, text in sentence.items()
        if isinstance(facts.get(key), list) and facts[key]
    ]


def _game(context: LogContext, game: Any) -> str:
    players = [context.player(each) for each in game.get("players", ())]
    if len(players) < 2:
        return gettext("bye for %(player)s") % {"player": players[0] if players else "–"}
    words = {"table": game.get("table", "?"), "one": players[0], "other": players[1]}
    return gettext("table %(table)s: %(one)s – %(other)s") % words


@PRESENTERS.presents(LogKind.PUBLISHED)
def _published(context: LogContext, facts: Facts) -> str | tuple[str, ...]:
    text = gettext("The pairings of round %(round)s were published.") % context.words(facts)
    if not facts.get("players"):
        return text
    number, cut = facts.get("rounds") or 0, facts.get("cut") or 0
    words = {
        "players": facts["players"],
        "rounds": ngettext("%(number)s round", "%(number)s rounds", number) % {"number": number},
        "cut": gettext("cut to the top %(cut)s") % {"cut": cut} if cut else gettext("no cut"),
    }
    return text, gettext("%(players)s players, %(rounds)s, %(cut)s.") % words


def _players_of(context: LogContext, facts: Facts) -> str:
    after = facts.get("after")
    found = after.get("players") if isinstance(after, Mapping) else None
    return " – ".join(context.player(each) for each in facts.get("players") or facts.get("entries") or found or ())


@PRESENTERS.presents(LogKind.CORRECTED)
def _corrected(context: LogContext, facts: Facts) -> tuple[str, ...]:
    words = {**context.words(facts), "players": _players_of(context, facts)}
    text = gettext("A result of round %(round)s was corrected.")
    if words["players"]:
        text = gettext("Round %(round)s: the result of %(players)s was corrected.")
    return text % words, *_results(context, facts)


@PRESENTERS.presents(LogKind.DECIDED)
def _decided(context: LogContext, facts: Facts) -> tuple[str, ...]:
    words = {**context.words(facts), "players": _players_of(context, facts)}
    if left := facts.get("left"):
        words |= {"player": context.several(set(facts.get("players", ())) - {left}), "left": context.player(left)}
        return (gettext("Round %(round)s: %(player)s advances, because %(left)s has left.") % words,)
    text = gettext("A leader entered a result of round %(round)s.")
    if words["players"]:
        text = gettext("Round %(round)s: a leader entered the result of %(players)s.")
    return text % words, *_results(context, facts)


@PRESENTERS.presents(LogKind.DISPUTED)
def _disputed(context: LogContext, facts: Facts) -> str:
    text = gettext("A result of round %(round)s was disputed.")
    if facts.get("entry"):
        text = gettext("Round %(round)s: %(player)s disputed the result.")
    if facts.get("withdrawn"):
        text = gettext("Round %(round)s: %(player)s withdrew the dispute.")
    return text % context.words(facts)


@PRESENTERS.presents(LogKind.UNDONE)
def _undone(context: LogContext, facts: Facts) -> tuple[str, ...]:
    words = {**context.words(facts), "players": _players_of(context, facts)}
    text, details = SAID["undone"].get(facts.get("act"), SAID["undone"]["other"]), _results(context, facts)
    if facts.get("draft"):
        details.append(gettext("The draft of round %(round)s was deleted.") % {"round": facts["draft"]})
    return gettext(text) % words, *details


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
    words = {
        "winner": context.player(result.get("winner")),
        "points": f"{points[0]}:{points[1]}", "tokens": f"{tokens[0]}:{tokens[1]}",
    }  # fmt: skip
    if result.get("winner"):
        return gettext("%(winner)s won; points defeated %(points)s, victory tokens %(tokens)s") % words
    return gettext("a draw; points defeated %(points)s, victory tokens %(tokens)s") % words


@PRESENTERS.presents(LogKind.CUT)
def _cut(context: LogContext, facts: Facts) -> tuple[str, ...]:
    seeds = facts.get("seeds") or ()
    text = ngettext(
        "The cut was made: %(number)s player advances.", "The cut was made: %(number)s players advance.", len(seeds)
    ) % {"number": len(seeds)}
    names = ", ".join(f"{place}. {context.player(number)}" for place, number in enumerate(seeds, start=1))
    details = [names] if names else []
    if facts.get("cut"):
        before, after = facts["cut"]
        text_of_cut = gettext(
            "Too few players were left for a cut to the top %(before)s. It was made to the top %(after)s."
        )
        details.append(text_of_cut % {"before": before, "after": after})
    return text, *details


@PRESENTERS.presents(LogKind.SETTINGS)
def _settings(context: LogContext, facts: Facts) -> str:
    if "league" in facts:
        if facts["league"]:
            return gettext("The event counts for the league %(league)s.") % {"league": facts["league"]}
        return gettext("The event no longer counts for a league.")
    names = ", ".join(_field_label(each) for each in facts.get("changed") or () if isinstance(each, str))
    if names:
        return gettext("The settings were changed: %(names)s.") % {"names": names}
    return gettext("The settings were changed.")


def _field_label(name: str) -> str:
    """Return a field of an event or of a player in words."""
    return gettext(SAID["fields"][name]) if name in SAID["fields"] else name.replace("_", " ")


@PRESENTERS.presents(LogKind.LIST)
def _list(context: LogContext, facts: Facts) -> str:
    act, number = facts.get("act") or facts.get("what"), facts.get("number") or 0
    if act == "checked":
        return ngettext(
            "%(number)s army list has other problems after a new check.",
            "%(number)s army lists have other problems after a new check.",
            number,
        ) % {"number": number}
    return gettext(SAID["lists"].get(act, SAID["lists"]["other"])) % context.words(facts)


@PRESENTERS.presents(LogKind.CLOCK)
def _clock(context: LogContext, facts: Facts) -> str:
    words, minutes = context.words(facts), facts.get("after", 0)
    if not facts.get("table"):
        text = gettext("Round %(round)s: the clock was reset.")
        return (text if facts.get("reset") else gettext("Round %(round)s: the clock was changed.")) % words
    if context.clock_is_secret:
        return gettext("Round %(round)s, table %(table)s: the extension was changed.") % words
    if not minutes:
        return gettext("Round %(round)s, table %(table)s: the extension was removed.") % words
    return ngettext(
        "Round %(round)s, table %(table)s: %(number)s more minute.",
        "Round %(round)s, table %(table)s: %(number)s more minutes.",
        minutes,
    ) % {**words, "number": minutes}


@PRESENTERS.presents(LogKind.RULED)
def _ruled(context: LogContext, facts: Facts) -> str:
    judges = judge_words(context.event.rule_set)
    words = {**context.words(facts), "judge": judges["one"], "head": judges["head"]}
    if not facts.get("appeal") and facts.get("overruled") is None:
        return gettext("Round %(round)s, table %(table)s: a %(judge)s ruled.") % words
    if facts.get("overruled"):
        return gettext("Round %(round)s, table %(table)s: the %(head)s overruled a ruling.") % words
    return gettext("Round %(round)s, table %(table)s: the %(head)s upheld a ruling.") % words


@PRESENTERS.presents(LogKind.OVERRIDE)
def _override(context: LogContext, facts: Facts) -> str:
    player = context.player(facts["entry"]) if facts.get("entry") else context.several(facts.get("entries"))
    words = {"rule": facts.get("rule"), "player": player}
    if not words["rule"]:
        return gettext("The organizer overrode a rule.")
    if player:
        return gettext("The organizer overrode rule %(rule)s for %(player)s.") % words
    return gettext("The organizer overrode rule %(rule)s.") % words


@PRESENTERS.presents(LogKind.FORGOTTEN)
def _forgotten(context: LogContext, facts: Facts) -> str:
    number = facts.get("entry", "?")
    return gettext("The name of player %(number)s was deleted on request.") % {"number": number}
