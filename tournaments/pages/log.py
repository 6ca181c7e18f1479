"""The public log of an event in sentences, which are made from the facts of each line when it is read.

Facts name players by the number of their entry, so that a name that was changed or deleted is so here, too.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext, ngettext

from accounts.models import User, has_right
from core.activity_log import Presenters
from core.sentences import said
from members.roles import ORGANIZE
from rules.core.translation import sentences_of
from rules.core.values import Value
from rules.tournaments.results import Ending
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Event, LogKind, LogLine, Round
from tournaments.queries.results import ENDING_NAMES
from tournaments.queries.rounds import columns_of, name_of, round_in_text
from tournaments.roles import judge_words, role_word

Facts = Mapping[str, Any]
#: What facts can cause that nobody wrote here: those of an imported event are what its file says.
NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Sentence(Value):
    """A line of the log as a page shows it. `details` are what was and what is, one line each."""

    at: datetime
    kind: str
    who: str
    text: str
    reason: str
    details: tuple[str, ...] = ()


class LogContext(Value):
    """The names in the log of one event: players by number, leaders by primary key, and the `columns` of the bracket
    (see `queries.rounds.columns_of`). With `clock_is_secret` the lines say nothing about the length of a round (E26).
    """

    event: Event
    players: Mapping[int, str]
    users: Mapping[int, str]
    columns: Mapping[int, int]
    clock_is_secret: bool = False

    def player(self, number: Any) -> str:
        """Return the name of a player."""
        return self.players.get(number, gettext("a player")) if isinstance(number, int) else gettext("a player")

    def user(self, pk: Any) -> str:
        """Return the name of a leader."""
        return self.users.get(pk, gettext("somebody")) if isinstance(pk, int) else gettext("somebody")

    def words(self, facts: Facts) -> dict[str, str]:
        """Return the words that facts have for the places of a sentence."""
        role, number = facts.get("role"), facts.get("round") or "?"
        column = self.columns.get(number, 0)
        return {
            "player": self.player(facts.get("entry")), "person": self.user(facts.get("user")),
            "role": role_word(self.event.rule_set, role) if role in Event.roles else str(role or gettext("leader")),
            "round": round_in_text(number, column), "Round": name_of(number, column),
            "table": str(facts.get("table", "?")),
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
    """Return lines of the log in words for a reader, in five queries however many there are. `lines` come with their
    actors. In Galactic Conquest only leaders who do not play read the minutes of an extension before the end (E26).
    """
    lines = list(lines)
    entries = list(event.entries.values_list("number", "name", "user"))
    wanted = {pk for line in lines if isinstance(pk := line.facts.get("user"), int)}
    users = {user.pk: user.get_username() for user in User.objects.filter(pk__in=wanted)} if wanted else {}
    secret = event.rule_set == RuleSet.GALACTIC_CONQUEST and not event.is_over and not role.sees_clock
    context = LogContext(event, {number: name for number, name, _user in entries}, users, columns_of(event), secret)
    own_names = {user: name for _number, name, user in entries if user}
    others = {line.actor.pk: line.actor for line in lines if line.actor and line.actor.pk not in own_names}
    leaders = {pk: others[pk].get_username() for pk in _public(event, others)}
    return [sentence_of(context, leaders | own_names, line) for line in lines]


def _public(event: Event, actors: Mapping[int, User]) -> set[int]:
    """Return which of these accounts without an entry the log may name: those who lead or led the event, the staff, and
    deleted ones, which have no name. The rest played here until their name was deleted.
    """
    found = {pk for pk, user in actors.items() if has_right(user, ORGANIZE) or user.username == user.former_name}
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


def _say(context: LogContext, facts: Facts, texts: Mapping[str, Any], key: Any, number: Any = 0, **words: Any) -> str:
    """Return the sentence for a key, by default that for `other`, with the words of the facts and more `words`."""
    return said(texts.get(key) or texts["other"], {**context.words(facts), "number": number, **words}, number)


def _plain(sentence: str, context: LogContext, facts: Facts) -> str:
    return said(sentence, context.words(facts))


for _kind, _said in SAID["plain"].items():
    PRESENTERS.presents(_kind)(partial(_plain, _said))


@PRESENTERS.presents(LogKind.STATE)
def _state(context: LogContext, facts: Facts) -> str:
    undone = SAID["states_undone"].get(facts.get("before")) if facts.get("undone") else None
    return gettext(undone) if undone else _say(context, facts, SAID["states"], facts.get("after"))


@PRESENTERS.presents(LogKind.ENTERED)
def _entered(context: LogContext, facts: Facts) -> str:
    number = len(facts.get("entries") or ())
    return _say(context, facts, SAID["entered"], "several" if number else "other", number)


@PRESENTERS.presents(LogKind.ENTRY)
def _entry(context: LogContext, facts: Facts) -> str:
    if isinstance(facts.get("changed"), list):
        return _say(context, facts, SAID["entry"], "other", fields=_fields(facts))
    if "taken_over" in facts:
        return _say(context, facts, SAID["entry"], "taken_over" if facts["taken_over"] else "declined")
    if "team" in facts:
        return _say(context, facts, SAID["entry"], "team" if facts["team"] else "no_team", team=facts["team"])
    moves = SAID["moves"].get(facts.get("after"), SAID["moves"]["other"])
    moves = {**moves, **SAID["moves_undone"]} if facts.get("undone") else moves
    several = {"player": context.several(facts["entries"])} if facts.get("entries") else {}
    return _say(context, facts, moves, facts.get("before"), **several)


@PRESENTERS.presents(LogKind.DRAFTED)
def _drafted(context: LogContext, facts: Facts) -> str:
    players = context.several(facts.get("entries"))
    return _say(context, facts, SAID["drawn_again"], facts.get("because"), players=players)


@PRESENTERS.presents(LogKind.PAIRED)
def _paired(context: LogContext, facts: Facts) -> tuple[str, ...]:
    words, act = {"players": context.several(facts.get("entries"))}, facts.get("act")
    if act == "fixed":
        table = facts.get("after")
        return (_say(context, facts, SAID["paired"], "free" if table is None else "fixed", table=table),)
    details = _was_and_is(context, facts)
    if act not in SAID["paired"]:
        act = next((each for each in ("lost", "discarded", "withdrawn") if facts.get(each)), "other")
        details = details if act == "other" else []
    if act == "lost":
        details = [gettext("Lost: %(games)s") % {"games": "; ".join(_game(context, game) for game in facts["lost"])}]
    return _say(context, facts, SAID["paired"], act, **words), *details


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
    text = gettext("The pairings of %(round)s were published.") % context.words(facts)
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
    players = _players_of(context, facts)
    text = _say(context, facts, SAID["corrected"], "players" if players else "other", players=players)
    return text, *_results(context, facts)


@PRESENTERS.presents(LogKind.DECIDED)
def _decided(context: LogContext, facts: Facts) -> tuple[str, ...]:
    if left := facts.get("left"):
        stays = context.several(set(facts.get("players", ())) - {left})
        return (_say(context, facts, SAID["decided"], "left", player=stays, left=context.player(left)),)
    players = _players_of(context, facts)
    text = _say(context, facts, SAID["decided"], "players" if players else "other", players=players)
    return text, *_results(context, facts)


@PRESENTERS.presents(LogKind.DISPUTED)
def _disputed(context: LogContext, facts: Facts) -> str:
    key = "withdrawn" if facts.get("withdrawn") else "player" if facts.get("entry") else "other"
    return _say(context, facts, SAID["disputed"], key)


@PRESENTERS.presents(LogKind.UNDONE)
def _undone(context: LogContext, facts: Facts) -> tuple[str, ...]:
    text = _say(context, facts, SAID["undone"], facts.get("act"), players=_players_of(context, facts))
    details = _results(context, facts)
    if facts.get("draft"):
        details.append(gettext("The draft of %(round)s was deleted.") % context.words({"round": facts["draft"]}))
    return text, *details


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
        "winner": context.player(result.get("winner")), "how": ENDING_NAMES[Ending(result["how"])],
        "points": f"{points[0]}:{points[1]}", "tokens": f"{tokens[0]}:{tokens[1]}",
    }  # fmt: skip
    undecided = gettext("Neither player appeared.") if result["how"] == Ending.NO_SHOW else gettext("Draw (%(how)s).")
    text = gettext("%(winner)s won (%(how)s).") if result.get("winner") else undecided
    figures = gettext("Points defeated %(points)s, victory tokens %(tokens)s.") if any((*points, *tokens)) else ""
    return f"{text} {figures}".strip() % words


@PRESENTERS.presents(LogKind.CUT)
def _cut(context: LogContext, facts: Facts) -> tuple[str, ...]:
    seeds = facts.get("seeds") or ()
    text = _say(context, facts, SAID["cut"], "other", len(seeds))
    names = ", ".join(f"{place}. {context.player(number)}" for place, number in enumerate(seeds, start=1))
    details = [names] if names else []
    if facts.get("cut"):
        before, after = facts["cut"]
        details.append(_say(context, facts, SAID["cut"], "smaller", before=before, after=after))
    return text, *details


@PRESENTERS.presents(LogKind.SETTINGS)
def _settings(context: LogContext, facts: Facts) -> str:
    if "league" in facts:
        key = "league" if facts["league"] else "no_league"
        return _say(context, facts, SAID["settings"], key, league=facts["league"])
    names = _fields(facts)
    return _say(context, facts, SAID["settings"], "names" if names else "other", names=names)


def _fields(facts: Facts) -> str:
    """Return the fields of an event or of a player that were changed, in words."""
    said_as = SAID["fields"]
    names = [each for each in facts.get("changed") or () if isinstance(each, str)]
    return ", ".join(gettext(said_as[each]) if each in said_as else each.replace("_", " ") for each in names)


@PRESENTERS.presents(LogKind.LIST)
def _list(context: LogContext, facts: Facts) -> str:
    return _say(context, facts, SAID["lists"], facts.get("act") or facts.get("what"), facts.get("number") or 0)


@PRESENTERS.presents(LogKind.CLOCK)
def _clock(context: LogContext, facts: Facts) -> str:
    minutes = facts.get("after", 0)
    if not facts.get("table"):
        return _say(context, facts, SAID["clock"], "reset" if facts.get("reset") else "other")
    key = "secret" if context.clock_is_secret else "extended" if minutes else "removed"
    return _say(context, facts, SAID["clock"], key, minutes)


@PRESENTERS.presents(LogKind.RULED)
def _ruled(context: LogContext, facts: Facts) -> str:
    judges, key = judge_words(context.event.rule_set), "overruled" if facts.get("overruled") else "upheld"
    if not facts.get("appeal") and facts.get("overruled") is None:
        key = "other"
    return _say(context, facts, SAID["ruled"], key, judge=judges["one"], head=judges["head"])


@PRESENTERS.presents(LogKind.OVERRIDE)
def _override(context: LogContext, facts: Facts) -> str:
    player = context.player(facts["entry"]) if facts.get("entry") else context.several(facts.get("entries"))
    key = "other" if not facts.get("rule") else "for_player" if player else "of_rule"
    key = "new_seed" if facts.get("new_seed") else key
    return _say(context, facts, SAID["override"], key, rule=facts.get("rule"), player=player)


@PRESENTERS.presents(LogKind.FORGOTTEN)
def _forgotten(context: LogContext, facts: Facts) -> str:
    return _say(context, facts, SAID["forgotten"], "other", facts.get("entry", "?"))
