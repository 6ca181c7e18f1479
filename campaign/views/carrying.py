"""A campaign as a file: taken along."""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import TemporaryFile
from uuid import UUID

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import too_often
from campaign import access
from campaign.carrying import writing

from .battle import crumbs_of


@require_safe
def carry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What the file of a campaign holds, and the file."""
    campaign = access.organised_campaign_for(request.user, pk)
    return render(
        request, "campaign/carrying/carry.html", {"campaign": campaign, "crumbs": crumbs_of(campaign)}
    )


@require_safe
def carried_file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as the campaign is now. All of it is on the disk before the first byte goes out: none is half a file."""
    campaign = access.organised_campaign_for(request.user, pk)
    if limited := too_often(request, "carry"):
        return limited
    with ExitStack() as unless_it_is_whole:
        file = unless_it_is_whole.enter_context(TemporaryFile())
        writing.write(campaign, file)
        unless_it_is_whole.pop_all()  # the answer closes it
    file.seek(0)
    day = timezone.localdate().isoformat()
    return FileResponse(file, as_attachment=True, filename=writing.file_name(campaign, day))
