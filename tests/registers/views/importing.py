"""The page of an import as a browser sees it: what is on it, and what its form sends."""

import json
import re
from html import unescape
from typing import Any
from uuid import uuid4

from django.urls import reverse

from tests.html import html_of

OFFICER = "imperial-officer-ruthless-efficiency"
LIST = """Ashen Patrol
139/600 (3 activations)
Imperial Officer (60)
 - Strict Orders (5)
Stormtroopers (62)
 - DLT-19 Stormtrooper (20)
Stormtroopers (42)
"""
#: A Register as another program hands it out.
KEPT_ELSEWHERE = """{"format": "legion-tod-register", "version": 1, "registers": [{"name": "Ashen Patrol",
"faction": "Empire", "reputation": 2, "supplyPoints": 9, "combatPotential": 700,
"storyArc": "Bring Peace to the Galaxy", "strategicAssets": "Medevac",
"agendas": [{"name": "Keep Them in Line", "progression": 2}], "dossiers": [
{"unitName": "Imperial Officer", "dossierName": "Captain Sorne", "experience": 14, "veteranRank": 2,
"commendations": "Resilient"},
{"unitName": "Snowtroopers", "dossierName": "Grim Hounds", "setbacks": "Battle-Shaken", "experience": 26}]}]}"""


def tts(units: dict[str, list[str]], faction: str = "empire") -> str:
    """JSON for Tabletop Simulator: names of units with those of their upgrades."""
    entries = [{"name": name, "upgrades": upgrades} for name, upgrades in units.items()]
    return json.dumps({"armyFaction": faction, "units": entries})


def address() -> str:
    return reverse("registers:import")


def look(client, text: str = LIST, **fields: Any):
    """The page that shows a list for the first time."""
    return client.post(address(), {"text": text, "register": str(uuid4()), **fields})


def form_of(page) -> dict[str, Any]:
    """What a browser would send of a page: its fields as they stand."""
    html = html_of(page)
    fields: dict[str, Any] = {"keep": re.findall(r'name="keep" value="(\d+)" checked', html)}
    for name, value in re.findall(r'name="(register|read|offered|register_name|name-\d+)" value="([^"]*)"', html):
        fields[name] = unescape(value)
    for place, options in re.findall(r'<select[^>]* name="(line-\d+)"[^>]*>(.*?)</select>', html):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[place] = chosen[1] if chosen else ""
    fields |= dict(re.findall(r'name="(faction|paragon)" value="([^"]*)" checked', html))
    fields["text"] = unescape(re.search(r'name="text"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)[1])
    return fields


def send(client, page, **fields: Any):
    """Press the button of a page, with some fields filled in."""
    return client.post(address(), form_of(page) | {"do": "create"} | fields)
