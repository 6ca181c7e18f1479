"""The style guide draws every part of the house, and nobody but the staff sees it."""

import re
from pathlib import Path

import pytest

from accounts.models import User
from core.templatetags.icons import drawings
from core.ui.styleguide import DICE, FRAME, SPECIMENS, colours, icons
from tests.html import html_of

ROOT = Path(__file__).parents[3]
PARTS = {path.stem for path in (ROOT / "templates/components").glob("*.html")}


@pytest.fixture
def html(client, db) -> str:
    client.force_login(User.objects.create_user("staff", is_staff=True))
    return html_of(client.get("/styleguide/"))


def test_every_part_has_specimens_or_stands_on_every_page():
    assert sorted([*SPECIMENS, *FRAME]) == sorted(PARTS)


def test_every_specimen_is_drawn(html):
    sections = dict(
        re.findall(r'<section[^>]* id="part-(\w+)"(.*?)</section>(?=<section|\s*<section)', html, re.DOTALL)
    )
    assert set(sections) == set(SPECIMENS)
    drawn_here = {name: section.count('class="specimen__part"') for name, section in sections.items()}
    assert drawn_here == {name: len(specimens) for name, specimens in SPECIMENS.items()}
    assert re.findall(r'class="specimen__part">\s*</div>', html) == []


def test_what_a_specimen_is_given_is_what_its_part_takes():
    """A part that takes another word leaves its specimen behind: it would draw an old state."""
    untold = {
        (name, word)
        for name, specimens in SPECIMENS.items()
        for _, given in specimens
        for word in given
        if not re.search(rf"\b{word}\b", (ROOT / f"templates/components/{name}.html").read_text())
    }
    assert untold == set()


def test_every_drawing_stands_on_it(html):
    once = re.findall(r'class="icon drawing--48".*?icons\.svg#([\w-]+)"', html)
    assert once == [name for names in icons().values() for name in names]
    dice = {f"{'defense' if 'defense' in die else 'attack'}-{face}" for die, faces in DICE.items() for face in faces}
    assert set(once) | dice == set(drawings())


def test_every_colour_and_faction_stands_on_it(html):
    assert re.findall(r'fill="var\(--([\w-]+)\)"', html) == colours()
    assert {"ground", "ink", "accent", "die-line"} <= set(colours())
    factions = re.findall(r'class="sheet sheet--faction stack stack--tight" data-faction="(\w+)"', html)
    assert factions == ["rebel", "empire", "republic", "separatist", "mandalorian", "mercenary"]


def test_each_kind_of_message_stands_on_it(html):
    levels = re.findall(r'<p class="message message--(\w+)"><svg', html.partition("page__head")[0])
    assert levels == ["success", "info", "warning", "error"]


def test_it_is_drawn_in_the_other_direction_too(client, db):
    client.force_login(User.objects.create_user("staff", is_staff=True))
    assert '<div class="stack" dir="rtl">' in html_of(client.get("/styleguide/", {"dir": "rtl"}))


def test_players_learn_nothing_of_it(client, db):
    client.force_login(User.objects.create_user("ada"))
    assert client.get("/styleguide/").status_code == 404
