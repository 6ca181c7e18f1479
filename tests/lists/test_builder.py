"""The pages of army lists: build one card by card, import, export and print it (E8, E11, E13)."""

import json
from dataclasses import replace
from uuid import uuid4

import pytest
from django.urls import reverse

from core.pdf import missing
from lists.models import ArmyList
from lists.printing import PrintedArmy, half_pages
from lists.queries.builder import hand_groups, shelves, upgrade_groups
from lists.queries.sheets import CardNames, army_sheet
from lists.services.army_lists import change_army_list, save_army_list
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.lists.armies import ARMY, HAND, MINIMAL, OFFICER, SNOW
from tests.rules.tournaments.army_lists import NINE

pytestmark = pytest.mark.django_db

OPEN = "200/600 (1 activation)\nDarth Vader\n - Frobnicator"


@pytest.fixture
def ada(client, book, player):
    client.force_login(player)
    return client


@pytest.fixture
def saved(book, player):
    return save_army_list(actor=player, list_id=uuid4(), army=ARMY)


def url(name, *args):
    return reverse(f"lists:{name}", args=args)


def army_of(row):
    row.refresh_from_db()
    return row.army


def change(client, row, query="", **fields):
    row.refresh_from_db()
    return client.post(url("army", row.pk) + query, {"do": "change", "version": row.version, **fields})


# --- Pages ---------------------------------------------------------------------------------------------------


def test_only_the_owner_sees_a_list(client, saved, other):
    pages = [url(name, saved.pk) for name in ("army", "export", "print_list", "delete")]
    pages += [url("unit", saved.pk, 0), url("export_file", saved.pk, "text")]
    client.force_login(other)
    assert [client.get(page).status_code for page in pages] == [404, 404, 404, 405, 404, 404]
    assert client.post(url("delete", saved.pk)).status_code == 404
    assert client.post(url("army", saved.pk), {"do": "cards"}).status_code == 404
    assert ArmyList.objects.filter(pk=saved.pk).exists()
    assert saved.name not in html_of(client.get(url("lists")))


def test_my_lists(ada, saved, django_assert_num_queries):
    with django_assert_num_queries(3):
        page = html_of(ada.get(url("lists")))
    assert "Ashen Patrol" in page
    assert "Empire · 3 units" in page
    saved.delete()
    assert "No army lists yet" in html_of(ada.get(url("lists")))


def test_a_new_list_is_created_once(ada):
    assert ada.get(url("new")).status_code == 200
    fields = {"list": uuid4(), "name": " Winter ", "faction": "rebel", "size": 800, "battle_force": ""}
    first = ada.post(url("new"), fields)
    assert (first.status_code, first["Location"]) == (302, url("army", fields["list"]))
    row = ArmyList.objects.get()
    change(ada, row, add="rebel-troopers")
    assert ada.post(url("new"), fields)["Location"] == first["Location"]
    expected = PlainArmy(faction="rebel", size=800, title="Winter", units=(PlainUnit("rebel-troopers"),))
    assert ArmyList.objects.get().army == expected


def test_a_new_list_that_is_refused(ada, saved, other):
    fields = {"list": uuid4(), "name": "Winter", "faction": "", "size": 0, "battle_force": "x"}
    answer = ada.post(url("new"), fields)
    page = html_of(answer)
    assert answer.status_code == 422
    assert 'value="Winter"' in page
    assert [
        text in page for text in ("Choose a Faction.", "This battle force does not exist. Choose another one.")
    ] == [True, True]
    ada.force_login(other)
    taken = ada.post(url("new"), fields | {"list": saved.pk, "faction": "rebel", "size": 800, "battle_force": ""})
    assert (taken.status_code, "belongs to another person" in html_of(taken)) == (422, True)


def test_the_page_of_a_list(ada, saved, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        page = html_of(ada.get(url("army", saved.pk)))
    assert "Legal by the core rules" in page
    assert "Academy Trained" in page
    save_army_list(actor=saved.owner, list_id=saved.pk, army=replace(ARMY, size=100))
    page = html_of(ada.get(url("army", saved.pk)))
    assert "The cards cost 149 points, but only 100 are allowed." in page


# --- Changes -------------------------------------------------------------------------------------------------


def test_add_copy_and_remove_units(ada, saved):
    added = change(ada, saved, "?rank=commander", add="darth-vader-dark-lord-of-the-sith")
    assert added["Location"] == url("army", saved.pk) + "?rank=commander"
    vader = PlainUnit("darth-vader-dark-lord-of-the-sith")
    assert army_of(saved).units == (OFFICER, vader, SNOW, SNOW)
    change(ada, saved, copy=0)
    assert army_of(saved).units == (OFFICER, OFFICER, vader, SNOW, SNOW)
    change(ada, saved, remove=2)
    change(ada, saved, remove=9)
    assert army_of(saved).units == (OFFICER, OFFICER, SNOW, SNOW)
    assert change(ada, saved, add="x").status_code == 422
    assert army_of(saved).units == (OFFICER, OFFICER, SNOW, SNOW)


def test_a_tap_that_arrives_twice_counts_once(ada, saved):
    fields = {"do": "change", "version": saved.version, "add": "snowtroopers"}
    for _ in range(2):
        answer = ada.post(url("army", saved.pk), fields)
    assert army_of(saved).units == (OFFICER, SNOW, SNOW, SNOW)
    assert "This list was changed since you opened it." in html_of(ada.get(answer["Location"]))


def test_the_upgrades_of_a_unit(ada, saved):
    page = html_of(ada.get(url("unit", saved.pk, 1)))
    assert "Snowtroopers" in page
    fields = {"card": SNOW.card, "upgrades": ["targeting-scopes", "targeting-scopes"]}
    assert ada.post(url("unit", saved.pk, 1), fields)["Location"] == url("unit", saved.pk, 1)
    done = ada.post(url("unit", saved.pk, 1), fields | {"do": "done"})
    assert done["Location"] == url("army", saved.pk) + "#unit-1"
    assert army_of(saved).units == (OFFICER, replace(SNOW, upgrades=("targeting-scopes",)), SNOW)
    assert ada.post(url("unit", saved.pk, 1), fields | {"upgrades": ["x"]}).status_code == 422


def test_a_stale_form_changes_no_other_unit(ada, saved):
    answer = ada.post(url("unit", saved.pk, 0), {"card": SNOW.card})
    assert answer["Location"] == url("army", saved.pk)
    assert ada.post(url("unit", saved.pk, 9), {"card": SNOW.card})["Location"] == url("army", saved.pk)
    assert army_of(saved) == ARMY
    assert ada.get(url("unit", saved.pk, 9)).status_code == 404


def test_a_counterpart_and_its_upgrades(ada, saved):
    save_army_list(
        actor=saved.owner, list_id=saved.pk, army=replace(ARMY, units=(PlainUnit("iden-versio-inferno-squad-leader"),))
    )
    page = html_of(ada.get(url("unit", saved.pk, 0)))
    assert "Iden’s ID10 Seeker Droid" in page or "Iden&#x27;s ID10 Seeker Droid" in page
    fields = {
        "card": "iden-versio-inferno-squad-leader",
        "counterpart": "idens-id10-seeker-droid",
        "counterpart_upgrades": ["hq-uplink"],
    }
    ada.post(url("unit", saved.pk, 0), fields)
    with_droid = PlainUnit(fields["card"], counterpart=fields["counterpart"], counterpart_upgrades=("hq-uplink",))
    assert army_of(saved).units == (with_droid,)
    assert "HQ Uplink" in html_of(ada.get(url("unit", saved.pk, 0)))
    ada.post(url("unit", saved.pk, 0), fields | {"counterpart": ""})
    assert army_of(saved).units == (PlainUnit(fields["card"]),)


def test_hand_and_deck(ada, saved):
    ada.post(url("army", saved.pk), {"do": "cards", "hand": ["", *HAND[:2]], "deck": list(NINE)})
    assert army_of(saved) == replace(ARMY, command_cards=HAND[:2], battle_cards=NINE)
    page = html_of(ada.get(url("army", saved.pk)))
    assert "3 of 7" in page
    assert "A Command Hand has 2 cards of 2 pips. This one has 0." in page
    assert "A Battle Deck has" not in page


def test_name_faction_and_size(ada, saved):
    fields = {"do": "settings", "name": "Frost", "faction": "empire", "battle_force": "", "size": 1000}
    assert ada.post(url("army", saved.pk), fields).status_code == 302
    assert army_of(saved) == replace(ARMY, title="Frost", size=1000)
    refused = ada.post(url("army", saved.pk), fields | {"size": "-1", "name": "Ember"})
    assert (refused.status_code, 'value="Ember"' in html_of(refused)) == (422, True)


def test_delete_a_list_twice(ada, saved):
    answers = [ada.post(url("delete", saved.pk))["Location"] for _ in range(2)]
    assert answers == [url("lists")] * 2
    assert not ArmyList.objects.exists()


def test_changes_of_another_tab_are_kept(player, saved):
    change_army_list(actor=player, list_id=saved.pk, version=saved.version, army=replace(ARMY, title="Frost"))
    again = change_army_list(actor=player, list_id=saved.pk, version="old", army=replace(ARMY, title="Frost"))
    assert again.name == "Frost"
    with pytest.raises(RuleViolation, match="changed a moment ago"):
        change_army_list(actor=player, list_id=saved.pk, version=saved.version, army=ARMY)
    with pytest.raises(RuleViolation, match="was deleted"):
        change_army_list(actor=player, list_id=uuid4(), version="", army=ARMY)


# --- Import, export, print -----------------------------------------------------------------------------------


def test_import_a_list_once(ada):
    fields = {"list": uuid4(), "text": MINIMAL}
    first, again = (ada.post(url("import_list"), fields) for _ in range(2))
    assert first["Location"] == again["Location"] == url("army", fields["list"])
    assert ArmyList.objects.get().army == replace(ARMY, battle_cards=())


def test_text_around_a_list_is_shown_before_it_is_saved(ada):
    page = ada.post(url("import_list"), {"list": uuid4(), "text": f"{MINIMAL}\nsee you on Saturday"})
    assert (page.status_code, ArmyList.objects.count()) == (200, 0)
    assert "<li>see you on Saturday</li>" in page.text


def test_decide_open_lines(ada):
    fields = {"list": uuid4(), "text": OPEN}
    page = ada.post(url("import_list"), fields)
    lines = page.context["open"]
    assert [(line["read"], [slug for slug, _ in line["options"]]) for line in lines] == [
        ("Darth Vader", ["darth-vader-dark-lord-of-the-sith", "darth-vader-the-emperors-apprentice"]),
        ("- Frobnicator", []),
    ]
    chosen = {f"line-{line['place']}": line["options"][0][0] if line["options"] else "-" for line in lines}
    other = ada.post(url("import_list"), fields | chosen | {"read": "other"})
    assert len(other.context["open"]) == len(lines)  # choices for another text do not count
    answer = ada.post(url("import_list"), fields | chosen | {"read": page.context["digest"], "do": "save"})
    assert answer.status_code == 302
    assert [unit.card for unit in ArmyList.objects.get().army.units] == ["darth-vader-dark-lord-of-the-sith"]


@pytest.mark.parametrize("text", ["", "https://tabletopadmiral.com/listbuilder/x", '{"format": "legion-tod-register"}'])
def test_a_text_that_is_refused_stays_in_the_form(ada, text):
    answer = ada.post(url("import_list"), {"list": uuid4(), "text": text})
    assert (answer.status_code, answer.context["form"]["text"].value()) == (422, text)
    assert not ArmyList.objects.exists()


def test_a_form_without_its_key_is_refused(ada):
    assert ada.post(url("import_list"), {"text": MINIMAL}).status_code == 422


def test_export(ada, saved):
    page = html_of(ada.get(url("export", saved.pk)))
    assert "https://legionhq" in page or "legion-hq" in page
    answer = ada.get(url("export_file", saved.pk, "tts"))
    assert json.loads(answer.content)["listname"] == "Ashen Patrol"
    assert answer["Content-Disposition"] == 'attachment; filename="ashen-patrol.json"'
    assert ada.get(url("export_file", saved.pk, "x")).status_code == 404


def test_print(ada, saved):
    page = html_of(ada.get(url("print_list", saved.pk), {"paper": "letter"}))
    assert "leaf--letter" in page
    assert [name in page for name in ("Academy Trained", "Standing Orders", "Bunker Assault")] == [True] * 3


@pytest.mark.skipif(bool(missing()), reason="no library for PDFs")
def test_print_as_pdf(ada, saved):
    answer = ada.get(url("print_list", saved.pk), {"as": "pdf"})
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")


def test_two_short_armies_share_a_page(book):
    sheet = army_sheet(book, ARMY)
    long = army_sheet(book, replace(ARMY, units=(OFFICER,) * 50))
    short = PrintedArmy(sheet)
    pages = half_pages([short, PrintedArmy(long), short, short])
    assert [(len(page.armies), page.is_halved) for page in pages] == [(2, True), (1, True), (1, False)]
    assert [[size for _, size in page.armies] for page in pages] == [[11, 11], [11], [8]]


# --- What the page offers ------------------------------------------------------------------------------------


def test_names_in_full(book):
    """E11: the title, and the rank or type, Faction or points that tell cards of one name apart."""
    names = CardNames(book)
    units = ("stormtroopers", "darth-vader-dark-lord-of-the-sith", "at-rt-rebel", "scout-troopers-strike-team")
    assert [names.full(book.units[slug]) for slug in units] == [
        "Stormtroopers",
        "Darth Vader, Dark Lord of the Sith (commander)",
        "AT-RT (Rebel)",
        "Scout Troopers, Strike Team (support)",
    ]
    upgrades = ("academy-trained", "rook-kast-personnel", "super-commando-marksman-xsd")
    assert [names.full(book.upgrades[slug]) for slug in upgrades] == [
        "Academy Trained",
        "Rook Kast (personnel)",
        "Super Commando Marksman (28 points)",
    ]


def test_units_by_rank(book):
    found = {shelf["rank"]: shelf for shelf in shelves(book, ARMY, CardNames(book), query="snow", rank="heavy")}
    corps = found["corps"]
    assert (corps["number"], corps["limits"], corps["is_open"]) == (2, "2–4", True)
    assert [(offer["slug"], offer["number"]) for offer in corps["offers"]] == [("snowtroopers", 2)]
    assert [rank for rank, shelf in found.items() if shelf["is_open"]] == ["corps", "heavy"]
    rebels = shelves(book, replace(ARMY, faction="rebel"), CardNames(book))
    assert "snowtroopers" not in {offer["slug"] for shelf in rebels for offer in shelf["offers"]}


def test_upgrades_by_slot_keep_what_is_chosen(book):
    card = book.units["snowtroopers"]
    groups = {group["type"]: group for group in upgrade_groups(book, ARMY, card, ("academy-trained",), CardNames(book))}
    assert set(groups) >= set(card.upgrade_slots)
    ticks = {tick["value"]: tick["checked"] for group in groups.values() for tick in group["ticks"]}
    assert (ticks["academy-trained"], ticks["targeting-scopes"]) == (True, False)


def test_a_hand_keeps_a_card_that_it_cannot_have(book):
    army = replace(ARMY, command_cards=("implacable",), units=(SNOW,))
    [ones, *others] = hand_groups(book, army)
    chosen = [
        slug
        for group in (ones, *others)
        for field in group["fields"]
        for _, options in field["groups"]
        for _, slug in options
        if slug == field["chosen"]
    ]
    assert chosen == ["implacable"]
    assert [len(group["fields"]) for group in (ones, *others)] == [2, 2, 2]
