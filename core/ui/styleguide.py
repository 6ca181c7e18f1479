"""The style guide: all icons of static/icons.svg, colors and components."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.core.card_types import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES
from rules.core.dice import DICE as SIDES
from rules.core.dice import FACES

SPRITE = Path(__file__).parents[2] / "static/icons.svg"
#: Each kind of dice with its faces, by the names of their icons.
DICE: Mapping[str, tuple[str, ...]] = {die.replace("_", "-"): tuple(faces) for die, faces in SIDES.items()}


@cache
def drawn() -> tuple[str, ...]:
    """Return the names of all icons, in the order of the file."""
    sprite = ElementTree.parse(SPRITE).getroot()  # noqa: S314 (a file of our own)
    return tuple(symbol.attrib["id"] for symbol in sprite.iter("{http://www.w3.org/2000/svg}symbol"))


def icons() -> Mapping[str, Sequence[str]]:
    """Return the icons of one color, by topic. Dice have their own colors and are in DICE."""
    arcs = [name for name in drawn() if name.startswith("arc-")]
    factions = [name for name in drawn() if name.startswith("faction-")]
    known = {*RANKS, *UPGRADE_TYPES, *FACES, *arcs, *factions}
    others = [name for name in drawn() if name not in known and not name.startswith(("attack-", "defense-"))]
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

LONG = "The Ninety-Ninth Expeditionary Reconnaissance and Demolition Company of Upper Karvos-Tellanareth"
RIGHT_TO_LEFT = "الكتيبة الرمادية"
REFUSED = [{"rule": "R9", "sentence": "At VR 1 a unit gets a name."}]
REFUSED_LONG = [
    {"rule": "R3", "sentence": f"{LONG} serves another Faction."},
    {"rule": "", "sentence": "This form is incomplete. Load the page again."},
]

_UNIT = {
    "name": "Grim Hounds",
    "unit": "Stormtroopers",
    "rank": "corps",
    "rank_name": "Corps",
    "points": 71,
    "url": "#parts",
    "is_paragon": False,
    "fallen_in": "",
    "insignia": "veteran-1",
    "veteran_rank": 1,
    "experience": 4,
    "thresholds": [2, 5, 9, 14, 20],
    "maximum_experience": 20,
    "next_threshold": 5,
    "terms": [],
    "upgrades": [],
}
_TERMS = [
    {"name": "Battle-Shaken", "kind": "setback", "text": "What the Setback does.", "rule": "R35"},
    {"name": "Resilient", "kind": "commendation", "text": "What the Commendation does.", "rule": "R15"},
    {"name": "Precise 1", "kind": "", "gained": True, "text": "", "rule": ""},
]
_UPGRADES = [
    {"type": "heavy-weapon", "name": "DLT-19 Stormtrooper", "points": 20},
    {"type": "grenades", "name": LONG, "points": 5},
]


class Fields(forms.Form):
    """One of each kind of form field."""

    name = forms.CharField(label="Name", help_text="As it stands in the records.")
    size = forms.IntegerField(label="Size", min_value=1, disabled=True, initial=800)
    day = forms.DateField(label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    faction = forms.ChoiceField(label="Faction", choices=[("empire", "Empire"), ("rebel", "Rebels"), ("", LONG)])
    notes = forms.CharField(label="Notes", widget=forms.Textarea, required=False)
    agreed = forms.BooleanField(label="I have read the terms")


def fields() -> dict[str, forms.Form]:
    """Return the form in its initial state, and with errors."""
    return {"at first": Fields(), "refused": Fields({"name": "", "faction": "x"}, prefix="refused")}


def _steps() -> list[dict[str, Any]]:
    names = (
        "Supply", "Story Arc", "Agendas", "Casualties", "Experience", "Commendations", "Aid", "Edit", "Next", "End",
    )  # fmt: skip
    states = ["done", "done", "skipped", "done", "now", *["to-come"] * 5]
    return [
        {"number": number, "name": name, "state": state}
        for number, (name, state) in enumerate(zip(names, states, strict=True), start=1)
    ]


def _choice(name: str, **more: Any) -> dict[str, Any]:
    options = [
        {"value": "a", "label": "Blue", "checked": True},
        {"value": "b", "label": "Red", "note": "the attacker"},
        {"value": "c", "label": "A draw", "disabled": True},
    ]
    return {"name": name, "legend": "Who won", "options": options, **more}


_DICE = [
    {"face": "hit", "die": "black-attack"},
    {"face": "blank", "die": "black-attack", "rerolled": True},
    {"face": "surge", "die": "red-defense"},
    {"face": "critical", "die": "white-attack"},
]
_BOX = {"name": "fell", "value": "1", "label": "Grim Hounds fell"}

#: Examples by component. Components that every page has once are in FRAME instead.
SPECIMENS: Mapping[str, list[Specimen]] = {
    "on_behalf_of": [("", {"who": "ada"}), ("a long name", {"who": LONG})],
    "action_bar": [
        ("a button", {"label": "Roll them all", "icon": "dice"}),
        (
            "two ways, and why",
            {"label": "Send", "other_label": "Change it", "other_href": "#parts", "hint": "The other side waits."},
        ),
        ("disabled", {"label": "Field this army", "disabled": True}),
        ("long", {"label": f"Choose army {LONG}", "href": "#parts"}),
    ],
    "breadcrumbs": [
        ("", {"crumbs": [{"label": name, "href": "#parts"} for name in ("Outer Rim Winter", RIGHT_TO_LEFT, LONG)]})
    ],
    "change": [("", {"label": "SP", "before": 5, "after": 8})],
    "choice": [
        ("one below the other", _choice("one", about="Only one of them.", rule="R25")),
        ("side by side", _choice("segments", segments=True)),
        ("refused", _choice("refused_choice", violations=REFUSED)),
        (
            "long, and with a Faction",
            {
                "name": "factions",
                "legend": "Faction",
                "options": [
                    {"value": "empire", "label": "Empire", "faction": "empire", "checked": True},
                    {"value": "rebel", "label": LONG, "note": LONG, "faction": "rebel"},
                ],
            },
        ),
    ],
    "dice": [
        ("they lie", {"dice": _DICE}),
        ("they roll in", {"dice": _DICE, "thrown": True}),
        ("small", {"dice": _DICE, "size": "small"}),
    ],
    "die": [
        ("", {"face": "hit", "die": "black-attack"}),
        ("rerolled", {"face": "block", "die": "white-defense", "rerolled": True}),
    ],
    "emblem": [("printed", {"arc": "a-pirates-life"}), ("of one’s own", {"arc": "yard-by-yard-1"})],
    "empty": [
        ("", {"title": "No battle yet", "text": "Plan the first one.", "href": "#parts", "label": "Plan a battle"}),
        ("without a way on", {"title": LONG, "icon": "lock"}),
    ],
    "figure": [
        ("", {"label": "Reputation", "value": 12}),
        ("leads to its lines", {"label": "Supply Points", "value": 5, "href": "#parts"}),
    ],
    "meter": [
        ("", {"label": "Combat Potential", "spent": 612, "capacity": 800, "href": "#parts"}),
        ("nothing", {"label": "Combat Potential", "spent": 0, "capacity": 800}),
        ("over", {"label": "Army", "spent": 843, "capacity": 800, "over_note": "43 points too many."}),
    ],
    "odds": [
        ("", {"odds": {"escaped": 578, "setback": 281, "boon": 94, "casualty": 47}}),
        (
            "a Paragon, and hardly possible",
            {"odds": {"escaped": 900, "setback": 76, "boon": 20, "casualty": 4}, "worst": "Trait"},
        ),
    ],
    "opponent": [
        ("", {"name": "Blue Hounds", "faction": "rebel", "text": "step 5, Experience: waiting for you"}),
        (
            "with a way there",
            {
                "name": LONG,
                "faction": "separatist",
                "text": "all ten steps resolved",
                "href": "#parts",
                "label": "Answer for them",
            },
        ),
    ],
    "pages": [("", {"page": Paginator(range(90), 10).page(3), "query": "of=agendas"})],
    "percent": [("", {"thousandths": 281}), ("hardly possible", {"thousandths": 4})],
    "pips": [
        ("", {"done": 2, "total": 3, "label": "Martial Prowess"}),
        ("none", {"done": 0, "total": 5, "label": "Glorious Charge"}),
    ],
    "refusal": [("", {"violations": REFUSED}), ("several, and long", {"violations": REFUSED_LONG})],
    "row": [
        ("", {"title": "Ashen Patrol", "note": "Empire", "end": "12", "href": "#parts"}),
        (
            "waits for the reader",
            {"title": "Award 2 Commendations", "note": "Grim Hounds", "href": "#parts", "now": True},
        ),
        ("long", {"title": LONG, "note": LONG, "end": "1,250", "href": "#parts"}),
        ("right to left", {"title": RIGHT_TO_LEFT, "note": RIGHT_TO_LEFT, "end": "12", "href": "#parts"}),
    ],
    "rule": [("a ruling", {"rule": "R34"}), ("another book’s", {"rule": "Core: Ranks"})],
    "stepper": [
        ("", {"name": "vp", "value": 7, "label": "Victory points", "note": "of Ashen Patrol", "min": 0, "max": 20}),
        ("at its end", {"name": "vp_least", "value": 0, "label": "Victory points", "min": 0}),
        ("refused", {"name": "vp_refused", "value": 99, "label": LONG, "max": 20, "violations": REFUSED_LONG}),
    ],
    "steps_bar": [("", {"steps": _steps()})],
    "tabs": [
        (
            "",
            {
                "label": "Founding",
                "tabs": [
                    {"label": "Units", "href": "#parts", "current": True, "count": 7},
                    {"label": "Aid Requests", "href": "#parts", "count": 0},
                    {"label": "Story Arc", "href": "#parts", "count": None},
                    {"label": LONG, "href": "#parts", "count": None},
                ],
            },
        )
    ],
    "term": [
        ("a Setback, opens", {"name": "Battle-Shaken", "kind": "setback", "text": "What it does.", "rule": "R35"}),
        ("a Commendation", {"name": "Resilient", "kind": "commendation"}),
        ("a Trait", {"name": "Defining Trait", "kind": "trait"}),
        ("a keyword", {"name": "Precise 1"}),
        ("a gained keyword", {"name": "Precise 1", "gained": True}),
    ],
    "tick": [
        ("", {"name": "tick", "label": "Lend 2 units", "note": "3 SP"}),
        ("ticked", {"name": "ticked", "label": LONG, "note": "3 SP", "checked": True}),
        ("disabled", {"name": "tick_off", "label": "Lend 2 units", "disabled": True}),
    ],
    "ticks": [
        (
            "",
            {
                "legend": "Units",
                "columns": ["fell", "held"],
                "rows": [
                    {
                        "label": "Grim Hounds",
                        "note": "Stormtroopers",
                        "boxes": [{**_BOX, "checked": True}, {**_BOX, "name": "held", "label": "Grim Hounds held"}],
                    },
                    {
                        "label": LONG,
                        "boxes": [
                            {**_BOX, "name": "off", "disabled": True},
                            {**_BOX, "name": "other", "label": "held"},
                        ],
                        "violations": REFUSED,
                    },
                ],
            },
        )
    ],
    "trouble": [("without a connection, and other trouble", {"shown": True})],
    "unit_card": [
        ("", {"card": {**_UNIT, "terms": _TERMS, "upgrades": _UPGRADES}}),
        (
            "the Paragon",
            {
                "card": {
                    **_UNIT,
                    "name": "Captain Sorne",
                    "rank": "commander",
                    "rank_name": "Commander",
                    "is_paragon": True,
                    "painted": True,
                }
            },
        ),
        (
            "a long name",
            {
                "card": {
                    **_UNIT,
                    "name": LONG,
                    "unit": LONG,
                    "points": 1250,
                    "next_threshold": None,
                    "experience": 20,
                    "veteran_rank": 5,
                }
            },
        ),
        ("right to left", {"card": {**_UNIT, "name": RIGHT_TO_LEFT}}),
        ("fallen", {"card": {**_UNIT, "fallen_in": "First Blood"}}),
    ],
    "waiting": [
        ("", {"who": "Ashen Patrol", "what": "They choose their army."}),
        ("a long name", {"who": LONG, "what": LONG}),
    ],
    "xp_bar": [
        ("", {"xp": 4, "rank": 1, "thresholds": [2, 5, 9, 14, 20], "maximum": 20, "next": 5}),
        ("at its end", {"xp": 9, "rank": 3, "thresholds": [2, 5, 9], "maximum": 9, "next": None}),
    ],
}

#: Components that every page has once, and where to find them on this page.
FRAME = {
    "answer": "On forms: how an answer goes out, and what leads on from it.",
    "badge": "On the cover of this page: twelve things wait.",
    "brand": "The name on the cover of this page.",
    "footer": "At the foot of this page, with the choice of the theme.",
    "header": "The cover of this page.",
    "identity": "In the head of this page: colours of the browser’s frame, manifest, icon of a phone.",
    "imprint": "At the foot of this page: what Musterbook is not.",
    "menu_links": "In the menu on the cover of this page.",
    "messages": "On top of this page: one of each kind.",
    "rule_panel": "Opened by the number of a rule, as in the part “rule”.",
    "stylesheets": "In the head of this page.",
    "weaves": "The patterns of the odds and the meter that is over.",
}


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
