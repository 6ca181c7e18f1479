"""The form that sends a picture."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.form_errors import refusals_on

from .images import MOST_BYTES, too_big


class PictureForm(forms.Form):
    """A picture to upload. `picture` is its future primary key, so that a form sent twice stores one.

    The file is not an ImageField: that would decode any format that Pillow knows before its size is checked.
    """

    picture = forms.UUIDField(widget=forms.HiddenInput)
    file = forms.FileField(
        label=_("Picture"),
        help_text=_("JPEG, PNG or WebP, up to 8 MB. Place and time of the photo are removed."),
        error_messages={
            "required": _("Choose a picture."),
            "empty": _("This file is empty."),
            "invalid": _("Choose a picture."),
        },
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    alt = forms.CharField(
        required=False,
        label=_("Description"),
        help_text=_("In a few words, for people who cannot see the picture."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_file(self) -> Any:
        """Return the file. Refuses one that is too big before it is read."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(too_big().violations[0].text)
        return file


def empty_form() -> PictureForm:
    """Return the form for a new picture."""
    return PictureForm(initial={"picture": uuid4()})


def sent_form(request: HttpRequest, keep: Callable[..., Any]) -> PictureForm:
    """Return the form that was sent; valid if `keep(sent, alt, picture_id)` succeeded, else with the reason.

    A refused form gets a new picture key, since its own may be the reason.
    """
    form = PictureForm(request.POST, request.FILES)
    if form.is_valid():
        words = form.cleaned_data
        with refusals_on(form):
            keep(sent=words["file"].read(), alt=words["alt"], picture_id=words["picture"])
        if form.errors:
            form.data = form.data.copy()
            form.data["picture"] = str(uuid4())
    return form
