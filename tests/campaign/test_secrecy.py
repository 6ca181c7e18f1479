"""The Command Hand of another is unseen until the battle is closed (R24): all the site has is asked for it."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaign.models import Battle, CommandHand, Side
from catalogue.models import CommandCard
from catalogue.snapshot import forget
from tests.world import Address, World, addresses, make_world

#: A card that is offered to no army, so that only a hand can bring its name onto a page.
SLUG, NAME = "zephyr-protocol", "Zephyr Protocol"
HAND = [SLUG, "ambush", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders"]
#: The admin's own pages of cards name all cards there are.
CARDS = ("admin:catalogue_", "admin:history")

SCRIPTED = {"HX-Request": "true"}


@pytest.fixture
def world(book, settings) -> World:
    """The owner has a hand in each battle, with that card in it."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    CommandCard.objects.create(
        slug=SLUG, name=NAME, pips=1, battle_force="Nobody", source_id="Zz", position=999
    )
    forget()
    made = make_world()
    for side in Side.objects.filter(register__owner=made.people["owner"]):
        CommandHand.objects.create(side=side, cards=HAND)
    yield made
    forget()


def answers_that_tell(world: World, user: User | None) -> list[str]:
    """The addresses whose answers to somebody, whatever is asked, name the card."""
    client = Client()
    if user:
        client.force_login(user)
    cookies = client.cookies.output(header="", sep=";")
    telling = []
    for address in addresses():
        if address.name.startswith(CARDS):
            continue
        for method, path, headers in product(("GET", "POST"), paths(world, address), ({}, SCRIPTED)):
            client.cookies.load(cookies)
            with transaction.atomic():
                answer = client.generic(method, path, headers=headers)
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                transaction.set_rollback(True)
            if SLUG in (said := f"{answer.headers} {body.decode()}") or NAME in said:
                telling.append(f"{method} {address.name}")
    return sorted(set(telling))


def paths(world: World, address: Address) -> set[str]:
    """The paths of an address: of a battle or a side, one for each status."""
    path, battles = address.filled(world), [str(battle.pk) for battle in world.battles.values()]
    of_battles = {path.replace(known, pk) for known in battles for pk in battles}
    of_sides = {re.sub(r"^/sides/\d+/", f"/sides/{world.side(status).pk}/", path) for status in world.battles}
    return of_battles | of_sides


@pytest.mark.parametrize(
    "role", ["anonymous", "stranger", "reader", "member", "opponent", "organiser", "staff"]
)
def test_nobody_else_is_told(world, role):
    assert answers_that_tell(world, world.people.get(role)) == []


def test_not_even_an_opponent_who_organises_and_is_of_the_staff(world):
    opponent = world.people["opponent"]
    world.campaign.memberships.filter(user=opponent).update(role="organiser")
    User.objects.filter(pk=opponent.pk).update(is_staff=True, is_superuser=True)
    assert answers_that_tell(world, User.objects.get(pk=opponent.pk)) == []


def test_its_player_is(world):
    told = answers_that_tell(world, world.people["owner"])
    assert {"GET campaign:battle", "GET campaign:muster", "GET accounts:download"} <= set(told)


def test_everybody_is_once_the_battle_is_closed(world):
    battle = world.battles["sequence"]
    page = battle.get_absolute_url()
    for status, told in ((Battle.Status.SEQUENCE, False), (Battle.Status.CLOSED, True)):
        Battle.objects.filter(pk=battle.pk).update(status=status)
        for role in ("reader", "member", "opponent", "organiser", "staff"):
            client = Client()
            client.force_login(world.people[role])
            assert (NAME in client.get(page).content.decode()) is told, (status, role)


def test_the_admin_shows_how_many(world):
    client = Client()
    client.force_login(world.people["staff"])
    change = reverse("admin:campaign_battle_change", args=[world.battles["in_play"].pk])
    assert "7 cards" in client.get(change).content.decode()


def test_the_logs_do_not_tell(world, caplog, capsys):
    client = Client()
    client.force_login(world.people["owner"])
    url = reverse("campaign:muster", args=[world.side("planned").pk])
    caplog.set_level(0)
    assert client.post(url, {"unit": ["2", "3"], "hand": HAND[:-1]}).status_code == 422
    said = caplog.text + "".join(capsys.readouterr())
    assert "muster" in said
    assert SLUG not in said
    assert NAME not in said
