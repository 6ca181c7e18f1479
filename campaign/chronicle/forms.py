"""The form of a story."""

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.chronicle.narrative.after_action import LOOKS, SHAPES
from core.form_fields import LongText, ShortText


class PictureForm(forms.Form):
    """The shape and the look of the picture to share; the first ones if nothing known is asked for."""

    shape = forms.ChoiceField(choices=[(shape, shape) for shape in SHAPES], required=False)
    look = forms.ChoiceField(choices=[(look, look) for look in LOOKS], required=False)


class LinkForm(forms.Form):
    """The link of the chronicle that is renewed, so that a form sent twice renews it once."""

    token = forms.CharField(required=False)


class PlacesForm(forms.Form):
    """Whether the public page says where planned battles take place."""

    show_places = forms.BooleanField(required=False, label=_("Show places of planned battles"))


class StoryForm(forms.Form):
    """The title, text and byline of a story. The service checks their length, because it counts them as they are
    stored.

    `story` is the primary key of a new story, so that a form sent twice creates one; `version` is that of an existing
    story.
    """

    story = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    title = ShortText(label=_("Title"))
    text = LongText(
        label=_("Story"), rows=14, strip=False,
        help_text=_("Markdown: *italic*, **bold**, > quotation, - list. Leave an empty line between paragraphs."),
    )  # fmt: skip
    byline = ShortText(
        label=_("Byline"), help_text=_("Shown below your story on the public page, instead of your sign-in name.")
    )
