"""Verify the file of an event by the functions of the rules: its standings and every draw follow from it (E23).

The log is in order, so it says what was known when a round was drawn: a result that was corrected later counts as it
was before, and so does an unpaired loss that was given later. `docs/draws.md` has the recipe for people.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from rules.core.values import Value
from rules.core.violations import RuleViolation
from rules.tournaments import bracket
from rules.tournaments.bracket import BracketGame
from rules.tournaments.clock import round_minutes
from rules.tournaments.draws import Draw, commitment
from rules.tournaments.pairing import bye_order, cheapest_matching, pair_costs
from rules.tournaments.results import BOTH, Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound, meetings
from rules.tournaments.rule_sets import EventRules
from rules.tournaments.standings import Standing, standings
from tournaments.models import LogKind, Round as RoundRow
from tournaments.models.entry import GONE, State
from tournaments.queries.exchange import standing_content
from tournaments.queries.standings import all_places

Data = Mapping[str, Any]
#: In place of a round or an entry: any.
ANY = "any"


class HandChange(Value):
    """A round changed by hand, with the reasons (E24). With `only_tables` the pairs are still as drawn."""

    round: int
    reasons: tuple[str, ...]
    only_tables: bool = False


class EventFile:
    """The contents of a file as values of the rules. `at` is a position in the log: what was known just before it."""

    def __init__(self, content: Data) -> None:
        event = content["event"]
        self.content, self.event, self.log = content, event, content["log"]
        self.rules = EventRules.of(event.__getitem__)
        self.draw = Draw(bytes.fromhex(content["seed"] or ""), event["id"])
        self.tickets = {
            str(each["number"]): int(each["ticket"]) for each in content["entries"] if each["ticket"] is not None
        }

    @cached_property
    def teams(self) -> Mapping[str, str]:
        """The team of each player who has one. It is final before the player is paired."""
        teams = self.content["teams"] if self.event["team_size"] else ()
        return {str(number): team["name"] for team in teams for number in team["members"]}

    @cached_property
    def seeded_anew(self) -> tuple[int, Collection[int]]:
        """The position in the log at which the event, imported while it ran, got a new seed, and the numbers of the
        players whose tickets an older one drew. -1 and nobody if its first seed is in the file; the end of the log and
        everybody if no seed is.
        """
        if self.content["seed"] is None:
            return self.end, [int(number) for number in self.tickets]
        lines = [place for place, line in enumerate(self.log) if line["facts"].get("new_seed")]
        return (lines[-1], self.log[lines[-1]]["facts"]["tickets"]) if lines else (-1, ())

    @property
    def end(self) -> int:
        """The position after the last line of the log."""
        return len(self.log)

    @cached_property
    def _positions(self) -> Mapping[tuple[str, Any], list[int]]:
        """The positions of the lines of each kind about each round, or about each entry."""
        found: dict[tuple[str, Any], list[int]] = defaultdict(list)
        for place, line in enumerate(self.log):
            about = "entry" if line["kind"] in (LogKind.ENTERED, LogKind.ENTRY) else "round"
            found[line["kind"], line["facts"].get(about)].append(place)
            found[line["kind"], ANY].append(place)
            for entry in line["facts"].get("entries", ()) if line["kind"] == LogKind.ENTERED else ():
                found[line["kind"], entry].append(place)
        return found

    @cached_property
    def _corrections(self) -> Mapping[tuple[int, int], list[tuple[int, Data]]]:
        found: dict[tuple[int, int], list[tuple[int, Data]]] = defaultdict(list)
        for place, line in enumerate(self.log):
            if line["kind"] == LogKind.CORRECTED:
                facts = line["facts"]
                found[facts["round"], facts["game"]].append((place, facts["before"]))
        return found

    def of_stage(self, stage: str) -> list[Data]:
        """Return the rounds of a stage as they are in the file."""
        return [each for each in self.content["rounds"] if each["stage"] == stage]

    def last(self, kind: str, about: Any) -> int | None:
        """Return the position of the last line of a kind about a round or an entry; None without one."""
        found = self._positions.get((kind, about))
        return found[-1] if found else None

    def drawn_at(self, number: int) -> int | None:
        """Return the position at which a round was drawn last, or the draw was restored; None if the log has none."""
        paired = self._positions.get((LogKind.PAIRED, number), ())
        restored = [place for place in paired if self.log[place]["facts"].get("act") == "restored"]
        return max([*self._positions.get((LogKind.DRAFTED, number), ()), *restored], default=None)

    def has_seed_of(self, each: Data) -> bool:
        """Return whether a round was drawn with the seed in the file, or without one: a bracket after Swiss rounds."""
        seeded = each["stage"] == RoundRow.Stage.SWISS or not self.of_stage(RoundRow.Stage.SWISS)
        return not seeded or (self.drawn_at(each["number"]) or 0) >= self.seeded_anew[0]

    def hand_change(self, number: int) -> HandChange | None:
        """Return the changes by hand of a round since it was drawn (E24); None without any. To withdraw published
        pairings, or to discard a draft, changes nothing by itself.
        """
        drawn = self.drawn_at(number)
        since = -1 if drawn is None else drawn
        lines = [self.log[place] for place in self._positions.get((LogKind.PAIRED, number), ()) if place > since]
        lines = [line for line in lines if not line["facts"].keys() & {"withdrawn", "discarded"}]
        if not lines:
            return None
        late = _("A late entry plays the player who had the bye.")
        found = (line["reason"] or (late if line["facts"].get("act") == "late" else "") for line in lines)
        reasons = tuple(dict.fromkeys(filter(None, found)))
        return HandChange(number, reasons, all(_only_tables(line["facts"]) for line in lines))

    def rounds(self, at: int, before: int | None = None, present: Collection[str] = ()) -> list[PlayedRound]:
        """Return the Swiss rounds as they were known: all that are closed, or those before a number. Players who are
        `present` in the round that is drawn next had been given their unpaired losses, whatever the order of the log.
        """
        swiss = self.of_stage(RoundRow.Stage.SWISS)
        counted = [each for each in swiss if (each["number"] < before if before else each["state"] == "closed")]
        return [self._round(each, at, present) for each in counted]

    def standings(self, at: int, before: int | None = None, present: Collection[str] = ()) -> tuple[Standing, ...]:
        """Return the standings over these rounds."""
        return standings(self.rules, self.tickets, self.rounds(at, before, present))

    def has_left(self, number: int, at: int) -> bool:
        """Return whether a player had left."""
        lines = [self.log[place] for place in self._positions.get((LogKind.ENTRY, number), ()) if place < at]
        states = [line["facts"]["after"] for line in lines if "after" in line["facts"]]
        return bool(states) and states[-1] in GONE

    def column(self, each: Data) -> tuple[BracketGame, ...]:
        """Return a round of the bracket, with its winners."""
        return tuple(map(_bracket_game, sorted(each["games"], key=lambda game: game["place"])))

    def _round(self, each: Data, at: int, present: Collection[str]) -> PlayedRound:
        games = [game for game in each["games"] if game["second"] is not None]
        return PlayedRound(
            games=tuple(
                PlayedGame(_players(game), self._result(each["number"], game, at), game["table"]) for game in games
            ),
            byes=frozenset(str(game["first"]) for game in each["games"] if game["second"] is None),
            unpaired_losses=frozenset(
                str(number)
                for number in each["unpaired_losses"]
                if str(number) in present or self._loss_at(each["number"], number) < at
            ),
        )

    def _result(self, number: int, game: Data, at: int) -> Result | None:
        corrections = self._corrections.get((number, game["place"]), ())
        data = next((before for place, before in corrections if place >= at), game["result"])
        return result_of(data) if data else None

    def _loss_at(self, number: int, entry: int) -> int:
        """Return the position at which an unpaired loss was given: when the player came, after the round began."""
        began = self.last(LogKind.PUBLISHED, number)
        came = [
            place
            for place in (
                *self._positions.get((LogKind.ENTERED, entry), ()),
                *(
                    place
                    for place in self._positions.get((LogKind.ENTRY, entry), ())
                    if self.log[place]["facts"].get("after") == State.PLAYING
                ),
            )
            if began is not None and place > began
        ]
        return min(came, default=-1)


def result_of(data: Data) -> Result:
    """Return a result of the file as a value of the rules."""
    people = {name: str(data[name] or "") for name in ("winner", "by", "blue", "roll")}
    if data["how"] == Ending.NO_SHOW and not people["by"]:
        people["by"] = BOTH
    first, second = data["points"]
    one, other = data["tokens"]
    return Result(
        how=Ending(data["how"]), points=(first, second), tokens=(one, other), agreed=bool(data["agreed"]), **people
    )


def hand_changes(content: Data) -> list[HandChange]:
    """Return the rounds that the seed in the file does not explain: changed by hand (E24), or drawn with an older seed.
    The seed of a running event is not in its file, so only the former are named.
    """
    file, older = EventFile(content), _("Drawn before the running event was imported with a new seed.")
    found = []
    for each in content["rounds"]:
        if change := file.hand_change(each["number"]):
            found.append(change)
        elif content["seed"] is not None and not file.has_seed_of(each):
            found.append(HandChange(each["number"], (older,)))
    return found


def differences(content: Data) -> Iterator[str]:
    """Yield a sentence for everything that does not follow from the file: a draw (unless the log says that it was
    changed by hand), a standing, a place. The references of the file must have been checked.
    """
    file = EventFile(content)
    if content["seed"] is not None and commitment(file.draw.seed) != content["commitment"]:
        yield _("The seed is not the one that was committed to.")
    for number, ticket in file.tickets.items():
        if int(number) not in file.seeded_anew[1] and ticket != file.draw.ticket(number):
            yield _("The ticket of player %(number)s was not drawn with the seed.") % {"number": number}
    for each in content["rounds"]:
        yield from _round_differences(file, each)
    yield from _standings_differences(file)


def _round_differences(file: EventFile, each: Data) -> Iterator[str]:
    number, words = each["number"], {"number": each["number"]}
    if each["minutes"] is not None and file.last(LogKind.CLOCK, number) is None:
        in_bracket, games = each["stage"] == RoundRow.Stage.BRACKET, len(each["games"])
        if each["minutes"] != round_minutes(file.rules, file.draw, number, in_bracket=in_bracket, games=games):
            yield _("The time of round %(number)s does not follow from its dice.") % words
    change = file.hand_change(number)
    if change and not change.only_tables:
        return
    if (at := file.drawn_at(number)) is None:
        yield _("The log does not say when round %(number)s was drawn.") % words
    elif not file.has_seed_of(each):
        return
    elif each["stage"] == RoundRow.Stage.SWISS:
        yield from _swiss_differences(file, each, at)
    else:
        yield from _bracket_differences(file, each, at)


def _swiss_differences(file: EventFile, each: Data, at: int) -> Iterator[str]:
    number, words = each["number"], {"number": each["number"]}
    pairs = {frozenset(_players(game)) for game in each["games"] if game["second"] is not None}
    byes = [str(game["first"]) for game in each["games"] if game["second"] is None]
    players = {player for pair in pairs for player in pair} | set(byes)
    rounds, ordered = file.rounds(at, number, players), file.standings(at, number, players)
    ranking = [standing.player for standing in ordered if standing.player in players]
    points = {standing.player: standing.points for standing in ordered if standing.player in players}
    expected_bye = bye_order(file.draw, number, ranking, rounds, ranking)[:1] if len(players) % 2 else []
    if byes != expected_bye:
        yield _("The bye of round %(number)s was not given by the rule.") % words
        return
    seats = sorted(points.keys() - set(byes))
    costs = list(pair_costs(file.draw, number, points, meetings(rounds), seats, file.teams))
    expected = {frozenset((seats[one], seats[other])) for one, other in cheapest_matching(costs)}
    if pairs != expected:
        yield _("The pairings of round %(number)s do not follow from the seed.") % words


def _bracket_differences(file: EventFile, each: Data, at: int) -> Iterator[str]:
    columns = file.of_stage(RoundRow.Stage.BRACKET)
    place = next(place for place, column in enumerate(columns) if column["number"] == each["number"])
    try:
        if place:
            before = file.column(columns[place - 1])
            winners = [game.winner for game in before]
            expected = [(winners[game], winners[game + 1]) for game in range(0, len(winners) - 1, 2)]
        elif file.of_stage(RoundRow.Stage.SWISS):
            expected = [game.players for game in bracket.seeded_games(_seeds(file))]
        else:
            players = [player for player in file.tickets if not file.has_left(int(player), at)]
            expected = [game.players for game in bracket.drawn_games(file.draw, players)]
    except (RuleViolation, IndexError):
        expected = []
    actual = [game.players for game in file.column(each)]
    fits = len(expected) == len(actual) and all(map(_fits(file), expected, actual))
    if not fits:
        yield _("The games of round %(number)s do not follow from the bracket.") % {"number": each["number"]}


def _seeds(file: EventFile) -> list[str]:
    """Return who must have advanced at the cut: the best active players, without those who declined (E38)."""
    if (at := file.last(LogKind.CUT, ANY)) is None:
        return []
    seeds = {str(number) for number in file.log[at]["facts"]["seeds"]}
    declined = {str(each["number"]) for each in file.content["entries"] if not each["replaceable"]} - seeds
    ranking = [each.player for each in file.standings(at)]
    staying = [player for player in ranking if player not in declined and not file.has_left(int(player), at)]
    return bracket.seeds_after_cut(ranking, staying, file.event["cut"] or len(seeds))


def _fits(file: EventFile) -> Any:
    """Return a comparison of two games that knows who has left since (E41)."""

    def fits(expected: tuple[str, str], actual: tuple[str, str]) -> bool:
        wanted, found = set(expected) - {""}, set(actual) - {""}
        return found <= wanted and all(file.has_left(int(player), file.end) for player in wanted - found)

    return fits


def _standings_differences(file: EventFile) -> Iterator[str]:
    ordered = file.standings(file.end)
    wanted = [standing_content(standing) for standing in ordered]
    if wanted != file.content["standings"]:
        found = next((one for one, other in zip(wanted, file.content["standings"], strict=False) if one != other), None)
        number = found["player"] if found else "?"
        yield _("The standings do not follow from the results (player %(number)s).") % {"number": number}
    columns = [file.column(each) for each in file.of_stage(RoundRow.Stage.BRACKET)]
    places = all_places(columns, [each.player for each in ordered])
    if places != {str(each["player"]): each["place"] for each in file.content["places"]}:
        yield _("The places do not follow from the results.")


def _only_tables(facts: Data) -> bool:
    unpaired = facts.get("pairs") == facts.get("instead_of") == [] and "bye" not in facts
    return unpaired or facts.get("act") == "tables"


def _players(game: Data) -> tuple[str, str]:
    return str(game["first"]), str(game["second"])


def _bracket_game(game: Data) -> BracketGame:
    first, second = (str(game[name] or "") for name in ("first", "second"))
    if not second:
        return BracketGame((first, ""), first)
    result = result_of(game["result"]) if game["result"] else None
    return BracketGame((first, second), bracket.decided_by((first, second), result) if result else "")
