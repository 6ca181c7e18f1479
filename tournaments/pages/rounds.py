"""The rounds of an event as pages show them: pairings by table and by name, and a draft before it is published."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext, ngettext

from core.names import folded, is_named, name_order
from core.sentences import said
from members.models import Role
from rules.core.translation import sentences_of
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation
from rules.tournaments.results import GIVEN_UP, Ending
from rules.tournaments.rounds import PlayedRound, byes
from rules.tournaments.tables import tables_of_players
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Round
from tournaments.pages.log import LogContext, Sentence, sentence_of
from tournaments.pages.results import Side, side_of
from tournaments.queries import rounds as queries
from tournaments.queries.army_lists import list_gaps
from tournaments.queries.events import few_players_warning, plan_for
from tournaments.queries.history import History, history_of
from tournaments.queries.leaders import roles_of
from tournaments.queries.results import ENDING_NAMES
from tournaments.roles import role_word
from tournaments.services.pairing import draw_pairing

#: Games that a draft shows at once, and how many a fold has in a larger one.
FEW, A_FOLD = 24, 25
#: Endings that the pairings name.
NOTED = (*GIVEN_UP, Ending.TIME, Ending.ALL_DEFEATED, Ending.BOTH_DEFEATED)
SAID = sentences_of(__file__)

# --- Pairings ---------------------------------------------------------------------------------------------------------


class RoundLink(Value):
    """A round that the reader may open. `version` changes with its results."""

    number: int
    name: str
    state: str
    is_bracket: bool
    version: str
    has_started: bool


class PairingLine(KeywordValue):
    """A game of the round, or the bye of its only side. `table` is 0 for a bye. `note` says how it stands or ended."""

    place: int
    table: int
    sides: tuple[Side, ...]
    state: str
    note: str

    @property
    def is_bye(self) -> bool:
        """Whether it is a bye."""
        return len(self.sides) < 2

    def has(self, number: int) -> bool:
        """Return whether the player with this number is in it."""
        return any(side.number == number for side in self.sides)


class NameLine(Value):
    """A player and where they play; `opponent` is None for a bye."""

    side: Side
    table: int
    opponent: Side | None


class RoundPairings(Value):
    """The pairings of a round. `missed` are players with an unpaired loss (E21, E25)."""

    games: tuple[PairingLine, ...]
    missed: tuple[Side, ...]

    @property
    def playing(self) -> list[PairingLine]:
        """The games of two players, by table."""
        return sorted((game for game in self.games if not game.is_bye), key=lambda game: (game.table, game.place))

    @property
    def byes(self) -> list[Side]:
        """The players with a bye."""
        return [game.sides[0] for game in self.games if game.is_bye]

    @property
    def missing(self) -> int:
        """How many results are not confirmed."""
        return sum(game.state != Game.State.CONFIRMED for game in self.games if not game.is_bye)

    def by_name(self) -> list[NameLine]:
        """Return a line for each player, by name."""
        lines = [
            NameLine(side, game.table, next((each for each in game.sides if each != side), None))
            for game in self.games
            for side in game.sides
        ]
        return sorted(lines, key=lambda line: (name_order(line.side.name), line.side.number))

    def matching(self, wanted: str) -> "RoundPairings":
        """Return only the games and players with `wanted` in a name, or with that table if it is a number."""
        return RoundPairings(
            tuple(game for game in self.games if fits(wanted, game.sides, game.table)),
            tuple(side for side in self.missed if fits(wanted, (side,), 0)),
        )


def fits(wanted: str, sides: Sequence[Side | Entry], table: int) -> bool:
    """Return whether `wanted` is in a name or, if it is a number, the table."""
    if wanted.strip().isdecimal():
        return str(table) == wanted.strip()
    return any(is_named(wanted, side.name) for side in sides)


def rounds_of(event: Event, *, with_drafts: bool) -> list[RoundLink]:
    """Return the rounds of an event in their order, in one query. Drafts are for leaders (E24)."""
    rounds = event.round_set.order_by("number").annotate(
        size=Count("games"),
        changes=Sum("games__version"),
        done=Count("games", filter=Q(games__state=Game.State.CONFIRMED)),
        reported=Count("games", filter=Q(games__state=Game.State.REPORTED)),
    )
    if not with_drafts:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return [
        RoundLink(
            each.number, queries.round_name(each, each.size), each.state, each.stage == Round.Stage.BRACKET,
            f"{each.number}-{each.state}-{each.size}-{each.changes or 0}-{each.done}-{each.reported}",
            each.started_at is not None,
        )
        for each in rounds
    ]  # fmt: skip


def pairings_of(event: Event, number: int) -> RoundPairings:
    """Return the pairings of a round, in two queries."""
    rows = Game.objects.filter(round__event=event, round__number=number).select_related("first", "second")
    games = tuple(_pairing(event, game) for game in rows.order_by("place") if game.first)
    losses = Entry.objects.filter(unpaired_losses__round__event=event, unpaired_losses__round__number=number)
    missed = tuple(Side(number=entry.number, name=entry.name) for entry in losses.order_by("number"))
    return RoundPairings(games, missed)


def _pairing(event: Event, game: Game) -> PairingLine:
    confirmed = game.state == Game.State.CONFIRMED and game.second is not None
    sides = tuple(
        side_of(game, entry, event.rules, has_result=confirmed) for entry in (game.first, game.second) if entry
    )
    return PairingLine(place=game.place, table=game.table, sides=sides, state=game.state, note=_note(game, confirmed))


def _note(game: Game, confirmed: bool) -> str:
    if game.state == Game.State.REPORTED:
        return gettext("Reported, not confirmed yet")
    if game.state == Game.State.DISPUTED:
        return gettext("Disputed: not decided yet")
    if not confirmed:
        return ""
    if not game.winner_id and game.roll_id:
        return gettext("Draw, decided by the priority roll")
    if not game.winner_id and game.how != Ending.NO_SHOW:
        return gettext("Draw")
    return str(ENDING_NAMES[Ending(game.how)]) if game.how in NOTED else ""


# --- Drafts -----------------------------------------------------------------------------------------------------------


class DraftGame(Value):
    """A game of a draft, with the event points of its players and whether something is wrong with it."""

    game: Game
    points: tuple[int, int]
    is_rematch: bool = False
    repeats_table: bool = False
    one_club: bool = False
    one_team: bool = False
    by_hand: bool = False
    leaders: tuple[Entry, ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether to look at it before the others."""
        return self.is_rematch or self.repeats_table or self.one_club or self.one_team or self.by_hand


class DraftPage(KeywordValue):
    """The pairings of a round. Changes carry its `version`; `changed`: "by hand", or only by "late" entries, since
    the app drew them; `is_outdated`: from results that were corrected since. `story` is what happened to them, the last
    thing first.
    """

    event: Event
    round: Round
    games: tuple[DraftGame, ...]
    byes: tuple[Entry, ...]
    warnings: tuple[Violation, ...]
    offer: dict[str, Any] | None
    version: str
    is_changeable: bool
    changed: str
    is_outdated: bool
    story: tuple[Sentence, ...]

    @property
    def is_draft(self) -> bool:
        """Whether nobody but the leaders sees it yet."""
        return self.round.state == Round.State.DRAFT

    @property
    def is_swiss(self) -> bool:
        """Whether players can be swapped; the seeds decide in a bracket (E39)."""
        return self.round.stage == Round.Stage.SWISS

    @property
    def name(self) -> str:
        """What the round is called."""
        return queries.round_name(self.round, len(self.games) + len(self.byes))

    def folds(self, chosen: Sequence[DraftGame]) -> list[tuple[str, list[DraftGame]]]:
        """Return the games in titled groups. A large draft starts with an untitled group of marked and chosen games."""
        shown = {row.game.place for row in self.games if len(self.games) <= FEW or row.is_marked or row in chosen}
        rest = [row for row in self.games if row.game.place not in shown]
        parts = [rest[start : start + A_FOLD] for start in range(0, len(rest), A_FOLD)]
        titled = [(gettext("From table %(table)s") % {"table": part[0].game.table}, part) for part in parts]
        return [("", [row for row in self.games if row.game.place in shown]), *titled]


def draft_of(event: Event, number: int) -> DraftPage | None:
    """Return the pairings of round `number` with their warnings, in a dozen queries; None if there is none."""
    history = history_of(event)
    found = next((each for each in history.rounds if each.number == number), None)
    if found is None:
        return None
    before = History(event, history.entries, [each for each in history.rounds if each.number < number])
    games = sorted(found.games.all(), key=lambda game: game.place)
    played = before.swiss()
    points = {standing.player: standing.points for standing in before.standings()}
    swiss = found.stage == Round.Stage.SWISS
    met = {game.pair: number for number, each in enumerate(played, start=1) for game in each.games} if swiss else {}
    seen = tables_of_players(played)
    clubs_count = event.clubs_apart and number == 1
    leading, teams = roles_of(event), history.teams if swiss else {}
    lines, names = queries.draft_lines(event, number), {entry.number: entry.name for entry in history.entries.values()}
    chosen = {each.players for each in queries.hand_choices(event, number, games) if each.reason}
    context = LogContext(event, names, {}, queries.columns_of(event))
    rows = [
        DraftGame(
            game,
            (points.get(game.pair[0].key, 0), points.get(game.pair[1].key, 0)),
            is_rematch=_key(game) in met,
            repeats_table=game.table > 0 and any(seen[entry.key, game.table] for entry in game.pair),
            one_club=clubs_count and _one_club(game),
            by_hand=frozenset(each.number for each in game.pair) in chosen,
            one_team=_key(game) <= teams.keys() and len({teams[key] for key in _key(game)}) == 1,
            leaders=tuple(entry for entry in game.pair if entry.user_id in leading),
        )
        for game in games
        if game.first and game.second
    ]
    rows.sort(key=lambda row: (row.game.table, row.game.place))
    alone = tuple(game.first for game in games if game.first and not game.second)
    acts = {line.facts.get("act") for line in queries.hand_changes(lines)} - {"tables"}
    changed = ("late" if acts == {"late"} else "by hand") if swiss and acts else ""
    changeable = queries.is_changeable(found, games)
    corrected = queries.corrections_since(event, found) if changeable and found.state == Round.State.PUBLISHED else []
    again = drawn_again(context, lines) if found.state == Round.State.DRAFT else []
    why = "" if changed else "bye" if alone else "all"
    warnings = [
        *outdated(names, corrected), *again, *_few_players(before, found),
        *_of_games(rows, met, why), *_second_bye(played, alone, swiss=swiss), *_tables(rows),
        *_leaders(event, rows), *_without_list(event, rows, alone),
    ]  # fmt: skip
    offer = None
    if swiss and alone and found.state == Round.State.DRAFT:
        offer = _offer(before, alone[0], (sum(row.one_team for row in rows), sum(row.is_rematch for row in rows)))
    return DraftPage(
        event=event, round=found, games=tuple(rows), byes=alone, warnings=tuple(warnings), offer=offer,
        version=queries.draft_version(games), is_changeable=changeable, changed=changed, is_outdated=bool(corrected),
        story=tuple(sentence_of(context, {}, line) for line in reversed(lines)),
    )  # fmt: skip


def _key(game: Game) -> frozenset[str]:
    return frozenset(entry.key for entry in game.pair)


def _one_club(game: Game) -> bool:
    one, other = (folded(entry.club) for entry in game.pair)
    return bool(one) and one == other


#: The rule for drawing a draft again, by the reason in the log.
AGAIN_BY = {"left": "E25", "came": "E21", "back": "E25", "result": "E31", "teams": "E17"}


def drawn_again(context: LogContext, lines: Sequence[LogLine]) -> list[Violation]:
    """Return why a draft was drawn again, and which choices by hand that has lost (E24). `lines` are its
    `draft_lines`.
    """
    drawn = next((place for place in reversed(range(len(lines))) if lines[place].kind == LogKind.DRAFTED), 0)
    return [
        Violation(_again_by(context, line.facts), " ".join((said.text, *said.details)))
        for line in reversed(lines[max(drawn - 1, 0) : drawn + 1])
        if line.facts.get("lost") or line.facts.get("because")
        for said in [sentence_of(context, {}, line)]
    ]


def _again_by(context: LogContext, facts: Mapping[str, Any]) -> str:
    """Return the rule for drawing a draft again. In a bracket players leave and return by rules of its own."""
    why, number = str(facts.get("because")), facts.get("round")
    if number in context.columns and number != 1 and why in ("left", "came"):
        return "E38" if number == min(context.columns) else "E41"
    return AGAIN_BY.get(why, "E24")


def outdated(names: Mapping[int, str], corrected: Iterable[LogLine]) -> list[Violation]:
    """Return that pairings come from results that were corrected since they were drawn (E17, E31)."""
    text = gettext(
        "Round %(round)s: the result of %(players)s was corrected after these pairings were drawn. They come from the "
        "old result, and stand once the clock has started."
    )
    games = dict.fromkeys((line.facts["round"], tuple(line.facts["after"]["players"])) for line in corrected)
    return [
        Violation("E31", text % {"round": number, "players": " – ".join(names.get(each, "?") for each in players)})
        for number, players in games
    ]


def _few_players(before: History, found: Round) -> list[Violation]:
    """Warn of a Swiss stage that is too long for its players (E16)."""
    if found.stage != Round.Stage.SWISS:
        return []
    event, active = before.event, len(before.active)
    warning = few_players_warning(active, event.rounds if event.frozen_players else plan_for(event, active).rounds)
    return [Violation("E16", warning)] if warning else []


def _of_games(rows: list[DraftGame], met: dict[frozenset[str], int], why: str) -> list[Violation]:
    """Warn of rematches, and of games of one club or of teammates (E17, E18, E24)."""
    found = []
    for kind, own in SAID.items():
        for game in (row.game for row in rows if getattr(row, kind)):
            one, other = game.pair
            words = {"one": one, "other": other, "club": one.club, "round": met.get(_key(game))}
            text = " ".join(said(own[name], words) for name in ("text", why) if name in own)
            found.append(Violation(own["rule"], text))
    return found


def _second_bye(played: list[PlayedRound], alone: tuple[Entry, ...], *, swiss: bool) -> list[Violation]:
    had = byes(played)
    return [
        Violation("E19", gettext("%(player)s has had a bye before.") % {"player": entry.name})
        for entry in alone
        if swiss and had[entry.key]
    ]


def _tables(rows: list[DraftGame]) -> list[Violation]:
    numbers = [str(row.game.table) for row in rows if row.repeats_table]
    text = ngettext(
        "A player has played at table %(tables)s before.", "Players have played at tables %(tables)s before.",
        len(numbers),
    )  # fmt: skip
    return [Violation("E22", text % {"tables": ", ".join(numbers)})] if numbers else []


def _leaders(event: Event, rows: list[DraftGame]) -> list[Violation]:
    """Say who rules on the games of leaders (E2)."""
    head, found = role_word(event.rule_set, Role.HEAD_JUDGE), []
    for row in rows:
        if len(row.leaders) == 2:
            one, other = row.leaders
            text = gettext("%(one)s and %(other)s both lead this event.") % {"one": one.name, "other": other.name}
            found.append(Violation("E2", f"{text} " + gettext("The %(head)s rules on their game.") % {"head": head}))
        elif row.leaders:
            player = row.leaders[0].name
            text = gettext("%(player)s leads this event. Another leader rules on this game.") % {"player": player}
            found.append(Violation("E2", text))
    return found


def _without_list(event: Event, rows: list[DraftGame], alone: tuple[Entry, ...]) -> list[Violation]:
    """Warn of players without an accepted army list, except those for whom the start was overridden (E8, E9)."""
    gaps = list_gaps(event, [*(entry for row in rows for entry in row.game.pair), *alone])
    overrides = event.log.filter(kind=LogKind.OVERRIDE, facts__rule__in=("E8", "E9")).values_list("facts", flat=True)
    excused = {number for facts in overrides for number in facts.get("entries", ())}
    names = ", ".join(gap.entry.name for gap in gaps if gap.entry.number not in excused)
    text = gettext("No accepted army list: %(players)s. Ask for the list, accept it, or publish without it.")
    return [Violation("E9", text % {"players": names})] if names else []


def _offer(before: History, holder: Entry, faults: tuple[int, int]) -> dict[str, Any] | None:
    """Return another bye (`entry`) with fewer pairs of teammates or rematches, if there is one (E19)."""
    other = draw_pairing(before).other_bye if any(faults) else ""
    if not other or other == holder.key:
        return None
    left = draw_pairing(before, other).faults
    return {"entry": before.entries[other], "teammates": left[0] < faults[0]} if left < faults else None
