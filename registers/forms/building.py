"""Forms that read what users type or tap, before the rules check it."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy

from registers.ledger.text import whole_number
from registers.models import Register
from registers.services.editing import LONGEST_BIOGRAPHY
from rules.core.card_types import FACTIONS
from rules.core.translation import gettext
from rules.core.violations import RuleViolation, refuse
from rules.register.building import LONGEST_NAME


class OpenForm(forms.Form):
    """The Faction of a new Register. `register` is its primary key, so that a form sent twice opens it once."""

    register = forms.UUIDField(widget=forms.HiddenInput)
    faction = forms.ChoiceField(choices=[(faction, faction) for faction in FACTIONS])


class NameForm(forms.Form):
    """The name of a Register or unit."""

    name = forms.CharField(max_length=LONGEST_NAME, required=False, label=gettext_lazy("Name"))
    name.widget.attrs["autocomplete"] = "off"


class BiographyForm(forms.Form):
    """A biography in Markdown."""

    biography = forms.CharField(
        max_length=LONGEST_BIOGRAPHY,
        label=gettext_lazy("Biography"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=gettext_lazy(
            "Markdown: *emphasis*, **weight**, - lists, > quotations, [links](https://…)."
        ),
    )


class _Day(forms.DateField):
    def __init__(self, label: str) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        said = {
            name: gettext_lazy("Enter a day as year, month and day, like 2026-04-21.")
            for name in ("required", "invalid")
        }
        super().__init__(label=label, widget=widget, input_formats=["%Y-%m-%d"], error_messages=said)


class DayForm(forms.Form):
    """The day on which to show a Register."""

    at = _Day(gettext_lazy("At the end of"))


class DaysForm(forms.Form):
    """Two days to compare a Register between. Field names differ in the address, where one is a Python keyword."""

    to = _Day(gettext_lazy("to the end of"))
    from_ = _Day(gettext_lazy("From the end of"))
    field_order = ("from_", "to")

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in the address."""
        return super().add_prefix(field_name).rstrip("_")


ANSWERED_ALREADY = gettext_lazy("This was answered already. Here is how things stand now.")


class AnsweredAlready(Exception):
    """The form was loaded before the last act. The text is for the player."""

    def __init__(self) -> None:
        super().__init__(ANSWERED_ALREADY)


def position_of(post: QueryDict, register: Register) -> int:
    """Return the ledger position of a form (law 6). Raises AnsweredAlready if the Register has moved on."""
    position = whole_number(post.get("position", ""))
    if position is None:
        raise refuse("", gettext("This form is incomplete. Load the page again."))
    if position != register.position:
        raise AnsweredAlready
    return register.position


def acting(request: HttpRequest, register: Register) -> dict[str, Any]:
    """Return the arguments that every act takes: actor, Register and position. Raises as `position_of`."""
    return {
        "actor": request.user,
        "register_id": register.pk,
        "position": position_of(request.POST, register),
    }


def posted_answer(post: QueryDict) -> Any:
    """Return the JSON of a tapped offer. Refuses anything else, and characters that PostgreSQL cannot store."""
    try:
        answer = json.loads(post.get("answer", ""))
    except (ValueError, RecursionError):
        raise _garbled() from None
    text = json.dumps(answer, ensure_ascii=False)
    if "\\u0000" in text or not text.isprintable():
        raise _garbled()
    return answer


def posted_edit(post: QueryDict) -> Any:
    """Return an edit as `rules.post_battle.edit_register.edit` has it, from any form of `_edit_form.html`."""
    if "answer" in post:
        return _well_formed(posted_answer(post))
    if "unit_to_name" in post:
        return {"name": {"unit": post["unit_to_name"], "name": post.get("name", "")}}
    return {
        "add": {
            "unit": post.get("unit", ""),
            "upgrades": post.getlist("upgrades"),
            "name": post.get("name", ""),
        }
    }


def _well_formed(change: Any) -> Any:
    details = next(iter(change.values()), None) if isinstance(change, dict) else None
    if not isinstance(details, dict):
        raise _garbled()
    for name, value in details.items():
        texts = value if name == "upgrades" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise _garbled()
    return change


def _garbled() -> RuleViolation:
    return refuse("", gettext("This answer is not to be understood. Load the page again."))


def typed_in(request: HttpRequest) -> QueryDict:
    """Return the address's parameters, overridden by those posted, so that a refused form keeps its input."""
    typed = request.GET.copy()
    for name, values in request.POST.lists():
        typed.setlist(name, values)
    if "unit" in request.POST:
        typed.setlist("upgrades", request.POST.getlist("upgrades"))
    return typed


def blame(form: forms.Form, refusal: RuleViolation, field: str) -> None:
    """Show a refusal next to the field it is about."""
    for violation in refusal.violations:
        form.add_error(field, f"{violation.text} {violation.rule}".strip())
