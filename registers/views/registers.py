"""Pages of a Register and of its Dossiers."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import localdate
from django.utils.translation import gettext, gettext as _
from django.views.decorators.http import require_safe

from core.db.prepared import Prepared
from core.form_errors import form_page
from core.form_fields import pressed_button
from registers import campaign_side
from registers.access import editable_register_for, may_correct, may_edit, register_for
from registers.campaign_side import BattleName, battle_names
from registers.charts.experience import experience_of
from registers.charts.supply import statement
from registers.forms.building import AnsweredAlready, BiographyForm, NameForm, acting, blame
from registers.ledger.lines import OF, LedgerLine, falls, is_undone, lines
from registers.ledger.session import rulebook_for
from registers.ledger.text import names_of
from registers.markdown import to_html
from registers.models import Dossier as Row, LedgerEntry, Register
from registers.pages.hero import hero_of, last_deed
from registers.pages.history import HistoryEntry
from registers.pages.sheet import command_cards_of, keyword_term, sheet_of, thousandths, warnings
from registers.painting.services import painted_keys
from registers.projection import state_of
from registers.queries.ledger import battle_entries_about, battles_of_the_fallen, entries_about, ledger_lines
from registers.services import editing
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation
from rules.post_battle.casualties import dice_for, is_war_weary, rerolls_for
from rules.post_battle.casualty_odds import check_odds
from rules.register.building import next_arcs
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState, everyone, placed
from uploads.models import Picture, picture_answer
from uploads.views import picture_page


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a Register: everything on its printed form. Of a deleted draft only the history is left."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    correctable = may_correct(request.user, register)
    own = correctable or register.owner_id == request.user.pk
    links = campaign_side.campaigns.links(request.user, register)
    if state.discarded:
        gone = {"register": register, "state": state, "own": own, "campaign_links": links}
        return render(request, "registers/deleted.html", gone)
    fallen_in = battles_of_the_fallen(register) if state.fallen else {}
    ledger, painted = reverse("registers:ledger", args=[pk]), painted_keys(register)
    frozen = campaign_side.campaigns.frozen(register)
    sheet = sheet_of(book, state, register, {key: battle.label for key, battle in fallen_in.items()}, painted)
    context = {
        **sheet,
        "number": len(sheet["units"]),
        "units": [card for card in sheet["units"] if not card["is_paragon"]],
        "hero": _paragon(book, state, register, painted),
        "register": register,
        "editable": own and not frozen.game and not request.user.guest_until,
        "correctable": correctable and not frozen.game,
        "warnings": list(warnings(book, state)),
        "frozen": frozen,
        "goes_on": bool(next_arcs(book, state)) and not frozen.game,
        "biography": to_html(register.biography),
        "ledger": ledger,
        "links": {of: f"{ledger}?of={of}" for of in OF} | {"supply_points": reverse("registers:supply", args=[pk])},
        "campaign_links": links,
    }
    return render(request, "registers/detail.html", context)


def _paragon(
    book: Rulebook, state: RegisterState, register: Register, painted: Collection[str]
) -> dict[str, Any] | None:
    """Return the head of the Paragon's Dossier, None without a Paragon. Three queries."""
    if (paragon := state.dossiers.get(state.paragon)) is None:
        return None
    [row] = _dossiers(register.pk, paragon.key)
    entries = battle_entries_about(register, paragon.key)
    names = battle_names({entry.battle for entry in entries})
    deed = last_deed(book, state, paragon.key, entries, names)
    has_paint = paragon.key in painted
    return hero_of(book, state, paragon, register, picture=row.picture, deed=deed, painted=has_paint)


@Prepared
def _dossiers(register: UUID, key: str) -> QuerySet[Row]:
    return Row.objects.filter(register__pk=register, key=key).select_related("picture")


LINES_A_PAGE = 25


@require_safe
def supply(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all Supply Points gained and spent, newest first."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    found = statement(ledger_lines(register, book, state, of="supply_points"))
    page = Paginator(found.postings, LINES_A_PAGE).get_page(request.GET.get("page"))
    names = battle_names({posting["line"].entry.battle for posting in page.object_list})
    context = {
        "register": register,
        "statement": found,
        "postings": [(posting, names.get(posting["line"].entry.battle)) for posting in page.object_list],
        "page": page,
    }
    return render(request, "registers/supply.html", context)


@require_safe
def photo(request: HttpRequest, pk: UUID, picture: UUID, size: str) -> HttpResponse:
    """Return the picture of a Dossier, for anyone who may see its Register."""
    register = register_for(request.user, pk)
    return picture_answer(get_object_or_404(Picture, dossier__register=register, pk=picture), size)


def dossier_picture(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """Change, crop or remove the picture of a Dossier, for users who may edit it."""
    register = editable_register_for(request.user, pk, texts=True)
    dossier = register.dossiers.select_related("picture").filter(key=str(key)).first()
    if dossier is None or register.discarded:
        raise Http404("No such Dossier")
    label = unit_label(rulebook_for(register), state_of(register), dossier.key)
    of_dossier = {"actor": request.user, "register": register, "key": dossier.key}
    return picture_page(
        request,
        dossier.picture,
        pressed=pressed_button(request.POST, "remove", "focus"),
        title=_("Picture of %(unit)s") % {"unit": label},
        photo=("registers:photo", pk),
        crumbs=[
            {"label": str(register), "href": reverse("registers:detail", args=[pk])},
            {"label": label, "href": reverse("registers:dossier", args=[pk, key])},
        ],
        remove=partial(editing.remove_portrait, **of_dossier),
        focus=partial(editing.focus_portrait, **of_dossier),
        keep=partial(editing.set_portrait, **of_dossier),
        faction=register.faction,
    )


LATEST = 12
#: The kinds of terms that change how a unit fights; keywords and Command Cards have places of their own.
EFFECTS = ("trait", "setback", "commendation")


def dossier(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """Show a Dossier: its printed form, odds and history. Users who may edit it name and describe it here."""
    register = register_for(request.user, pk)
    if request.method == "POST":
        return _write(request, editable_register_for(request.user, pk, texts=True), str(key))
    return _dossier_page(request, register, str(key))


def _dossier_page(
    request: HttpRequest, register: Register, key: str, refused: NameForm | BiographyForm | None = None
) -> HttpResponse:
    book, state = rulebook_for(register), state_of(register)
    if (unit := everyone(state).get(key)) is None:
        raise Http404("No such Dossier")
    row = register.dossiers.select_related("picture").get(key=key)
    biography, frozen = row.biography, campaign_side.campaigns.frozen(register)
    entries = entries_about(register, unit=key)
    counting = sorted(
        (entry for entry in entries if not is_undone(entry)), key=lambda entry: (entry.place, entry.position)
    )
    battles = battle_names({entry.battle for entry in entries})
    shown = _unit(book, state, unit)
    newest_first = sorted(counting, key=lambda entry: entry.position, reverse=True)
    history = lines(entries, names_of(book, state), book, unit=key)
    for line in history:  # the page already shows whose history it is
        line.text = capfirst(line.text.removeprefix(f"{shown['label']}: "))
    name_form = refused if isinstance(refused, NameForm) else NameForm(initial={"name": unit.name})
    whole = reverse("registers:ledger", args=[register.pk])
    hero = hero_of(
        book,
        state,
        unit,
        register,
        picture=row.picture,
        deed=last_deed(book, state, key, newest_first, battles),
        fallen_in=_fallen_in(state, key, counting, battles),
        painted=key in painted_keys(register),
    )
    context = shown | {
        "register": register,
        "state": state,
        "hero": hero,
        "effects": [term for term in hero["card"]["terms"] if term.get("kind") in EFFECTS],
        "gained_keywords": [term for term in hero["card"]["terms"] if term.get("gained")],
        "experience": experience_of(book, unit, counting, battles),
        "history": list(_by_battle(history[:LATEST], battles)),
        "more": len(history) > LATEST,
        "biography": to_html(biography),
        "picture": row.picture,
        "editable": may_edit(request.user, register) and not frozen.texts and not request.user.guest_until,
        "frozen": frozen,
        "name_form": name_form,
        "biography_form": refused
        if isinstance(refused, BiographyForm)
        else BiographyForm(initial={"biography": biography}),
        "biography_before": editing.mark_of(biography),
        "open_form": refused is not None,
        "whole": whole,
        "ledger": f"{whole}?dossier={key}",
    }
    return form_page(request, "registers/dossier.html", context, refused=refused)


def _unit(book: Rulebook, state: RegisterState, unit: Dossier) -> dict[str, Any]:
    card, dice = book.units[unit.card], dice_for(unit)
    return {
        "unit": card,
        "dossier": unit,
        "label": unit_label(book, state, unit.key),
        "status": placed(state, unit.key)[0],
        "keywords": [keyword_term(book, keyword) for keyword in card.keywords],
        "command_cards": command_cards_of(book, state) if unit.key == state.paragon else [],
        "odds": thousandths(check_odds(book, unit)) if unit.key in state.dossiers else None,
        "dice": 0 if is_war_weary(book, unit) else dice,  # a War Weary unit may add a die
        "rerolls": rerolls_for(book, unit, dice),
        "worst": gettext("Trait") if unit.key == state.paragon else "",
    }


def _write(request: HttpRequest, register: Register, key: str) -> HttpResponse:
    naming = pressed_button(request.POST, "name")
    form: NameForm | BiographyForm = NameForm(request.POST) if naming else BiographyForm(request.POST)
    if form.is_valid():
        try:
            if naming:
                change = {"name": {"unit": key, "name": form.cleaned_data["name"]}}
                editing.edit(**acting(request, register), change=change)
            else:
                editing.write_biography(
                    actor=request.user,
                    register_id=register.pk,
                    key=key,
                    text=form.cleaned_data["biography"],
                    before=form.cleaned_data["before"],
                )
            return redirect("registers:dossier", pk=register.pk, key=key)
        except ObjectDoesNotExist:
            raise Http404("No such Dossier") from None
        except AnsweredAlready as already:
            messages.info(request, str(already))
            return redirect("registers:dossier", pk=register.pk, key=key)
        except RuleViolation as refusal:
            blame(form, refusal, "name" if naming else "biography")
    return _dossier_page(request, register, key, form)


def _by_battle(history: list[LedgerLine], names: Mapping[str, BattleName]) -> Iterator[dict[str, Any]]:
    groups = groupby(history, key=lambda line: line.entry.battle or localdate(line.entry.created_at))
    for battle_or_day, of_battle in groups:
        same = (list(group) for _entry, group in groupby(of_battle, key=lambda line: line.entry.pk))
        name = names.get(str(battle_or_day))
        acts = [HistoryEntry(entry=each[0].entry, lines=each, battle=name) for each in same]
        yield {"battle": name, "acts": acts}


def _fallen_in(state: RegisterState, key: str, counting: Iterable[LedgerEntry], names: Mapping[str, BattleName]) -> str:
    if key not in state.fallen:
        return ""
    fell = dict(falls(counting)).get(key)
    return names[fell.battle].label if fell and fell.battle else gettext("a battle")
