"""Form fields of our own. Templates draw them like every other field: `{{ field.as_field_group }}`."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext, gettext_lazy as _

from core.moments import FIRST_DAY, LAST_DAY, WRONG_YEAR
from rules.core.values import Value
from rules.core.violations import RuleViolation

#: Message for a hidden field that is missing or garbled.
INCOMPLETE = _("This form is incomplete. Reload the page.")

#: By how much the buttons of a `Stepper` change army points and Combat Potential.
POINTS_STEP = 50
WRONG_SIZE = _("Choose a size from 100 to 3,000 points.")


class OptionLabel(Value):
    """The label of a choice, with a `note` below it and the slug of a Faction for its color and weave."""

    label: str
    note: str = ""
    faction: str = ""

    def __str__(self) -> str:
        return str(self.label)


class _BoundButtons(forms.BoundField):
    @property
    def options(self) -> list[dict[str, Any]]:
        """Return the choices as `components/choice.html` takes them."""
        chosen = self.value()
        return [
            {
                "value": value,
                "label": label,
                "note": getattr(label, "note", ""),
                "faction": getattr(label, "faction", ""),
                "checked": chosen is not None and str(value) == str(chosen),
            }
            for value, label in self.field.choices  # type: ignore[attr-defined]
        ]


class Ticks(forms.CheckboxSelectMultiple):
    """Checkboxes, drawn with `components/tick.html`."""

    template_name = "django/forms/ticks.html"


class ButtonChoice(forms.ChoiceField):
    """A choice drawn as big buttons. Labels may be an `OptionLabel`; `segments` puts short ones side by side."""

    widget = forms.RadioSelect
    bound_field_class = _BoundButtons

    def __init__(self, *, refusal: Any = None, segments: bool = False, **options: Any) -> None:
        """`refusal` is the message if no choice, or an unknown one, was sent."""
        if refusal:
            options["error_messages"] = error_messages(refusal)
        super().__init__(**options)
        self.template_name = "django/forms/choice.html"
        self.segments = segments


class Figure(forms.IntegerField):
    """A whole number that is typed on a numeric keypad. It may be left empty if `required` does not forbid it."""

    def __init__(self, label: Any, smallest: int = 0, largest: int = 9999, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
        limits = {"min_value": smallest, "max_value": largest}
        super().__init__(label=label, widget=widget, **{"required": False, **limits, **options})


class Upload(forms.FileField):
    """A file of at most `most` bytes: a larger one is refused before it is read. `accept` is as in HTML."""

    def __init__(
        self, most: int, too_big: Callable[[], RuleViolation], accept: str, *, missing: Any = "", **options: Any
    ) -> None:
        messages = {"empty": _("This file is empty."), **error_messages(missing or _("Choose a file."))}
        super().__init__(error_messages=messages, widget=forms.FileInput(attrs={"accept": accept}), **options)
        self.most, self.too_big = most, too_big

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the file. Refuses one that is too large."""
        file = super().clean(data, initial)
        if file and file.size > self.most:
            raise ValidationError(self.too_big().violations[0].text)
        return file


class Stepper(forms.IntegerField):
    """A number between two buttons that change it `by` so many, to a multiple of that. `note` is below its label."""

    def __init__(self, *, by: int = 1, note: Any = "", **options: Any) -> None:
        super().__init__(**options)
        self.template_name = "django/forms/stepper.html"
        self.by, self.note = by, note


class DayField(forms.DateField):
    """A day from 2000 to 2100."""

    def __init__(self, **options: Any) -> None:
        """`options` are those of a DateField."""
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(**{"input_formats": ["%Y-%m-%d"], "widget": widget, **options})

    def to_python(self, value: Any) -> date | None:
        """Return the day. Refuses days of other years."""
        found = super().to_python(value)
        if found and not FIRST_DAY <= found <= LAST_DAY:
            raise ValidationError(WRONG_YEAR)
        return found


class Count(Stepper):
    """A number from 0. Empty is 0."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, required=False, **options)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the number entered, or the initial number if the field was not sent."""
        return initial if data is None else data

    def clean(self, value: Any) -> int:
        """Return the number."""
        return super().clean(value) or 0


class Version(forms.IntegerField):
    """The version that a form was loaded with, as a hidden number: of a row, a turn, or a position in a ledger."""

    widget = forms.HiddenInput

    def __init__(self, **options: Any) -> None:
        """Set the message for a missing or garbled number: the form is incomplete."""
        super().__init__(min_value=0, max_value=10**9 - 1, error_messages=error_messages(INCOMPLETE), **options)


class Several(forms.Field):
    """Values sent under one name, in the order sent. The rules judge whether they are possible."""

    widget = forms.SelectMultiple

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> list[str]:
        """Return the values that are not empty."""
        return [each for each in value or () if each]


class NumbersField(Several):
    """Whole numbers sent under one name; anything else is left out."""

    def to_python(self, value: Any) -> list[Any]:
        """Return the numbers."""
        return [int(each) for each in super().to_python(value) if each.isdecimal() and len(each) < 10]


class _Keyed(forms.Widget):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> dict[str, str]:
        start = f"{name}-"
        return {key.removeprefix(start): data[key] for key in data if key.startswith(start)}


class Keyed(forms.Field):
    """Texts sent under NAME-KEY, by their keys."""

    widget = _Keyed

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)


class Numbered(Keyed):
    """Texts sent under NAME-0, NAME-1 and so on, by these numbers."""

    def to_python(self, value: Any) -> dict[int, str]:
        """Return the texts with a number."""
        return {int(key): text for key, text in value.items() if key.isdecimal() and len(key) < 5}


class ShortText(forms.CharField):
    """A text of one line that may be left out, with the number of a `rule` at its label."""

    def __init__(self, *, rule: str = "", **options: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off"})
        values = {"max_length": _("Use up to %(limit_value)d characters."), **options.pop("error_messages", {})}
        super().__init__(**{"required": False, "widget": widget, "error_messages": values, **options})
        self.rule = rule


class LongText(forms.CharField):
    """A text of several lines, whose line breaks count as one character. Without `max_length` the service checks it."""

    def __init__(self, *, rows: int, max_length: int | None = None, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": rows}), required=False, **options)
        self.longest = max_length

    def to_python(self, value: Any) -> str:
        """Return the text with plain line breaks. Refuses a text that is too long."""
        text = (super().to_python(value) or "").replace("\r\n", "\n")
        if self.longest is not None and len(text) > self.longest:
            raise ValidationError(
                gettext("Use up to %(longest)s characters. You typed %(letters)s.")
                % {"longest": self.longest, "letters": len(text)}
            )
        return text


class ButtonForm(forms.Form):
    """The button named `do` with which a form was sent."""

    def __init__(self, data: Any, buttons: Iterable[str]) -> None:
        super().__init__(data)
        self.fields["do"] = forms.ChoiceField(choices=[(value, value) for value in buttons], required=False)


def pressed_button(data: Any, *buttons: str) -> str:
    """Return which of `buttons` the form in `data` was sent with, or "" for any other."""
    return str(entered(ButtonForm(data, buttons))["do"])


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the posted data, or None for a new form."""
    return request.POST if request.method == "POST" else None


def error_messages(text: Any) -> dict[str, Any]:
    """Return the messages of a field that has a single message for all errors."""
    return dict.fromkeys(("required", "invalid", "invalid_choice", "min_value", "max_value"), text)


def entered(form: forms.Form) -> dict[str, Any]:
    """Return a value for each field of a form: the valid input, or that of an empty field if the input is not valid."""
    form.is_valid()
    valid = form.cleaned_data
    return {name: valid[name] if name in valid else _empty(field) for name, field in form.fields.items()}


def _empty(field: forms.Field) -> Any:
    try:
        return field.clean(None)
    except ValidationError:
        return field.to_python(None)
