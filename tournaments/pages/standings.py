"""Standings as pages show them, the chances before the cut, and statistics (E33–E38)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from hashlib import blake2b
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q, Sum
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, gettext_lazy

from rules.core.values import KeywordValue, Value
from rules.tournaments.results import bye_score, scores
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing, figures_compared, standings, tied_groups
from rules.tournaments.what_if import Chance, Contender, Outlook, Remaining, chances, sentence
from tournaments.models import Event, Game, Round, SubmittedList
from tournaments.models.entry import LEFT
from tournaments.queries.history import History, history_of, played_round
from tournaments.queries.results import ENDING_NAMES, PlayerRecord

#: Seconds for which a table is cached at most.
CACHED = 3600
DECIMALS = 3


class Column(Value):
    """A column of the standings: its name, a short one, and whether it is the own margin, maybe provisional (E32)."""

    label: str
    short: str
    is_margin: bool = False


class Cell(Value):
    """A figure: as text, with an asterisk if it is provisional (E32), and as a fraction if the text is rounded. `label`
    is the short name of its column.
    """

    text: str
    exact: str = ""
    label: str = ""


class Row(KeywordValue):
    """A player in the standings. `cells` are in the order of the columns. `state` is empty while they play. `tied`:
    only the ticket separates them from a neighbor (E34). `outlook` and `chance` are those for the cut, `place` is that
    of the bracket (E39).
    """

    rank: int
    number: int
    name: str
    points: int
    state: str
    state_label: str
    cells: tuple[Cell, ...]
    tied: bool
    outlook: str = ""
    outlook_label: str = ""
    chance: str = ""
    place: str = ""

    @property
    def marks(self) -> list[tuple[str, str]]:
        """What stands behind the name, each with the name of its style: the place of the bracket, else that the player
        no longer plays; the chance for the cut if it is more or less than possible; a tie.
        """
        marks = []
        if self.place:
            marks.append(("place", gettext("Place %(place)s") % {"place": self.place}))
        elif self.state:
            marks.append((self.state, self.state_label))
        if self.outlook not in ("", Outlook.POSSIBLE):
            marks.append((self.outlook, self.outlook_label))
        if self.tied:
            marks.append(("tied", gettext("by lot")))
        return marks


class StandingsTable(KeywordValue):
    """The standings after `after` rounds. `rounds` are all that may be chosen, `cut_after` is the number of the row
    below which the cut is, 0 if there is none to show.
    """

    after: int
    rounds: tuple[int, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    cut_after: int
    provisional: bool

    @property
    def needs(self) -> list[dict[str, Any]]:
        """What each group with equal points needs for the cut, with its names, best first; empty without chances."""
        groups: dict[tuple[int, str, str], list[str]] = {}
        for row in self.rows:
            if row.chance:
                groups.setdefault((row.points, row.outlook, row.chance), []).append(row.name)
        return [
            {"points": points, "outlook": outlook, "sentence": needed, "names": names}
            for (points, outlook, needed), names in groups.items()
        ]


def columns_of(event: Event) -> tuple[Column, ...]:
    """Return the columns of an event, in the order in which they are compared (E33)."""
    strength = Column(gettext("Strength of schedule"), gettext("SoS"))
    if event.rule_set == RuleSet.GALACTIC_CONQUEST:
        return (
            Column(gettext("Event points"), gettext("Points")),
            strength,
            Column(gettext("Points defeated"), gettext("Defeated")),
            Column(gettext("Victory tokens"), gettext("Tokens")),
        )
    return (
        Column(gettext("Tournament points"), gettext("Points")),
        Column(gettext("Average margin of victory"), gettext("MOV"), is_margin=True),
        Column(gettext("Extended average margin of victory"), gettext("Ext. MOV")),
        strength,
        Column(gettext("Extended strength of schedule"), gettext("Ext. SoS")),
    )


def ordered_after(history: History, after: int | None = None) -> tuple[list[PlayedRound], tuple[Standing, ...]]:
    """Return the closed Swiss rounds up to the round `after`, by default all, and the standings after them."""
    rounds = history.swiss()
    if after is not None:
        rounds = rounds[:after]
    return rounds, standings(history.event.rules, history.tickets, rounds)


def standings_of(event: Event, after: int | None = None) -> StandingsTable:
    """Return `standings_table` for an event as it stands, from the cache if nothing in it has changed since."""
    key = _cache_key(event, after)
    table: StandingsTable | None = cache.get(key)
    if table is None:
        table = standings_table(history_of(event), after)
        cache.set(key, table, CACHED)
    return table


def _cache_key(event: Event, after: int | None) -> str:
    """Return a key that changes with all that a table of standings is made of: the event and its players, its rounds,
    and the results in them. Those of a round under way count only for the chances to make a cut.
    """
    counting = Q(state=Round.State.CLOSED) | (Q(state=Round.State.PUBLISHED) if event.cut else Q(stage="bracket"))
    rounds = event.round_set.order_by("number").annotate(
        size=Count("games", filter=counting), changes=Sum("games__version", filter=counting),
        confirmed=Count("games", filter=counting & Q(games__state=Game.State.CONFIRMED)),
        losses=Count("unpaired_losses", distinct=True), last_loss=Max("unpaired_losses"),
    )  # fmt: skip
    facts = [
        _SHAPE, str(event.pk), after, get_language(), event.rules, event.state, event.rounds, event.cut,
        list(rounds.values_list("number", "stage", "state", "size", "changes", "confirmed", "losses", "last_loss")),
        list(event.entries.order_by("number").values_list("number", "name", "state", "ticket")),
    ]  # fmt: skip
    return f"standings:{blake2b(repr(facts).encode(), digest_size=24).hexdigest()}"


#: The shape of what is cached: another version of Musterbook does not read what it does not know.
_SHAPE = [field.name for each in (StandingsTable, Row, Cell, Column) for field in fields(each)]


def standings_table(history: History, after: int | None = None) -> StandingsTable:
    """Return the standings after a closed Swiss round, by default the last, with each player's chance for the cut."""
    closed = [each for each in history.of_stage(Round.Stage.SWISS) if each.state == Round.State.CLOSED]
    rounds, ordered = ordered_after(history, after)
    is_latest = len(rounds) == len(closed)
    event, rules = history.event, history.event.rules
    columns, remain = columns_of(event), history.has_rounds_after(len(rounds))
    known = outlooks(history, ordered) if is_latest else {}
    tied = {player for group in tied_groups(rules, ordered) if len(group) > 1 for player in group}
    places = history.published.places() if is_latest else {}
    reached = {player: place.replace("-", "–") for player, place in places.items()}
    ordered = tuple(replace(each, provisional=each.provisional and remain) for each in ordered)
    rows = tuple(
        _row(history, columns, each, known.get(each.player), reached.get(each.player, ""), tied=each.player in tied)
        for each in ordered
    )
    shows_cut = is_latest and event.cut and not history.of_stage(Round.Stage.BRACKET)
    return StandingsTable(
        after=len(rounds), rounds=tuple(each.number for each in closed), columns=columns, rows=rows,
        cut_after=_last_to_advance(history, ordered) if shows_cut else 0,
        provisional=any(column.is_margin for column in columns) and any(each.provisional for each in ordered),
    )  # fmt: skip


def outlooks(history: History, ordered: Sequence[Standing]) -> dict[str, Chance]:
    """Return each active player's chance for the cut, by the last standings and the games of the round under way. There
    is none without a cut, before the first round is closed, once all Swiss rounds are closed, or if fewer play than
    advance.
    """
    event, rules = history.event, history.event.rules
    active = set(history.active)
    swiss = history.of_stage(Round.Stage.SWISS)
    closed = sum(each.state == Round.State.CLOSED for each in swiss)
    if not event.cut or not closed or closed >= event.rounds or history.of_stage(Round.Stage.BRACKET):
        return {}
    current = next((each for each in swiss if each.state == Round.State.PUBLISHED), None)
    played = played_round(current) if current else PlayedRound()
    gained: dict[str, int] = dict.fromkeys(played.byes, bye_score(rules).points)
    for game in played.games:
        if game.result:
            for player, score in zip(game.players, scores(rules, game.players, game.result), strict=True):
                gained[player] = score.points
    open_games = [game.players for game in played.games if not game.result]
    waiting = {player for pair in open_games for player in pair}
    later = event.rounds - closed - (1 if current else 0)
    contenders = [
        Contender(each.player, each.points + gained.get(each.player, 0), later + (each.player in waiting))
        for each in ordered
        if each.player in active
    ]
    return chances(rules, Remaining(contenders, open_games, later), event.cut)


def outlook_label(outlook: Outlook) -> str:
    """Return a chance in a word."""
    return {
        Outlook.CLINCHED: gettext("certain"),
        Outlook.IN_OWN_HANDS: gettext("certain if they win"),
        Outlook.POSSIBLE: gettext("possible"),
        Outlook.OUT: gettext("out of reach"),
    }[outlook]


def _row(
    history: History, columns: Sequence[Column], standing: Standing, chance: Chance | None, place: str, *, tied: bool
) -> Row:
    entry = history.entries[standing.player]
    figures = figures_compared(history.event.rules, standing)
    return Row(
        rank=standing.rank, number=entry.number, name=entry.name, points=standing.points, tied=tied, place=place,
        state=entry.state if entry.state in LEFT else "",
        state_label=entry.state_words if entry.state in LEFT else "",
        cells=tuple(
            cell_of(figure, column.short, provisional=column.is_margin and standing.provisional)
            for column, figure in zip(columns, figures, strict=True)
        ),
        outlook=chance.outlook if chance else "", outlook_label=outlook_label(chance.outlook) if chance else "",
        chance=sentence(chance) if chance else "",
    )  # fmt: skip


def cell_of(figure: Fraction | int, label: str = "", *, provisional: bool = False) -> Cell:
    """Return a figure as text and, unless it is an integer, as a fraction."""
    exact = "" if isinstance(figure, int) else str(figure)
    return Cell(decimals(figure) + ("*" if provisional else ""), exact, label)


def _last_to_advance(history: History, ordered: Sequence[Standing]) -> int:
    """Return the rank of the last active player who would advance now (E38), 0 if all would."""
    active = set(history.active)
    ranks = [each.rank for each in ordered if each.player in active]
    return ranks[history.event.cut - 1] if len(ranks) > history.event.cut else 0


def decimals(figure: Fraction | int) -> str:
    """Return a figure with three decimals, rounded half up, in the reader's format; integers as they are."""
    if isinstance(figure, int):
        return str(figure)
    thousandths = (2 * abs(figure.numerator) * 10**DECIMALS + figure.denominator) // (2 * figure.denominator)
    whole, rest = divmod(thousandths, 10**DECIMALS)
    sign = "−" if figure < 0 else ""
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{DECIMALS}}"


# --- Statistics -----------------------------------------------------------------------------------------------------

COLOR_LABELS = {"blue": gettext_lazy("Blue player"), "red": gettext_lazy("Red player")}


class Bar(Value):
    """A bar of a chart: what it counts, how often, its width in per cent of the longest bar, a note, and its label."""

    name: str
    count: int
    width: int
    note: str = ""
    label: str = ""


def statistics_of(
    history: History, records: Iterable[PlayerRecord], lists: Mapping[int, SubmittedList]
) -> dict[str, Any]:
    """Return what was counted in the confirmed games of an event, without further queries. `lists` are those with a
    public faction, by entry; `colors` are the wins of blue and red.
    """
    games = [
        game
        for each in history.rounds
        for game in each.games.all()
        if game.second_id and game.state == Game.State.CONFIRMED
    ]
    records = list(records)
    blue = sum(bool(game.blue_id) and game.winner_id == game.blue_id for game in games)
    red = sum(bool(game.blue_id) and game.winner_id not in (None, game.blue_id) for game in games)
    return {
        "players": len(records),
        "games": len(games),
        "points_defeated": sum(game.first_points + game.second_points for game in games),
        "factions": _factions(records, lists),
        "missions": bars(Counter(game.mission for game in games if game.mission)),
        "endings": bars(Counter(game.how for game in games if game.how), labels=ENDING_NAMES),
        "colors": bars({"blue": blue, "red": red}, labels=COLOR_LABELS) if blue or red else [],
    }


def bars(
    counts: Mapping[str, int], *, notes: Mapping[str, str] | None = None, labels: Mapping[str, Any] | None = None
) -> list[Bar]:
    """Return bars, the longest first."""
    most = max(counts.values(), default=0)
    return [
        Bar(
            name, count, width=round(100 * count / most) if most else 0, note=(notes or {}).get(name, ""),
            label=str((labels or {}).get(name, name)),
        )
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]  # fmt: skip


def _factions(records: Iterable[PlayerRecord], lists: Mapping[int, SubmittedList]) -> list[Bar]:
    """Return the players of each faction, with games won and lost as the note."""
    players: Counter[str] = Counter()
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for record in records:
        submitted = lists.get(record.entry.pk)
        if submitted and submitted.faction:
            players[submitted.faction] += 1
            won[submitted.faction] += sum(line.outcome == "won" for line in record.lines)
            lost[submitted.faction] += sum(line.outcome == "lost" for line in record.lines)
    return bars(players, notes={faction: f"{won[faction]}–{lost[faction]}" for faction in players})
