"""The form of a story."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class LinkForm(forms.Form):
    """The link of the chronicle that is renewed, so that a form sent twice renews it once."""

    token = forms.CharField(required=False)


class StoryForm(forms.Form):
    """The title, text and byline of a story. The service checks their length, because it counts them as they are
    stored.

    `story` is the primary key of a new story, so that a form sent twice creates one; `version` is that of an existing
    story.
    """

    story = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    title = forms.CharField(required=False, label=_("Title"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    text = forms.CharField(
        required=False,
        strip=False,
        label=_("What happened"),
        help_text=_("Markdown: *slanted*, **bold**, > a quotation, - a list. An empty line begins a paragraph."),
        widget=forms.Textarea(attrs={"rows": 14}),
    )
    byline = forms.CharField(
        required=False,
        label=_("Signed"),
        help_text=_("Stands below the piece where strangers read it, in place of your sign-in name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
