"""Pages of the schedule: phases, rounds with their drafts, and who can play."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from campaign import access
from campaign.models import Campaign
from campaign.schedule import queries
from campaign.schedule.forms import AVAILABLE, AvailabilityForm, DraftForm, DraftValuesForm, PhaseForm, RoundForm
from campaign.schedule.models import Availability, Phase, Round
from campaign.schedule.pages import battles_of_round, draft_page, to_plan_again
from campaign.schedule.services import phases, rounds
from campaign.schedule.services.availability import set_availability
from core.form_errors import as_sentence, form_page, refusals_as_messages, refusals_on, valid, violations_on
from core.form_fields import posted
from core.pdf import document_answer
from core.ui.crumbs import crumbs_of
from registers.keys import key_in
from registers.print.preview import AS, PDF

#: The game size of a round if no phase suggests one, in points.
USUAL_SIZE = 800
#: The longest number in an address that the database can hold.
HIGHEST = 10**9
#: The values of a phase that its form shows.
PHASE = ("version", "name", "first_day", "last_day", "size", "note")


@require_safe
def schedule(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the phases and rounds of a campaign, and who can play the next round."""
    campaign, role = access.campaign_for(request.user, pk)
    return _schedule_page(request, campaign, role)


@require_POST
def availability(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Say whether one can play the next round."""
    campaign, role = access.played_campaign_for(request.user, pk)
    form = AvailabilityForm(request.POST)
    if form.is_valid():
        words = form.cleaned_data
        with refusals_on(form):
            set_availability(
                actor=request.user, campaign=campaign, number=words["number"], can_play=words["can_play"],
                weekdays=[int(day) for day in words["weekdays"]], note=words["note"],
            )  # fmt: skip
            messages.success(request, _("Availability saved."))
            return redirect(f"{reverse('schedule:index', args=[pk])}#availability")
    return _schedule_page(request, campaign, role, form)


def _schedule_page(
    request: HttpRequest, campaign: Campaign, role: access.CampaignRole, form: AvailabilityForm | None = None
) -> HttpResponse:
    created = list(queries.created_rounds(campaign))
    number = created[0].number + 1 if created else 1
    own = Availability.objects.filter(campaign=campaign, user=request.user, number=number).first()
    initial: dict[str, Any] = {"number": number}
    if own:
        initial |= {"can_play": True, "weekdays": [str(day) for day in own.weekdays], "note": own.note}
    context = {
        "campaign": campaign,
        "organizes": role.may_organize(),
        "plays": role.may_play(),
        "phases": campaign.phases.all(),
        "rounds": created,
        "number": number,
        "draft": queries.draft_of(campaign) if role.may_organize() else None,
        "players": queries.who_can_play(campaign, number),
        "form": form or AvailabilityForm(initial=initial),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "schedule/index.html", context, refused=form)


def new_phase(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create a phase."""
    campaign = access.organized_campaign_for(request.user, pk)
    return _phase_page(request, campaign, None, PhaseForm(posted(request), initial={"version": 0}))


def phase(request: HttpRequest, pk: UUID, phase: UUID) -> HttpResponse:
    """Change a phase."""
    campaign = access.organized_campaign_for(request.user, pk)
    found = get_object_or_404(Phase, campaign=campaign, pk=phase)
    values = {"phase": found.pk, **{name: getattr(found, name) for name in PHASE}}
    return _phase_page(request, campaign, found, PhaseForm(posted(request), initial=values))


def _phase_page(request: HttpRequest, campaign: Campaign, found: Phase | None, form: PhaseForm) -> HttpResponse:
    if form.is_valid():
        words = {**form.cleaned_data}
        key = words.pop("phase")
        with refusals_on(form):
            saved = phases.save_phase(
                actor=request.user, campaign=campaign, phase_id=found.pk if found else key, **words
            )
            messages.success(request, _("Phase “%(name)s” saved.") % {"name": saved.name})
            return redirect("schedule:index", pk=campaign.pk)
    context = {"campaign": campaign, "phase": found, "form": form, "crumbs": _crumbs(campaign)}
    return form_page(request, "schedule/phase.html", context)


@require_POST
def delete_phase(request: HttpRequest, pk: UUID, phase: UUID) -> HttpResponse:
    """Delete a phase."""
    campaign = access.organized_campaign_for(request.user, pk)
    with refusals_as_messages(request):
        phases.delete_phase(actor=request.user, campaign=campaign, phase_id=phase)
        messages.success(request, _("Phase deleted."))
    return redirect("schedule:index", pk=pk)


def new_round(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Pair the next round: who, by what, how large, until when and where. An open draft is shown instead."""
    campaign = access.organized_campaign_for(request.user, pk)
    if draft := queries.draft_of(campaign):
        return redirect(draft)
    number = queries.next_number(campaign)
    players = queries.who_can_play(campaign, number)
    initial = None if request.method == "POST" else _suggested(campaign)
    form = RoundForm(campaign, len(players), posted(request), initial=initial)
    if form.is_valid():
        words = form.cleaned_data
        with refusals_on(form):
            found = rounds.open_draft(
                actor=request.user, campaign=campaign, round_id=words["round"], due=words["due"], size=words["size"],
                place=words["place"], nearness=words["nearness"], only_available=words["who"] == AVAILABLE,
                mates=words.get("mates", Round.Mates.APART), stakes=words.get("stakes", Round.Stakes.BY_HAND),
            )  # fmt: skip
            return redirect(found)
    context = {"campaign": campaign, "number": number, "players": players, "form": form, "crumbs": _crumbs(campaign)}
    return form_page(request, "schedule/new_round.html", context)


def _suggested(campaign: Campaign) -> dict[str, Any]:
    """Return what the form of a new round suggests: one week, the size of the phase then, and the last place."""
    due = timezone.localdate() + timedelta(days=7)
    phase = queries.phase_with_size(campaign, due)
    last = campaign.rounds.first()
    return {
        "due": due,
        "size": phase.size if phase else last.size if last else USUAL_SIZE,
        "place": last.place if last else "",
        "nearness": last.nearness if last else Round.Nearness.POTENTIAL,
        **({"mates": last.mates, "stakes": last.stakes} if last else {}),
    }


@never_cache
def round_page(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a round with its battles. Only organizers see a draft; they change it, and create its battles."""
    campaign, role = access.campaign_for(request.user, pk)
    found = _round_for(campaign, role, number)
    if request.method == "POST":
        if not role.is_organizer:
            raise Http404("Not an organizer of this campaign")
        access.check_state(campaign)
        return _change(request, campaign, role, found)
    if found.is_draft:
        return _draft_page(request, campaign, role, found)
    lines, byes = battles_of_round(found)
    context = {
        "campaign": campaign,
        "round": found,
        "lines": lines,
        "open": sum(not line.battle.is_over for line in lines),
        "byes": byes,
        "again": to_plan_again(role, campaign, found) if role.may_organize() else [],
        "crumbs": _crumbs(campaign),
    }
    return render(request, "schedule/round.html", context)


@require_safe
def sheet(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a round on one sheet, to pin up: as a page to print, or as a PDF (`as=pdf`)."""
    campaign, role = access.campaign_for(request.user, pk)
    found = _round_for(campaign, role, number)
    pairings = found.pairings.select_related("blue__owner", "red__owner", "system", "battle__fought_for__system")
    context = {"campaign": campaign, "round": found, "pairings": pairings, "map": campaign.systems.exists()}
    if request.GET.get(AS) == PDF:
        check_limit(request, "print")
        return document_answer(request, "schedule/sheet.html", context, f"{campaign} {found}")
    return render(request, "schedule/sheet.html", context | {"page": True})


def _round_for(campaign: Campaign, role: access.CampaignRole, number: int) -> Round:
    """Return a round that this user may see. Raises Http404 otherwise. Refuses a draft of a campaign that is over."""
    found = campaign.rounds.select_related("phase").filter(number=min(number, HIGHEST)).first()
    if found is None or (found.is_draft and not role.is_organizer):
        raise Http404("No such round")
    if found.is_draft:
        access.check_state(campaign)
    found.campaign = campaign
    return found


def _change(request: HttpRequest, campaign: Campaign, role: access.CampaignRole, found: Round) -> HttpResponse:
    """Do what the button of a draft says. `do` is a button, or a button with the key of its Register."""
    form = DraftForm(request.POST)
    name, _colon, key = request.POST.get("do", "").partition(":")
    if form.is_valid():
        words: dict[str, Any] = {
            "actor": request.user, "campaign": campaign, "number": found.number,
            "version": form.cleaned_data["version"], "systems": form.systems,
        }  # fmt: skip
        with refusals_on(form):
            if refused := _act(name, key, form, words):
                form.add_error("players", refused)
    if not form.errors:
        if name == "create":
            messages.success(request, _("Battles created. Players can choose their armies now."))
        if name == "systems":
            messages.success(request, _("Systems saved."))
        if name == "plan":
            messages.success(request, _("Battle planned again."))
        return redirect(found)
    draft = queries.draft_of(campaign)
    if draft and draft.number == found.number:
        return _draft_page(request, campaign, role, draft, form=form)
    messages.error(request, as_sentence(violations_on(form)))
    return redirect("schedule:index", pk=campaign.pk)


def _act(name: str, key: str, form: DraftForm, words: dict[str, Any]) -> str:
    """Change a draft, or create its battles. Return why the form is incomplete, if it is."""
    players = form.cleaned_data["players"]
    match name:
        case "create":
            rounds.create_battles(**words)
        case "again" | "systems":
            (rounds.pair_again if name == "again" else rounds.choose_systems)(**words)
        case "plan" if key:
            del words["version"], words["systems"]
            rounds.plan_again(**words, blue=key_in(key))
        case "add" if key:
            rounds.add(**words, key=key)
        case "remove" if key:
            rounds.remove_pairing(**words, key=key)
        case "leave_out" if players:
            rounds.leave_out(**words, keys=players)
        case "swap" if len(players) == 2:
            rounds.swap(**words, one=players[0], other=players[1])
        case _:
            return _("Choose two Registers to swap.") if name == "swap" else _("Choose a Register first.")
    return ""


def change_draft(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Change the date, size and place of a draft."""
    campaign = access.organized_campaign_for(request.user, pk)
    found = get_object_or_404(campaign.rounds.all(), number=min(number, HIGHEST))
    if not found.is_draft and request.method != "POST":
        return redirect(found)
    initial = {name: getattr(found, name) for name in ("version", "due", "size", "place")}
    form = DraftValuesForm(posted(request), initial=initial)
    with refusals_on(form):
        rounds.change_draft(actor=request.user, campaign=campaign, number=found.number, **valid(form))
        return redirect(found)
    context = {"campaign": campaign, "round": found, "form": form, "crumbs": [*_crumbs(campaign), *crumbs_of(found)]}
    return form_page(request, "schedule/change_draft.html", context)


@require_POST
def delete_draft(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Delete a draft."""
    campaign = access.organized_campaign_for(request.user, pk)
    with refusals_as_messages(request):
        rounds.delete_draft(actor=request.user, campaign=campaign, number=min(number, HIGHEST))
        messages.success(request, _("Draft deleted."))
    return redirect("schedule:index", pk=pk)


def _draft_page(
    request: HttpRequest, campaign: Campaign, role: access.CampaignRole, found: Round, *, form: DraftForm | None = None
) -> HttpResponse:
    context = {
        "campaign": campaign,
        **draft_page(role, campaign, found, form.systems if form else {}),
        "form": form or DraftForm(initial={"version": found.version}),
        "ticked": form["players"].data or () if form else (),
        "crumbs": _crumbs(campaign),
    }
    return form_page(request, "schedule/draft.html", context, refused=form)


def _crumbs(campaign: Campaign) -> list[dict[str, str]]:
    schedule = {"label": _("Schedule"), "href": reverse("schedule:index", args=[campaign.pk])}
    return [*crumbs_of(campaign), schedule]
