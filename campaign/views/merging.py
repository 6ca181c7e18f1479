"""The admin action that merges two accounts of one person."""

from __future__ import annotations

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.models import User
from campaign.services import merging
from rules.core.violations import RuleViolation


class MergeForm(forms.Form):
    """Which of two accounts stays, and why they are merged."""

    stays = forms.ModelChoiceField(
        User.objects.none(), label="Account that stays", widget=forms.RadioSelect, empty_label=None
    )
    reason = forms.CharField(max_length=200, help_text="Shown in the admin history of both accounts.")

    def __init__(self, *args: object, people: QuerySet[User], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stays"].queryset = people


@admin.action(description="Merge two accounts of one person", permissions=["change"])
def merge_accounts(
    model_admin: admin.ModelAdmin[User], request: HttpRequest, queryset: QuerySet[User]
) -> HttpResponse | None:
    """Show what would move between two selected accounts, and merge them once it is confirmed with a reason."""
    people = list(queryset.order_by("pk"))
    if len(people) != 2:
        model_admin.message_user(request, "Select exactly two accounts.", messages.ERROR)
        return None
    form = MergeForm(request.POST if "merge" in request.POST else None, people=queryset)
    if form.is_valid():
        into, reason = form.cleaned_data["stays"], form.cleaned_data["reason"]
        gone = next(each for each in people if each != into)
        try:
            merging.merge_people(actor=request.user, gone=gone, into=into, reason=reason)
        except RuleViolation as refusal:
            for violation in refusal.violations:
                form.add_error(None, violation.text)
        else:
            model_admin.message_user(request, f"Accounts merged. {into} is left.", messages.SUCCESS)
            return None
    moves = merging.what_moves(people)
    previews = [
        {
            "gone": gone,
            "into": into,
            "moves": moves[gone.pk],
            "violations": list(merging.merge_violations(request.user, gone, into)),
        }
        for gone, into in (people, reversed(people))
    ]
    # Only what would work is offered.
    possible = [preview["into"].pk for preview in previews if not preview["violations"]]
    form.fields["stays"].queryset = queryset.filter(pk__in=possible)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": "Merge two accounts",
        "opts": User._meta,
        "form": form,
        "action": merge_accounts.__name__,
        "previews": previews,
        "possible": possible,
    }
    status = 422 if form.is_bound else 200
    return TemplateResponse(request, "admin/accounts/user/merge.html", context, status=status)
