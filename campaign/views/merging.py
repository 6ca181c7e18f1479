"""Merging a person who has two accounts: what moves is shown first."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaign import access
from campaign.forms.refusals import said
from campaign.models import Campaign, Side
from campaign.services import merging
from registers.numbers import whole_number
from rules.refusal import Problem, Refusal


def merge(request: HttpRequest, pk: UUID, user: int) -> HttpResponse:
    """Choose the account that stays; `look` shows what moves, `merge` moves it."""
    campaign = access.organised_campaign_for(request.user, pk)
    membership = campaign.memberships.select_related("user").filter(user=user).first()
    if membership is None:
        return _merged_already(request, campaign, user)
    gone = membership.user
    if request.method != "POST":
        return _page(request, campaign, gone, None, ())
    into = _chosen(request, campaign, gone)
    if into is None:
        problem = Problem("", _("Choose the account that stays."), "into")
        return _page(request, campaign, gone, None, (problem,))
    if "merge" not in request.POST:
        problems = tuple(merging.problems(request.user, campaign, gone, into))
        return _page(request, campaign, gone, into, problems)
    try:
        merging.merge_people(actor=request.user, campaign=campaign, gone=gone, into=into)
    except Refusal as refusal:
        return _page(request, campaign, gone, into, refusal.problems)
    return _say_merged(request, campaign, into)


def _merged_already(request: HttpRequest, campaign: Campaign, user: int) -> HttpResponse:
    """A form that comes twice ends where the first one did."""
    gone = User.objects.select_related("merged_into").filter(pk=user, merged_into__isnull=False).first()
    if (
        request.method != "POST"
        or gone is None
        or not campaign.memberships.filter(user=gone.merged_into).exists()
    ):
        raise Http404("Not in this campaign")
    return _say_merged(request, campaign, gone.merged_into)


def _say_merged(request: HttpRequest, campaign: Campaign, into: User) -> HttpResponse:
    messages.success(request, _("One account is left: %(person)s.") % {"person": into})
    return redirect("campaign:people", pk=campaign.pk)


def _chosen(request: HttpRequest, campaign: Campaign, gone: User) -> User | None:
    key = whole_number(request.POST.get("into", ""))
    members = campaign.memberships.select_related("user").exclude(user=gone)
    found = members.filter(user=key).first()
    return found.user if found else None


def _moves(gone: User) -> Iterator[str]:
    """What would belong to the other account, in words."""
    for register in gone.registers.all():
        yield _("The Register %(register)s") % {"register": register}
    for membership in gone.memberships.select_related("campaign"):
        role = membership.get_role_display()
        yield _("The role in %(campaign)s: %(role)s") % {"role": role, "campaign": membership.campaign}
    if number := gone.writings.count():
        yield ngettext("%(n)d piece of the chronicle", "%(n)d pieces of the chronicle", number) % {
            "n": number
        }
    if number := Side.objects.filter(stand_in=gone, open=True).count():
        yield ngettext("Acting for %(n)d side of a battle", "Acting for %(n)d sides of battles", number) % {
            "n": number
        }


def _page(
    request: HttpRequest, campaign: Campaign, gone: User, into: User | None, problems: tuple[Problem, ...]
) -> HttpResponse:
    others = campaign.memberships.select_related("user").exclude(user=gone).filter(user__is_active=True)
    address = f"{campaign.get_absolute_url()}people/"
    context = {
        "gone": gone,
        "into": into,
        "can_merge": into is not None and not problems,
        "moves": list(_moves(gone)) if into else [],
        "problems": said(problems),
        "options": [
            {"value": each.user_id, "label": each.user.get_username(), "checked": each.user == into}
            for each in others
        ],
        "crumbs": [
            {"label": str(campaign), "href": campaign.get_absolute_url()},
            {"label": _("People"), "href": address},
            {"label": gone.get_username(), "href": f"{address}{gone.pk}/"},
        ],
    }
    return render(request, "campaign/merge.html", context, status=422 if problems else 200)
