"""Awarding something to many Registers: what it is, who gets it, and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from registers.correcting import Ticks
from registers.models import Register
from registers.services.corrections import LONGEST_REASON
from rules.awards import MOST, Gift
from rules.rulebook import Rulebook


class AwardForm(forms.Form):
    """What each of the chosen Registers gets. Which of its units get it is chosen where that is shown."""

    supply_points = forms.IntegerField(label=_("SP"), min_value=0, max_value=MOST, initial=0)
    experience = forms.IntegerField(label=_("XP for each unit"), min_value=0, max_value=MOST, initial=0)
    setback = forms.ChoiceField(label=_("One Setback less"), required=False)
    commendation = forms.BooleanField(label=_("A Commendation is owed"), required=False)
    registers = forms.MultipleChoiceField(label=_("Registers"), required=False, widget=Ticks)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Everybody who reads the ledgers will see it."),
    )

    def __init__(self, book: Rulebook, registers: list[Register], data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.offered = registers
        # What another campaign has written is its own.
        played = {arc for each in registers for arc in (each.story_arc_id, *each.arcs_taken_in)}
        own = {slug for slug, arc in book.story_arcs.items() if arc.own} - played
        setbacks = [(slug, card.name) for slug, card in book.setbacks.items() if card.story_arc not in own]
        self.fields["setback"].choices = [("", "—"), *setbacks]
        self.fields["registers"].choices = [
            (str(register.pk), f"{register} · {register.owner}") for register in registers
        ]

    @property
    def chosen(self) -> list[Register]:
        """The Registers that were ticked."""
        return [each for each in self.offered if str(each.pk) in self.cleaned_data["registers"]]

    def gift(self, units: tuple[str, ...] | None = None) -> Gift:
        """What one Register gets, for these of its units."""
        names = ("supply_points", "experience", "setback", "commendation")
        return Gift(**{name: self.cleaned_data[name] for name in names}, units=units)
