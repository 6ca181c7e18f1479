"""The page with an organizer's tasks in a campaign."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from campaign import access
from campaign.organizer_tasks.queries import MOST_WEEKS, USUAL_WEEKS, tasks_of
from campaign.organizer_tasks.services import remind_players
from core.form_errors import as_sentence, form_page, refusals_as_messages, valid
from core.form_fields import error_messages
from core.ui.crumbs import crumbs_of

#: The part of the campaign page that HTMX fills, and how many tasks it shows.
ON_CAMPAIGN_PAGE = "organizer-tasks"
FIRST = 3


class WeeksForm(forms.Form):
    """After how many weeks without a battle a player is listed."""

    weeks = forms.IntegerField(
        min_value=1,
        max_value=MOST_WEEKS,
        initial=USUAL_WEEKS,
        label=gettext_lazy("Weeks without a battle"),
        error_messages=error_messages(
            gettext_lazy("Enter a number of weeks from 1 to %(most)d.") % {"most": MOST_WEEKS}
        ),
    )


class ReminderForm(forms.Form):
    """The battle whose players are reminded."""

    battle = forms.UUIDField(error_messages=error_messages(gettext_lazy("Choose a battle.")))


@require_safe
def tasks(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the tasks of a campaign's organizers, or only the first ones for HTMX on the campaign page."""
    campaign = access.organized_campaign_for(request.user, pk)
    form = WeeksForm(request.GET if "weeks" in request.GET else None)
    weeks = form.cleaned_data["weeks"] if form.is_valid() else USUAL_WEEKS
    groups = tasks_of(campaign, weeks=weeks)
    listed = [task for group in groups for task in group["tasks"]]
    context = {
        "campaign": campaign,
        "groups": [
            (group, [(task, any(user.pk != request.user.pk for user in task.due)) for task in group["tasks"]])
            for group in groups
        ],
        "number": len(listed),
        "first": listed[:FIRST],
        "form": form,
        "weeks": weeks,
        "crumbs": crumbs_of(campaign),
    }
    template = "_first_tasks" if request.htmx.target == ON_CAMPAIGN_PAGE else "tasks"
    answer = form_page(request, f"organizer_tasks/{template}.html", context)
    patch_vary_headers(answer, ["HX-Target"])
    return answer


@require_POST
def remind(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remind the players whom a battle waits for."""
    campaign = access.organized_campaign_for(request.user, pk)
    check_limit(request, "remind")
    with refusals_as_messages(request):
        key = valid(ReminderForm(request.POST))["battle"]
        battle, users, violations = remind_players(actor=request.user, campaign=campaign, battle_id=key)
        if users:
            who = get_text_list([user.get_username() for user in users], _("and"))
            sentence = _("Reminder about %(battle)s sent to %(who)s.")
            messages.success(request, sentence % {"battle": battle, "who": who})
        if violations:
            messages.error(request, as_sentence(violations))
    return redirect("organizer_tasks:tasks", pk=pk)
