"""Forms of judges: rulings, calls to a table, warnings, terrain checks."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import ButtonChoice, Figure, LongText, Several, Version
from rules.tournaments.terrain import KEYS


class RulingForm(forms.Form):
    """A ruling, and what was asked if the call does not say it (E3)."""

    question = LongText(label=_("Question"), rows=2, max_length=1000)
    ruling = LongText(label=_("Ruling"), rows=3, max_length=2000)


class AppealForm(forms.Form):
    """The decision on an appeal (E3)."""

    decision = ButtonChoice(
        label=_("Decision"), refusal=_("Uphold the ruling or overrule it."), segments=True,
        choices=[("uphold", _("Uphold")), ("overrule", _("Overrule"))],
    )  # fmt: skip
    ruling = LongText(label=_("New ruling, or the reason"), rows=3, max_length=2000)


class TableCallForm(forms.Form):
    """A call of a leader to a table (E3)."""

    table = Figure(_("Table"), 1, required=True)
    question = LongText(label=_("What is it about? (optional)"), rows=2, max_length=1000)


class WarningForm(forms.Form):
    """A warning for a player (E4). `warnings` is how many the page showed."""

    warnings = Version()
    reason = LongText(label=_("Reason"), rows=2, max_length=1000, help_text=_("The public log shows it."))


class TerrainForm(forms.Form):
    """Lines of a terrain checklist: those in `shown` that are in `ticks` are ticked, the other shown ones are not.
    `small` is whether the table measures 3 by 3 feet. With `only` nothing but this line changes, or the size: so a tick
    saves what was tapped, and nothing that another judge has changed since.
    """

    shown = Several()
    ticks = Several()
    small = forms.ChoiceField(choices=[("no", "no"), ("yes", "yes")], required=False)
    only = forms.ChoiceField(choices=[(key, key) for key in (*KEYS, "small")], required=False)

    @property
    def changes(self) -> dict[str, bool]:
        """Return whether each line that changes is ticked. The form must be valid."""
        ticked, only = set(self.cleaned_data["ticks"]), self.cleaned_data["only"]
        return {key: key in ticked for key in self.cleaned_data["shown"] if key in KEYS and only in ("", key)}

    @property
    def size(self) -> bool | None:
        """Return whether the table is small, None if that does not change. The form must be valid."""
        size = self.cleaned_data["small"]
        return size == "yes" if size and self.cleaned_data["only"] in ("", "small") else None
