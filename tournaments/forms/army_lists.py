"""Forms of the army lists of an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from core.form_fields import INCOMPLETE, ButtonChoice, LongText, OptionLabel, error_messages
from lists.forms.reading import ReadingForm
from lists.models import ArmyList
from rules.register.upgrade_slots import faction_name
from rules.tournaments.army_lists import TYPED_OF_EACH, typed_names
from tournaments.forms.rounds import Reason

#: Letters of the names of all battle cards of one type.
LONGEST_DECK = 400


class SubmitForm(ReadingForm):
    """An army list to submit: one of the reader's `list`s, or a text. `shown` is the version the reader checked. With
    a `typed` deck, as it was submitted last, the names of its cards are entered by type, one a line (E8).
    """

    list = ButtonChoice(label=_("One of my lists"), required=False, refusal=_("Choose one of these lists."))
    shown = forms.CharField(required=False, widget=forms.HiddenInput)
    field_order = ("list",)

    def __init__(self, lists: list[ArmyList], typed: Sequence[Sequence[str]] | None, *args: Any) -> None:
        super().__init__(*args)
        for place, name in enumerate(typed_names() if typed is not None else ()):
            initial = "\n".join(cards for kind in (typed or ())[place : place + 1] for cards in kind)
            self.fields[f"typed_{place}"] = LongText(
                label=name.capitalize(), rows=TYPED_OF_EACH, max_length=LONGEST_DECK, initial=initial
            )
        self.lists = {str(each.pk): each for each in lists}
        self.fields["list"].choices = [(pk, _label(each)) for pk, each in self.lists.items()]

    @property
    def chosen(self) -> ArmyList | None:
        """The list that was chosen, if any. The form must be valid."""
        return self.lists.get(self.cleaned_data["list"])

    @property
    def typed_fields(self) -> list[forms.BoundField]:
        """The fields for the names of a typed deck; none for a deck of today."""
        return [self[name] for name in self.fields if name.startswith("typed_")]

    def typed_deck(self) -> tuple[tuple[str, ...], ...]:
        """Return the names that were typed, by type; empty without any. The form must be valid."""
        texts = [self.cleaned_data[field.name] for field in self.typed_fields]
        deck = tuple(tuple(filter(None, map(str.strip, text.split("\n")))) for text in texts)
        return deck if any(deck) else ()


def _label(each: ArmyList) -> OptionLabel:
    points = gettext("%(points)s points") % {"points": each.points}
    faction = faction_name(each.faction) if each.faction else ""
    return OptionLabel(str(each), note=" · ".join(filter(None, (faction, points))), faction=each.faction)


class ReasonForm(forms.Form):
    """A reason that everybody can read in the event's log."""

    reason = Reason()


class AcceptForm(ReasonForm):
    """The reason for accepting a list with problems, and the version that was read."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))


class ListAddressForm(forms.Form):
    """What the address of a list may ask for: an earlier version, or the copy for the opponent."""

    version = forms.IntegerField(required=False, min_value=1, max_value=32767)
    copy = forms.ChoiceField(required=False, choices=[("opponent", "opponent")])
