"""What a player still needs for the cut: bounds by counting event points (E33, E38).

Only points are counted: players who end with equal points are in the hands of the tiebreakers. The bounds hold for
every outcome of the games that are left and for every pairing of the rounds to come, as long as nobody drops, joins or
rejoins, somebody appears for every game (E32), and no result is corrected. They are exact once only the open games of
the last round are left.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from rules.core.translation import gettext, ngettext
from rules.core.values import KeywordValue, Value
from rules.tournaments.rule_sets import DRAW, EventRules


class Outlook(StrEnum):
    """Whether a player makes the cut."""

    CLINCHED = "clinched"
    IN_OWN_HANDS = "in_own_hands"
    POSSIBLE = "possible"
    OUT = "out"


class Contender(Value):
    """An active player: event points so far, and the rounds in which the player can still win some."""

    player: str
    points: int
    rounds: int


class Gain(Value):
    """Wins and draws from now on."""

    wins: int
    draws: int = 0


class Chance(KeywordValue):
    """What a player needs. With `safe` more event points the cut is certain whatever the others do; None if nothing
    makes it certain. With `possible` more points other results or tiebreakers can still bring it; None if it is out of
    reach.
    """

    player: str
    outlook: Outlook
    cut: int
    safe: Gain | None
    possible: Gain | None


class Remaining(Value):
    """What is left to play: the active players, the open games of the round under way, and the rounds after it."""

    contenders: Sequence[Contender]
    open_games: Collection[tuple[str, str]] = ()
    later_rounds: int = 0


def chances(rules: EventRules, remaining: Remaining, cut: int) -> dict[str, Chance]:
    """Return the chance of each contender to be one of the best `cut`."""
    known: dict[tuple[int, int, frozenset[str]], Chance] = {}
    found = {}
    pairs = {player: pair for pair in remaining.open_games for player in pair}
    counter = _Counter(rules, remaining)
    for each in remaining.contenders:
        # With later rounds only points and rounds matter; in the last one also who the opponent is.
        pair = frozenset(pairs.get(each.player, ())) if not remaining.later_rounds else frozenset[str]()
        key = (each.points, each.rounds, pair)
        if key not in known:
            known[key] = _chance(rules, counter, each, cut)
        found[each.player] = replace(known[key], player=each.player)
    return found


def sentence(chance: Chance) -> str:
    """Return what a chance means, for the player."""
    cut = chance.cut
    if chance.outlook == Outlook.CLINCHED:
        return gettext("The top {cut} is certain.", cut=cut)
    if chance.outlook == Outlook.OUT or chance.possible is None:
        return gettext("The top {cut} is out of reach, unless players drop or do not appear.", cut=cut)
    needed = _in_words(chance.possible) if chance.possible != Gain(0) else ""
    if chance.safe is None:
        if needed:
            return gettext(
                "The top {cut} needs at least {results}. Then other results or tiebreakers decide.",
                cut=cut, results=needed,
            )  # fmt: skip
        return gettext("The top {cut} is possible. Other results or tiebreakers decide.", cut=cut)
    text = gettext("The top {cut} is certain with {results}.", cut=cut, results=_in_words(chance.safe))
    if chance.safe == chance.possible:
        return f"{text} " + gettext("It is out of reach with less, unless players drop or do not appear.")
    if needed:
        return f"{text} " + gettext("With {fewer}, other results or tiebreakers decide.", fewer=needed)
    return f"{text} " + gettext("With less, other results or tiebreakers decide.")


def gains(rules: EventRules, rounds: int) -> list[Gain]:
    """Return what a player can win in so many rounds, by rising event points; the fewest games for each sum."""
    draws = rounds if rules.has_draws else 0
    every = [Gain(wins, draw) for wins in range(rounds + 1) for draw in range(min(draws, rounds - wins) + 1)]
    fewest: dict[int, Gain] = {}
    for gain in sorted(every, key=lambda gain: gain.wins + gain.draws, reverse=True):
        fewest[worth(rules, gain)] = gain
    return [fewest[points] for points in sorted(fewest)]


def worth(rules: EventRules, gain: Gain) -> int:
    """Return the event points of wins and draws (E29)."""
    return gain.wins * rules.win + gain.draws * DRAW


def _in_words(gain: Gain) -> str:
    wins = ngettext("{number} win", "{number} wins", gain.wins)
    draws = ngettext("{number} draw", "{number} draws", gain.draws)
    if gain.wins and gain.draws:
        return gettext("{wins} and {draws}", wins=wins, draws=draws)
    return draws if gain.draws else wins


def _chance(rules: EventRules, counter: "_Counter", contender: Contender, cut: int) -> Chance:
    reachable = gains(rules, contender.rounds)
    safe = next((gain for gain in reachable if counter.most_level(contender, gain) < cut), None)
    possible = next((gain for gain in reachable if counter.fewest_above(contender, gain) < cut), None)
    if safe is not None:
        outlook = Outlook.IN_OWN_HANDS if worth(rules, safe) else Outlook.CLINCHED
    else:
        outlook = Outlook.OUT if possible is None else Outlook.POSSIBLE
    return Chance(player=contender.player, outlook=outlook, cut=cut, safe=safe, possible=possible)


class _Counter:
    """Counts how many others can end level with a player or above, and how many must end above."""

    def __init__(self, rules: EventRules, remaining: Remaining) -> None:
        self.rules, self.is_last = rules, not remaining.later_rounds
        self.alike = Counter((each.points, each.rounds) for each in remaining.contenders)
        self.points = {each.player: each.points for each in remaining.contenders}
        self.pairs = {player: pair for pair in remaining.open_games for player in pair}
        self.open_games = remaining.open_games
        self.unpaired = [points for player, points in self.points.items() if player not in self.pairs]
        # Each game has one win to give, or two draws of half a game each; each bye is a win (E20).
        active = len(remaining.contenders)
        self.halves = 2 * (len(remaining.open_games) + remaining.later_rounds * ((active + 1) // 2))
        self.counted: dict[tuple[int, bool], int] = {}

    def most_level(self, contender: Contender, gain: Gain) -> int:
        """Return how many others can at most end with as many points as the contender with this gain, or more."""
        total = contender.points + worth(self.rules, gain)
        if self.is_last:
            return self._in_last_round(contender, gain, total, most=True)
        budget = self.halves - 2 * gain.wins - gain.draws
        count = 0
        for cost, players in sorted(self._costs(contender, total)):
            able = players if not cost else min(players, budget // cost)
            count += able
            budget -= able * cost
            if able < players:
                break
        return count

    def fewest_above(self, contender: Contender, gain: Gain) -> int:
        """Return how many others must at least end with more points than the contender with this gain."""
        total = contender.points + worth(self.rules, gain)
        if self.is_last:
            return self._in_last_round(contender, gain, total + 1, most=False)
        return sum(players for (points, _rounds), players in self.alike.items() if points > total)

    def _costs(self, contender: Contender, total: int) -> Iterator[tuple[int, int]]:
        """Yield the half games that bring others to a total, each with the number of players who need so many."""
        for (points, rounds), players in self.alike.items():
            others = players - ((points, rounds) == (contender.points, contender.rounds))
            if others and points + self.rules.win * rounds >= total:
                yield self._cost(total - points), others

    def _cost(self, points: int) -> int:
        """Return the fewest half games that bring a player so many points."""
        if points <= 0:
            return 0
        wins, rest = divmod(points, self.rules.win)
        return 2 * wins + min(rest, 2)

    def _in_last_round(self, contender: Contender, gain: Gain, least: int, *, most: bool) -> int:
        """Return how many others can at most, or must at least, end with `least` points. The contender's own game ends
        by the gain, every other one as it suits.
        """
        pick = max if most else min
        if (least, most) not in self.counted:
            games = sum(pick(self._reach(pair, least, self._outcomes())) for pair in self.open_games)
            self.counted[least, most] = games + sum(points >= least for points in self.unpaired)
        count = self.counted[least, most]
        if (pair := self.pairs.get(contender.player)) is None:
            return count - (contender.points >= least)
        place = pair.index(contender.player)
        own = [each for each in self._outcomes() if each[place] == worth(self.rules, gain)]
        other = (pair[1 - place],)
        left = [self._reach(other, least, [(outcome[1 - place],)])[0] for outcome in own]
        return count - pick(self._reach(pair, least, self._outcomes())) + pick(left)

    def _outcomes(self) -> Sequence[tuple[int, ...]]:
        """Return the event points that a game can bring its two players (E29)."""
        win = self.rules.win
        return [(win, 0), (0, win)] + ([(DRAW, DRAW)] if self.rules.has_draws else [])

    def _reach(self, players: Sequence[str], least: int, outcomes: Sequence[tuple[int, ...]]) -> list[int]:
        """Return for each outcome how many of the players end with `least` points; only contenders count."""
        return [
            sum(
                player in self.points and self.points[player] + points >= least
                for player, points in zip(players, outcome, strict=True)
            )
            for outcome in outcomes
        ]
