"""Standings with all tiebreakers (E33–E37). Every figure is an exact fraction; nothing is rounded before comparing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.core.values import KeywordValue
from rules.tournaments.results import Score, bye_score, scores
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import EventRules, RuleSet

HALF = Fraction(1, 2)


class Standing(KeywordValue):
    """The figures of one player.

    `points` are event points, `rounds` those the player has played (byes included, and unpaired losses unless the event
    skips them), `opponents` in the order of the games. `provisional` says that no game of the player has a margin of
    victory of its own yet, so that each counts as 50 % (E32). `ticket` is the player's random order, the lower the
    better (E34).
    """

    player: str
    rank: int
    points: int
    rounds: int
    opponents: tuple[str, ...]
    strength_of_schedule: Fraction
    extended_strength_of_schedule: Fraction
    points_defeated: int
    tokens: int
    margins: tuple[Fraction | None, ...]
    average_margin: Fraction
    extended_average_margin: Fraction
    provisional: bool
    ticket: int


@dataclass(slots=True)
class _Tally:
    """What a player has collected so far."""

    points: int = 0
    rounds: int = 0
    byes: int = 0
    defeated: int = 0
    tokens: int = 0
    margins: list[Fraction | None] = field(default_factory=list)
    opponents: list[str] = field(default_factory=list)

    def add(self, score: Score, opponent: str = "") -> None:
        self.points += score.points
        self.rounds += 1
        self.defeated += score.defeated
        self.tokens += score.tokens
        self.margins.append(score.margin)
        if opponent:
            self.opponents.append(opponent)
        else:
            self.byes += 1

    @property
    def ratio(self) -> Fraction:
        """Event points for each round played."""
        return Fraction(self.points, self.rounds) if self.rounds else Fraction(0)

    def average_margin(self, rounds: int) -> Fraction:
        """Return the average margin of victory over the rounds of the event; a missed round counts 0 (E36)."""
        scored = [margin for margin in self.margins if margin is not None]
        mean = sum(scored, Fraction(0)) / len(scored) if scored else HALF
        return sum(scored, mean * (len(self.margins) - len(scored))) / rounds if rounds else Fraction(0)


def standings(rules: EventRules, tickets: Mapping[str, int], rounds: Sequence[PlayedRound]) -> tuple[Standing, ...]:
    """Return all players in order, best first (E33–E36). `tickets` has every player who ever took part, also those who
    dropped (section 6). `rounds` are the Swiss rounds that count: the closed ones, or also the running one, whose open
    games count for nobody yet. Bracket games do not belong in it (E35).
    """
    tallies = {player: _Tally() for player in tickets}
    for each in rounds:
        _add_round(rules, tallies, each)
    ratios = {player: tally.ratio for player, tally in tallies.items()}
    averages = {player: tally.average_margin(len(rounds)) for player, tally in tallies.items()}
    strengths = {
        player: mean([ratios[each] for each in tally.opponents], tally.byes if rules.bye_is_opponent else 0)
        for player, tally in tallies.items()
    }
    found = [
        Standing(
            player=player, rank=0, points=tally.points, rounds=tally.rounds, opponents=tuple(tally.opponents),
            strength_of_schedule=strengths[player],
            extended_strength_of_schedule=mean([strengths[each] for each in tally.opponents]),
            points_defeated=tally.defeated, tokens=tally.tokens, margins=tuple(tally.margins),
            average_margin=averages[player],
            extended_average_margin=mean([averages[each] for each in tally.opponents]),
            provisional=bool(tally.margins) and not any(margin is not None for margin in tally.margins),
            ticket=tickets[player],
        )
        for player, tally in tallies.items()
    ]  # fmt: skip
    return ranked(rules, found)


def _add_round(rules: EventRules, tallies: Mapping[str, _Tally], each: PlayedRound) -> None:
    for game in each.games:
        if game.result is not None:
            for player, score in zip(game.players, scores(rules, game.players, game.result), strict=True):
                tallies[player].add(score, game.opponent_of(player))
    for player in each.byes:
        tallies[player].add(bye_score(rules))
    for player in each.unpaired_losses if not rules.skips_unpaired_losses else ():
        tallies[player].rounds += 1


def mean(figures: Sequence[Fraction], zeros: int = 0) -> Fraction:
    """Return the mean of figures and of `zeros` further ones that are 0; 0 if there are none (E35)."""
    count = len(figures) + zeros
    return sum(figures, Fraction(0)) / count if count else Fraction(0)


def figures_compared(rules: EventRules, standing: Standing) -> tuple[Fraction | int, ...]:
    """Return the figures of a standing in the order in which they are compared, without the ticket (E33)."""
    if rules.rule_set == RuleSet.GALACTIC_CONQUEST:
        return (standing.points, standing.strength_of_schedule, standing.points_defeated, standing.tokens)
    return (
        standing.points,
        standing.average_margin,
        standing.extended_average_margin,
        standing.strength_of_schedule,
        standing.extended_strength_of_schedule,
    )


def ranked(rules: EventRules, unranked: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return standings in their order, each with its rank from 1: the higher figures first, then the lower ticket."""
    by_ticket = sorted(unranked, key=lambda each: (each.ticket, each.player))
    ordered = sorted(
        by_ticket, key=lambda each: figures_compared(rules, each), reverse=True
    )  # keeps equal ones in order
    return tuple(replace(each, rank=rank) for rank, each in enumerate(ordered, start=1))


def tied_groups(rules: EventRules, ordered: Sequence[Standing]) -> list[list[str]]:
    """Return the players of standings, best first, those together whom only the ticket separates."""
    groups: list[list[str]] = []
    before: tuple[Fraction | int, ...] | None = None
    for standing in ordered:
        figures = figures_compared(rules, standing)
        if figures != before:
            groups.append([])
        groups[-1].append(standing.player)
        before = figures
    return groups
