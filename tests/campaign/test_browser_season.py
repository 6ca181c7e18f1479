"""A season of sixteen players and two teams on a map, in a browser where an organizer taps."""

import re
from datetime import timedelta
from io import BytesIO
from random import Random
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, expect
from pypdf import PdfReader

from bench import simulated_battles as simulated
from bench.simulation import Supply
from campaign.battles.models import Battle
from campaign.models import Campaign, Enlistment
from campaign.schedule.models import Round
from campaign.schedule.services import rounds
from campaign.star_map.queries import star_map_of
from campaign.teams.services.teams import assign_registers
from catalogue.snapshot import rulebook
from members.services import membership
from registers.ledger.verification import differences
from registers.models import Dossier, Register
from tests.browser.conftest import Phone
from tests.registers.factories import make_player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]
PLAYERS, ROUNDS = 16, 4


class Taps:
    """Taps, counted."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, target: Locator) -> None:
        target.click()
        self.number += 1


def played(found: Round, random: Random, supply: Supply) -> None:
    """All battles of a round, until each is closed."""
    for pairing in found.pairings.exclude(red=None).select_related("battle"):
        simulated.walk(simulated.fight(pairing.battle, random, supply), random, supply)


def test_a_season_of_sixteen(phone: Phone, live_server, book):
    random, supply, cora, today = Random(1), Supply(rulebook()), make_player("cora"), timezone.localdate()
    page = phone(cora)
    page.add_init_script("window.print = () => { window.printed = true }")

    # The template brings teams, phases and the map, and no people.
    page.goto(live_server.url + reverse("archive:template"))
    page.get_by_text("Map campaign for two teams").click()
    page.get_by_label("Name").fill("Outer Rim Winter")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", name="Outer Rim Winter")).to_be_visible()
    campaign = Campaign.objects.get()
    home = live_server.url + campaign.get_absolute_url()
    assert (campaign.teams.count(), campaign.systems.count(), campaign.phases.count()) == (2, 12, 1)

    teams, registers = list(campaign.teams.order_by("name")), []
    for number in range(1, PLAYERS + 1):
        player = make_player(f"player{number}")
        membership.add_member(actor=cora, group=campaign, username=player.username)
        registers.append(simulated.found(player, random, supply, f"Register of {player}"))
        Enlistment.objects.create(campaign=campaign, register=registers[-1])
    places = {each.pk: teams[number % 2].pk for number, each in enumerate(registers)}
    assign_registers(actor=cora, campaign=campaign, teams=places)

    # Pair a round and pin it up: four taps from the campaign page.
    tap = Taps()
    page.goto(home)
    tap(page.get_by_role("link", name="Pair the next round"))
    tap(page.get_by_role("button", name="Pair round"))
    tap(page.get_by_role("button", name="Create 8 battles"))
    tap(page.get_by_role("link", name="Print round"))
    expect(page.locator("main")).to_contain_text("Register of player16")
    assert tap.number == 4
    first = Round.objects.get()
    assert all(
        each.blue.team_place.team != each.red.team_place.team
        for each in first.pairings.select_related("blue__team_place__team", "red__team_place__team")
    )

    # Print the evening before armies exist: two taps from the campaign page.
    tap = Taps()
    page.goto(home)
    tap(page.get_by_role("link", name="Print everything for a game day"))
    tap(page.get_by_role("button", name="Print", exact=True))
    assert (tap.number, page.evaluate("window.printed")) == (2, True)
    paper = page.content()
    assert all(f"Register of player{number}" in paper for number in range(1, PLAYERS + 1))

    # The rounds are played through the services; each winner takes a system.
    played(first, random, supply)
    for number in range(2, ROUNDS + 1):
        draft = rounds.open_draft(
            actor=cora, campaign=campaign, round_id=uuid4(), due=today + timedelta(days=7 * number), size=600,
            only_available=False,
        )  # fmt: skip
        found = rounds.create_battles(actor=cora, campaign=campaign, number=draft.number, version=draft.version)
        played(found, random, supply)
    assert Battle.objects.filter(status="closed").count() == PLAYERS // 2 * ROUNDS
    assert [found for each in Register.objects.all() for found in differences(each)] == []

    # Award a team: three taps from the campaign page, the amount and the reason typed.
    tap = Taps()
    page.goto(home)
    tap(page.get_by_role("link", name=f"Award {teams[0].name}"))
    page.locator("#id_supply_points").fill("2")
    page.locator("#id_reason").fill("held the map")
    tap(page.get_by_role("button", name="Preview award"))
    tap(page.get_by_role("button", name="Give award"))
    expect(page.get_by_text(re.compile("Award given to 8 Registers"))).to_be_visible()
    assert tap.number == 3

    # A clerk finds and corrects the Experience of a unit: at most four taps.
    clerk = make_player("clerk", is_staff=True)
    clerk.groups.add(Group.objects.get(name="Corrections"))
    desk, tap = phone(clerk), Taps()
    # Of the other team: an award would have opened its units already. Its rank stays, whatever it has.
    unit = Dossier.objects.filter(register=registers[1], status="serving").order_by("order").first()
    wanted = unit.experience + (-1 if unit.experience + 1 in (5, 13, 25, 40, 50) else 1)
    desk.goto(live_server.url + reverse("admin:index"))
    desk.get_by_role("searchbox", name="Register").fill("Register of player2")
    tap(desk.get_by_role("button", name="Find"))
    tap(desk.get_by_role("link", name="Register of player2", exact=True))
    fields = desk.locator(f"#dossier-{unit.key}")
    expect(fields).to_be_attached()
    if not fields.is_visible():  # a unit that the search found is open
        tap(desk.locator(f"details:has(> #dossier-{unit.key}) > summary"))
    fields.get_by_label("Experience").fill(str(wanted))
    desk.locator("#id_reason").fill("typed wrong")
    tap(desk.get_by_role("button", name="Save correction"))
    expect(desk.locator("#ledger")).to_contain_text("typed wrong")
    assert (tap.number <= 4, Dossier.objects.get(pk=unit.pk).experience) == (True, wanted)

    # The book has every battle.
    answer = page.request.get(live_server.url + reverse("chronicle:book", args=[campaign.pk]))
    book_text = " ".join(each.extract_text() for each in PdfReader(BytesIO(answer.body())).pages)
    assert all(f"Battle {number}" in book_text for number in range(1, PLAYERS // 2 * ROUNDS + 1))
    assert any(system.holder for system in star_map_of(campaign).systems)
