"""Pages of a campaign's battles: planning, armies, the battle itself, its dice, and two Registers compared."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access, state_machine
from campaign.battles.forms.actions import ActionForm, AgendaForm, CancelForm, DisputeForm, SettleForm, WordForm
from campaign.battles.forms.army import ArmyForm, HandForm
from campaign.battles.forms.from_list import FromList
from campaign.battles.forms.plan import MissionForm, PlanForm, ReplanForm, drawn_from
from campaign.battles.models import Battle, Side
from campaign.battles.pages import activity, candidates as candidate_queries
from campaign.battles.pages.armies import agenda_choices, limits_of, plain_side, report_rows, side_views
from campaign.battles.pages.army_sheet import is_printable
from campaign.battles.pages.battle_lines import BATTLES_A_PAGE, battle_lines
from campaign.battles.pages.comparison import compared
from campaign.battles.pages.dice import drawn_in, entries_of, exported, promise_of, unsealed
from campaign.battles.pages.table import hands_of, map_of
from campaign.battles.queries import battles as battle_queries
from campaign.battles.queries.battles import mission_of, setup_for
from campaign.battles.queries.page_versions import page_version, page_version_now
from campaign.battles.report_data import Facts, book_of
from campaign.battles.services import agendas, army as army_service, fair_dice, mission, planning, solo as solo_battles
from campaign.battles.services.transition import act_for_side
from campaign.battles.signals import answer_to, size_suggested
from campaign.models import Action
from campaign.queries.campaign_rules import name_words, value_words
from campaign.queries.registers import by_standing, registers_of
from catalogue.snapshot import rulebook
from core.form_errors import as_context, as_sentence, form_page, refusals_as_messages, refusals_on, valid, violations_on
from core.form_fields import posted
from core.time_zones import site_zone
from core.ui.crumbs import crumbs_of
from lists.exporting import all_written, list_file
from ops.paths import BASE_DIR
from registers import projection
from registers.access import register_for
from registers.imports.form import ListForm
from registers.imports.judging import ListDecisions
from registers.keys import key_in
from registers.ledger import session
from registers.models import Register
from rules.battle.army import LARGEST_RECON, game_type, may_play_turning_point
from rules.core.campaign_rules import BY_NAME, differences
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation

#: The script with which anyone can verify the dice on their own computer.
SCRIPT = BASE_DIR / "docs" / "check_dice.py"


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the status of a battle, its armies and its report, and the next action. A battle in play is shown at the
    table, unless its details are asked for (?details).
    """
    battle, role = battle_access.battle_for(request.user, pk)
    if battle.status == Battle.Status.IN_PLAY and "details" not in request.GET:
        return redirect("battles:table", battle.pk)
    return show(request, battle, role)


@require_GET
def poll(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Reload the page once the version in `seen` is outdated; otherwise return nothing. A player of the battle is sent
    on to their sequence once the other player has confirmed the report.
    """
    if not (now := page_version_now(request.user, pk)):
        raise Http404("No such battle")
    if request.GET.get("seen") == now:
        return HttpResponse(status=204)
    battle, _role = battle_access.battle_for(request.user, pk)
    owners = [side.register.owner_id for side in battle.sides.all() if side.register]
    if battle.status == Battle.Status.SEQUENCE and request.user.pk in owners:
        return HttpResponseClientRedirect(reverse("battles:sequence", args=[battle.pk]))
    return HttpResponseClientRefresh()


@require_POST
def begin(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Begin the battle, which locks its Registers."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    with refusals_as_messages(request):
        army_service.begin(actor=request.user, battle_id=battle.pk)
    return redirect(battle)


@require_POST
def choose_agenda(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the Agenda of a side, or undo the choice (R23)."""
    side, _role = battle_access.side_for(request.user, pk)
    with refusals_as_messages(request):
        agendas.choose_agenda(actor=request.user, side_id=side.pk, **valid(AgendaForm(request.POST)))
    return redirect(side.battle)


@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Cancel the battle, as long as its sequence has not begun."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    cancel = partial(planning.cancel, actor=request.user, battle_id=battle.pk)
    if refused := perform(request, battle.pk, CancelForm(request.POST), cancel):
        return refused
    messages.success(request, _("Battle %(number)s canceled.") % {"number": battle.number})
    return redirect(battle.campaign)


def act_for(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an organizer act for the player of a side, though they play the other one."""
    side = battle_access.opposed_side_for(request.user, pk)
    battle = side.battle
    if request.method == "POST":
        with refusals_as_messages(request):
            act_for_side(actor=request.user, side_id=side.pk)
            if battle.status == Battle.Status.SEQUENCE:
                return redirect("battles:sequence_side", battle.pk, side.colour)
        return redirect(battle)
    context = {"battle": battle, "side": side, "crumbs": crumbs_of(battle.campaign, battle)}
    return render(request, "battles/act_for.html", context)


def perform(request: HttpRequest, pk: UUID, form: ActionForm, act: Callable[..., object]) -> HttpResponse | None:
    """Do the action of a form on the battle page. If it is refused, return the page with the form as it was sent."""
    with refusals_on(form):
        if form.is_valid():
            act(**form.cleaned_data)
            return None
    return show(request, *battle_access.battle_for(request.user, pk), form)


def show(
    request: HttpRequest, battle: Battle, role: access.CampaignRole, refused: ActionForm | None = None
) -> HttpResponse:
    """Return the page of a battle, with a form that was `refused` as sent (on top if the page no longer has it)."""
    views = side_views(role, battle)
    events = activity.activity_lines(activity.of_battle(battle))
    may = set(state_machine.open_actions(state_machine.battle_role(role, battle), battle))
    choices = agenda_choices(battle, views)
    others = battle_queries.other_battles(battle)
    if others or choices.get("turn"):
        may.discard(Action.BEGIN)
    actions = {str(form.act): form for form in (DisputeForm(), SettleForm(), CancelForm(), refused) if form}
    promise = promise_of(role, battle)
    words = [
        refused if isinstance(refused, WordForm) else WordForm(side, initial={"word": word})
        for side, word in (promise.own if promise and battle.campaign.is_open else ())
    ]
    if refused and refused not in words and refused.act not in may:
        messages.error(request, as_sentence(violations_on(refused)))
    book, mine = rulebook(), [view.side for view in views if view.mine]
    may_own_mission = (
        view.state.story_arc and may_play_turning_point(book_of(view.side), view.state) for view in views
    )
    owners = [side.register.owner for side in battle.sides.all() if side.register and side.register.owner]
    context = {
        "battle": battle,
        "campaign": battle.campaign,
        "sides": views,
        "report_rows": report_rows(views) if battle.version else [],
        "disputing": "dispute" in request.GET,
        "own_side": next((side for side in mine if not side.done), mine[0] if mine else None),
        "printable": any(map(is_printable, views)),
        "may": {str(act): True for act in may},
        "choices": choices,
        "may_change_mission": Action.REPLAN in may and bool(battle.owner or any(may_own_mission)),
        "other_battles": others,
        "to_choose_army": _to_choose_army(request, mine),
        "others": _(" and ").join(view.side.name for view in views if not view.side.army_chosen),
        "confirmers": _(" or ").join(owner.get_username() for owner in owners if owner.pk != battle.reported_by_id),
        "open_amendment": battle_queries.open_amendment_of(battle) if Action.AMEND in may else None,
        "standing": battle_queries.status_text(battle),
        "winner": next((view.side.name for view in views if view.side.colour == battle.winner), ""),
        "mission": mission_of(battle),
        "mission_map": map_of(battle),
        "game_type": game_type(battle.size),
        "when": battle_queries.when_text(battle),
        "limits": limits_of(book, battle),
        "compare": _comparison(battle),
        "older_campaign_rules": _older_campaign_rules(book, battle),
        "poll_url": f"{reverse('battles:poll', args=[battle.pk])}?seen={page_version(battle)}",
        "crumbs": crumbs_of(battle.campaign),
        "events": events,
        "dispute": next((line for line in events if line.act == Action.DISPUTE), None),
        "nothing_entered": as_context(nothing_entered(request.user, battle)),
        "actions": actions,
        "promise": promise,
        "words": words,
    }
    return form_page(request, "battles/detail.html", context, refused=refused)


def nothing_entered(user: User, battle: Battle) -> list[Violation]:
    """Return violations for this user's own empty parts of a report, which they must confirm as empty (R25)."""
    if battle.status not in (Battle.Status.REPORTED, Battle.Status.DISPUTED) or battle.reported_by_id == user.pk:
        return []
    text = _("Nothing is entered for %(side)s. Change the report, or confirm that there is nothing to enter.")
    own = [side for side in battle.sides.all() if side.register and side.register.owner_id == user.pk]
    return [Violation("R25", text % {"side": side.name}) for side in own if Facts(**side.report).empty]


def _older_campaign_rules(book: Rulebook, battle: Battle) -> list[dict[str, str]]:
    """Return the rules of a battle under way that differ from what its campaign has agreed on since it began. Rules
    about building Registers are left out, because they do not affect a battle.
    """
    if battle.campaign_rules is None or battle.status in (Battle.Status.CLOSED, Battle.Status.CANCELLED):
        return []
    return [
        {"name": name_words(name), "words": value_words(book, name, then)}
        for name, then, _now in differences(battle.campaign_rules, battle.campaign.campaign_rules)
        if name in BY_NAME or name == "length"
    ]


def _comparison(battle: Battle) -> str:
    """Return the URL that compares both Registers, before the battle; empty with a guest."""
    one, other = (side.register_id for side in battle.sides.all())
    if battle.status not in state_machine.BEFORE_PLAY or not one or not other:
        return ""
    chosen = urlencode({"one": one, "other": other})
    return f"{reverse('battles:compare', args=[battle.campaign_id])}?{chosen}"


def _to_choose_army(request: HttpRequest, mine: list[Side]) -> list[Side]:
    """Return the sides that still need an army: the user's own, or both for an organizer who does not play."""
    own = [side for side in mine if side.own_register.owner_id == request.user.pk]
    return [side for side in own or mine if not side.army_chosen]


def plan(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Plan a battle: who, how many points, which colors, whose mission (R17, R18, R22)."""
    campaign, role = access.played_campaign_for(request.user, pk)
    found = candidate_queries.candidates(role, campaign)
    suggested = answer_to(size_suggested, campaign=campaign, day=localdate())
    form = PlanForm(rulebook(), found, posted(request), time_zone=campaign.time_zone, suggested=suggested)
    nobody = _("None of your Registers can fight now")
    context = {"title": _("New battle"), "suggested": suggested, "crumbs": crumbs_of(campaign), "nobody": nobody}
    return _plan_page(request, form, partial(planning.plan_battle, campaign=campaign), context)


def solo(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Plan a battle of one's Register against a guest, outside campaigns, and list those that it has played (R17)."""
    register = register_for(request.user, pk)
    if register.owner_id != request.user.pk or not register.commissioned or register.discarded:
        raise Http404("Not a Register of this player")
    candidate = candidate_queries.solo_candidate(request.user, register)
    form = PlanForm(rulebook(), [candidate], posted(request), time_zone=site_zone())
    battles = Battle.objects.filter(campaign__solo=register).prefetch_related(battle_access.SIDES)
    page = Paginator(battles, BATTLES_A_PAGE).get_page(request.GET.get("page"))
    crumbs = [{"label": str(register), "href": reverse("registers:detail", args=[pk])}]
    context = {
        "title": _("Solo battles"), "page": page, "lines": battle_lines(page), "crumbs": crumbs,
        "nobody": _("This Register cannot fight a solo battle now"),
    }  # fmt: skip
    return _plan_page(request, form, partial(solo_battles.plan_solo_battle, register_id=pk), context)


def _plan_page(
    request: HttpRequest, form: PlanForm, plan: Callable[..., Battle], context: Mapping[str, Any]
) -> HttpResponse:
    if form.is_valid():
        with refusals_on(form, form.add_violations):
            return _redirect_to_own_army(request.user, plan(actor=request.user, **form.arguments()))
    shown = {
        "form": form,
        "kept_away": [item for item in form.candidates if item.why],
        "eligible": [item for item in form.candidates if item.may],
        "largest_recon": LARGEST_RECON,
        "home": context["crumbs"][-1],
        **context,
    }
    return form_page(request, "battles/plan.html", shown)


def _redirect_to_own_army(user: User, battle: Battle) -> HttpResponse:
    """Redirect a player to the army of their Register, and an organizer who does not play to the battle."""
    own = (side for side in battle.sides.all() if side.register and side.register.owner_id == user.pk)
    side = next(own, None)
    return redirect("battles:army", side.pk) if side else redirect(battle)


def replan(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change the date, time, place or size, as long as the battle has not begun."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    if battle.status not in state_machine.BEFORE_PLAY and request.method != "POST":
        return redirect(battle)
    form = ReplanForm(posted(request), initial=drawn_from(battle))
    if form.is_valid():
        with refusals_on(form):
            planning.replan(actor=request.user, battle_id=battle.pk, **form.cleaned_data)
            return redirect(battle)
        # The user now sees the current plan and may change it.
        form.data = {**form.data.dict(), "version": battle.plan_version}
    context = {"battle": battle, "form": form, "crumbs": crumbs_of(battle.campaign, battle)}
    return form_page(request, "battles/replan.html", context)


def change_mission(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change whose Turning Point Mission is played, as long as the battle has not begun (R22)."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    if battle.status not in state_machine.BEFORE_PLAY and request.method != "POST":
        return redirect(battle)
    form = MissionForm(battle, battle_queries.mission_owners(battle), posted(request))
    with refusals_on(form):
        cleaned = valid(form)
        owner = key_in(cleaned["owner"])
        mission.change_mission(actor=request.user, battle_id=battle.pk, version=cleaned["version"], owner=owner)
        return redirect(battle)
    context = {"battle": battle, "form": form, "crumbs": crumbs_of(battle.campaign, battle)}
    return form_page(request, "battles/mission.html", context)


@sensitive_post_parameters("hand")
def choose_army(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the army of a side; `reckon` in the form only recalculates it."""
    side, role = battle_access.side_for(request.user, pk)
    battle = side.battle
    if battle.status not in state_machine.BEFORE_PLAY and request.method != "POST":
        return redirect(battle)
    state = projection.state_of(side.own_register)
    book = book_of(side)
    both = list(battle.sides.all())
    other = next(other for other in both if other.pk != side.pk)
    hand = HandForm(
        book,
        state,
        hands_of(request.user, battle, book).get(side.pk),
        posted(request),
        enter=battle_access.may_enter_hand(role, side),
        see=battle_access.may_see_hand(request.user, side),
    )
    form = ArmyForm(side, state, setup_for(battle, side, both), limits_of(book, battle), hand, posted(request))
    if form.is_valid() and form.is_sent:
        with refusals_on(form, form.add_refusal):
            return redirect(
                army_service.choose_army(
                    actor=request.user,
                    side_id=side.pk,
                    army=form.army,
                    hand=form.hand.entry,
                    version=form.cleaned_data["version"],
                )
            )
    context = {
        "side": side,
        "battle": battle,
        "other": other,
        "on_behalf_of": session.on_behalf_of(request.user, side.own_register),
        "game_type": game_type(battle.size),
        "crumbs": crumbs_of(battle.campaign, battle),
        **form.context(),
    }
    template = "battles/army.html"
    if request.htmx and form["reckon"].data == "1":
        template += "#reckoned"
    return render(request, template, context, status=422 if form.is_sent else 200)


@require_safe
def dice_of_battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all dice of a battle, with their commitments."""
    battle, _role = battle_access.battle_for(request.user, pk)
    entries = entries_of(battle)
    drawn = drawn_in(battle, entries)
    seeds = list(battle.dice_seeds.all())
    shown = {seed.number for seed in seeds if seed.shown}
    context = {
        "battle": battle,
        "crumbs": crumbs_of(battle.campaign, battle),
        "seeds": seeds,
        "sides": [(side, list(rolls)) for side, rolls in groupby(drawn, key=lambda one: one.side)],
        "several": len(seeds) > 1,
        "unsealed": unsealed(battle, entries),
        "over": battle.status in state_machine.OVER,
        "all_typed": drawn and not any(one.number for one in drawn),
        "script": SCRIPT.read_text("utf-8"),
        "checkable": any(one.number and one.seed in shown for one in drawn),
    }
    return render(request, "battles/dice.html", context)


@require_safe
def dice_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return all dice of a battle as a file, for docs/check_dice.py and the check in the browser."""
    battle, _role = battle_access.battle_for(request.user, pk)
    return JsonResponse(
        exported(battle, drawn_in(battle, entries_of(battle))),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="dice-of-battle-{battle.number}.json"'},
    )


@require_POST
def dice_word(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Mix in the player's own word."""
    side = battle_access.own_side_for(request.user, pk)
    mix_in = partial(fair_dice.mix_in, actor=request.user, side_id=side.pk)
    if refused := perform(request, side.battle_id, WordForm(side, request.POST), mix_in):
        return refused
    messages.success(request, _("Word saved."))
    return redirect(f"{side.battle.get_absolute_url()}#dice")


@require_safe
def compare(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Compare two Registers of the campaign (?one=, ?other=), by default the user's own, or the only two there are."""
    campaign, _role = access.campaign_for(request.user, pk)
    registers = by_standing(registers_of(campaign))
    own = next((register for register in registers if register.owner_id == request.user.pk), None)
    one = _register_asked_for(registers, request.GET.get("one", "")) or own
    other = _register_asked_for(registers, request.GET.get("other", ""))
    if len(registers) == 2 and not request.GET:
        one = one or registers[0]
        other = next(register for register in registers if register != one)
    violations = []
    if one and one == other:
        violations = [Violation("R17", _("Choose two different Registers."), "other")]
    context = {
        "campaign": campaign,
        "registers": registers,
        "one": one,
        "other": other,
        "comparison": compared(campaign, one, other) if one and other and not violations else None,
        "violations": as_context(violations),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "battles/compare.html", context, refused=violations)


def _register_asked_for(registers: Iterable[Register], key: str) -> Register | None:
    """Return the campaign's Register with that key, or None without a key. Raises Http404 if there is none."""
    if not key:
        return None
    found = next((register for register in registers if str(register.pk) == key), None)
    if found is None:
        raise Http404("No such Register in this campaign")
    return found


@require_safe
def as_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the army in every format, to copy or to download."""
    side = battle_access.shown_side_for(request.user, pk)
    context = {
        "name": side.name,
        "faction": side.own_register.faction,
        "crumbs": crumbs_of(side.battle.campaign, side.battle),
        "lists": all_written(plain_side(side)),
    }
    return render(request, "registers/list.html", context)


@require_safe
def as_file(request: HttpRequest, pk: int, which: str) -> HttpResponse:
    """Download the army as a file."""
    return list_file(plain_side(battle_access.shown_side_for(request.user, pk)), which)


@sensitive_post_parameters("text")
def choose_army_from_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Paste a list, match it to Dossiers, and continue in the army form, filled in. Nothing is saved here."""
    side, _role = battle_access.side_for(request.user, pk)
    battle = side.battle
    if battle.status not in state_machine.BEFORE_PLAY:
        return redirect(battle)
    page = {"side": side, "crumbs": crumbs_of(battle.campaign, battle)}
    if request.method != "POST":
        return render(request, "battles/army_from_list.html", page)
    sent = ListForm(request.POST, request.FILES)
    read = sent.pasted()
    if read.refused:
        page |= {"refused": read.refused, "text": read.text}
        return form_page(request, "battles/army_from_list.html", page, refused=True)
    register = side.own_register
    words = sent.decisions() if read.decided else ListDecisions()
    form = FromList(session.rulebook_for(register), projection.state_of(register), read, words)
    waits = read.decided and bool(form.undecided)
    page["list"] = form.context()
    return form_page(request, "battles/army_from_list.html", page, refused=waits)
