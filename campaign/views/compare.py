"""Two Registers of a campaign beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from campaign import access, queries
from campaign.comparison import compared
from campaign.forms.refusals import said
from registers.models import Register
from rules.refusal import Problem

from .battle import crumbs_of


@require_safe
def compare(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Any two Registers of the campaign (?one=, ?other=); whoever has one of their own begins with that.

    Where there are only two, they are compared at once.
    """
    campaign, _role = access.campaign_for(request.user, pk)
    registers = list(queries.registers_of(campaign))
    one = _asked(registers, request.GET.get("one", "")) or _own(registers, request.user)
    other = _asked(registers, request.GET.get("other", ""))
    if len(registers) == 2 and not request.GET:
        one = one or registers[0]
        other = next(register for register in registers if register != one)
    problems = []
    if one and one == other:
        problems = [Problem("R17", _("A battle has two sides: choose two different Registers."), "other")]
    context = {
        "campaign": campaign,
        "registers": registers,
        "one": one,
        "other": other,
        "comparison": compared(campaign, one, other) if one and other and not problems else None,
        "problems": said(problems),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/compare.html", context, status=422 if problems else 200)


def _asked(registers: Iterable[Register], key: str) -> Register | None:
    """The Register of the campaign with that key; nothing if none is asked for. Raises Http404 if it is not there."""
    if not key:
        return None
    found = next((register for register in registers if str(register.pk) == key), None)
    if found is None:
        raise Http404("No such Register in this campaign")
    return found


def _own(registers: Sequence[Register], user: User) -> Register | None:
    return next((register for register in registers if register.owner_id == user.pk), None)
