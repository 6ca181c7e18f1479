"""Convert the decisions of an open amendment to lines for `rules.post_battle.rematch_answers`.

A decision is plain data, one of
    {"side": key, "step": 4, "what": word, "slot": 0, "answer": ..., "shape": "...", "source": "app", "by": key}
    {"side": key, "step": 7, "what": word, "slot": 0, "skip": true}      skip this Aid Request or edit
    {"register": key, "place": 12, "skip": true}                         skip this action between battles
    {"side": key, "unit": "3", "skip": true}                             leave this unit out of the army
    {"register": key, "place": 12, "unit": "3", "skip": true}            leave this unit out of the award
    {"register": key, "stands": ["R36", "3"]}                            accept this violation of a rule
    {"register": key, "place": 12, "value": "3.experience", "way": "keep", "now": 11, "by": key}
        how a correction by hand applies to a value that would be 11 now (`rules.adjustments.corrections`)
Decisions made together have the same number, their "turn".
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext_noop

from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.report_data import army_without, report_without
from campaign.battles.services.replay.plan import ReplayConflict
from campaign.battles.services.sequence import HOUSE
from registers.models import EntryType, LedgerEntry
from rules.adjustments.corrections import ConflictChoice, plain
from rules.core.violations import Fault, raise_if_any
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.rematch_answers import AnswerPart, Fitted, Gap, in_lines

UNDECIDED = Fault("", gettext_noop("Choose what to do with this value."))

#: Sources of an answer with several parts, in order of precedence: table dice first, then the app's.
SOURCES = ("table", "app", "player")
#: Actions between battles that may be left out if they are no longer possible.
LEFT_OUT = (EntryType.EDIT, EntryType.CORRECT, EntryType.NAME, EntryType.ARC)
#: Questions repeated until the player is done: one answer may be left out, and the next one counts.
ASKED_ON = (RequestAid, EditRegister)


class Wishes:
    """The answers that an amendment undoes, corrects and decides again."""

    def __init__(self, amendment: Amendment, kept: Iterable[Mapping[str, Any]] = ()) -> None:
        self.amendment = amendment
        self.decided: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
        self.kept: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
        self.acts_left_out: set[tuple[str, int]] = set()
        self.units_left_out: dict[int, set[str]] = {}
        self.awards_left_out: dict[tuple[str, int], set[str]] = {}
        self.let_stand: set[tuple[str, str, str]] = set()
        self.choices: dict[tuple[str, int], dict[str, ConflictChoice]] = {}
        for decision in amendment.decisions:
            if "step" in decision:
                self.decided.setdefault((decision["side"], decision["step"]), []).append(decision)
            elif "side" in decision:
                self.units_left_out.setdefault(decision["side"], set()).add(decision["unit"])
            elif "stands" in decision:
                self.let_stand.add((decision["register"], *decision["stands"]))
            elif "value" in decision:
                choices = self.choices.setdefault((decision["register"], decision["place"]), {})
                choices[decision["value"]] = ConflictChoice(decision["way"], decision["now"])
            elif "unit" in decision:
                spot = decision["register"], decision["place"]
                self.awards_left_out.setdefault(spot, set()).add(decision["unit"])
            else:
                self.acts_left_out.add((decision["register"], decision["place"]))
        for item in kept:
            self.kept.setdefault((item["side"], item["step"]), []).append(item)

    def as_wanted(self, battle: Battle, sides: Sequence[Side]) -> tuple[Battle, list[Side]]:
        """Return copies of the battle and its sides as the amendment would leave them, not saved."""
        battle, sides = copy(battle), [copy(side) for side in sides]
        for side in sides:
            side.battle = battle
        wanted = self.amendment.wanted
        if battle.pk == self.amendment.battle_id and self.amendment.what == Amendment.What.REPORT:
            battle.winner, battle.mission, battle.notes = (wanted[name] for name in ("winner", "mission", "notes"))
            for side in sides:
                side.report = wanted["facts"][side.colour]
                side.victory_points = wanted["victory_points"].get(side.colour, 0)
        for side in sides:
            if out := self.units_left_out.get(side.pk):
                side.army, side.report = army_without(side.army, out), report_without(side.report, out)
        return battle, sides

    def annuls(self, battle: Battle) -> bool:
        """Return whether the amendment voids the battle."""
        return battle.pk == self.amendment.battle_id and self.amendment.what == Amendment.What.ANNUL

    def touch(self, side: Side, step: int) -> bool:
        """Return whether any answer of a step was undone or decided again."""
        return (side.pk, step) in self.decided or self._asks(side, step, 0, any_place=True)

    def lines(self, side: Side, step: int, parts: Sequence[AnswerPart]) -> dict[str, list[AnswerPart | Gap]]:
        """Return the answers of a step, with new decisions in their places, and gaps for undone answers."""
        lines = in_lines(parts)
        for line in lines.values():
            for place, part in enumerate(line):
                if isinstance(part, AnswerPart) and not part.forced and self._asks(side, step, part.place):
                    line[place] = Gap.ASK
        for item in self.kept.get((side.pk, step), ()):
            line = lines.setdefault(item["what"], [])
            former = line[item["slot"]] if item["slot"] < len(line) else None
            if item["slot"] == len(line):
                line.append(_answer_part(item))
            elif isinstance(former, AnswerPart) and former.forced:
                line[item["slot"]] = _answer_part(item)
        for decision in self.decided.get((side.pk, step), ()):
            line = lines.setdefault(decision["what"], [])
            line += [Gap.ASK] * (decision["slot"] + 1 - len(line))
            line[decision["slot"]] = Gap.SKIP if decision.get("skip") else _answer_part(decision)
        return lines

    def _asks(self, side: Side, step: int, place: int | None, *, any_place: bool = False) -> bool:
        amendment, wanted = self.amendment, self.amendment.wanted
        undone = (Amendment.What.ANSWER, Amendment.What.STEP, Amendment.What.SEQUENCE)
        if amendment.what not in undone or side.battle_id != amendment.battle_id or side.colour != amendment.colour:
            return False
        if wanted.get("step", step) != step:
            return False
        return any_place or wanted.get("place", place) == place


def ways_out(halt: ReplayConflict) -> list[dict[str, Any]]:
    """Return the decisions that leave out whatever stops an amendment, or accept its violations. Empty if it cannot
    continue, or if each value has a choice of its own (`choices_of`).
    """
    if halt.conflicts:
        return []
    if halt.at_the_end:
        return [
            {"register": str(halt.register.pk), "stands": [violation.rule, violation.about]}
            for violation in halt.violations
        ]
    if isinstance(halt.question, ASKED_ON) and halt.violations:
        return [{**place_of(halt), "what": what, "slot": slot, "skip": True} for what, slot in halt.slots.items()]
    if halt.out and halt.side:
        return [{"side": halt.side.pk, "unit": key, "skip": True} for key in halt.out]
    if halt.out and halt.entry:
        award = {"register": str(halt.register.pk), "place": halt.entry.place}
        return [{**award, "unit": key, "skip": True} for key in halt.out]
    if halt.entry and halt.question is None and halt.entry.act in LEFT_OUT:
        return [{"register": str(halt.register.pk), "place": halt.entry.place, "skip": True}]
    return []


def choices_of(halt: ReplayConflict, ways: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the decisions for the conflicts at which an amendment stops; `ways` by `Conflict.about`. Refuses a
    conflict without a choice, and a choice that is not possible.
    """
    if halt.entry is None:
        return []
    raise_if_any(
        UNDECIDED(conflict.about) for conflict in halt.conflicts if ways.get(conflict.about) not in conflict.ways
    )
    spot = {"register": str(halt.register.pk), "place": halt.entry.place}
    return [{**spot, "value": each.about, "way": ways[each.about], "now": plain(each.now)} for each in halt.conflicts]


def place_of(halt: ReplayConflict) -> dict[str, Any]:
    """Return the side and step of a question, as a decision stores them. Raises ValueError if there is no question."""
    if halt.side is None or halt.step is None:
        raise ValueError("A question is asked in a step of a side")
    return {"side": halt.side.pk, "step": halt.step}


def given(side: Side, steps: Iterable[LedgerEntry], wanted: Mapping[str, Any]) -> str:
    """Return a digest of the answers at a step (and place), to notice when they change."""
    finished = {entry.step: entry.answers for entry in steps}
    answers = [item["answer"] for item in {side.step: side.answers, **finished}.get(wanted["step"], ())]
    if "place" in wanted:
        answers = answers[wanted["place"] :][:1]
    return sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()


def items_of(answers: Sequence[Fitted]) -> list[dict[str, Any]]:
    """Return the answers of a fit as a side or an entry stores them."""
    return [_item(fitted) for fitted in answers]


def _item(fitted: Fitted) -> dict[str, Any]:
    if not fitted.parts:
        return {"answer": fitted.answer, "source": HOUSE}
    first = fitted.parts[0].origin
    if fitted.unchanged:
        return {**first, "at": fitted.at} if "at" in first else first
    sources = {part.origin["source"] for part in fitted.parts}
    deciders = [part.origin["by"] for part in fitted.parts if part.place is None and "by" in part.origin]
    by: dict[str, Any] = {"by": deciders[-1]} if deciders else {}
    if draws := sorted({number for part in fitted.parts for number in part.origin.get("draws", ())}):
        by["draws"] = draws
    source = next((source for source in SOURCES if source in sources), HOUSE)
    return {**first, "answer": fitted.answer, "source": source, "at": fitted.at, **by}


def kept_of(side: Side, step: int, left: Iterable[AnswerPart], answers: Sequence[Fitted]) -> list[dict[str, Any]]:
    """Return the answers that are no longer asked for, given these answers, as an amendment keeps them."""
    found, counts = [], Counter(part.what for fitted in answers for part in fitted.parts)
    for part in left:
        found.append(
            {"side": side.pk, "step": step, "what": part.what, "slot": counts[part.what], "shape": part.shape,
             "answer": part.answer,
             **{name: part.origin[name] for name in ("source", "by", "draws") if name in part.origin}}
        )  # fmt: skip
        counts[part.what] += 1
    return found


def _answer_part(item: Mapping[str, Any]) -> AnswerPart:
    origin = {name: item[name] for name in ("answer", "source", "by", "draws") if name in item} | {"at": 0}
    return AnswerPart(what=item["what"], shape=item["shape"], answer=item["answer"], origin=origin)
