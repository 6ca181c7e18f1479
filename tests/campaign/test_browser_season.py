"""A season of sixteen players and two teams on a map, in a browser where an organizer taps.

With MUSTERBOOK_PICTURES=folder it keeps a picture of each page at a stop of the season, and the books, in that folder.
"""

import os
import re
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from bench import simulated_battles as simulated
from bench.simulation import Supply
from campaign.battles.models import Battle
from campaign.chronicle.services import stories
from campaign.models import Campaign, Enlistment
from campaign.schedule.models import Round
from campaign.schedule.services import rounds
from campaign.star_map.queries import star_map_of
from campaign.teams.services.teams import assign_registers
from catalogue.snapshot import rulebook
from members.services import membership
from registers.ledger.verification import differences
from registers.models import Dossier, Register
from rules.register.effects import CommendationAwarded, CommendationOwed, SetbackGained, UnitNamed
from tests.browser.conftest import Phone
from tests.campaign.factories import happen
from tests.registers.factories import make_player
from tests.registers.print.drawn import ink_of
from tests.uploads.photos import photo

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]
PLAYERS, ROUNDS = 16, 4
PICTURES = os.environ.get("MUSTERBOOK_PICTURES")
#: The longest names of units.
LONGEST = (
    "W" * 80,
    "The Longest Name That There Is in All of the Outer Rim and Far Beyond it, As Is",
    "語" * 80,
    "ك" * 80,
)
#: How much of a page of the book has something on it at least, unless a chapter ends there.
FULL = 0.6


def keep(name: str, content: bytes) -> None:
    """Keep a picture or a book, if the run is asked to."""
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        Path(PICTURES, name).write_bytes(content)


def look(page: Page, name: str) -> None:
    """Keep a picture of a page, which must not be wider than its screen."""
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, name
    keep(f"{name}.png", page.screenshot(full_page=True))


def decorate(register: Register, number: int) -> None:
    """Give units the longest names, and one of them six Commendations and four Setbacks."""
    book, serving = rulebook(), Dossier.objects.filter(register=register, status="serving")
    keys = list(serving.values_list("key", flat=True))
    held = serving.filter(key=keys[1]).values_list("commendations__commendation_id", flat=True)
    honors = [
        effect
        for slug in sorted(book.commendations.keys() - held)[:6]
        for effect in (
            CommendationOwed(unit=keys[1], rule="R15"),
            CommendationAwarded(unit=keys[1], commendation=slug, rule="R15"),
        )
    ]
    setbacks = [SetbackGained(unit=keys[1], setback=slug, rule="R36") for slug in sorted(book.setbacks)[:4]]
    names = [UnitNamed(unit=key, name=LONGEST[(at + number) % 4], rule="R9") for at, key in enumerate(keys[1:])]
    happen(register, *names, *honors, *setbacks)


def half_empty(pdf: bytes) -> list[int]:
    """The numbers of pages with less than FULL on them, but for the cover and ends of chapters."""
    reader = PdfReader(BytesIO(pdf))
    heads = [each for each in reader.outline[1] if not isinstance(each, list)]
    top = 0.85 * float(reader.pages[0].mediabox.height)
    begun = {reader.get_destination_page_number(each) for each in heads if each.top > top}
    found = []
    for at, ink in enumerate(ink_of(pdf)):
        top, height = round(ink.height * 0.085), round(ink.height * 0.835)
        last_ink = ink.crop((0, top, ink.width, top + height)).point(lambda dot: 255 * (dot < 200)).getbbox()
        ends = at + 1 == len(reader.pages) or at + 1 in begun
        if not ends and (last_ink is None or last_ink[3] < FULL * height):
            found.append(at + 1)
    return found


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
    look(page, "from-a-template")

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
    look(page, "round")
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
    look(page, "evening")
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
    expect(page.get_by_role("button", name="Give award")).to_be_visible()
    look(page, "award")
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
    look(desk, "correction")
    assert (tap.number <= 4, Dossier.objects.get(pk=unit.pk).experience) == (True, wanted)

    for name, path in (("campaign", ""), ("standings", "standings/"), ("chronicle", "chronicle/")):
        page.goto(home + path)
        look(page, name)

    # The book has every battle, and no page is half empty, whatever names, honors and photos there are.
    for number, register in enumerate(registers[::2]):
        decorate(register, number)
    for number, battle in enumerate(campaign.battles.all()):
        for size in ((400, 900), (900, 500), (400, 900))[: number % 4]:
            sent = photo(size=size)
            stories.add_battle_photo(actor=cora, battle=battle, sent=sent, alt="The ridge, seen from the north")
    for paper in ("a4", "letter", "a5"):
        answer = page.request.get(
            f"{live_server.url}{reverse('chronicle:book', args=[campaign.pk])}?paper={paper}", timeout=120_000
        )
        book_text = " ".join(each.extract_text() for each in PdfReader(BytesIO(answer.body())).pages)
        keep(f"book-{paper}.pdf", answer.body())
        assert [n for n in range(1, PLAYERS // 2 * ROUNDS + 1) if f"Battle {n}" not in book_text] == [], paper
        assert (paper, half_empty(answer.body())) == (paper, [])
    assert any(system.holder for system in star_map_of(campaign).systems)
