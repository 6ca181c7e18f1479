"""Forms for uploading a campaign file and for saying who its people are."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaign.archive.parts.reading import MOST_BYTES, too_big
from campaign.archive.parts.template import SHIPPED
from campaign.models import Campaign
from campaign.services.campaigns import LONGEST_NAME
from core.form_fields import INCOMPLETE, ButtonChoice, DayField, OptionLabel, ShortText, Upload, error_messages

INVITE = ""


class NightlyForm(forms.Form):
    """Whether a file is written every night."""

    nightly = forms.ChoiceField(
        choices=[("on", ""), ("off", "")], widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE)
    )


class FileForm(forms.Form):
    """The upload of a campaign file."""

    file = Upload(
        MOST_BYTES, too_big, ".zip,application/zip",
        label=_("The file"), help_text=_("A .musterbook.zip file, up to 200 MB."),
    )  # fmt: skip


class TemplateForm(forms.Form):
    """A new campaign from a template. `key` makes a form that is sent twice create one campaign."""

    key = forms.UUIDField(initial=uuid4, widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    template = ButtonChoice(label=_("Template"), refusal=_("Choose a template."))
    name = ShortText(label=_("Name"), max_length=LONGEST_NAME)
    first_day = DayField(
        label=_("First day"),
        help_text=_("The first phase begins on this day, the others follow."),
        error_messages={"invalid": _("Enter a date, such as 2026-04-21."), "required": _("Choose the first day.")},
    )

    def __init__(self, own: Iterable[Campaign], data: Any = None, initial: Any = None) -> None:
        """Offer the shipped templates, then the user's `own` campaigns."""
        super().__init__(data, initial=initial)
        shipped = [(slug, OptionLabel(str(each.name), str(each.about))) for slug, each in SHIPPED.items()]
        like = [(str(each.pk), OptionLabel(each.name, str(_("without its people")))) for each in own]
        self.fields["template"].choices = [*shipped, *like]  # type: ignore[attr-defined]


class PeopleForm(forms.Form):
    """Which of a file's people the user is (a field `person-NUMBER` each), whether to import it as a copy, and whether
    only as a template.
    """

    copy = forms.BooleanField(required=False)
    template = forms.BooleanField(required=False)

    def __init__(self, data: Any, *, people: list[Mapping[str, Any]], oneself: User) -> None:
        super().__init__(data)
        self.oneself, name = oneself, oneself.get_username()
        choices = [(INVITE, _("invite them")), (str(oneself.pk), name)]
        self.numbers = [row["id"] for row in people if not row["former"]]
        for row in people:
            if not row["former"]:
                self.fields[f"person-{row['id']}"] = forms.ChoiceField(
                    choices=choices,
                    required=False,
                    label=row["name"] or "?",
                    initial=str(oneself.pk) if row["name"] == name else INVITE,
                )

    @property
    def who(self) -> dict[int, User]:
        """Return the importing user, by the number of each person in the file that they say they are."""
        return {number: self.oneself for number in self.numbers if self.cleaned_data[f"person-{number}"]}

    @property
    def people(self) -> list[Any]:
        """Return the fields that ask who each person is."""
        return [self[f"person-{number}"] for number in self.numbers]
