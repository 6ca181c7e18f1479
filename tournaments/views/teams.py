"""Teams: who plays for which, signing one up, joining it by its word, and forming them as an organizer."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.adapters import check_limit
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import posted, pressed_button
from core.qr import qr_svg
from core.ui.reachable import address_for_others
from tournaments.access import event_for, organized_event_for, played_event_for
from tournaments.forms.entries import WordForm
from tournaments.forms.teams import TeamForm
from tournaments.pages.teams import team_lines
from tournaments.queries.history import history_of
from tournaments.queries.rounds import paired_before
from tournaments.services import teams as services

from .common import frame


@login_not_required
@never_cache
def teams(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the teams, best first; players sign one up, join one by its word, or leave theirs. Raises Http404 for an
    event without teams.
    """
    event, role = event_for(request, pk)
    if event.team_size is None:
        raise Http404("No teams in this event")
    button = pressed_button(request.POST, "create", "join", "leave")
    word = request.GET.get("word", "")[:40]
    name_form = TeamForm(None if button in ("join", "leave") else posted(request))
    word_form = WordForm(request.POST if button == "join" else None, initial={"word": word})
    word_form.fields["word"].label = _("Word of the team")
    if request.method == "POST":
        _event, _role, entry = played_event_for(request, pk)
        form = word_form if button == "join" else name_form
        if button == "leave":
            with refusals_as_messages(request):
                services.leave_team(actor=role.user, entry=entry)
            return redirect("tournaments:teams", pk=pk)
        if form.is_valid():
            check_limit(request, "open_by_word")
            with refusals_on(form):
                if form is word_form:
                    team = services.join_team(actor=role.user, entry=entry, **form.cleaned_data)
                else:
                    team = services.create_team(actor=role.user, entry=entry, name=form.cleaned_data["name"])
                messages.success(request, _("You play for %(team)s.") % {"team": team.name})
                return redirect("tournaments:teams", pk=pk)
    lines = team_lines(history_of(event).published)
    own = next((line for line in lines if role.entry and line.team.pk == role.entry.team_id), None)
    link = ""
    if own:
        word = own.team.word
        link = address_for_others(request, f"{reverse('tournaments:teams', args=[pk])}?{urlencode({'word': word})}")
    context = {
        **frame(event, role, "teams"), "lines": lines, "own": own, "name_form": name_form, "word_form": word_form,
        "word": word, "link": link, "qr": qr_svg(link) if link else "",
        "is_final": bool(role.entry and paired_before([role.entry])),
    }  # fmt: skip
    return form_page(request, "tournaments/teams/teams.html", context)


def team(request: HttpRequest, pk: UUID, team: int) -> HttpResponse:
    """Form a team (0) or correct one, as an organizer. Raises Http404 for an event without teams, and another team."""
    event, role = organized_event_for(request, pk)
    found = event.teams.filter(pk=team).first()
    if event.team_size is None or (team and found is None):
        raise Http404("No such team")
    members = found.members.order_by("number").values_list("name", flat=True) if found else ()
    form = TeamForm(posted(request), initial={"name": found.name if found else "", "members": "\n".join(members)})
    with refusals_on(form):
        services.save_team(actor=request.user, event=event, team=found, **valid(form))
        messages.success(request, _("Team saved."))
        return redirect("tournaments:teams", pk=pk)
    context = {**frame(event, role, "teams", (_("Teams"), "teams")), "form": form, "team": found}
    return form_page(request, "tournaments/teams/team.html", context)
