"""Awards of the organisers to many Registers: looked at first, then given, to all or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from campaign import access
from campaign.awards import awards_of
from campaign.forms.awards import AwardForm
from campaign.forms.refusals import blame, said
from campaign.models import Campaign
from campaign.services import giving
from catalogue.snapshot import rulebook
from registers.models import Register
from registers.numbers import whole_number
from registers.services import ledger
from registers.services.awards import Award, Judged, judged
from registers.words import names_of, sentence
from rules.awards import Gift
from rules.force import Force
from rules.refusal import Refusal

from .battle import crumbs_of


@dataclass(frozen=True, slots=True)
class Preview:
    """What one Register would get, in words, or why it gets nothing; and which of its units are ticked."""

    register: Register
    units: Sequence[dict[str, object]]
    lines: Sequence[str] = ()
    problems: Sequence[dict[str, str]] = field(default_factory=tuple)

    @property
    def summary(self) -> str:
        """What it comes to, in a few words."""
        if self.problems:
            return gettext("gets nothing")
        if len(self.lines) == 1:
            return self.lines[0]
        return ngettext("%(n)d change", "%(n)d changes", len(self.lines)) % {"n": len(self.lines)}


def award(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The form; `look` shows what each Register would get, `give` gives it, `take_back` takes an award back."""
    campaign = access.organised_campaign_for(request.user, pk)
    if "take_back" in request.POST:
        return _taken_back(request, campaign)
    form = _form(campaign, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, campaign, form, [])
    chosen = form.chosen
    if "give" in request.POST and all(f"position-{register.pk}" in request.POST for register in chosen):
        if _given(request, campaign, form, chosen):
            return redirect(f"{request.path}#given")
    elif not chosen:
        form.add_error("registers", gettext("Choose the Registers that get it."))
    return _page(request, campaign, form, list(_previews(request, form, chosen)))


def _form(campaign: Campaign, data: Any = None) -> AwardForm:
    registers = list(campaign.registers.filter(discarded=False).select_related("owner"))
    return AwardForm(rulebook().under(campaign.terms), registers, data)


def _given(request: HttpRequest, campaign: Campaign, form: AwardForm, chosen: list[Register]) -> bool:
    awards = {
        register.pk: Award(
            form.gift(_units(request, form, register)),
            whole_number(request.POST[f"position-{register.pk}"]) or 0,
        )
        for register in chosen
    }
    try:
        given = giving.award(
            actor=request.user, campaign=campaign, awards=awards, reason=form.cleaned_data["reason"]
        )
    except Refusal as refusal:
        blame(form, refusal)
        return False
    said_of = ngettext("%(n)d Register got it.", "%(n)d Registers got it.", len(given)) % {"n": len(given)}
    messages.success(request, said_of)
    return True


def _taken_back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take an award back from all who got it; what keeps it from that stands beside it, with the reason as typed."""
    entries = [number for text in request.POST.getlist("entry") if (number := whole_number(text)) is not None]
    reason = request.POST.get("reason", "")
    try:
        taken = giving.take_awards_back(actor=request.user, campaign=campaign, entries=entries, reason=reason)
    except Refusal as refusal:
        refused = {"entries": entries, "problems": said(refusal.problems), "reason": reason}
        return _page(request, campaign, _form(campaign), [], refused=refused)
    said_of = ngettext(
        "It is taken back from %(n)d Register.", "It is taken back from %(n)d Registers.", taken
    )
    messages.success(request, said_of % {"n": taken})
    return redirect(request.path)


def _units(request: HttpRequest, form: AwardForm, register: Register) -> tuple[str, ...] | None:
    """The units that were ticked; None (all) as long as nobody was asked, or nothing is for units."""
    if f"asked-{register.pk}" not in request.POST or not form.gift().for_units:
        return None
    return tuple(request.POST.getlist(f"units-{register.pk}"))


def _previews(request: HttpRequest, form: AwardForm, chosen: list[Register]) -> Iterator[Preview]:
    forces = ledger.states_of(chosen) if chosen else {}
    gifts = [
        (register, forces[register.pk], form.gift(_units(request, form, register))) for register in chosen
    ]
    found = judged(gifts)
    for register, force, gift in gifts:
        yield _preview(register, force, gift, found[register.pk])


def _preview(register: Register, force: Force, gift: Gift, found: Judged) -> Preview:
    book = ledger.book_for(register)
    names = names_of(book, force)
    boxes = [
        {"key": key, "label": names[key], "checked": gift.units is None or key in gift.units}
        for key in (force.dossiers if gift.for_units else ())
    ]
    if found.problems:
        return Preview(register, boxes, problems=said(found.problems))
    return Preview(
        register, boxes, lines=[sentence(replace(effect, why=""), names, book) for effect in found.effects]
    )


def _page(
    request: HttpRequest,
    campaign: Campaign,
    form: AwardForm,
    previews: Sequence[Preview],
    refused: Mapping[str, Any] | None = None,
) -> HttpResponse:
    book = rulebook().under(campaign.terms)
    context = {
        "campaign": campaign,
        "form": form,
        "previews": previews,
        "can_give": previews and not any(preview.problems for preview in previews),
        "given": [(given, given.said(book)) for given in awards_of(campaign)],
        "refused": refused,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/award.html", context, status=422 if form.errors or refused else 200)
