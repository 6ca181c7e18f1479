"""Calendars as pages and as feeds."""

import calendar
import datetime
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.calendar import entries as calendar_entries
from campaign.calendar.access import owner_of
from campaign.calendar.models import CalendarAddress
from campaign.calendar.services import make_address, renew_address
from campaign.chronicle.models import ShareLink
from core.form_fields import INCOMPLETE, DayField, entered, error_messages
from core.ics import feed
from core.moments import FIRST_YEAR, LAST_YEAR
from core.open_page import open_page
from core.ui.crumbs import crumbs_of, home_crumb

MONTH, WEEK = "month", "week"


class PeriodForm(forms.Form):
    """Which days a calendar shows: the month or the week of `day`, by default of today."""

    view = forms.ChoiceField(choices=[(MONTH, MONTH), (WEEK, WEEK)], required=False)
    day = DayField(required=False)


class AddressForm(forms.Form):
    """Make the address of one's feeds, or replace that with the page's `token`; drawn on this `campaign`'s calendar."""

    token = forms.CharField(max_length=22, required=False)
    campaign = forms.UUIDField(required=False, error_messages=error_messages(INCOMPLETE))


@require_safe
def personal(request: HttpRequest) -> HttpResponse:
    """Show the user's own battles, and what concerns their campaigns."""
    period = _period(request)
    entries = calendar_entries.personal_entries(request.user, period["first"], period["last"])
    after = calendar_entries.first_after(calendar_entries.battles_for(request.user), period["last"])
    own = CalendarAddress.objects.filter(user=request.user).first()
    events = request.build_absolute_uri(reverse("dashboard:events_feed", args=[own.token])) if own else ""
    context = {"crumbs": [home_crumb()], "plan": "", "events": events}
    return _page(request, period, entries, after, "calendar:personal_feed", [], context)


@require_safe
def of_campaign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the battles of a campaign, and its other dates."""
    campaign, role = access.campaign_for(request.user, pk)
    period = _period(request)
    entries = calendar_entries.campaign_entries(campaign, period["first"], period["last"], user=request.user)
    after = calendar_entries.first_after(campaign.battles.all(), period["last"])
    plan = reverse("battles:plan", args=[pk]) if role.may_play() else ""
    link = ShareLink.objects.filter(campaign=campaign).first()
    public = request.build_absolute_uri(reverse("calendar:public_feed", args=[link.token])) if link else ""
    context = {"crumbs": crumbs_of(campaign), "campaign": campaign, "plan": plan, "public": public}
    return _page(request, period, entries, after, "calendar:campaign_feed", [pk], context)


@require_POST
def address(request: HttpRequest) -> HttpResponse:
    """Make the secret address of the user's feeds, or replace it."""
    sent = entered(AddressForm(request.POST))
    if sent["token"]:
        renew_address(actor=request.user, token=sent["token"])
        messages.success(request, _("Address replaced. The old one no longer works."))
    else:
        make_address(actor=request.user)
    back = reverse("calendar:campaign", args=[sent["campaign"]]) if sent["campaign"] else reverse("calendar:personal")
    return redirect(f"{back}#subscribe")


@open_page
def personal_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send a person's calendar to a calendar program."""
    user = owner_of(token)
    name = _("Musterbook: %(name)s") % {"name": user.get_username()}
    return feed(request, name, calendar_entries.personal_entries(user))


@open_page
def campaign_feed(request: HttpRequest, token: str, pk: UUID) -> HttpResponse:
    """Send the calendar of a campaign to a member's calendar program. Those who leave lose it."""
    user = owner_of(token)
    campaign, _role = access.campaign_for(user, pk)
    return feed(request, str(campaign), calendar_entries.campaign_entries(campaign, user=user))


@open_page
def public_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send the calendar of a campaign to anyone with the public link of its chronicle, without places and notes."""
    links = ShareLink.objects.filter(campaign__deleted_at=None).select_related("campaign")
    link = get_object_or_404(links, token=token)
    response = feed(request, str(link.campaign), calendar_entries.campaign_entries(link.campaign, public=True))
    response["X-Robots-Tag"] = "noindex"
    return response


def _page(
    request: HttpRequest,
    period: dict[str, Any],
    entries: Iterable[calendar_entries.CalendarEntry],
    after: datetime.date | None,
    feed: str,
    key: list[UUID],
    context: dict[str, Any],
) -> HttpResponse:
    own = CalendarAddress.objects.filter(user=request.user).first()
    feed_url = request.build_absolute_uri(reverse(feed, args=[own.token, *key])) if own else ""
    context |= {
        **period,
        "days": calendar_entries.by_day(entries, period["first"], period["last"]),
        "after": after,
        "address": own,
        "feed": feed_url,
        "webcal": "webcal:" + feed_url.partition(":")[2],
        "public_webcal": "webcal:" + context.get("public", "").partition(":")[2],
    }
    return render(request, "calendar/calendar.html", context)


def _period(request: HttpRequest) -> dict[str, Any]:
    """Return the days that the page shows, their heading, and the links to the days before and after."""
    asked = entered(PeriodForm(request.GET))
    today = timezone.localdate()
    view, day = asked["view"] or MONTH, asked["day"] or today
    day = day if FIRST_YEAR <= day.year <= LAST_YEAR else today
    if view == WEEK:
        first = day - datetime.timedelta(days=day.weekday())
        last = first + datetime.timedelta(days=6)
        heading = _("Week of %(day)s") % {"day": date_format(first, "DATE_FORMAT")}
    else:
        first = day.replace(day=1)
        last = day.replace(day=calendar.monthrange(day.year, day.month)[1])
        heading = date_format(first, "YEAR_MONTH_FORMAT")
    tabs = [
        {"label": label, "href": f"?view={name}&day={day.isoformat()}", "current": name == view}
        for name, label in ((MONTH, _("Month")), (WEEK, _("Week")))
    ]
    return {
        "view": view,
        "today": today,
        "first": first,
        "last": last,
        "heading": heading,
        "tabs": tabs,
        "earlier": first - datetime.timedelta(days=1),
        "later": last + datetime.timedelta(days=1),
        "is_now": first <= today <= last,
    }
