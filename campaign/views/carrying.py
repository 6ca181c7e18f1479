"""A campaign as a file: taken along, and written every night."""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import TemporaryFile
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import too_often
from campaign import access
from campaign.carrying import writing
from campaign.models import NightlyFile
from campaign.services import nightly

from .battle import crumbs_of


@require_http_methods(["GET", "HEAD", "POST"])
def carry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What the file of a campaign holds, the file, and whether one is written every night."""
    campaign = access.organised_campaign_for(request.user, pk)
    if request.method == "POST":
        on = request.POST.get("nightly") == "on"
        nightly.switch(actor=request.user, campaign=campaign, on=on)
        messages.success(
            request, _("A file is written every night.") if on else _("No file is written at night.")
        )
        return redirect("campaign:carry", pk=pk)
    context = {
        "campaign": campaign,
        "nightly": NightlyFile.objects.select_related("set_by").filter(campaign=campaign).first(),
        "kept": nightly.kept(campaign),
        "most": settings.EXPORTS_KEPT,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/carrying/carry.html", context)


@require_safe
def kept_file(request: HttpRequest, pk: UUID, day: str) -> HttpResponseBase:
    """A file that was written at night."""
    campaign = access.organised_campaign_for(request.user, pk)
    found = next((each for each in nightly.kept(campaign) if each.day.isoformat() == day), None)
    if found is None:
        raise Http404("No file of that day")
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=writing.file_name(campaign, day))


@require_safe
def carried_file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as the campaign is now. All of it is on the disk, which /tmp may not be, before the first byte goes out:
    none is half a file.
    """
    campaign = access.organised_campaign_for(request.user, pk)
    if limited := too_often(request, "carry"):
        return limited
    with ExitStack() as unless_it_is_whole:
        file = unless_it_is_whole.enter_context(TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR))
        writing.write(campaign, file)
        unless_it_is_whole.pop_all()  # the answer closes it
    file.seek(0)
    day = timezone.localdate().isoformat()
    return FileResponse(file, as_attachment=True, filename=writing.file_name(campaign, day))
