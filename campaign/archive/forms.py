"""Forms for uploading a campaign file and for saying who its people are."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaign.archive.parts.reading import MOST_BYTES, too_big
from core.form_fields import INCOMPLETE, error_messages

INVITE = ""


class NightlyForm(forms.Form):
    """Whether a file is written every night."""

    nightly = forms.ChoiceField(
        choices=[("on", ""), ("off", "")], widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE)
    )


class FileForm(forms.Form):
    """The upload of a campaign file."""

    file = forms.FileField(
        label=_("The file"),
        help_text=_("A .musterbook.zip file, up to 200 MB."),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )

    def clean_file(self) -> Any:
        """Refuse a file that is too large before it is copied."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(too_big().violations[0].text)
        return file


class PeopleForm(forms.Form):
    """Which of a file's people the user is (a field `person-NUMBER` each), and whether to import it as a copy."""

    copy = forms.BooleanField(required=False)

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
