"""Forms for changing, publishing and correcting a round by hand."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import Figure, Keyed, NumbersField, ShortText, error_messages
from tournaments.services.log import LONGEST_REASON
from tournaments.services.rounds import LAST_TABLE, table_violation


class Reason(ShortText):
    """A reason that the public log shows. The service refuses an empty one where it is needed."""

    def __init__(self, **options: Any) -> None:
        help_text = _("Everyone can read it in the log.")
        super().__init__(label=_("Reason"), max_length=LONGEST_REASON, help_text=help_text, **options)


class DraftForm(forms.Form):
    """A change of a draft by hand (E24): two players to swap, the next bye, or tables by place; or a search (`q`)."""

    BUTTONS = ("find", "swap", "bye", "offer", "tables", "restore")

    version = forms.CharField(max_length=16, widget=forms.HiddenInput)
    do = forms.ChoiceField(choices=[(button, button) for button in BUTTONS])
    players = NumbersField()
    tables = Keyed()
    offered = forms.IntegerField(min_value=1, max_value=10**6, required=False, widget=forms.HiddenInput)
    q = ShortText(max_length=80)
    reason = Reason()

    def clean_tables(self) -> dict[int, int]:
        """Return the table numbers by place. Refuses what is no number."""
        found = {}
        for place, table in self.cleaned_data["tables"].items():
            if not (place.isdecimal() and len(place) < 6 and table.isdecimal() and len(table) < 6):
                raise forms.ValidationError(table_violation("tables").text)
            found[int(place)] = int(table)
        return found

    def clean(self) -> dict[str, Any]:
        """Check that as many players are ticked as the button needs."""
        cleaned = super().clean() or {}
        ticked = len(cleaned.get("players", ()))
        if cleaned.get("do") == "swap" and ticked != 2:
            self.add_error("players", _("Tick exactly two players of two games."))
        if cleaned.get("do") == "bye" and ticked != 1:
            self.add_error("players", _("Tick the player who gets the bye."))
        return cleaned


class PublishForm(forms.Form):
    """The draft as it was shown to who publishes it."""

    version = forms.CharField(max_length=16, widget=forms.HiddenInput)


class FixedTableForm(forms.Form):
    """A player's fixed table (E22)."""

    entry = forms.ChoiceField(label=_("Player"), error_messages=error_messages(_("Choose a player.")))
    table = Figure(_("Table"), 1, LAST_TABLE, help_text=_("Empty: no fixed table."))
    reason = Reason()

    def __init__(self, players: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(data, prefix="fixed")
        self.fields["entry"].choices = [("", "—"), *players]
