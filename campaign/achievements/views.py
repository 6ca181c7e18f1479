"""The page about the achievements and painted armies of a campaign, a tab of its chronicle."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from campaign import access
from campaign.achievements.achievements import ACHIEVEMENTS, Career, reached
from campaign.achievements.queries import careers_of, painted_armies, painting_bonus_of
from campaign.achievements.services import painting
from campaign.models import Campaign
from campaign.queries.registers import by_standing, registers_of
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import INCOMPLETE, error_messages, pressed_button
from core.ui.crumbs import crumbs_of
from registers.ledger.session import rulebook_for
from registers.ledger.text import names_of
from registers.models import Register
from registers.projection import states_of

BONUS, AWARD = "bonus", "award"
#: How many painted armies are listed: those of the last evenings.
ARMIES = 12


class BonusForm(forms.Form):
    """The bonus for a painted army."""

    supply_points = forms.IntegerField(
        label=gettext_lazy("SP for a battle with a fully painted army"), required=False,
        help_text=gettext_lazy("Enter 0 for no bonus."),
    )  # fmt: skip


class SideForm(forms.Form):
    """The side whose army gets the bonus."""

    side = forms.IntegerField(min_value=0, max_value=10**9, error_messages=error_messages(INCOMPLETE))


def chronicle_tabs(campaign: Campaign, path: str) -> list[dict[str, object]]:
    """Return the pages of a campaign's chronicle as tabs; the page with this path is the current one."""
    places = {
        "chronicle:index": _("Stories"),
        "chronicle:activity": _("Activity"),
        "achievements:index": _("Achievements"),
    }
    tabs = [(reverse(name, args=[campaign.pk]), label) for name, label in places.items()]
    return [{"label": label, "href": href, "current": href == path} for href, label in tabs]


def achievements_of(registers: Sequence[Register]) -> list[tuple[Register, list[dict[str, Any]]]]:
    """Return these Registers by name, each with its achievements, oldest first: one query beside `states_of`."""
    states = states_of(registers) if registers else {}
    return [
        (register, list(_reached(career, names_of(rulebook_for(register), states[register.pk]))))
        for register, career in careers_of(list(states))
    ]


def _reached(career: Career, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    numbers = {fight.battle: fight.number for fight in career.fights}
    for achievement, moment in reached(career):
        number = numbers.get(moment.battle)
        yield {
            "achievement": achievement,
            "day": moment.day,
            "unit": names.get(moment.unit, ""),
            "battle": _("Battle %(number)s") % {"number": number} if number else "",
            "href": reverse("battles:detail", args=[moment.battle]) if number else "",
        }


def index(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the achievements of every Register and the painted armies. Organizers set the bonus for those (`bonus`) and
    award it (`award`).
    """
    campaign, role = access.campaign_for(request.user, pk)
    if request.method == "POST" and not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    if request.method == "POST":
        access.check_state(campaign)
    button = pressed_button(request.POST, BONUS, AWARD)
    if button == AWARD:
        with refusals_as_messages(request):
            side = valid(SideForm(request.POST))["side"]
            painting.award_bonus(actor=request.user, campaign=campaign, side_id=side)
            messages.success(request, _("Bonus awarded."))
        return redirect("achievements:index", pk=pk)
    form = BonusForm(request.POST if button == BONUS else None)
    if button == BONUS and form.is_valid():
        with refusals_on(form):
            points = form.cleaned_data["supply_points"] or 0
            painting.set_bonus(actor=request.user, campaign=campaign, supply_points=points)
            messages.success(request, _("Bonus saved."))
            return redirect("achievements:index", pk=pk)
    return _page(request, campaign, form, organizes=role.may_organize())


def _page(request: HttpRequest, campaign: Campaign, form: BonusForm, *, organizes: bool) -> HttpResponse:
    registers = by_standing(registers_of(campaign))
    bonus = painting_bonus_of(campaign)
    if not form.is_bound:
        form = BonusForm(initial={"supply_points": bonus})
    context = {
        "campaign": campaign,
        "organizes": organizes,
        "registers": achievements_of(registers),
        "all": ACHIEVEMENTS,
        "armies": painted_armies(campaign)[:ARMIES],
        "bonus": bonus,
        "form": form,
        "tabs": chronicle_tabs(campaign, request.path),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "achievements/index.html", context)
