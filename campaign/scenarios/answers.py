"""The player of a scenario: answers the questions of a sequence from the scenario file. Refuses answers to questions
that were never asked, with the rule that would have asked.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from core.scenarios import ScenarioError
from rules.core.violations import Violation, raise_if_any, refuse
from rules.post_battle.casualties import AddDice, Reroll
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Question, Roll
from rules.post_battle.rewards import JoinUnit

#: The step of the Casualty Checks.
CHECKS = 4


class Handles:
    """The scenario's handles for the units of one Register, and their keys."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}

    def key(self, handle: str) -> str:
        """Return the key of a unit. An unknown handle gets the key of no unit, so that the rules refuse it."""
        return self.keys.get(handle, f"?{handle}")

    def handle(self, key: str) -> str:
        """Return the handle of a unit."""
        return next((handle for handle, own in self.keys.items() if own == key), f"?{key}")

    def add(self, handle: str, key: str) -> None:
        """Add a unit that has joined. A handle always names the same unit."""
        if handle in self.keys:
            raise ScenarioError(f"handle {handle!r} is used twice")
        self.keys[handle] = key


def joining(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a UNIT of the scenario form as `editing.edit` takes it."""
    return {"unit": unit["unit"], "upgrades": list(unit.get("upgrades", ())), "name": unit.get("name") or ""}


_UNIT, _CARD = {"unit"}, {"unit", "upgrade"}
_AID_NEEDS = {
    "request-medical-supplies": {"unit", "setback", "dice", "remove"},
    "request-strategic-asset": {"asset"},
    "request-reinforcements": _CARD,
    "supplies-and-provisions": _CARD,
    "special-training": _UNIT,
    "reassign-unit": _UNIT,
}


def wish(handles: Handles, aid: Mapping[str, Any]) -> dict[str, Any]:
    """Return an AID of a scenario as fields of a RequestedAid; only one that is to be refused may have others."""
    unused = set(aid) - {"request", "refused"} - _AID_NEEDS.get(aid["request"], set())
    if unused and "refused" not in aid:
        raise ScenarioError(f"{aid['request']}: nobody asks for {', '.join(sorted(unused))}")
    words = {key: aid[key] for key in ("request", "upgrade", "asset", "setback") if key in aid}
    return words | ({"unit": handles.key(aid["unit"])} if "unit" in aid else {})


def change(handles: Handles, edit: Mapping[str, Any]) -> dict[str, Any]:
    """Return an EDIT of the scenario form as `editing.edit` takes it."""
    words = [word for word in ("add", "upgrade", "name") if word in edit]
    if len(words) != 1:
        raise ScenarioError(f"an edit is one of add, upgrade, name: {edit!r}")
    details = edit[words[0]]
    if words[0] == "add":
        return {"add": joining(details)}
    return {words[0]: {**details, "unit": handles.key(details["unit"])}}


class SequencePlayer:
    """Answers for one side's sequence. `own` and `other` are the handles of the two sides' units. `next_key` returns
    the key of the next unit that joins. A side that has `conceded` skips steps 2, 3 and 5 (R51).
    """

    def __init__(
        self, sequence: Mapping[str, Any], own: Handles, other: Handles, guest: Mapping[str, Any] | None,
        next_key: Callable[[], str], *, conceded: bool = False,
    ) -> None:  # fmt: skip
        self.conceded = conceded
        sequence = deepcopy(sequence)  # answers are removed one by one, and a scenario may be played again
        self.own, self.other, self.guest, self.next_key = own, other, guest, next_key
        self.rewards = [*sequence.get("agenda_reward", ())]
        self.mission = [*sequence.get("end_of_game_reward", ()), *sequence.get("turning_point_reward", ())]
        self.single = {
            key: sequence[key] for key in ("supply", "medevac", "rival", "warden", "story_arc") if key in sequence
        }
        self.checks = {entry["unit"]: entry for entry in sequence.get("casualties", ())}
        if len(self.checks) != len(sequence.get("casualties", ())):
            raise ScenarioError("casualties: one entry a unit")
        self.commendations = list(sequence.get("commendations", ()))
        self.command_cards = list(sequence.get("command_cards", ()))
        self.aid = list(sequence.get("aid", ()))
        self.edits = list(sequence.get("edit", ()))
        self.request: dict[str, Any] = {}

    def answer(self, step: int, question: Question) -> Any:
        """Return the scenario's answer. Raises ScenarioError if it has none. After step 4, refuses answers for Casualty
        Checks that step 4 did not ask for, before later steps build on it.
        """
        if step > CHECKS:
            raise_if_any(_unasked_of_checks(self))
        match question:
            case Roll():
                return {pool.key: self._faces(step, pool.key, pool.count) for pool in question.pools}
            case AddDice():
                return [unit.value for unit in question.units if self._check(unit.value).pop("extra_die", False)]
            case Reroll():
                return {rolled.unit: self._reroll(rolled.unit) for rolled in question.checks}
            case Award():
                return {due.unit: self._commendation(due.unit, due.needs_name) for due in question.dues}
            case ChooseSeveral(kind="setbacks"):
                return self._removed(question)
            case Choose(kind="setback") if self.request:
                return self.request.pop("setback", None) or self._missing(step, question)
            case Choose():
                return self._choice(step, question)
            case _:
                return self._reward(step, question)

    def next_wish(self) -> dict[str, Any] | None:
        """Return the next Aid Request of the list, or None at its end. All answers of the last one must be used up."""
        self._request_used_up()
        self.request = self.aid.pop(0) if self.aid else {}
        return self.request or None

    def wished(self) -> None:
        """Drop the used fields of the current request; its dice and Setbacks to remove stay."""
        self.request = {key: value for key, value in self.request.items() if key in ("dice", "remove") and value}

    def _faces(self, step: int, pool: str, count: int) -> list[str]:
        what, _, key = pool.partition(":")
        match what:
            case "supply":
                return [self._single("supply")]
            case "warden":
                return list(self._single("warden"))
            case "reward":
                return list(self._pop_reward(step, "roll"))
            case "aid":
                return list(self.request.pop("dice", ()))
            case "setback" | "trait":
                return [self._rolled_one(step, what, key)]
        entry = self._check(key)
        if what == "check":
            return self._checked(key, count)
        if what == "blanks":
            return list(entry.pop("blanks_rerolled", ()))
        return list(entry.pop("rerolled"))

    def _checked(self, key: str, count: int) -> list[str]:
        """Return the faces of a Casualty Check. An extra die must have been added before it."""
        entry = self._check(key)
        if entry.get("extra_die"):
            number = [Violation("R31", f"{self.own.handle(key)} rolls {count} dice.")]
            unasked = _unasked(self.own.handle(key), entry, ("extra_die",))
            raise_if_any(unasked + number * (len(entry["dice"]) != count))
        return list(entry.pop("dice"))

    def _rolled_one(self, step: int, what: str, key: str) -> str:
        if step == CHECKS:
            faces = self._check(key).get(what)
        else:
            faces = self._rewards(step)[0].get(what) if self._rewards(step) else None
        if not faces:
            if step == CHECKS:  # changing another die may have avoided the question for this one
                raise_if_any(_unasked(self.own.handle(key), self._check(key), ("blanks_rerolled", "reroll")))
            raise ScenarioError(f"step {step}: no {what} die for {self.own.handle(key)}")
        face = faces.pop(0)
        if step != CHECKS and not faces:
            self._rewards(step).pop(0)
        return str(face)

    def _reroll(self, key: str) -> list[int]:
        entry = self._check(key)
        reroll = entry.pop("reroll", {"dice": [], "faces": []})
        entry["rerolled"] = reroll["faces"]
        return list(reroll["dice"])

    def _check(self, key: str) -> dict[str, Any]:
        handle = self.own.handle(key)
        if handle not in self.checks:
            if self.single.get("medevac") == handle:  # the asset saves no unit from its check
                raise refuse("R21", f"Nobody asked for this answer: medevac of {handle}.")
            raise ScenarioError(f"no Casualty Check is written down for {handle}")
        return self.checks[handle]

    def _choice(self, step: int, question: Choose) -> Any:
        match question.kind:
            case "medevac":
                handle = self.single.pop("medevac", None)
                return self.own.key(handle) if handle else None
            case "rival":
                handle = self.single.pop("rival", None)
                return self.other.key(handle) if handle else None
            case "guest_rival":
                handle = self.guest.pop("rival", None) if isinstance(self.guest, dict) else None
                return self.own.key(handle) if handle else None
            case "command_card":
                if not self.command_cards:
                    raise ScenarioError("step 6: a Command Card is owed and none is written down")
                return self.command_cards.pop(0)
            case "story_arc":
                return self._single("story_arc")
        return self._reward(step, question)

    def _reward(self, step: int, question: Question) -> Any:
        match question:
            case Choose(kind="unit"):
                handle = self._pop_reward(step, "unit")
                return None if handle is None else self.own.key(handle)
            case Choose(kind="option"):
                return str(self._pop_reward(step, "option"))
            case Choose(kind="setback"):
                return self._pop_reward(step, "remove")
            case Confirm():
                return self._pop_reward(step, "may")
            case ChooseSeveral():
                return self._pop_reward(step, "ranks")
            case JoinUnit():
                unit = self._pop_reward(step, "add")
                self.own.add(unit["as"], self.next_key())
                words = joining(unit)
                return {"card": words["unit"], "upgrades": words["upgrades"], "name": words["name"]}
        return self._missing(step, question)

    def _commendation(self, key: str, needs_name: bool) -> dict[str, Any]:
        handle = self.own.handle(key)
        place = next((i for i, entry in enumerate(self.commendations) if entry["unit"] == handle), None)
        if place is None:
            raise ScenarioError(f"step 6: {handle} is owed a Commendation and none is written down")
        entry = self.commendations.pop(place)
        if entry.get("name") and not needs_name:
            raise ScenarioError(f"step 6: nobody asks for a name of {handle}")
        return {word: entry[word] for word in ("commendation", "name", "keyword") if entry.get(word) is not None}

    def _removed(self, question: ChooseSeveral) -> Any:
        if "remove" in self.request:
            return self.request.pop("remove")
        if question.forced:
            return question.forced[0]
        return self._missing(7, question)

    def _rewards(self, step: int) -> list[dict[str, Any]]:
        return self.rewards if step == 1 else self.mission

    def _pop_reward(self, step: int, word: str) -> Any:
        rewards = self._rewards(step)
        if not rewards or list(rewards[0]) != [word]:
            found = rewards[0] if rewards else "nothing"
            raise ScenarioError(f"step {step}: the reward asks for {word!r}, and finds {found!r}")
        return rewards.pop(0)[word]

    def _single(self, word: str) -> Any:
        if self.single.get(word) is None:
            raise ScenarioError(f"{word!r} is asked for and missing")
        return self.single.pop(word)

    @staticmethod
    def _missing(step: int, question: Question) -> Any:
        raise ScenarioError(f"step {step}: no answer to {question.text!r}")

    def _request_used_up(self) -> None:
        if any(self.request.values()):
            raise refuse("R42", f"Nobody asks for this of the request: {self.request}.")

    def used_up(self, *, all_cards_unlocked: bool) -> None:
        """Refuse answers that nobody asked for, with the rules that would have asked. A null for a Command Card may be
        left over if all are unlocked, because then nobody asks (R16).
        """
        self._request_used_up()
        if all_cards_unlocked:
            self.command_cards = [card for card in self.command_cards if card is not None]
        raise_if_any(_left_over(self))


#: The rule that asks for each part of a Casualty Check.
_OF_A_CHECK = {
    "dice": "R31", "extra_die": "R32", "blanks_rerolled": "R32", "reroll": "R33", "rerolled": "R33", "setback": "R36",
    "trait": "R37",
}  # fmt: skip


def _unasked(handle: str, entry: Mapping[str, Any], words: Iterable[str] = tuple(_OF_A_CHECK)) -> list[Violation]:
    """Return violations for parts of a unit's check that are left although nobody will ask for them."""
    return [_nobody_asked(_OF_A_CHECK[word], f"{word} of {handle}") for word in words if entry.get(word)]


def _unasked_of_checks(player: SequencePlayer) -> list[Violation]:
    return [violation for handle, entry in player.checks.items() for violation in _unasked(handle, entry)]


def _left_over(player: SequencePlayer) -> list[Violation]:
    rules = {"supply": "R30", "medevac": "R21", "warden": "R41", "story_arc": "R49"}
    left = [(rule, key) for key, rule in rules.items() if player.single.get(key) is not None]
    if player.single.get("rival") or (isinstance(player.guest, dict) and player.guest.get("rival")):
        left += [("R39", "rival"), ("R40", "rival"), ("R51", "rival")]
    left += [("R26", "agenda_reward")] * bool(player.rewards)
    left += [("R29", "turning_point_reward")] * bool(player.mission)
    left += [("R16", "command_cards")] * bool(player.command_cards)
    left += [("R15", "commendations")] * bool(player.commendations)
    left += [("R41", "aid")] * bool(player.aid) + [("R11", "edit")] * bool(player.edits)
    if player.conceded:
        left += [("R51", what) for rule, what in left if rule in ("R29", "R30")]
    return [*_unasked_of_checks(player), *(_nobody_asked(rule, what) for rule, what in left)]


def _nobody_asked(rule: str, what: str) -> Violation:
    return Violation(rule, f"Nobody asked for this answer: {what}.")
