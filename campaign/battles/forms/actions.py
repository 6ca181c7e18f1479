"""Forms for the actions on a battle's page and in its Post-Battle Sequence."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from campaign.battles.models import Side
from campaign.battles.pages.table import WORDS
from campaign.battles.services.planning import LONGEST_REASON, NO_REASON
from campaign.models import Action
from core.form_fields import INCOMPLETE, Keyed, LongText, ShortText, Version, error_messages
from rules.core.dice import LONGEST_WORD

WHY = _("Reason (optional)")


class RecalculatedForm(forms.Form):
    """A form that only recalculates its page if `reckon` is sent, some values of which also fill in fields."""

    reckon = forms.Field(required=False)

    @property
    def is_sent(self) -> bool:
        """Whether the form is sent to be saved."""
        return self.is_bound and self["reckon"].data is None


class ConfirmForm(forms.Form):
    """Agree to a report; `nothing` confirms that one's own units have nothing to report."""

    version = Version()
    nothing = forms.BooleanField(required=False)


class ActionForm(forms.Form):
    """An action of the battle page. Its fields are the arguments of the service."""

    act: str

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **{"auto_id": f"id_{self.act}_%s", **options})  # several of them on one page


class DisputeForm(ActionForm):
    """Dispute a report."""

    act = Action.DISPUTE
    version = Version()
    reason = LongText(label=_("What is wrong?"), rows=2, max_length=LONGEST_REASON)


class SettleForm(ActionForm):
    """Accept a report as an organizer."""

    act = Action.SETTLE
    version = Version()
    reason = ShortText(label=WHY, max_length=LONGEST_REASON)


class CancelForm(ActionForm):
    """Cancel a battle; `stage` is its progress on the page."""

    act = Action.CANCEL
    stage = forms.CharField(required=False, empty_value=None, widget=forms.HiddenInput)
    reason = ShortText(label=WHY, max_length=LONGEST_REASON)


class AgendaForm(forms.Form):
    """A tap on an Agenda: its slug, "none", or "undo". `version` is that of the choices on the page."""

    version = Version()
    agenda = forms.CharField(error_messages=error_messages(INCOMPLETE))

    def clean_agenda(self) -> str | None:
        """Return the argument of `choose_agenda`."""
        tapped = self.cleaned_data["agenda"]
        return None if tapped == "undo" else "" if tapped == "none" else str(tapped)


class WordForm(ActionForm):
    """A word from a side's player for the dice of a battle."""

    act = "word"  # not an action of the activity log
    word = ShortText(
        max_length=LONGEST_WORD,
        help_text=_("Optional. You can change it until the app rolls the first dice. Both players see it."),
    )

    def __init__(self, side: Side, data: Any = None, **options: Any) -> None:
        super().__init__(data, auto_id=f"%s-{side.colour}", **options)
        self.side = side
        self.fields["word"].label = gettext("Your word for the dice (%(name)s)") % {"name": side.name}


#: Numbers that the table page counts up and down.
COUNTS = ("tokens", "vp", "round")


class TapForm(forms.Form):
    """A tap on the table page. The name of its button is the action (`act`), and its value is the new state."""

    unit = forms.CharField(required=False)
    #: For a count: the number that was shown. For an activation: the round that was shown.
    before, in_round = Version(required=False), Version(required=False)
    tokens, vp, round = Version(required=False), Version(required=False), Version(required=False)
    activated = forms.ChoiceField(choices=[("yes", ""), ("no", "")], required=False)
    play, undo = forms.CharField(required=False), forms.CharField(required=False)
    act: str

    def __init__(self, sides: Iterable[Side], data: Any) -> None:
        super().__init__(data)
        found = {str(side.pk): side for side in sides}
        self.fields["side"] = forms.TypedChoiceField(
            choices=list(found.items()), coerce=found.get, error_messages=error_messages(INCOMPLETE)
        )
        for word in WORDS:
            self.fields[word] = forms.ChoiceField(choices=[("yes", ""), ("no", "")], required=False)

    def clean(self) -> None:
        """Refuse anything but exactly one action, with all that it needs."""
        acts = [name for name in (*WORDS, *COUNTS, "activated", "play", "undo") if name in self.data]
        self.act = acts[0] if len(acts) == 1 else ""
        needed = [self.act]
        if self.act in COUNTS:
            needed.append("before")
        elif self.act == "activated":
            needed.append("in_round")
        if "side" not in self.errors and any(self.cleaned_data.get(name) in (None, "") for name in needed):
            self.errors.clear()
            self.add_error(None, str(INCOMPLETE))


class TurnForm(forms.Form):
    """The state that an answer was drawn from. Without a `turn` it never answers the current question."""

    turn = Version(required=False)
    asked = forms.CharField(required=False)
    no_edits = forms.BooleanField(required=False)
    #: How much to undo.
    what = forms.CharField(required=False)
    #: For an amendment: the button, and the digests of the conflict and of the changes that were shown.
    act = forms.CharField(required=False)
    halt = forms.CharField(required=False)
    digest = forms.CharField(required=False)
    #: Choices of a `ConflictForm`, by what they are about.
    value = Keyed()


class AmendForm(forms.Form):
    """The part of a battle to undo ("annul", or SCOPE:COLOR:STEP), and the reason."""

    what = forms.CharField(required=False)
    reason = ShortText(
        label=_("Reason"), max_length=LONGEST_REASON, required=True, error_messages={"required": _(NO_REASON.sentence)}
    )

    def wanted(self) -> dict[str, Any]:
        """Return the arguments of `open_amendment`."""
        what, colour, step = [*self.cleaned_data["what"].split(":", 2), "", ""][:3]
        number = int(step) if step.isdecimal() and len(step) < 3 else None
        return {"what": what, "colour": colour, "step": number, "reason": self.cleaned_data["reason"]}
