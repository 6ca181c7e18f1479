"""Pages of a star map: the map, each system, and the system of a battle."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_POST

from campaign import access
from campaign.battles import access as battle_access
from campaign.models import Campaign
from campaign.star_map.forms import FoughtForForm, HolderForm, SettingsForm, StartForm, SystemForm, TurnForm
from campaign.star_map.layouts import LAYOUTS
from campaign.star_map.queries import MapSystem, StarMap, awarded_in, possible_holders, settings_of, star_map_of
from campaign.star_map.services import star_map as services
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import entered, posted, pressed_button
from core.ui.crumbs import crumbs_of
from rules.core.violations import refuse

START, SETTINGS, TURN = "start", "settings", "turn"
SAVE, HOLD, BONUS, DELETE = "save", "hold", "bonus", "delete"


def index(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the star map with a list of its systems. Organizers start it with a set of systems (`start`), choose who
    takes a system (`settings`), and start the next turn (`turn`).
    """
    campaign, role = access.campaign_for(request.user, pk)
    if request.method == "POST":
        if not role.is_organizer:
            raise Http404("Not an organizer of this campaign")
        access.check_state(campaign)
        with refusals_as_messages(request):
            _change_map(request, campaign)
        return redirect("star_map:index", pk=pk)
    settings, star_map = settings_of(campaign), star_map_of(campaign)
    awarded = awarded_in(campaign, settings.turn) if role.may_organize() else ()
    context = {
        "campaign": campaign,
        "organizes": role.may_organize(),
        "star_map": star_map,
        "layouts": list(LAYOUTS),
        "settings": settings,
        "settings_form": SettingsForm(initial={"winner_takes": settings.winner_takes}),
        "awarded": awarded,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "star_map/index.html", context)


def _change_map(request: HttpRequest, campaign: Campaign) -> None:
    button = pressed_button(request.POST, START, SETTINGS, TURN)
    about = {"actor": request.user, "campaign": campaign}
    if button == START:
        services.start_map(**about, layout=valid(StartForm(request.POST))["layout"])
    elif button == TURN:
        services.start_turn(**about, after=valid(TurnForm(request.POST))["turn"])
    elif button == SETTINGS:
        services.set_winner_takes(**about, automatic=entered(SettingsForm(request.POST))["winner_takes"])
        messages.success(request, _("Setting saved. It counts for battles whose system is chosen from now on."))


def new(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add a system to the map."""
    campaign = access.organized_campaign_for(request.user, pk)
    star_map = star_map_of(campaign)
    others = [each.row for each in star_map.systems]
    initial = {"system": uuid4(), "x": 50, "y": 50, "bonus_supply": 0, "bonus_experience": 0}
    form = SystemForm(others, posted(request), initial=initial)
    if form.is_valid():
        with refusals_on(form):
            return _saved(request, campaign, form)
    context = {"campaign": campaign, "star_map": star_map, "form": form, "crumbs": _map_crumbs(campaign)}
    return form_page(request, "star_map/new.html", context)


def system(request: HttpRequest, pk: UUID, system: UUID) -> HttpResponse:
    """Show a system. Organizers change it (`save`), give it away (`hold`), award its `bonus`, or `delete` it."""
    campaign, role = access.campaign_for(request.user, pk)
    star_map = star_map_of(campaign)
    shown = next((each for each in star_map.systems if each.row.pk == system), None)
    if shown is None or (request.method == "POST" and not role.is_organizer):
        raise Http404("No such system, or no organizer")
    if request.method == "POST":
        access.check_state(campaign)
    button = pressed_button(request.POST, SAVE, HOLD, BONUS, DELETE)
    if button == DELETE:
        services.delete_system(actor=request.user, campaign=campaign, system_id=system)
        messages.success(request, _("%(system)s was removed.") % {"system": shown.name})
        return redirect("star_map:index", pk=pk)
    if button == BONUS:
        with refusals_as_messages(request):
            _award(request, campaign, shown)
        return redirect("star_map:index", pk=pk)
    return _system_page(request, campaign, star_map, shown, organizes=role.may_organize(), button=button)


def _award(request: HttpRequest, campaign: Campaign, shown: MapSystem) -> None:
    turn = valid(TurnForm(request.POST))["turn"]
    given = services.award_bonus(actor=request.user, campaign=campaign, system_id=shown.row.pk, turn=turn)
    if given:
        text = ngettext("Bonus awarded to %(n)d Register.", "Bonus awarded to %(n)d Registers.", given)
        messages.success(request, text % {"n": given})
    else:
        messages.info(request, _("The bonus of %(system)s was awarded already this turn.") % {"system": shown.name})


def _system_page(
    request: HttpRequest, campaign: Campaign, star_map: StarMap, shown: MapSystem, *, organizes: bool, button: str
) -> HttpResponse:
    row = shown.row
    form = holder_form = None
    if organizes:
        holders = possible_holders(campaign)
        others = [each.row for each in star_map.systems if each.row.pk != row.pk]
        form = SystemForm(others, request.POST if button == SAVE else None, initial=_values(star_map, shown))
        initial = {"holder": shown.holder.value if shown.holder else ""}
        holder_form = HolderForm(holders, request.POST if button == HOLD else None, initial=initial)
        if button == SAVE and form.is_valid():
            with refusals_on(form):
                if form.cleaned_data["system"] != row.pk:
                    raise refuse("", _("This form is out of date. Reload the page."))
                return _saved(request, campaign, form)
        if button == HOLD and holder_form.is_valid():
            with refusals_on(holder_form):
                chosen = holder_form.cleaned_data
                services.give_system(
                    actor=request.user, campaign=campaign, system_id=row.pk, holder=chosen["holder"],
                    battle_id=chosen["battle"],
                )  # fmt: skip
                messages.success(request, _("%(system)s was changed.") % {"system": shown.name})
                return redirect(row)
    context = {
        "campaign": campaign,
        "organizes": organizes,
        "system": shown,
        "star_map": star_map,
        "lanes": [b if a.pk == row.pk else a for a, b in star_map.lanes if row.pk in (a.pk, b.pk)],
        "form": form,
        "holder_form": holder_form,
        "crumbs": _map_crumbs(campaign),
    }
    return form_page(request, "star_map/system.html", context)


def _values(star_map: StarMap, shown: MapSystem) -> dict[str, object]:
    row = shown.row
    lanes = [str(b.pk if a.pk == row.pk else a.pk) for a, b in star_map.lanes if row.pk in (a.pk, b.pk)]
    names = ("name", "x", "y", "bonus_supply", "bonus_experience")
    return {"system": row.pk, "lanes": lanes, **{name: getattr(row, name) for name in names}}


def _saved(request: HttpRequest, campaign: Campaign, form: SystemForm) -> HttpResponse:
    saved = services.save_system(actor=request.user, campaign=campaign, **form.values())
    messages.success(request, _("%(system)s was saved.") % {"system": saved})
    return redirect("star_map:index", pk=campaign.pk)


def _map_crumbs(campaign: Campaign) -> list[dict[str, str]]:
    return [*crumbs_of(campaign), {"label": _("Star map"), "href": reverse("star_map:index", args=[campaign.pk])}]


@require_POST
def fought_for(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Choose the system that a battle is fought for, or none."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    with refusals_as_messages(request):
        chosen = valid(FoughtForForm(request.POST))["system"]
        services.fight_for(actor=request.user, battle=battle, system_id=chosen)
        messages.success(request, _("System saved."))
    return redirect(battle)
