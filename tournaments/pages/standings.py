"""Standings as pages show them, the chances before the cut, how figures came about, and statistics (E33–E38)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from hashlib import blake2b
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q, Sum
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from rules.tournaments.explain import Explanation, Kind, RoundFigures, explain, ratio
from rules.tournaments.results import bye_score, scores
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing, figures_compared, standings, tied_groups
from rules.tournaments.what_if import Chance, Contender, Outlook, Remaining, chances, sentence
from tournaments.models import Entry, Event, Game, Round, SubmittedList
from tournaments.queries.history import History, history_of, played_round
from tournaments.queries.results import ENDING_NAMES, PlayerRecord

#: Seconds for which a table is cached at most.
CACHED = 3600
#: Decimals of a figure.
DECIMALS = 3
#: States that the standings name; all others play.
SHOWN_STATES = (Entry.State.DROPPED, Entry.State.CUT, Entry.State.EJECTED)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the standings: its name, a short one, and whether it is the player's own margin, which can be
    provisional (E32).
    """

    label: str
    short: str
    is_margin: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure: as text, with an asterisk if it is provisional (E32), and as a fraction if the text is rounded. `label`
    is the short name of its column.
    """

    text: str
    exact: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
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
        """What each group of players with equal points needs for the cut, and their names, best first; empty if no
        chances are known.
        """
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
    """Return the standings after a closed Swiss round, by default the last one. With the last one before the cut they
    tell each player's chance.
    """
    closed = [each for each in history.of_stage(Round.Stage.SWISS) if each.state == Round.State.CLOSED]
    rounds, ordered = ordered_after(history, after)
    is_latest = len(rounds) == len(closed)
    event, rules = history.event, history.event.rules
    columns = columns_of(event)
    known = outlooks(history, ordered) if is_latest else {}
    tied = {player for group in tied_groups(rules, ordered) if len(group) > 1 for player in group}
    places = history.published.places() if is_latest else {}
    reached = {player: place.replace("-", "–") for player, place in places.items()}
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
        Outlook.IN_OWN_HANDS: gettext("in own hands"),
        Outlook.POSSIBLE: gettext("possible"),
        Outlook.OUT: gettext("out of reach"),
    }[outlook]


def explanation_of(history: History, entry: Entry, after: int | None = None) -> Explanation | None:
    """Return how the figures of an entry after a closed round came about, None if it has none (E37)."""
    if entry.ticket is None:
        return None
    rounds, ordered = ordered_after(history, after)
    return explain(history.event.rules, history.tickets, rounds, entry.key, ordered)


def _row(
    history: History, columns: Sequence[Column], standing: Standing, chance: Chance | None, place: str, *, tied: bool
) -> Row:
    entry = history.entries[standing.player]
    figures = figures_compared(history.event.rules, standing)
    return Row(
        rank=standing.rank, number=entry.number, name=entry.name, points=standing.points, tied=tied, place=place,
        state=entry.state if entry.state in SHOWN_STATES else "",
        state_label=str(entry.get_state_display()) if entry.state in SHOWN_STATES else "",
        cells=tuple(
            _cell(figure, column.short, provisional=column.is_margin and standing.provisional)
            for column, figure in zip(columns, figures, strict=True)
        ),
        outlook=chance.outlook if chance else "", outlook_label=outlook_label(chance.outlook) if chance else "",
        chance=sentence(chance) if chance else "",
    )  # fmt: skip


def _cell(figure: Fraction | int, label: str, *, provisional: bool) -> Cell:
    is_whole = isinstance(figure, int)
    return Cell(decimals(figure) + ("*" if provisional else ""), "" if is_whole else str(figure), label)


def _last_to_advance(history: History, ordered: Sequence[Standing]) -> int:
    """Return the rank of the last active player who would advance now (E38), 0 if all would."""
    active = set(history.active)
    ranks = [each.rank for each in ordered if each.player in active]
    return ranks[history.event.cut - 1] if len(ranks) > history.event.cut else 0


# --- The figures of a player, explained -----------------------------------------------------------------------------


def figures_context(history: History, explanation: Explanation) -> dict[str, Any]:
    """Return what the template of a player's figures takes: the sections in the order in which they are compared."""
    is_conquest = history.event.rule_set == RuleSet.GALACTIC_CONQUEST
    sections = [_points_section(history, explanation)]
    if is_conquest:
        sections += [
            _strength_section(history, explanation), _defeated_section(history, explanation),
            _tokens_section(history, explanation),
        ]  # fmt: skip
    else:
        sections += [
            _margin_section(history, explanation), _extended_margin_section(history, explanation),
            _strength_section(history, explanation), _extended_strength_section(history, explanation),
        ]  # fmt: skip
    rounds = [each.number for each in history.of_stage(Round.Stage.SWISS) if each.state == Round.State.CLOSED]
    return {
        "sections": sections, "standing": explanation.standing, "rounds": rounds, "after": len(explanation.rounds),
        "ticket": _with_ticket(history).index(explanation.standing.ticket) + 1, "tickets": len(_with_ticket(history)),
    }  # fmt: skip


def _section(slug: str, label: str, value: Fraction | int, about: str, **more: Any) -> dict[str, Any]:
    is_whole = isinstance(value, int)
    return {"slug": slug, "label": label, "value": Cell(decimals(value), "" if is_whole else str(value)),
            "about": about, **more}  # fmt: skip


def _points_section(history: History, explanation: Explanation) -> dict[str, Any]:
    rules = history.event.rules
    if rules.has_draws:
        label, about = _("Event points"), _("A win is worth 3, a draw 1, a loss 0. A bye is a win.")
    else:
        label, about = _("Tournament points"), _("A win is worth 1, a loss 0. A bye is a win.")
    lines = _round_lines(history, explanation, lambda each: str(each.points))
    return _section("points", label, explanation.standing.points, about, rule="E29", lines=lines)


def _defeated_section(history: History, explanation: Explanation) -> dict[str, Any]:
    about = _("The points of all completely destroyed enemy units. A bye and a no-show are worth %(points)s.")
    return _section(
        "defeated", _("Points defeated"), explanation.standing.points_defeated,
        about % {"points": history.event.awarded_points}, rule="E33",
        lines=_round_lines(history, explanation, lambda each: str(each.defeated)),
    )  # fmt: skip


def _tokens_section(history: History, explanation: Explanation) -> dict[str, Any]:
    return _section(
        "tokens", _("Victory tokens"), explanation.standing.tokens, _("All victory tokens of all games."), rule="E33",
        lines=_round_lines(history, explanation, lambda each: str(each.tokens)),
    )  # fmt: skip


def _strength_section(history: History, explanation: Explanation) -> dict[str, Any]:
    def worth(opponent: Standing) -> str:
        rounds = ngettext("%(number)s round", "%(number)s rounds", opponent.rounds) % {"number": opponent.rounds}
        points = ngettext("%(number)s point", "%(number)s points", opponent.points) % {"number": opponent.points}
        return f"{points} ÷ {rounds} = {_both(ratio(opponent))}"

    about = _(
        "The mean of what your opponents earn: each opponent’s points divided by the rounds they have played. Their "
        "byes and missed rounds count as rounds. Your own byes and missed rounds do not count as opponents."
    )
    if history.event.bye_is_opponent:
        about = _(
            "The mean of what your opponents earn: each opponent’s points divided by the rounds they have played. In "
            "this event a bye counts as an opponent with 0."
        )
    values = [ratio(each) for each in explanation.opponents]
    return _section(
        "sos", _("Strength of schedule"), explanation.standing.strength_of_schedule, about, rule="E35",
        lines=_opponent_lines(history, explanation, worth), sum=_mean_words(values, explanation.byes),
    )  # fmt: skip


def _margin_section(history: History, explanation: Explanation) -> dict[str, Any]:
    def value(each: RoundFigures) -> str:
        if each.kind in (Kind.GAME, Kind.BYE):
            return _("mean: %(margin)s") % {"margin": _both(each.margin)} if each.margin_is_mean else _both(each.margin)
        return "0"

    about = _(
        "The mean of your margins of victory over all rounds of the tournament: your victory points divided by those "
        "of both players. Defeating all enemy units is worth 1, a missed round 0."
    )
    if explanation.has_mean_margins:
        about += " " + _(
            "Rounds marked “mean” have no margin of their own (a bye, or an opponent who conceded or did not play). "
            "They count with the mean of your other games, %(margin)s."
        ) % {"margin": _both(explanation.mean_margin)}
    if explanation.standing.provisional:
        about += " " + _("You have no other game yet, so 1/2 is provisional.")
    rounds = len(explanation.rounds)
    words = f"{explanation.margin_total!s} ÷ {rounds} = {_both(explanation.standing.average_margin)}"
    return _section(
        "mov", _("Average margin of victory"), explanation.standing.average_margin, about, rule="E36",
        lines=_round_lines(history, explanation, value), sum=words if rounds else "",
        provisional=explanation.standing.provisional,
    )  # fmt: skip


def _extended_margin_section(history: History, explanation: Explanation) -> dict[str, Any]:
    values = [each.average_margin for each in explanation.opponents]
    return _section(
        "ext-mov", _("Extended average margin of victory"), explanation.standing.extended_average_margin,
        _("The mean of your opponents’ average margins of victory."), rule="E36",
        lines=_opponent_lines(history, explanation, lambda each: _both(each.average_margin)), sum=_mean_words(values),
    )  # fmt: skip


def _extended_strength_section(history: History, explanation: Explanation) -> dict[str, Any]:
    values = [each.strength_of_schedule for each in explanation.opponents]
    return _section(
        "ext-sos", _("Extended strength of schedule"), explanation.standing.extended_strength_of_schedule,
        _("The mean of your opponents’ strengths of schedule."), rule="E36",
        lines=_opponent_lines(history, explanation, lambda each: _both(each.strength_of_schedule)),
        sum=_mean_words(values),
    )  # fmt: skip


def _round_lines(
    history: History, explanation: Explanation, value: Callable[[RoundFigures], str]
) -> list[dict[str, Any]]:
    return [
        {"round": each.number, "entry": history.entries.get(each.opponent), "note": _kind_words(explanation, each),
         "value": value(each)}
        for each in explanation.rounds
    ]  # fmt: skip


def _opponent_lines(
    history: History, explanation: Explanation, value: Callable[[Standing], str]
) -> list[dict[str, Any]]:
    met = [each for each in explanation.rounds if each.kind == Kind.GAME]
    return [
        {"round": each.number, "entry": history.entries[each.opponent], "note": _left_words(history, opponent),
         "value": value(opponent)}
        for each, opponent in zip(met, explanation.opponents, strict=True)
    ]  # fmt: skip


def _kind_words(explanation: Explanation, each: RoundFigures) -> str:
    if each.result:
        if not each.result.winner:
            return _("draw")
        return _("won") if each.result.winner != each.opponent else _("lost")
    return {
        Kind.BYE: _("Bye"),
        Kind.UNPAIRED_LOSS: _("Unpaired loss for a missed round"),
        Kind.MISSED: _("Not in the event"),
        Kind.OPEN: _("No result yet"),
    }.get(each.kind, "")


def _left_words(history: History, opponent: Standing) -> str:
    left = history.entries[opponent.player].state in (Entry.State.DROPPED, Entry.State.EJECTED)
    return _("has left the event") if left else ""


def _mean_words(values: Iterable[Fraction], zeros: int = 0) -> str:
    """Return a mean as a sum that a player can check: "(2 + 1/2) ÷ 2 = 5/4 = 1.250"."""
    terms = [*map(str, values), *["0"] * zeros]
    if not terms:
        return _("No opponents yet, so 0.")
    mean = sum(map(Fraction, terms), Fraction(0)) / len(terms)
    return f"({' + '.join(terms)}) ÷ {len(terms)} = {_both(mean)}"


def _both(figure: Fraction) -> str:
    """Return a figure as a fraction, and as a decimal if it is not whole: "7/6 = 1.167"."""
    return str(figure) if figure.denominator == 1 else f"{figure!s} = {decimals(figure)}"


def _with_ticket(history: History) -> list[int]:
    return sorted(entry.ticket for entry in history.entries.values() if entry.ticket is not None)


def decimals(figure: Fraction | int) -> str:
    """Return a figure with three decimals, rounded half up, in the format of the reader's language; whole numbers that
    can only be whole as they are.
    """
    if isinstance(figure, int):
        return str(figure)
    thousandths = (2 * abs(figure.numerator) * 10**DECIMALS + figure.denominator) // (2 * figure.denominator)
    whole, rest = divmod(thousandths, 10**DECIMALS)
    sign = "−" if figure < 0 else ""
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{DECIMALS}}"


# --- Statistics -----------------------------------------------------------------------------------------------------

COLOR_LABELS = {"blue": gettext_lazy("Blue player"), "red": gettext_lazy("Red player")}


@dataclass(frozen=True, slots=True)
class Bar:
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
            name=name,
            count=count,
            width=round(100 * count / most) if most else 0,
            note=(notes or {}).get(name, ""),
            label=str((labels or {}).get(name, name)),
        )
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]


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
