"""Forms of the calendar pages."""

from django import forms

from core.form_fields import INCOMPLETE, error_messages

MONTH, WEEK = "month", "week"


class PeriodForm(forms.Form):
    """Which days a calendar shows: the month or the week of `day`, by default of today."""

    view = forms.ChoiceField(choices=[(MONTH, MONTH), (WEEK, WEEK)], required=False)
    day = forms.DateField(input_formats=["%Y-%m-%d"], required=False)


class AddressForm(forms.Form):
    """Make the address of one's feeds, or replace that with the `token` on the page. `campaign` is the campaign on
    whose calendar the form was drawn.
    """

    token = forms.CharField(max_length=22, required=False)
    campaign = forms.UUIDField(required=False, error_messages=error_messages(INCOMPLETE))
