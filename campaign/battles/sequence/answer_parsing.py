"""Parse the form of a question into its answer. The question and the rules decide whether the answer is allowed."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import QueryDict

from campaign.battles.services.sequence import APP, PLAYER, TABLE
from registers.forms.building import posted_answer, posted_edit
from registers.ledger.text import whole_number
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any, refuse
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.casualties import AddDice, Reroll
from rules.post_battle.commendations import Award, Due
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Question, Roll
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.rewards import JoinUnit

#: The value of a Commendation's radio button for "none": the award is skipped (R15).
WAIVED = "waived"


class ParsedAnswer(NamedTuple):
    """An answer as the step's script takes it, and its source."""

    answer: Any
    source: str = PLAYER


def read(question: Question, data: QueryDict) -> ParsedAnswer:
    """Return the answer in the posted form.

    It is empty if the app is to roll, because the sequence rolls when it takes the answer. Refuses a form that lacks
    a required value, with the question's own text.
    """
    match question:
        case Roll():
            return _rolled(question, data)
        case ChooseSeveral():
            return _taken(question, data)
        case Choose():
            return ParsedAnswer(None if "decline" in data else data.get("choice", ""))
        case Confirm():
            return ParsedAnswer({"yes": True, "no": False}.get(data.get("confirm", "")))
        case AddDice():
            return ParsedAnswer(data.getlist("add"))
        case Reroll():
            return ParsedAnswer({} if "keep" in data else _places(question, data))
        case Award():
            return ParsedAnswer(_awards(question, data))
        case RequestAid() | EditRegister():
            posted = posted_answer if isinstance(question, RequestAid) else posted_edit
            return ParsedAnswer(None if "done" in data else posted(data))
        case JoinUnit():
            card, name = data.get("card", ""), data.get("name", "")
            return ParsedAnswer({"card": card, "upgrades": data.getlist(f"upgrades:{card}"), "name": name})
    raise KeyError(f"No form asks {question!r}")


def face_field(pool: str, place: int) -> str:
    """Return the name of the field for one die that was rolled at the table."""
    return f"face:{pool}:{place}"


def _rolled(question: Roll, data: QueryDict) -> ParsedAnswer:
    if data.get("dice") == APP:
        return ParsedAnswer(None, APP)
    faces = {
        pool.key: [data.get(face_field(pool.key, place), "") for place in range(pool.count)]
        for pool in question.pools
    }
    raise_if_any(
        Violation(
            question.rule,
            gettext("Enter the die.") if pool.count == 1 else gettext("Enter every die."),
            pool.key,
        )
        for pool in question.pools
        if "" in faces[pool.key]
    )
    return ParsedAnswer(faces, TABLE)


def _taken(question: ChooseSeveral, data: QueryDict) -> ParsedAnswer:
    if data.get("dice") == APP and question.kind == "ranks":
        return ParsedAnswer(None, APP)
    taken = [value for value in data.getlist("take") if value]
    return ParsedAnswer(taken, TABLE if question.kind == "ranks" else PLAYER)


def _places(question: Reroll, data: QueryDict) -> dict[str, list[int]]:
    chosen = {check.unit: data.getlist(f"reroll:{check.unit}") for check in question.checks}
    places = [whole_number(place) for unit in chosen.values() for place in unit]
    if not places or None in places:
        raise refuse(question.rule, gettext("Choose the dice to reroll, or keep them all."))
    return {unit: [int(place) for place in places] for unit, places in chosen.items() if places}


def _awards(question: Award, data: QueryDict) -> dict[str, Any]:
    raise_if_any(
        Violation("R15", gettext("Choose a Commendation, or waive it."), due.unit)
        for due in question.dues
        if due.options and not data.get(f"commendation:{due.unit}")
    )
    return {due.unit: _award(due, data) for due in question.dues}


def _award(due: Due, data: QueryDict) -> dict[str, Any]:
    slug = data.get(f"commendation:{due.unit}", WAIVED)
    given: dict[str, Any] = {"commendation": None if slug == WAIVED else slug}
    if due.needs_name:
        given["name"] = data.get(f"name:{due.unit}", "")
    # Each keyword field belongs to one Commendation; those of the others are ignored.
    if keyword := data.get(f"keyword:{due.unit}:{slug}"):
        given["keyword"] = keyword
    return given
