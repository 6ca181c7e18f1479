"""The forms of an announcement and a comment. Services check lengths, counted in texts as they are stored."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import LongText, ShortText


class AnnouncementForm(forms.Form):
    """An announcement: the key of a new one, so that a form sent twice creates one, or the `version` of an old one."""

    announcement = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    title = ShortText(label=_("Title"))
    text = LongText(
        label=_("Text"), rows=8, strip=False,
        help_text=_(
            "Markdown: *italic*, **bold**, > quotation, - list. Leave an empty line between paragraphs. "
            "Type @ and a sign-in name to notify a member."
        ),
    )  # fmt: skip
    pinned = forms.BooleanField(required=False, label=_("Pin to the top of the campaign page"))


class CommentForm(forms.Form):
    """A comment: the key of a new one, so that a form sent twice adds one, or the `version` of an old one."""

    comment = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    text = LongText(
        label=_("Comment"), rows=3, strip=False, help_text=_("Type @ and a sign-in name to notify a member.")
    )
