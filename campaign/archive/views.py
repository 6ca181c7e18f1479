"""Pages for exporting a campaign, its nightly files, and importing a campaign."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.adapters import check_limit
from campaign import access
from campaign.archive.forms import FileForm, NightlyForm, PeopleForm, TemplateForm
from campaign.archive.models import NightlyFile
from campaign.archive.parts import checking, reading, writing
from campaign.archive.parts.arrival import is_here
from campaign.archive.parts.reading import MOST_BYTES, WAITING
from campaign.archive.parts.template import content_of, content_of_shipped
from campaign.archive.services import archive
from campaign.models import Campaign, Membership
from core.form_errors import as_context, form_page, refusals_on, valid
from core.form_fields import posted
from core.json_files import one_at_a_time
from core.moments import moment_of
from core.ui.crumbs import crumbs_of, home_crumb
from rules.core.violations import RuleViolation, Violation, raise_if_any

#: Bytes of a form in addition to its file.
REST = 64 * 1024


def export(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a campaign's file contains, the links to it, and whether nightly files are on."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.ARCHIVED)
    form = NightlyForm(posted(request))
    if form.is_valid():
        on = form.cleaned_data["nightly"] == "on"
        archive.set_nightly(actor=request.user, campaign=campaign, on=on)
        done = _("Nightly export is on.") if on else _("Nightly export is off.")
        messages.success(request, done)
        return redirect("archive:export", pk=pk)
    context = {
        "campaign": campaign,
        "form": form,
        "nightly": NightlyFile.objects.select_related("set_by").filter(campaign=campaign).first(),
        "kept": archive.nightly_files(campaign),
        "most": settings.EXPORTS_KEPT,
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "archive/export.html", context)


@require_safe
def nightly_file(request: HttpRequest, pk: UUID, day: str) -> HttpResponseBase:
    """Send a nightly file."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.ARCHIVED)
    found = next((each for each in archive.nightly_files(campaign) if each.day.isoformat() == day), None)
    if found is None:
        raise Http404("No file of that day")
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=writing.file_name(campaign, day))


@require_safe
def download(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Send the file of the campaign as it is now. It is written completely before the first byte is sent, and not in
    /tmp, which may not be on disk.
    """
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.ARCHIVED)
    check_limit(request, "carry")
    with ExitStack() as unless_it_is_whole:
        file = unless_it_is_whole.enter_context(TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR))
        now = timezone.now()
        writing.write(campaign, file)
        archive.note_export(campaign, now)
        unless_it_is_whole.pop_all()  # the response closes it
    file.seek(0)
    day = timezone.localdate().isoformat()
    return FileResponse(file, as_attachment=True, filename=writing.file_name(campaign, day))


def new_from_template(request: HttpRequest) -> HttpResponse:
    """Create a campaign from a shipped template, or like one that the user organizes, without its people."""
    own = Campaign.objects.filter(memberships__user=request.user, memberships__role=Membership.Role.ORGANIZER)
    campaigns = {str(each.pk): each for each in own.order_by("name", "pk")}
    form = TemplateForm(campaigns.values(), posted(request), initial={"first_day": timezone.localdate()})
    if form.is_valid():
        check_limit(request, "bring")
        words = form.cleaned_data
        chosen = campaigns.get(words["template"])
        with refusals_on(form):
            data = content_of(chosen) if chosen else content_of_shipped(words["template"])
            created = archive.create_from_template(
                actor=request.user, data=data, name=words["name"], first_day=words["first_day"], key=words["key"]
            )
            return redirect(created)
    context = {"form": form, "crumbs": [home_crumb()]}
    return form_page(request, "archive/template.html", context)


def import_campaign(request: HttpRequest) -> HttpResponse:
    """Upload a file. It is stored on disk until the user reviews it."""
    if request.method != "POST":
        return _sending(request, FileForm())
    check_limit(request, "bring")
    form = FileForm(request.POST, request.FILES)
    with refusals_on(form):
        return redirect("archive:review", file=WAITING.keep(request.user, valid(form)["file"]))
    return _sending(request, form)


import_campaign.takes_at_most = MOST_BYTES + REST


def review(request: HttpRequest, file: UUID) -> HttpResponse:
    """Show the contents of an uploaded file and ask which person the user is; then import all of it."""
    if (path := WAITING.path(request.user, file)) is None:
        raise Http404("No such file")
    check_limit(request, "look")
    try:
        with one_at_a_time():
            return _look(request, file, path)
    except RuleViolation as refusal:
        return _sending(request, FileForm(), refusal.violations)


def _look(request: HttpRequest, file: UUID, path: Path) -> HttpResponse:
    with path.open("rb") as opened:
        content = reading.read(opened)
        reading.look_at_pictures(opened, content)
        raise_if_any(checking.violations(content))
        form = PeopleForm(posted(request), people=content["people"], oneself=request.user)
        with refusals_on(form):
            cleaned = valid(form)
            if cleaned["template"]:
                name, day, key = content["campaign"]["name"], timezone.localdate(), uuid5(file, "template")
                return redirect(
                    archive.create_from_template(actor=request.user, data=content, name=name, first_day=day, key=key)
                )
            pictures = partial(reading.picture, opened)
            campaign = archive.import_campaign(
                actor=request.user, data=content, file_of=pictures, who=form.who, key=file, as_copy=cleaned["copy"]
            )
            text = _("%(campaign)s was imported. Invite the other members.")
            messages.success(request, text % {"campaign": campaign})
            return redirect("campaign:people", pk=campaign.pk)
    return _looking(request, content, form)


def _sending(request: HttpRequest, form: FileForm, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    context = {"form": form, "violations": as_context(violations), "crumbs": [home_crumb()]}
    return form_page(request, "archive/import.html", context, refused=violations)


def _looking(request: HttpRequest, content: dict[str, Any], form: PeopleForm) -> HttpResponse:
    context = {
        "form": form,
        "campaign": content["campaign"],
        "made_at": moment_of(content["made_at"]),
        "counts": {
            "registers": len(content["registers"]),
            "entries": sum(len(each["ledger"]) for each in content["registers"]),
            "battles": len(content["battles"]),
            "stories": len(content["stories"]),
            "pictures": len(content["pictures"]),
            "arcs": len(content["story_arcs"]),
            **{part: len(content.get(part, ())) for part in ("rounds", "teams", "systems")},
        },
        "former": sum(each["former"] for each in content["people"]),
        "is_here": is_here(content),
        "crumbs": [home_crumb()],
    }
    return form_page(request, "archive/review.html", context)
