"""The rounds of an event: draw one, change its draft before it starts (E24), and its pairings with results."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.adapters import check_limit
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import pressed_button
from core.names import name_order
from core.open_page import open_page
from tournaments.access import EventRole, entry_in, event_for, organized_event_for
from tournaments.forms.rounds import DraftForm, FixedTableForm, PublishForm
from tournaments.models import Event, Round
from tournaments.pages.clock import SEEN, clock_context
from tournaments.pages.rounds import DraftPage, RoundLink, draft_of, fits, pairings_of, rounds_of
from tournaments.queries.console import Step, is_due
from tournaments.services import pairing, rounds
from tournaments.views.common import frame

#: The orders of the pairings.
TABLE, NAME = "table", "name"
#: Most letters of a search that are looked at.
LONGEST_SEARCH = 80


@open_page
def pairings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the pairings of the last published round, with the results so far."""
    event, role = event_for(request, pk)
    links = rounds_of(event, with_drafts=role.is_leader)
    shown = next((each for each in reversed(links) if each.state != Round.State.DRAFT), None)
    return _pairings_page(request, event, role, links, shown, polls=True)


@open_page
def round_page(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show the pairings and results of any round. Raises Http404 for a draft, except for leaders (E24)."""
    event, role = event_for(request, pk)
    links = rounds_of(event, with_drafts=role.is_leader)
    shown = next((each for each in links if each.number == number), None)
    if shown is None:
        raise Http404("No such round")
    return _pairings_page(request, event, role, links, shown, polls=shown.state == Round.State.PUBLISHED)


def _pairings_page(
    request: HttpRequest, event: Event, role: EventRole, links: list[RoundLink], shown: RoundLink | None, *, polls: bool
) -> HttpResponse:
    """Answer with a round's pairings; a poll that names what it shows gets 204 until something has changed."""
    version = shown.version if shown else "none"
    if request.GET.get(SEEN) == version:
        return HttpResponse(status=204)
    search = request.GET.get("q", "")[:LONGEST_SEARCH]
    order = NAME if request.GET.get("by") == NAME else TABLE
    found = pairings_of(event, shown.number) if shown else None
    asked = {"by": order, "q": search}
    poll = f"{request.path}?{urlencode({**asked, SEEN: version})}" if polls else ""
    names = found.by_name() if found and order == NAME else []
    matching, own = found.matching(search) if found else None, role.entry.number if role.entry else 0
    context: dict[str, Any] = {
        "event": event, "role": role, "rounds": links, "shown": shown, "order": order, "search": search, "poll": poll,
        "all": found, "found": matching,
        "playing": [(each, each.has(own)) for each in matching.playing] if matching and order == TABLE else [],
        "lines": [line for line in names if fits(search, (line.side,), line.table)],
        "own": own,
    }  # fmt: skip
    if SEEN in request.GET:
        return render(request, "tournaments/rounds/_pairings.html", context)
    context |= frame(event, role, "pairings")
    context["orders"] = [
        {"label": label, "href": f"?{urlencode({'by': name, 'q': search})}", "current": name == order}
        for name, label in ((TABLE, _("By table")), (NAME, _("By name")))
    ]
    if shown and shown.state == Round.State.PUBLISHED:
        context["clock"] = clock_context(event, at=timezone.now())
    return render(request, "tournaments/rounds/pairings.html", context)


@require_POST
def draw_round(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Draw the round that the button named, if it is still the next one, and show the draft (E17)."""
    event, _role = organized_event_for(request, pk)
    check_limit(request, "draw")
    if not is_due(event, Step.DRAW, number):
        messages.info(request, _("This was done already. Here is the next step."))
        return redirect("tournaments:console", pk=pk)
    with refusals_as_messages(request):
        pairing.draw_round(actor=request.user, event=event, number=number)
        return redirect("tournaments:draft", pk=pk, number=number)
    return redirect("tournaments:console", pk=pk)


@never_cache
def draft(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show the pairings of a round with their warnings; change, fix tables, or publish them."""
    event, role = organized_event_for(request, pk)
    pressed = pressed_button(request.POST, "publish", "fix", *DraftForm.BUTTONS) if request.method == "POST" else ""
    form = PublishForm(request.POST)
    if pressed == "publish" and _publish(request, event, number, form):
        return redirect("tournaments:console", pk=pk)
    if (found := draft_of(event, number)) is None:
        # A draft that was drawn again, or an old address: the console knows what comes next.
        return redirect("tournaments:console", pk=pk)
    if request.method != "POST":
        return _draft_page(request, role, found)
    match pressed:
        case "publish":
            return _draft_page(request, role, found, publish_form=form)
        case "fix":
            return _fix(request, role, found)
        case "restore" | "offer":
            check_limit(request, "draw")
    return _change(request, role, found)


def _publish(request: HttpRequest, event: Event, number: int, form: PublishForm) -> bool:
    """Publish a draft; return whether that was not refused. The page of a large draft takes longer than publishing."""
    with refusals_on(form):
        version = valid(form)["version"]
        is_draft = event.round_set.filter(number=number, state=Round.State.DRAFT).exists()
        rounds.publish_round(actor=request.user, event=event, number=number, version=version)
        if is_draft:
            messages.success(request, _("The pairings are published."))
        return True
    return False


def _fix(request: HttpRequest, role: EventRole, found: DraftPage) -> HttpResponse:
    form = FixedTableForm(_players(found), request.POST)
    with refusals_on(form):
        cleaned = valid(form)
        entry = entry_in(found.event, int(cleaned["entry"]))
        rounds.fix_table(actor=request.user, entry=entry, table=cleaned["table"], reason=cleaned["reason"])
        messages.success(request, _("Saved."))
        return redirect(request.path)
    return _draft_page(request, role, found, fixed_form=form)


def _change(request: HttpRequest, role: EventRole, found: DraftPage) -> HttpResponse:
    form = DraftForm(request.POST)
    if form.is_valid() and form.cleaned_data["do"] != "find":
        with refusals_on(form):
            _do(request, found.event, found.round.number, form.cleaned_data)
            messages.success(request, _("Changed. The log says what it was."))
            return redirect(request.path)
    elif form["version"].data != found.version:
        form.add_error(None, _("The pairings were changed a moment ago. Look at them again."))
    return _draft_page(request, role, found, form=form)


def _do(request: HttpRequest, event: Event, number: int, cleaned: dict[str, Any]) -> None:
    words = {
        "actor": request.user, "event": event, "number": number,
        "reason": cleaned["reason"], "version": cleaned["version"],
    }  # fmt: skip
    match cleaned["do"]:
        case "swap":
            one, other = (entry_in(event, each) for each in cleaned["players"])
            rounds.swap_players(**words, one=one, other=other)
        case "bye":
            rounds.give_bye(**words, entry=entry_in(event, cleaned["players"][0]))
        case "offer":
            rounds.give_bye(**words, entry=entry_in(event, cleaned["offered"] or 0), again=True)
        case "tables":
            rounds.set_tables(**words, tables=cleaned["tables"])
        case "restore":
            rounds.restore_draw(**words)


def _players(found: DraftPage) -> list[tuple[int, str]]:
    paired = [entry for row in found.games for entry in row.game.pair]
    entries = sorted((*paired, *found.byes), key=lambda entry: name_order(entry.name))
    return [
        (entry.number, f"{entry.name} ({entry.fixed_table})" if entry.fixed_table else entry.name) for entry in entries
    ]


def _draft_page(
    request: HttpRequest, role: EventRole, found: DraftPage, form: DraftForm | None = None, **refused: BaseForm
) -> HttpResponse:
    """Show a draft, with a refused `form`, `publish_form` or `fixed_form` as it was typed."""
    # A refusal may have come from a change by somebody else.
    if request.method == "POST" and (form is None or form.errors):
        found = draft_of(found.event, found.round.number) or found
    ticked = [str(each) for each in form["players"].data or ()] if form else []
    # A refusal was about older pairings: the tables typed for them would be put on other games.
    typed = {str(row.game.place): str(row.game.table) for row in found.games}
    if form and form["version"].data == found.version:
        typed |= {str(place): table for place, table in (form["tables"].data or {}).items()}
    search = (form["q"].data or "").strip() if form else ""
    sought = [*((row.game.pair, row.game.table) for row in found.games), *(((entry,), 0) for entry in found.byes)]
    chosen = [
        row for row in found.games
        if (search and fits(search, row.game.pair, row.game.table)) or typed[str(row.game.place)] != str(row.game.table)
        or {str(each.number) for each in row.game.pair} & {*ticked}
    ]  # fmt: skip
    context = {
        **frame(found.event, role, "console"),
        "draft": found,
        "folds": [(title, [(row, typed[str(row.game.place)]) for row in rows]) for title, rows in found.folds(chosen)],
        "ticked": ticked,
        "search": search,
        "not_found": search and not any(fits(search, *each) for each in sought),
        "form": form or DraftForm(), "publish_form": PublishForm(), "fixed_form": FixedTableForm(_players(found)),
        "fixed": "fixed_form" in refused, **refused,
    }  # fmt: skip
    return form_page(request, "tournaments/rounds/draft.html", context)
