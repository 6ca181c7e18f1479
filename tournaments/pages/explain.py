"""How the figures of a player came about, in words: each section of the page with its sum (E37).

`rules.tournaments.explain` has the same as values, `explain.toml` the sentences.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _, ngettext

from core.sentences import said
from rules.core.translation import sentences_of
from rules.tournaments.explain import Explanation, Kind, RoundFigures, ratio
from rules.tournaments.results import BOTH
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing
from tournaments.models import Round
from tournaments.models.entry import GONE
from tournaments.pages.standings import cell_of, decimals
from tournaments.queries.history import History

Section = dict[str, Any]
SAID = sentences_of(__file__)


def figures_context(history: History, explanation: Explanation) -> dict[str, Any]:
    """Return what the template of a player's figures takes: the sections in the order in which they are compared."""
    of = _Sections(history, explanation)
    if history.event.rule_set == RuleSet.GALACTIC_CONQUEST:
        sections = [of.points(), of.strength(), of.defeated(), of.tokens()]
    else:
        sections = [of.points(), of.margin(), of.extended_margin(), of.strength(), of.extended_strength()]
    rounds = [each.number for each in history.of_stage(Round.Stage.SWISS) if each.state == Round.State.CLOSED]
    tickets = sorted(history.tickets.values())
    return {
        "sections": sections, "standing": explanation.standing, "rounds": rounds, "after": len(explanation.rounds),
        "ticket": tickets.index(explanation.standing.ticket) + 1, "tickets": len(tickets),
    }  # fmt: skip


class _Sections:
    def __init__(self, history: History, explanation: Explanation) -> None:
        self.history, self.entries, self.event = history, history.entries, history.event
        self.explained, self.standing = explanation, explanation.standing

    def points(self) -> Section:
        lines = self._of_rounds(lambda each: str(each.points))
        name = "points_with_draws" if self.event.rules.has_draws else "points"
        return self._section(name, self.standing.points, lines, slug="points")

    def defeated(self) -> Section:
        lines = self._of_rounds(lambda each: str(each.defeated))
        words = {"points": self.event.awarded_points}
        return self._section("defeated", self.standing.points_defeated, lines, words=words)

    def tokens(self) -> Section:
        lines = self._of_rounds(lambda each: str(each.tokens))
        return self._section("tokens", self.standing.tokens, lines, words={"tokens": self.event.bye_tokens})

    def strength(self) -> Section:
        def worth(opponent: Standing) -> str:
            rounds = ngettext("%(number)s round", "%(number)s rounds", opponent.rounds) % {"number": opponent.rounds}
            points = ngettext("%(number)s point", "%(number)s points", opponent.points) % {"number": opponent.points}
            return f"{points} ÷ {rounds} = {_both(ratio(opponent))}"

        about = [
            "about", "without_losses" if self.event.skips_unpaired_losses else "with_losses",
            "with_byes" if self.event.bye_is_opponent else "without_byes",
        ]  # fmt: skip
        mean = _mean_words(map(ratio, self.explained.opponents), self.explained.byes)
        return self._section("sos", self.standing.strength_of_schedule, self._of_opponents(worth), about, sum=mean)

    def margin(self) -> Section:
        def value(each: RoundFigures) -> str:
            if each.kind not in (Kind.GAME, Kind.BYE):
                return "0"
            margin = _both(each.margin)
            return _("mean: %(margin)s") % {"margin": margin} if each.margin_is_mean else margin

        found, mean, rounds = self.explained, self.standing.average_margin, len(self.explained.rounds)
        alone = self.standing.provisional
        provisional = alone and self.history.has_rounds_after(rounds)
        also = {"mean": found.has_mean_margins, "provisional": provisional, "alone": alone and not provisional}
        return self._section(
            "mov", mean, self._of_rounds(value), ["about", *(name for name, holds in also.items() if holds)],
            {"margin": _both(found.mean_margin)} if found.has_mean_margins else {},
            sum=f"{found.margin_total!s} ÷ {rounds} = {_both(mean)}" if rounds else "",
            provisional=provisional,
        )  # fmt: skip

    def extended_margin(self) -> Section:
        lines = self._of_opponents(lambda each: _both(each.average_margin))
        mean = _mean_words(each.average_margin for each in self.explained.opponents)
        return self._section("ext-mov", self.standing.extended_average_margin, lines, sum=mean)

    def extended_strength(self) -> Section:
        lines = self._of_opponents(lambda each: _both(each.strength_of_schedule))
        mean = _mean_words(each.strength_of_schedule for each in self.explained.opponents)
        return self._section("ext-sos", self.standing.extended_strength_of_schedule, lines, sum=mean)

    def _section(
        self, name: str, value: Fraction | int, lines: list[dict[str, Any]], about: Iterable[str] = ("about",),
        words: dict[str, Any] | None = None, **more: Any,
    ) -> Section:  # fmt: skip
        texts = SAID[name]
        text = " ".join(said(texts[each], words or {}) for each in about)
        return {
            "slug": name, "label": said(texts["label"], {}), "value": cell_of(value), "about": text,
            "rule": texts["rule"], "lines": lines, **more,
        }  # fmt: skip

    def _of_rounds(self, value: Callable[[RoundFigures], str]) -> list[dict[str, Any]]:
        return [
            {"round": each.number, "entry": self.entries.get(each.opponent), "note": _kind_words(each),
             "value": value(each)}
            for each in self.explained.rounds
        ]  # fmt: skip

    def _of_opponents(self, value: Callable[[Standing], str]) -> list[dict[str, Any]]:
        met = [each for each in self.explained.rounds if each.kind == Kind.GAME]
        return [
            {"round": each.number, "entry": entry, "note": _("has left the event") if entry.state in GONE else "",
             "value": value(opponent)}
            for each, opponent in zip(met, self.explained.opponents, strict=True)
            for entry in [self.entries[each.opponent]]
        ]  # fmt: skip


def _kind_words(each: RoundFigures) -> str:
    if each.result:
        if not each.result.winner and each.result.by != BOTH:
            return _("draw")
        return _("won") if each.result.winner not in ("", each.opponent) else _("lost")
    return {
        Kind.BYE: _("Bye"),
        Kind.UNPAIRED_LOSS: _("Unpaired loss for a missed round"),
        Kind.MISSED: _("Not in the event"),
        Kind.OPEN: _("No result yet"),
    }.get(each.kind, "")


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
