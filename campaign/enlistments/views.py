"""Pages for the Registers of a campaign: importing one, consent to imported values, transfer, and awards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_noop, ngettext

from accounts.models import User
from campaign import access
from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages.battle_lines import battle_lines
from campaign.battles.queries.battles import open_battles_of
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.enlistments.forms import CHOSEN, AwardForm, NewOwnerForm, StatusForm, UndoAwardForm
from campaign.enlistments.queries import awards_of, groups_of
from campaign.enlistments.services import enlistments
from campaign.enlistments.services.awards import give_awards, undo_awards
from campaign.enlistments.services.enlistments import may_own
from campaign.models import Campaign, Enlistment
from campaign.queries.registers import playing_in, registers_of
from campaign.schedule.pages import round_to_plan_again
from catalogue.snapshot import rulebook
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_in, refusals_on, valid
from core.form_fields import entered, posted, pressed_button
from core.ui.crumbs import crumbs_of
from registers import projection
from registers.imports.form import ImportedList
from registers.ledger import session
from registers.ledger.session import rulebook_for
from registers.ledger.text import gift_sentences, names_of, sentence, whole_number
from registers.models import EntryType, Register
from registers.pages.sheet import warnings
from registers.projection import state_of
from registers.queries.ledger import ledger_lines
from registers.services.awards import judged
from registers.views.imports import import_page
from rules.adjustments.imported_register import WHY
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation, refuse
from rules.register.building import factions_open
from rules.register.effects import Effect
from rules.register.labels import unit_label
from rules.register.state import RegisterState


def people_crumbs(campaign: Campaign) -> list[dict[str, str]]:
    """Return breadcrumbs to the people of a campaign."""
    return [*crumbs_of(campaign), {"label": _("People"), "href": reverse("campaign:people", args=[campaign.pk])}]


def import_register(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Import a Register by the campaign's rules; organizers also for a player without an account (?player=)."""
    campaign, role = access.played_campaign_for(request.user, pk)
    owner, crumbs = None, crumbs_of(campaign)
    if player := request.GET.get("player"):
        owner = _placeholder(campaign, role, player)
        crumbs = [
            *people_crumbs(campaign),
            {"label": owner.carried_name, "href": reverse("campaign:person", args=[pk, owner.pk])},
        ]
    book = rulebook().under(campaign.campaign_rules)
    limits = {"combat_potential": campaign.campaign_rules.combat_potential, "factions": tuple(factions_open(book))}

    create = partial(enlistments.import_register, actor=request.user, campaign=campaign, owner=owner)
    return import_page(request, lambda *read: ImportedList(book, *read, **limits), create, crumbs)


def _placeholder(campaign: Campaign, role: access.CampaignRole, key: str) -> User:
    """Return the player without an account with this primary key. Raises Http404 for anyone but an organizer."""
    found = access.players_of(campaign).select_related("user").filter(user=whole_number(key) or 0).first()
    if found is None or not (role.is_organizer and found.user.is_placeholder):
        raise Http404("No such player without an account")
    return found.user


#: The status that each button of the page leads to, and the message afterwards.
STATUS_BUTTONS = {
    "withdraw": (Enlistment.Status.WITHDRAWN, gettext_noop("%(register)s was withdrawn from %(campaign)s.")),
    "retire": (Enlistment.Status.RETIRED, gettext_noop("%(register)s was retired from %(campaign)s.")),
    "bring_back": (Enlistment.Status.PLAYING, gettext_noop("%(register)s is back in %(campaign)s.")),
}


def register_status(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Say what follows from withdrawing or retiring a Register, and do it or bring the Register back."""
    enlistment = access.led_enlistment_for(request.user, pk, register)
    campaign, serving = enlistment.campaign, enlistment.register
    violations: list[Violation] = []
    if request.method == "POST":
        with refusals_in(violations):
            if not (button := pressed_button(request.POST, *STATUS_BUTTONS)):
                raise refuse("", _("Choose Withdraw Register, Retire Register or Bring back Register."))
            wanted, message = STATUS_BUTTONS[button]
            enlistments.change_status(
                actor=request.user, campaign=campaign, register_id=register, status=wanted,
                planned=entered(StatusForm(request.POST))["planned"],
            )  # fmt: skip
            messages.success(request, _(message) % {"register": serving, "campaign": campaign})
            role = access.campaign_role(request.user, campaign)
            again = button == "bring_back" and role.may_organize() and round_to_plan_again(role, campaign, serving)
            return redirect(f"{again.get_absolute_url()}#again" if again else campaign)
    battles = list(Battle.objects.filter(open_battles_of(register)).order_by("number").prefetch_related(SIDES))
    begun = [battle for battle in battles if battle.status not in BEFORE_PLAY]
    context = {
        "register": serving,
        "campaign": campaign,
        "enlistment": enlistment,
        "begun": battle_lines(begun),
        "planned": battle_lines(battle for battle in battles if battle not in begun),
        "violations": as_context(violations),
        "crumbs": [*crumbs_of(campaign), {"label": str(serving), "href": reverse("registers:detail", args=[register])}],
    }
    return form_page(request, "campaign/register_status.html", context, refused=violations)


def consent(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Show all imported values line by line, and accept them; `decline` removes the Register from the campaign."""
    campaign = access.organized_campaign_for(request.user, pk)
    enlistment = get_object_or_404(campaign.enlistments.select_related("register__owner"), register=register)
    serving = enlistment.register
    if request.method == "POST":
        act, message = enlistments.consent, _("%(register)s was approved.")
        if pressed_button(request.POST, "decline"):
            act, message = enlistments.decline, _("%(register)s was declined.")
        with refusals_as_messages(request):
            act(actor=request.user, campaign=campaign, register_id=serving.pk)
            messages.success(request, message % {"register": serving})
        return redirect(campaign)
    book, state = rulebook_for(serving), state_of(serving)
    found = ledger_lines(serving, book, state)
    taken = [line for line in reversed(found) if line.entry.act == EntryType.TAKE_OVER and not line.undone]
    for line in taken:
        line.text = line.text.removesuffix(f" ({WHY})")  # the heading says so for all of them
    context = {
        "register": serving,
        "awaits": enlistment.awaits_consent,
        "lines": taken,
        "solo": serving.sides.filter(battle__status=Battle.Status.CLOSED).exclude(battle__campaign=campaign).count(),
        "owed": [*_owed(book, state), *warnings(book, state)],
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/consent.html", context)


def _owed(book: Rulebook, state: RegisterState) -> Iterator[dict[str, str]]:
    """Yield the Commendations that are due once the Register plays."""
    for key, dossier in state.dossiers.items():
        if dossier.owed:
            text = ngettext(
                "%(unit)s: %(number)s Commendation to choose.",
                "%(unit)s: %(number)s Commendations to choose.",
                dossier.owed,
            )
            words = {"unit": unit_label(book, state, key), "number": dossier.owed}
            yield {"rule": "R15", "sentence": text % words}
    if number := state.command_cards_owed:
        text = ngettext(
            "Paragon: %(number)s Command Card to choose.", "Paragon: %(number)s Command Cards to choose.", number
        )
        yield {"rule": "R16", "sentence": text % {"number": number}}


def give(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Transfer a Register to another player."""
    campaign = access.organized_campaign_for(request.user, pk)
    found = get_object_or_404(campaign.registers.filter(discarded=False).select_related("owner"), pk=register)
    players = [each for each in access.players_of(campaign).select_related("user") if may_own(each.user)]
    form = NewOwnerForm(players, found.owner_id, posted(request))
    with refusals_on(form):
        if form.is_valid():
            to = next(each.user for each in players if str(each.user_id) == form.cleaned_data["to"])
            given = enlistments.transfer_register(actor=request.user, campaign=campaign, register_id=register, to=to)
            names = {"register": given, "person": given.owner}
            messages.success(request, _("%(register)s now belongs to %(person)s.") % names)
            return redirect("campaign:people", pk=pk)
    context = {"register": found, "form": form, "crumbs": people_crumbs(campaign)}
    return form_page(request, "campaign/transfer_register.html", context)


class Preview(Value):
    """What one Register would get, in words, or why it gets nothing; and which of its units are ticked."""

    register: Register
    units: Sequence[dict[str, object]]
    lines: Sequence[str] = ()
    violations: Sequence[dict[str, str]] = ()


def award(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the form for awards; `look` previews each Register's award, `give` awards them, `undo` undoes an award."""
    campaign = access.organized_campaign_for(request.user, pk)
    button = pressed_button(request.POST, "look", "give", "undo")
    if button == "undo":
        return _undo_award(request, campaign)
    form = _award_form(campaign, posted(request))
    form.fields["registers"].initial = request.session.get(CHOSEN, []) if CHOSEN in request.GET else []
    form.fields["groups"].initial = request.GET.getlist("group")
    if not form.is_valid():
        return _award_page(request, campaign, form, [])
    chosen = form.chosen
    awards = form.awards()
    if button == "give" and len(awards) == len(chosen):
        with refusals_on(form):
            got = give_awards(actor=request.user, campaign=campaign, awards=awards, reason=form.cleaned_data["reason"])
            message = ngettext("Award given to %(n)d Register.", "Award given to %(n)d Registers.", len(got))
            messages.success(request, message % {"n": len(got)})
            return redirect(f"{request.path}#given")
    elif not chosen:
        form.add_error("registers", _("Choose at least one Register."))
    return _award_page(request, campaign, form, list(previews_of(form, chosen)))


def _award_form(campaign: Campaign, data: Any = None) -> AwardForm:
    registers = playing_in(registers_of(campaign))
    return AwardForm(rulebook().under(campaign.campaign_rules), registers, data, groups_of(campaign, registers))


def _undo_award(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Undo an award for every Register that got it; on a refusal, show why next to it, with the reason as typed."""
    form = UndoAwardForm(request.POST)
    try:
        cleaned = valid(form)
        taken = undo_awards(actor=request.user, campaign=campaign, entries=cleaned["entry"], reason=cleaned["reason"])
    except RuleViolation as refusal:
        refused = {
            "entries": entered(form)["entry"],
            "violations": as_context(refusal.violations),
            "reason": form["reason"].value(),
        }
        return _award_page(request, campaign, _award_form(campaign), [], refused=refused)
    message = ngettext("Award undone for %(n)d Register.", "Award undone for %(n)d Registers.", taken)
    messages.success(request, message % {"n": taken})
    return redirect(request.path)


def previews_of(form: AwardForm, chosen: list[Register]) -> Iterator[Preview]:
    """Yield what each chosen Register would get, or why it gets nothing."""
    states = projection.states_of(chosen) if chosen else {}
    gifts = [(register, states[register.pk], form.gift(register)) for register in chosen]
    found = judged(gifts)
    for register, state, gift in gifts:
        book = session.rulebook_for(register)
        names, result = names_of(book, state), found[register.pk]
        boxes = [
            {"key": key, "label": names[key], "checked": gift.units is None or key in gift.units}
            for key in (state.dossiers if gift.for_units else ())
        ]
        lines = () if result.violations else list(_gains(result.effects, names, book, len(state.dossiers)))
        yield Preview(register, boxes, lines, as_context(result.violations))


def _gains(effects: Iterable[Effect], names: Mapping[str, str], book: Rulebook, number: int) -> Iterator[str]:
    """Yield effects in words. If several units gain the same, one line names them, or says that all `number` do."""
    alike: dict[str, list[str]] = {}
    for effect in effects:
        text, unit = sentence(replace(effect, why=""), names, book), names.get(getattr(effect, "unit", ""), "")
        gain = text.removeprefix(f"{unit}: ")
        alike.setdefault(gain, []).extend([unit] if gain != text else [])
    for gain, units in alike.items():
        if len(units) == number > 1:
            yield _("%(gain)s: all %(n)d units") % {"gain": gain, "n": number}
        else:
            yield f"{gain}: {', '.join(units)}" if units else gain


def _award_page(
    request: HttpRequest,
    campaign: Campaign,
    form: AwardForm,
    previews: Sequence[Preview],
    refused: Mapping[str, Any] | None = None,
) -> HttpResponse:
    book = rulebook().under(campaign.campaign_rules)
    context = {
        "campaign": campaign,
        "form": form,
        "previews": previews,
        "can_give": previews and not any(preview.violations for preview in previews),
        "given": [(given, gift_sentences(given.gift, book)) for given in awards_of(campaign)],
        "refused": refused,
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "campaign/award.html", context, refused=refused)
