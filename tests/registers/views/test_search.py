"""The search among units and upgrades: HTMX gets what the whole page would show, and no more."""

import re

import pytest
from django.urls import reverse

from rules.register.effects import FieldTaken
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.reading import happen

pytestmark = pytest.mark.usefixtures("book")

TYPED = {"HX-Request": "true", "HX-Target": "shelves"}


@pytest.mark.parametrize("page", ["edit", "building"])
@pytest.mark.parametrize("asked", ["?q=trooper", "?q=gun", "?rank=corps", "?q=nothing+like+it"])
def test_it_is_a_part_of_the_whole_page(client, player, page, asked):
    register = make_register(player, commissioned=page == "edit")
    client.force_login(player)
    there = reverse(f"registers:{page}", args=[register.pk]) + asked
    whole, part = client.get(there), client.get(there, headers=TYPED)
    assert "HX-Target" in part.headers["Vary"]
    html = html_of(part).strip()
    assert html.startswith('<div id="shelves"')
    tokens = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*')
    assert tokens.sub(r"\1", html) in tokens.sub(r"\1", html_of(whole))


def test_a_search_that_finds_nothing_says_what_to_try(client, player):
    register = make_register(player, commissioned=False)
    client.force_login(player)
    there = reverse("registers:building", args=[register.pk])
    assert "is called “nothing like it”. Try part" in html_of(client.get(f"{there}?q=nothing+like+it"))
    assert "Try part" not in html_of(client.get(f"{there}?q=trooper"))
    assert "Try part" not in html_of(client.get(there))


def test_a_register_in_the_field_has_no_shelves(client, player):
    register = make_register(player)
    happen(register, FieldTaken(battle="7", rule="R11"))
    client.force_login(player)
    answer = client.get(reverse("registers:edit", args=[register.pk]) + "?q=troop", headers=TYPED)
    assert html_of(answer).lstrip().startswith("<!doctype html>")


def test_others_get_nothing(client, other, player):
    client.force_login(other)
    there = reverse("registers:edit", args=[make_register(player).pk])
    assert client.get(f"{there}?q=troop", headers=TYPED).status_code == 404
