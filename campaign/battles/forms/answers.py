"""A Django form for each kind of question, and the answer in it. The question and the rules decide what is allowed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext

from campaign.battles.services.sequence import APP, PLAYER, TABLE
from core.form_errors import BrokenRule, valid
from core.form_fields import Several, entered
from registers.forms.building import posted_answer, posted_edit
from registers.ledger.text import whole_number
from rules.core.violations import Violation
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.casualties import AddDice, Reroll
from rules.post_battle.commendations import NO_COMMENDATION, Award
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Pool, Question, Roll
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.rewards import JoinUnit

#: The value of a Commendation's radio button for "none": the award is skipped (R15).
SKIPPED = "skipped"


class ParsedAnswer(NamedTuple):
    """An answer as the step's script takes it, and its source."""

    answer: Any
    source: str = PLAYER


def read(question: Question, data: Any) -> ParsedAnswer:
    """Return the answer in the posted form, empty if the app is to roll: the sequence rolls when it takes the answer.
    Refuses a form that lacks a required value, with the question's own text.
    """
    return form_for(question, data).answer()


def form_for(question: Question, data: Any) -> "QuestionForm":
    """Return the form of a question, with what was entered in it. Raises KeyError if no form asks the question."""
    return _FORMS[type(question)](question, data)


class QuestionForm(forms.Form):
    """The fields of a question."""

    def __init__(self, question: Any, data: Any) -> None:
        super().__init__(data)
        self.question = question

    def answer(self) -> ParsedAnswer:
        """Return what was entered as an answer. Refuses what is missing."""
        raise NotImplementedError


class _Faces(forms.Widget):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [data.get(face_field(name, place), "") for place in range(self.count)]


def face_field(pool: str, place: int) -> str:
    """Return the name of the input for one die that was rolled at the table."""
    return f"face:{pool}:{place}"


class FacesField(forms.Field):
    """The faces of the dice of a pool. Refuses a missing one by the question's `rule`."""

    def __init__(self, pool: Pool, rule: str) -> None:
        super().__init__(required=False, widget=_Faces(pool.count))
        self.pool, self.rule = pool, rule

    def validate(self, value: list[str]) -> None:
        """Refuse a die without a face."""
        if "" in value:
            text = gettext("Enter the die.") if self.pool.count == 1 else gettext("Enter every die.")
            raise BrokenRule(Violation(self.rule, text, self.pool.key))


class RollForm(QuestionForm):
    """A roll by the app, or the faces of a roll at the table, a field for each pool."""

    dice = forms.CharField(required=False)

    def __init__(self, question: Roll, data: Any) -> None:
        super().__init__(question, data)
        for pool in question.pools:
            self.fields[pool.key] = FacesField(pool, question.rule)

    def answer(self) -> ParsedAnswer:
        """Return the faces by pool."""
        if self["dice"].value() == APP:
            return ParsedAnswer(None, APP)
        cleaned = valid(self)
        return ParsedAnswer({pool.key: cleaned[pool.key] for pool in self.question.pools}, TABLE)


class SeveralForm(QuestionForm):
    """Several things to take. Order tokens (kind "ranks") may be drawn by the app, or at the table."""

    dice = forms.CharField(required=False)
    take = Several()

    def answer(self) -> ParsedAnswer:
        """Return the values taken."""
        cleaned, drawn = entered(self), self.question.kind == "ranks"
        if drawn and cleaned["dice"] == APP:
            return ParsedAnswer(None, APP)
        return ParsedAnswer(cleaned["take"], TABLE if drawn else PLAYER)


class ChooseForm(QuestionForm):
    """One option, or none of them."""

    choice = forms.CharField(required=False)
    decline = forms.BooleanField(required=False)

    def answer(self) -> ParsedAnswer:
        """Return the value of the option."""
        cleaned = entered(self)
        declined = cleaned["decline"] and self.question.decline
        return ParsedAnswer(None if declined else cleaned["choice"])


class ConfirmForm(QuestionForm):
    """Yes or no."""

    confirm = forms.ChoiceField(choices=[("yes", ""), ("no", "")], required=False)

    def answer(self) -> ParsedAnswer:
        """Return True or False, or None for neither."""
        return ParsedAnswer({"yes": True, "no": False}.get(entered(self)["confirm"]))


class AddDiceForm(QuestionForm):
    """The War Weary units that add a die (R32)."""

    add = Several()

    def answer(self) -> ParsedAnswer:
        """Return the keys of the units."""
        return ParsedAnswer(entered(self)["add"])


class RerollForm(QuestionForm):
    """The places of the dice to reroll, a field for each unit; or the button that keeps them all (R33)."""

    keep = forms.BooleanField(required=False)

    def __init__(self, question: Reroll, data: Any) -> None:
        super().__init__(question, data)
        for check in question.checks:
            self.fields[f"reroll:{check.unit}"] = Several()

    def clean(self) -> None:
        """Refuse a form without dice."""
        if not self.cleaned_data["keep"]:
            places = [whole_number(place) for chosen in self._chosen().values() for place in chosen]
            if not places or None in places:
                text = gettext("Choose the dice to reroll, or keep them all.")
                raise BrokenRule(Violation(self.question.rule, text))

    def answer(self) -> ParsedAnswer:
        """Return the places by unit."""
        if valid(self)["keep"]:
            return ParsedAnswer({})
        chosen = self._chosen().items()
        return ParsedAnswer({unit: [int(place) for place in places] for unit, places in chosen if places})

    def _chosen(self) -> dict[str, list[str]]:
        units = [check.unit for check in self.question.checks]
        return {unit: self.cleaned_data[f"reroll:{unit}"] for unit in units}


class AwardForm(QuestionForm):
    """A Commendation for each unit that is due one, with its keyword, and the unit's name if it needs one (R15)."""

    def __init__(self, question: Award, data: Any) -> None:
        super().__init__(question, data)
        for due in question.dues:
            self.fields[f"commendation:{due.unit}"] = forms.CharField(required=False)
            self.fields[f"name:{due.unit}"] = forms.CharField(required=False, strip=False)
            for option in due.options:
                self.fields[f"keyword:{due.unit}:{option.value}"] = forms.CharField(required=False)

    def clean(self) -> None:
        """Refuse a unit without a Commendation."""
        for due in self.question.dues:
            if due.options and not self.cleaned_data.get(field := f"commendation:{due.unit}"):
                self.add_error(field, BrokenRule(NO_COMMENDATION(due.unit)))

    def answer(self) -> ParsedAnswer:
        """Return the award of each unit. Keywords of Commendations that were not chosen are left out."""
        cleaned, awards = valid(self), {}
        for due in self.question.dues:
            slug = cleaned[f"commendation:{due.unit}"] or SKIPPED
            award = {"commendation": None if slug == SKIPPED else slug}
            if due.needs_name:
                award["name"] = cleaned[f"name:{due.unit}"]
            if keyword := cleaned.get(f"keyword:{due.unit}:{slug}"):
                award["keyword"] = keyword
            awards[due.unit] = award
        return ParsedAnswer(awards)


class AidForm(QuestionForm):
    """An Aid Request, or the button that makes no more of them."""

    done = forms.BooleanField(required=False)

    def answer(self) -> ParsedAnswer:
        """Return the request; None for no more."""
        return ParsedAnswer(None if entered(self)["done"] else posted_answer(self.data))


class EditForm(AidForm):
    """An edit of the Register, or the button that makes no more of them."""

    def answer(self) -> ParsedAnswer:
        """Return the edit; None for no more."""
        return ParsedAnswer(None if entered(self)["done"] else posted_edit(self.data))


class JoinForm(QuestionForm):
    """A unit that joins, with its name, and a field for the upgrades of each card to choose from."""

    card = forms.CharField(required=False)
    name = forms.CharField(required=False, strip=False)

    def __init__(self, question: JoinUnit, data: Any) -> None:
        super().__init__(question, data)
        for card in question.cards:
            self.fields[f"upgrades:{card.value}"] = Several()

    def answer(self) -> ParsedAnswer:
        """Return the card with its upgrades and its name."""
        cleaned = valid(self)
        card, name = cleaned["card"], cleaned["name"]
        return ParsedAnswer({"card": card, "upgrades": cleaned.get(f"upgrades:{card}", []), "name": name})


_FORMS: Mapping[type[Question], type[QuestionForm]] = {
    Roll: RollForm,
    ChooseSeveral: SeveralForm,
    Choose: ChooseForm,
    Confirm: ConfirmForm,
    AddDice: AddDiceForm,
    Reroll: RerollForm,
    Award: AwardForm,
    RequestAid: AidForm,
    EditRegister: EditForm,
    JoinUnit: JoinForm,
}
