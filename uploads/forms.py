"""The form that sends a picture."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.form_errors import refusals_on
from core.form_fields import ShortText, Upload, entered

from .images import MOST_BYTES, too_big
from .models import Picture


class PictureForm(forms.Form):
    """A picture to upload. `picture` is its future primary key, so that a form sent twice stores one.

    The file is not an ImageField: that would decode any format that Pillow knows before its size is checked.
    """

    picture = forms.UUIDField(widget=forms.HiddenInput)
    file = Upload(
        MOST_BYTES, too_big, "image/jpeg,image/png,image/webp", missing=_("Choose a picture."), label=_("Picture"),
        help_text=_("JPEG, PNG or WebP, up to 8 MB. Place and time of the photo are removed."),
    )  # fmt: skip
    alt = ShortText(label=_("Description"), help_text=_("In a few words, for people who cannot see the picture."))


#: The edge in pixels of the picture to tap: 4/5 of its small size, which fits a page of 320 pixels.
TAP = Fraction(4, 5)
#: The nine points to choose without a pointer, in percent from the left and the top, with their names.
NINE = {
    f"{x} {y}": name
    for y, row in (
        (0, (_("Top left"), _("Top"), _("Top right"))),
        (50, (_("Left"), _("Middle"), _("Right"))),
        (100, (_("Bottom left"), _("Bottom"), _("Bottom right"))),
    )
    for x, name in zip((0, 50, 100), row, strict=True)
}


class FocusForm(forms.Form):
    """The point of a picture that stays in view: tapped (`x`, `y`, in pixels of the picture to tap) or one of NINE."""

    x = forms.IntegerField(min_value=0, max_value=1000)
    y = forms.IntegerField(min_value=0, max_value=1000)
    at = forms.ChoiceField(required=False, choices=list(NINE.items()))


def focus_in(request: HttpRequest, picture: Picture | None) -> tuple[int, int] | None:
    """Return the chosen point of a picture in percent, in steps of ten as focus.css has them; None without one."""
    chosen = entered(FocusForm(request.POST))
    if chosen["at"]:
        x, y = map(int, chosen["at"].split())
        return x, y
    if picture is None or None in (chosen["x"], chosen["y"]):
        return None
    size = picture.sizes["small"]
    x, y = (
        min(10, round(chosen[axis] * 10 / (size[edge] * TAP))) * 10 for axis, edge in (("x", "width"), ("y", "height"))
    )
    return x, y


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
