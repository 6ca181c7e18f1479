"""Check that the file of an event is consistent and proved, before it is imported (E23)."""

from __future__ import annotations

import zoneinfo
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from rules.core.violations import Violation
from rules.tournaments.bracket import cut_violation
from rules.tournaments.results import ENDINGS, GIVEN_UP
from rules.tournaments.rule_sets import RuleSet
from tournaments.exchange import proof
from tournaments.models import LogKind
from tournaments.models import Round as RoundRow

Data = Mapping[str, Any]
#: How many violations are shown.
SHOWN = 8
#: What a forged file can cause although it fits the schema.
NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def violations(content: Data) -> list[Violation]:
    """Return the first few reasons why a file cannot be imported: an event that is not finished, references that lead
    nowhere, and whatever does not follow from the seed and the results.
    """
    found = list(islice(_references(content), SHOWN))
    if not found:
        try:
            found = [Violation("E23", text) for text in islice(proof.differences(content), SHOWN)]
        except NONSENSE as wrong:
            text = _("This file has values that are not valid in an event (%(why)s).") % {"why": repr(wrong)[:120]}
            found = [Violation("", text)]
    return found


def _references(content: Data) -> Iterator[Violation]:
    if content["event"]["state"] != "finished" or content["seed"] is None:
        yield Violation("E23", _("Only finished events can be imported, because only their draws can be proved."))
        return
    yield from _event_faults(content["event"])
    numbers = [each["number"] for each in content["entries"]]
    if len(numbers) != len(set(numbers)):
        yield Violation("", _("Two players have the same number."))
    if [each["number"] for each in content["rounds"]] != list(range(1, len(content["rounds"]) + 1)):
        yield Violation("", _("The rounds are not numbered 1, 2, 3 …"))
    stages = [each["stage"] for each in content["rounds"]]
    if stages != sorted(stages, key=RoundRow.Stage.values.index):
        yield Violation("", _("A Swiss round follows the bracket."))
    playing = {each["number"] for each in content["entries"] if each["ticket"] is not None}
    endings = ENDINGS[RuleSet(content["event"]["rule_set"])]
    for each in content["rounds"]:
        yield from _round_faults(each, playing, endings)
    yield from _log_faults(content["log"])
    yield from _moment_faults(content)


def _event_faults(event: Data) -> Iterator[Violation]:
    if event["time_zone"] not in zoneinfo.available_timezones():
        yield Violation("", _("The time zone is unknown."))
    if event["cut"] and cut_violation(event["cut"], event["cut"]):
        yield Violation("E38", _("The cut is not a power of two."))


def _round_faults(each: Data, playing: set[int], endings: tuple[str, ...]) -> Iterator[Violation]:
    words = {"number": each["number"]}
    if each["state"] != RoundRow.State.CLOSED:
        yield Violation("", _("Round %(number)s is not closed.") % words)
    places = [game["place"] for game in each["games"]]
    if len(places) != len(set(places)):
        yield Violation("", _("Round %(number)s has two games in one place.") % words)
    paired = Counter(game[name] for game in each["games"] for name in ("first", "second") if game[name] is not None)
    paired.update(set(each["unpaired_losses"]) & paired.keys())
    if not paired.keys() | set(each["unpaired_losses"]) <= playing:
        yield Violation("", _("Round %(number)s has a player who is not in the event.") % words)
    if any(count > 1 for count in paired.values()) or len(each["unpaired_losses"]) != len(set(each["unpaired_losses"])):
        yield Violation("", _("A player is in round %(number)s twice.") % words)
    for game in each["games"]:
        if fault := _game_fault(game, each["stage"], endings):
            yield Violation("", _("Round %(number)s, game %(game)s: %(fault)s") % {
                "number": each["number"], "game": game["place"], "fault": fault,
            })  # fmt: skip


def _game_fault(game: Data, stage: str, endings: tuple[str, ...]) -> str:
    pair, result = (game["first"], game["second"]), game["result"]
    if game["second"] is None:
        if result or (game["first"] is None and stage == RoundRow.Stage.SWISS):
            return str(_("a bye has one player and no result."))
        return ""
    if game["first"] is None or not result:
        return str(_("it has no result."))
    if result["how"] not in endings:
        return str(_("a game cannot end that way under these rules."))
    if any(result[name] not in (None, *pair) for name in ("winner", "by", "blue", "roll")):
        return str(_("the result names somebody else."))
    if result["how"] in GIVEN_UP and result["by"] is None:
        return str(_("it does not say who conceded or did not appear."))
    return ""


def _log_faults(log: list[Data]) -> Iterator[Violation]:
    moments = [line["at"] for line in log]
    if [_moment(text) for text in moments] != sorted(_moment(text) for text in moments):
        yield Violation("", _("The log is not in order."))
    for line in log:
        facts = line["facts"]
        if line["kind"] == LogKind.CORRECTED and not (
            {"round", "game", "before", "after"} <= facts.keys() and isinstance(facts["before"], dict)
        ):
            yield Violation("E31", _("The log has a correction without its game."))
        if line["kind"] == LogKind.CUT and "seeds" not in facts:
            yield Violation("E38", _("The log has a cut without its seeds."))


def _moment_faults(content: Data) -> Iterator[Violation]:
    texts = [
        content["made_at"],
        *(content["event"][name] for name in ("starts_at", "registration_deadline", "created_at")),
    ]
    texts += [line["at"] for line in content["log"]]
    texts += [each["registered_at"] for each in content["entries"]] + [each["started_at"] for each in content["rounds"]]
    if not all(map(_is_moment, filter(None, texts))):
        yield Violation("", _("The file contains an invalid date."))


def _moment(text: str) -> str:
    """Return a moment in a form that sorts; "" for one that no calendar has."""
    return datetime.fromisoformat(text).isoformat(timespec="microseconds") if _is_moment(text) else ""


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
