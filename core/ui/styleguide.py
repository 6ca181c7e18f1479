"""The style guide: all icons of static/icons.svg, colors and components."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.form_fields import DayField
from core.templatetags.icons import drawings
from rules.core.card_types import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES
from rules.core.dice import DICE as SIDES, FACES

#: Each kind of dice with its faces, by the names of their icons.
DICE: Mapping[str, tuple[str, ...]] = {die.replace("_", "-"): tuple(faces) for die, faces in SIDES.items()}


def icons() -> Mapping[str, Sequence[str]]:
    """Return the icons of one color, by topic. Dice have their own colors and are in DICE."""
    names = tuple(drawings())
    arcs = [name for name in names if name.startswith("arc-")]
    factions = [name for name in names if name.startswith("faction-")]
    known = {*RANKS, *UPGRADE_TYPES, *FACES, *arcs, *factions}
    others = [name for name in names if name not in known and not name.startswith(("attack-", "defense-"))]
    return {
        "Ranks": RANKS,
        "Upgrade types": UPGRADE_TYPES,
        "Faces of dice": FACES,
        "Story Arcs": arcs,
        "Factions": factions,
        "Acts and marks": others,
    }


#: The caption of an example, and the values that its component gets.
Specimen = tuple[str, Mapping[str, Any]]

_DATA = json.loads((Path(__file__).parent / "styleguide.json").read_text("utf-8"))
LONG = "The Ninety-Ninth Expeditionary Reconnaissance and Demolition Company of Upper Karvos-Tellanareth"
RIGHT_TO_LEFT = "الكتيبة الرمادية"
#: Examples by component. Components that every page has once are in FRAME instead, with where they are on this page.
SPECIMENS: Mapping[str, Sequence[Specimen]] = {
    **_DATA["specimens"],
    "pages": [("", {"page": Paginator(range(90), 10).page(3), "query": "of=agendas"})],
}
FRAME: Mapping[str, str] = _DATA["frame"]


class Fields(forms.Form):
    """One of each kind of form field."""

    name = forms.CharField(label="Name", help_text="As it stands in the records.")
    size = forms.IntegerField(label="Size", min_value=1, disabled=True, initial=800)
    day = DayField(label="Day")
    faction = forms.ChoiceField(label="Faction", choices=[("empire", "Empire"), ("rebel", "Rebels"), ("", LONG)])
    notes = forms.CharField(label="Notes", widget=forms.Textarea, required=False)
    agreed = forms.BooleanField(label="I have read the terms")


def fields() -> dict[str, forms.Form]:
    """Return the form in its initial state, and with errors."""
    return {"at first": Fields(), "refused": Fields({"name": "", "faction": "x"}, prefix="refused")}


TOKENS = Path(__file__).parents[2] / "static/css/tokens.css"
LEVELS = (messages.SUCCESS, messages.INFO, messages.WARNING, messages.ERROR)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show the style guide; `?dir=rtl` mirrors it for right-to-left scripts. Others get a 404."""
    if not request.user.is_staff:
        raise Http404("No such page")
    for level in LEVELS:
        messages.add_message(request, level, f"{messages.DEFAULT_TAGS[level].capitalize()}. {LONG}.")
    return render(
        request,
        "core/styleguide.html",
        {
            "parts": [{"name": name, "specimens": _drawn(name)} for name in sorted(SPECIMENS)],
            "frame": FRAME,
            "colours": colours(),
            "factions": (*FACTIONS, MERCENARY),
            "icons": icons(),
            "dice": [{"die": die, "faces": faces} for die, faces in DICE.items()],
            "forms": fields(),
            "long": LONG,
            "right_to_left": RIGHT_TO_LEFT,
            "direction": "rtl" if request.GET.get("dir") == "rtl" else "ltr",
            "badge": {"number": 12, "tag": ""},
        },
    )


def colours() -> list[str]:
    """Return the names of all color tokens ("ink-soft")."""
    root = TOKENS.read_text().partition("/* Factions")[0]
    return re.findall(r"--([\w-]+): #", root)


def _drawn(name: str) -> list[dict[str, str]]:
    return [
        {"of": of or _("plain"), "html": render_to_string(f"components/{name}.html", dict(given))}
        for of, given in SPECIMENS[name]
    ]
