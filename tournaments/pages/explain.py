"""How the figures of a player came about, in words: each section of the page with its sum (E37).

`rules.tournaments.explain` has the same as values.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _, ngettext

from rules.tournaments.explain import Explanation, Kind, RoundFigures, ratio
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing
from tournaments.models import Round
from tournaments.models.entry import GONE
from tournaments.pages.standings import Cell, decimals
from tournaments.queries.history import History


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
    about = _("All victory tokens of all games. A bye is worth %(tokens)s.")
    return _section(
        "tokens", _("Victory tokens"), explanation.standing.tokens,
        about % {"tokens": history.event.bye_tokens}, rule="E33",
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
    if history.event.skips_unpaired_losses:
        about = " ".join((about, _("In this event the unpaired losses of an opponent do not count as rounds.")))
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
        {"round": each.number, "entry": entry, "note": _("has left the event") if entry.state in GONE else "",
         "value": value(opponent)}
        for each, opponent in zip(met, explanation.opponents, strict=True)
        for entry in [history.entries[each.opponent]]
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
