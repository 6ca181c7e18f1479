"""The style guide, for the staff: every part in all its states, with tokens, drawings, Factions and dice."""

from __future__ import annotations

import re
from pathlib import Path

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.cards import FACTIONS, MERCENARY

from .drawings import DICE, icons
from .specimens import FRAME, LONG, RIGHT_TO_LEFT, SPECIMENS, fields

TOKENS = Path(__file__).parents[1] / "static/css/tokens.css"
LEVELS = (messages.SUCCESS, messages.INFO, messages.WARNING, messages.ERROR)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Draw all of it; `?dir=rtl` draws it for a script that runs from right to left. Others get a 404."""
    if not request.user.is_staff:
        raise Http404("No such page")
    for level in LEVELS:
        messages.add_message(request, level, f"{messages.DEFAULT_TAGS[level].capitalize()}. {LONG}.")
    return render(
        request,
        "looks/styleguide.html",
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
    """The names of all colours among the tokens ("ink-soft")."""
    root = TOKENS.read_text().partition("/* Factions")[0]
    return re.findall(r"--([\w-]+): #", root)


def _drawn(name: str) -> list[dict[str, str]]:
    return [
        {"of": of or _("plain"), "html": render_to_string(f"components/{name}.html", dict(given))}
        for of, given in SPECIMENS[name]
    ]
