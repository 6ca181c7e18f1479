"""A condition of progress as a plain form: up to four things that all have to be so (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

PARTS = 4
_COUNTED = {
    "tokens_at_least": _("so many tokens, or more"),
    "secondary_vp_at_least": _("so many VP by secondary objectives, or more"),
    "marked_undefeated_at_least": _("so many marked units were not defeated, or more"),
}
_PLAIN = {
    "secondary_vp_more_than_opponent": _("more VP by secondary objectives than the opponent"),
    "no_marked_unit_defeated": _("no marked unit was defeated"),
    "won": _("the battle was won"),
    "lost": _("the battle was lost"),
}
_SAID = {"confirmed": _("the player says that …")}

Condition = dict[str, Any]


class PartForm(forms.Form):
    """One thing that has to be so; empty if it says nothing."""

    word = forms.ChoiceField(label=_("If"), required=False, choices=[
        ("", "—"), *_COUNTED.items(), *_PLAIN.items(), *_SAID.items(),
    ])  # fmt: skip
    number = forms.IntegerField(label=_("How many"), required=False, min_value=1, max_value=99)
    text = forms.CharField(
        label=_("What they say"), required=False, max_length=200, help_text=_("Only if the player says so."),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Refuse a word without what it needs."""
        words = super().clean() or {}
        if words.get("word") in _COUNTED and not words.get("number") and "number" not in self.errors:
            self.add_error("number", _("How many?"))
        if words.get("word") in _SAID and not words.get("text", "").strip():
            self.add_error("text", _("What does the player say?"))
        return words

    def as_condition(self) -> Condition | None:
        """It as the files have it; None if it says nothing."""
        words = self.cleaned_data
        match words["word"]:
            case "":
                return None
            case word if word in _COUNTED:
                return {word: words["number"]}
            case "confirmed":
                return {"confirmed": words["text"].strip()}
        return {words["word"]: True}


class ConditionForm:
    """PARTS forms for a condition; several that are filled must all be so."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, condition: Condition | None = None) -> None:
        parts = (condition or {}).get("all", [condition] if condition else [])
        shown = [_shown(part) for part in parts]
        self.parts = [
            PartForm(data, prefix=str(number), initial=shown[number] if number < len(shown) else None)
            for number in range(max(PARTS, len(parts)))
        ]

    def is_valid(self) -> bool:
        """Whether every part is right, and at least one says something."""
        wrong = [part for part in self.parts if not part.is_valid()]
        if not wrong and not any(part.cleaned_data["word"] for part in self.parts):
            self.parts[0].add_error("word", _("Say what has to be so."))
            return False
        return not wrong

    def as_condition(self) -> Condition:
        """It as the files have it."""
        said = [condition for part in self.parts if (condition := part.as_condition())]
        return said[0] if len(said) == 1 else {"all": said}


def _shown(part: Condition) -> dict[str, Any]:
    [(word, value)] = part.items()
    return {"word": word, "text" if word == "confirmed" else "number": None if value is True else value}
