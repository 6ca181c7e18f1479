"""Forms for the Registers of a campaign: their status, their player, and awards."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.enlistments.queries import RegisterGroup
from campaign.models import Membership
from core.form_fields import ButtonChoice, LongText, NumbersField, Several, Ticks, Version, entered
from registers.forms.correction import UndoForm
from registers.keys import key_in
from registers.models import Register
from registers.services.awards import RegisterAward
from registers.services.corrections import LONGEST_REASON
from rules.adjustments.awards import MOST, Gift
from rules.core.rulebook import Rulebook


class StatusForm(forms.Form):
    """The planned battles that the page for withdrawing a Register listed, by primary key."""

    planned = Several()

    def clean_planned(self) -> list[UUID]:
        """Return the primary keys; anything else is left out."""
        keys = (key_in(text) for text in self.cleaned_data["planned"])
        return [key for key in keys if key]


class NewOwnerForm(forms.Form):
    """The new player of a Register. Its current owner is a valid choice only because a form may be sent twice."""

    to = ButtonChoice(label=_("New player"), refusal=_("Choose a player of the campaign."), required=True)

    def __init__(self, players: Iterable[Membership], owner: int | None, data: Any = None) -> None:
        super().__init__(data)
        chosen = self["to"].data
        self.fields["to"].choices = [
            (each.user_id, each.user.get_username())
            for each in players
            if each.user_id != owner or str(owner) == chosen
        ]


class UndoAwardForm(UndoForm):
    """The reason for undoing awards; `entry` are their primary keys in the ledgers."""

    entry = NumbersField()


class ShareForm(forms.Form):
    """One Register's part of an award form: its ledger position as shown, and the units, if they were `asked`."""

    position = Version(required=False)
    asked = forms.Field(required=False)
    units = Several()

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field on the page."""
        return f"{field_name}-{self.prefix}"


#: In the query and the session: the Registers that staff chose in the admin.
CHOSEN = "chosen"


class AwardForm(forms.Form):
    """The award for each chosen Register. The units that get it are chosen in the preview."""

    supply_points = forms.IntegerField(label=_("SP"), min_value=0, max_value=MOST, initial=0)
    experience = forms.IntegerField(label=_("XP for each unit"), min_value=0, max_value=MOST, initial=0)
    setback = forms.ChoiceField(label=_("Remove one Setback"), required=False)
    commendation = forms.BooleanField(label=_("One Commendation to choose"), required=False)
    groups = forms.MultipleChoiceField(label=_("Groups"), required=False, widget=Ticks)
    registers = forms.MultipleChoiceField(label=_("Registers"), required=False, widget=Ticks)
    reason = LongText(
        label=_("Reason"), rows=2, max_length=LONGEST_REASON,
        help_text=_("Anyone who can see these Registers will see the reason."),
    )  # fmt: skip

    def __init__(
        self, book: Rulebook, registers: list[Register], data: Any = None, groups: Iterable[RegisterGroup] = ()
    ) -> None:
        """Offer these Registers. A ticked group ticks its Registers, so that one of them can be left out again."""
        if data and (ticked := data.getlist("groups")):
            data = data.copy()
            of_groups = [str(pk) for group in groups if group.value in ticked for pk in group.registers]
            data.setlist("registers", [*data.getlist("registers"), *of_groups])
            data.setlist("groups", [])
        super().__init__(data, label_suffix="")
        self.fields["groups"].choices = [(group.value, f"{group.name} ({len(group.registers)})") for group in groups]
        self.offered = registers
        # Custom arcs of other campaigns belong to those.
        played = {arc for each in registers for arc in (each.story_arc_id, *each.adopted_arcs)}
        own = {slug for slug, arc in book.story_arcs.items() if arc.own} - played
        setbacks = [(slug, card.name) for slug, card in book.setbacks.items() if card.story_arc not in own]
        self.fields["setback"].choices = [("", "—"), *setbacks]
        self.fields["registers"].choices = [(str(each.pk), f"{each} · {each.owner}") for each in registers]

    @property
    def chosen(self) -> list[Register]:
        """Return the Registers that were ticked."""
        return [each for each in self.offered if str(each.pk) in self.cleaned_data["registers"]]

    def awards(self) -> dict[UUID, RegisterAward]:
        """Return the award of each chosen Register, or nothing until the page has shown it for all of them."""
        shares = {each: ShareForm(self.data, prefix=str(each.pk)) for each in self.chosen}
        if not all(share["position"].data for share in shares.values()):
            return {}
        # A garbled position is one that no Register has.
        return {
            each.pk: RegisterAward(self.gift(each), entered(share)["position"] or 0) for each, share in shares.items()
        }

    def gift(self, register: Register) -> Gift:
        """Return the award of one Register: for all of its units until the page has asked."""
        names = ("supply_points", "experience", "setback", "commendation")
        gift = Gift(**{name: self.cleaned_data[name] for name in names})
        share = entered(ShareForm(self.data, prefix=str(register.pk)))
        return replace(gift, units=tuple(share["units"])) if share["asked"] and gift.for_units else gift
