"""Forms that read what users type or tap, before the rules check it."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy

from core.form_errors import valid
from core.form_fields import DayField, LongText, Several, ShortText, Version
from registers.models import Register
from registers.services.editing import LONGEST_BIOGRAPHY
from rules.core.card_types import FACTIONS
from rules.core.json_text import load_json
from rules.core.violations import RuleViolation
from rules.register.building import LONGEST_NAME


class OpenForm(forms.Form):
    """The Faction of a new Register. `register` is its primary key, so that a form sent twice opens it once."""

    register = forms.UUIDField(widget=forms.HiddenInput)
    faction = forms.ChoiceField(choices=[(faction, faction) for faction in FACTIONS])


class NameForm(forms.Form):
    """The name of a Register or unit."""

    name = ShortText(max_length=LONGEST_NAME, label=gettext_lazy("Name"))


class BiographyForm(forms.Form):
    """A biography in Markdown."""

    biography = LongText(
        label=gettext_lazy("Biography"), rows=8, max_length=LONGEST_BIOGRAPHY,
        help_text=gettext_lazy("Markdown: *italic*, **bold**, - list, > quote, [link](https://…)."),
    )  # fmt: skip
    #: The mark of the text that the form was drawn from.
    before = forms.CharField(required=False, empty_value=None)


class _Day(DayField):
    def __init__(self, label: str) -> None:
        values = {
            name: gettext_lazy("Enter a date as year-month-day, like 2026-04-21.") for name in ("required", "invalid")
        }
        super().__init__(label=label, error_messages=values)


class DayForm(forms.Form):
    """The day on which to show a Register."""

    at = _Day(gettext_lazy("Day"))


class DaysForm(forms.Form):
    """Two days to compare a Register between. Field names differ in the address, where one is a Python keyword."""

    to = _Day(gettext_lazy("To the end of"))
    from_ = _Day(gettext_lazy("From the end of"))
    field_order = ("from_", "to")

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in the address."""
        return super().add_prefix(field_name).rstrip("_")


GARBLED = gettext_lazy("The form was incomplete. Reload the page.")
ANSWERED_ALREADY = gettext_lazy("This was already saved. The page is up to date now.")


class AnsweredAlready(Exception):
    """The form was loaded before the last act. The text is for the player."""


class ActForm(forms.Form):
    """An action on a Register. `position` is that of the ledger on the page (law 6)."""

    position = Version()
    register_name = forms.CharField(required=False, strip=False)
    story_arc = forms.CharField(required=False)
    entry = Version(required=False)
    changed_unit = forms.CharField(required=False)


def acting(request: HttpRequest, register: Register, **fields: str) -> dict[str, Any]:
    """Return the arguments of a service: actor, Register, position, and `fields`, by their names in the form.

    Raises AnsweredAlready if the Register has moved on.
    """
    cleaned = valid(ActForm(request.POST))
    if cleaned["position"] != register.position:
        raise AnsweredAlready(ANSWERED_ALREADY)
    acting = {"actor": request.user, "register_id": register.pk, "position": register.position}
    return acting | {argument: cleaned[field] for argument, field in fields.items()}


class AnswerForm(forms.Form):
    """An offer of one tap: JSON, without letters that PostgreSQL cannot keep."""

    answer = forms.Field(required=False)

    def clean_answer(self) -> Any:
        """Return the parsed answer."""
        try:
            answer = load_json(self.cleaned_data["answer"] or "")
        except ValueError:
            raise ValidationError(GARBLED) from None
        text = json.dumps(answer, ensure_ascii=False)
        if "\\u0000" in text or not text.isprintable():
            raise ValidationError(GARBLED)
        return answer


class EditAnswerForm(AnswerForm):
    """An offer of an edit."""

    def clean_answer(self) -> Any:
        """Return the edit: one word with details that are texts."""
        change = super().clean_answer()
        details = next(iter(change.values()), None) if isinstance(change, dict) else None
        if not isinstance(details, dict):
            raise ValidationError(GARBLED)
        for name, value in details.items():
            texts = value if name == "upgrades" and isinstance(value, list) else [value]
            if not all(isinstance(text, str) for text in texts):
                raise ValidationError(GARBLED)
        return change


def posted_upgrades(post: QueryDict, name: str = "upgrades") -> list[str]:
    """Return the upgrades of a form: those ticked, and those of each compulsory choice (NAME-0, NAME-1 and so on)."""
    return [slug for field in post if field == name or field.startswith(f"{name}-") for slug in post.getlist(field)]


class _Upgrades(forms.SelectMultiple):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return posted_upgrades(data, name)


class UnitForm(forms.Form):
    """A unit that joins with upgrades, or one that gets a name."""

    unit_to_name, unit = forms.CharField(required=False), forms.CharField(required=False)
    upgrades = Several(widget=_Upgrades)
    name = forms.CharField(required=False, strip=False)


def posted_answer(post: QueryDict) -> Any:
    """Return the answer of an offer of one tap."""
    return valid(AnswerForm(post))["answer"]


def posted_edit(post: QueryDict) -> Any:
    """Return an edit as `rules.post_battle.edit_register.edit` has it, from any form of `_edit_form.html`."""
    if "answer" in post:
        return valid(EditAnswerForm(post))["answer"]
    cleaned = valid(UnitForm(post))
    key = cleaned.pop("unit_to_name")
    return {"name": {"unit": key, "name": cleaned["name"]}} if "unit_to_name" in post else {"add": cleaned}


def typed_in(request: HttpRequest) -> QueryDict:
    """Return the address's parameters, overridden by those posted, so that a refused form keeps its input."""
    typed = request.GET.copy()
    for name, values in request.POST.lists():
        typed.setlist(name, values)
    if "unit" in request.POST or "changed_unit" in request.POST:
        typed.setlist("upgrades", posted_upgrades(request.POST))
    return typed


def blame(form: forms.Form, refusal: RuleViolation, field: str) -> None:
    """Show a refusal next to the field it is about."""
    for violation in refusal.violations:
        form.add_error(field, f"{violation.text} {violation.rule}".strip())
