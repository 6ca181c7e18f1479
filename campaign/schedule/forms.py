"""Forms of the schedule: phases, rounds and their drafts, and who can play."""

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from campaign.battles.forms.plan import LARGEST_SIZE, LONGEST_PLACE, SMALLEST_SIZE
from campaign.models import Campaign
from campaign.schedule.models import Round
from campaign.schedule.services.phases import LONGEST_NOTE
from core.form_fields import (
    INCOMPLETE,
    WRONG_SIZE,
    ButtonChoice,
    DayField,
    LongText,
    OptionLabel,
    Several,
    ShortText,
    Version,
    error_messages,
)
from registers.keys import key_in

CAMPAIGN, AVAILABLE = "campaign", "available"
#: The beginning of the name of a field with the system of a pairing, before the key of Blue.
SYSTEM = "system:"


def _day(label: Any, missing: Any) -> DayField:
    return DayField(
        label=label, error_messages={"invalid": _("Enter a date, such as 2026-04-21."), "required": missing}
    )


def _size(label: Any, *, required: bool = True, help_text: Any = "") -> forms.IntegerField:
    attrs = {"inputmode": "numeric", "step": 50}
    return forms.IntegerField(
        label=label,
        required=required,
        help_text=help_text,
        min_value=SMALLEST_SIZE,
        max_value=LARGEST_SIZE,
        widget=forms.NumberInput(attrs=attrs),
        error_messages=error_messages(WRONG_SIZE),
    )


class PhaseForm(forms.Form):
    """A phase. `phase` is the key of a new one, so that a form sent twice creates one."""

    phase = forms.UUIDField(initial=uuid4, widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    version = Version()
    name = ShortText(label=_("Name"), max_length=80, help_text=_("For example Season 1, or The Siege of Lothal."))
    first_day = _day(_("First day"), _("Choose the first day."))
    last_day = _day(_("Last day"), _("Choose the last day."))
    size = _size(
        _("Game size in points"),
        required=False,
        help_text=_("New battles in this phase start with this size. Optional."),
    )
    note = LongText(label=_("Note"), rows=3, max_length=LONGEST_NOTE)


class _RoundValues(forms.Form):
    due = _day(_("Play by"), _("Choose the last day for the battles."))
    size = _size(_("Game size in points"))
    place = ShortText(label=_("Place"), max_length=LONGEST_PLACE)


class RoundForm(_RoundValues):
    """The next round. `round` is its key, so that a form sent twice opens one draft."""

    round = forms.UUIDField(initial=uuid4, widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    who = ButtonChoice(label=_("Who is paired"), initial=CAMPAIGN, refusal=_("Choose who is paired."))
    nearness = ButtonChoice(
        label=_("Pair players with similar"),
        initial=Round.Nearness.POTENTIAL,
        segments=True,
        choices=Round.Nearness.choices,
        refusal=_("Choose what is compared."),
    )
    mates = ButtonChoice(
        label=_("Battles between teammates"),
        initial=Round.Mates.APART,
        segments=True,
        choices=Round.Mates.choices,
        refusal=_("Choose whether teammates meet."),
    )
    stakes = ButtonChoice(
        label=_("Systems to fight for"),
        initial=Round.Stakes.CONTESTED,
        required=False,
        choices=[
            (each, OptionLabel(each.label, which))
            for each, which in (
                (Round.Stakes.CONTESTED, _("held by one side next to the other")),
                (Round.Stakes.NEIGHBORS, _("that lanes connect with both sides")),
                (Round.Stakes.BY_HAND, _("choose them in the draft")),
            )
        ],
        refusal=_("Choose a rule for the systems."),
    )
    field_order = ("round", "who", "nearness", "mates", "stakes", "due", "size", "place")

    def __init__(self, campaign: Campaign, can_play: int, data: Any = None, initial: Any = None) -> None:
        """Offer those who said that they `can_play` (so many players), and what needs teams or a star map."""
        super().__init__(data, initial=initial)
        if not campaign.teams.exists():
            del self.fields["mates"]
        if not campaign.systems.exists():
            del self.fields["stakes"]
        so_far = str(_("%(number)s so far") % {"number": can_play})
        self.fields["who"].choices = [  # type: ignore[attr-defined]
            (CAMPAIGN, OptionLabel(str(_("Whole campaign")), str(_("every Register that can fight")))),
            (AVAILABLE, OptionLabel(str(_("Players who can play")), so_far)),
        ]


class DraftValuesForm(_RoundValues):
    """The date, size and place of a draft."""

    version = Version()


class DraftForm(forms.Form):
    """A change of a draft: the button, the Registers that are ticked, or the one of the button."""

    version = Version()
    players = Several()

    @property
    def systems(self) -> dict[str, UUID | None]:
        """The system chosen for each pairing, by the key of Blue."""
        names = [name for name in self.data if name.startswith(SYSTEM)]
        return {name.removeprefix(SYSTEM): key_in(self.data[name]) for name in names}


class AvailabilityForm(forms.Form):
    """Whether one can play the round with this `number`, on which days, and a note."""

    number = Version()
    can_play = forms.BooleanField(label=_("I can play"), required=False)
    weekdays = forms.MultipleChoiceField(
        label=_("Days that suit me"),
        required=False,
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": INCOMPLETE},
    )
    note = ShortText(
        label=_("Dates or note"), max_length=120, help_text=_("For example: not on May 12, only after 7 pm.")
    )
