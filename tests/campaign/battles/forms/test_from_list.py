"""Which Dossiers a list means, and the muster form filled in with them."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.battles.forms.from_list import FromList
from campaign.battles.models import CommandHand
from catalogue.snapshot import card_index
from lists.formats import detect
from registers.imports.form import Pasted
from registers.imports.judging import ListDecisions
from rules.register.state import Dossier, RegisterState
from tests.campaign.factories import in_play, planned, side_of
from tests.html import html_of
from tests.registers.views.importing import tts
from tests.registers.views.reading import text_of

OFFICER = "imperial-officer-ruthless-efficiency"
DLT, T21 = "dlt-19-stormtrooper", "t-21-stormtrooper"


def state(*dossiers: tuple[str, ...]) -> RegisterState:
    """A Register of these cards, each with its upgrades; the first is the Paragon."""
    own = {
        str(number): Dossier(str(number), card, upgrades=tuple(cards))
        for number, (card, *cards) in enumerate(dossiers, 1)
    }
    return RegisterState(faction="empire", dossiers=own, paragon="1")


def form(book, own: RegisterState, text: str, **meant: str) -> FromList:
    """The list as read for a Register; `meant` are choices: line3="2"."""
    choices = {int(name.removeprefix("line")): value for name, value in meant.items()}
    return FromList(book, own, Pasted(text, detect.read(text, card_index()), True), ListDecisions(meant=choices))


def units(*entries: tuple[str, list[str]]) -> str:
    """JSON for Tabletop Simulator with these units, one of a name as often as it stands here."""
    items = ", ".join(f'{{"name": "{name}", "upgrades": {cards}}}'.replace("'", '"') for name, cards in entries)
    return f'{{"armyFaction": "empire", "units": [{items}]}}'


def places(found: FromList) -> list[int]:
    return [wanted.place for wanted in found.wanted]


class TestWhoIsMeant:
    def test_by_what_they_carry(self, book):
        own = state((OFFICER,), ("stormtroopers",), ("stormtroopers", DLT))
        found = form(
            book,
            own,
            units(("Stormtroopers", ["DLT-19 Stormtrooper"]), ("Imperial Officer", []), ("Stormtroopers", [])),
        )
        assert (list(found.chosen.values()), found.undecided) == (["3", "1", "2"], [])
        assert found.fields() == [("unit", "3"), ("upgrade", f"3/{DLT}"), ("unit", "1"), ("unit", "2")]

    def test_a_loadout_is_shown_as_left_out(self, book):
        text = '{"armyFaction": "empire", "units": [{"name": "Stormtroopers", "loadout": ["HQ Uplink"]}]}'
        found = form(book, state((OFFICER,), ("stormtroopers",)), text)
        assert found.context()["strange"] == [
            {"read": "HQ Uplink", "why": [{"sentence": "Loadouts are no longer part of the game."}]}
        ]

    def test_twins_that_both_go_need_no_choice(self, book):
        own = state((OFFICER,), ("stormtroopers",), ("stormtroopers",))
        found = form(book, own, units(("Stormtroopers", []), ("Stormtroopers", [])))
        assert (sorted(found.chosen.values()), found.to_choose) == (["2", "3"], {})

    def test_one_of_twins_is_chosen_by_its_player(self, book):
        own = state((OFFICER,), ("stormtroopers",), ("stormtroopers",))
        text = units(("Stormtroopers", []))
        [place] = places(form(book, own, text))
        assert form(book, own, text).undecided == [place]
        assert form(book, own, text).fields() == []
        assert form(book, own, text, **{f"line{place}": "3"}).fields() == [("unit", "3")]
        out = form(book, own, text, **{f"line{place}": "-"})
        assert (out.undecided, out.fields()) == ([], [])
        assert form(book, own, text, **{f"line{place}": "1"}).undecided == [place]

    def test_nobody_twice(self, book):
        own = state((OFFICER,), *[("stormtroopers",)] * 3)
        text = units(("Stormtroopers", []), ("Stormtroopers", []))
        first, second = places(form(book, own, text))
        both = form(book, own, text, **{f"line{first}": "4", f"line{second}": "4"})
        assert both.undecided == [first, second]

    def test_a_name_of_several_cards_means_the_one_on_the_register(self, book):
        own = state((OFFICER,), ("geonosian-warriors-soldiers-of-the-hive",))
        text = "x\n44/600 (1 activation)\nGeonosian Warriors (44)\n"
        assert form(book, own, text).fields() == [("unit", "2")]

    def test_who_is_not_there(self, book):
        own = state((OFFICER,), ("stormtroopers",))
        context = form(book, own, units(("Snowtroopers", []), ("Stormtroopers", []), ("Stormtroopers", []))).context()
        assert [row["read"] for row in context["absent"]] == ["Snowtroopers", "Stormtroopers"]
        assert (context["paragon"], context["undecided"]) == ("Imperial Officer", 0)

    def test_upgrades_that_one_has_and_the_other_not(self, book):
        own = state((OFFICER,), ("stormtroopers", DLT))
        [row] = form(book, own, units(("Stormtroopers", ["T-21 Stormtrooper"]))).context()["units"]
        assert (row["taken"], row["behind"], row["missing"]) == ([], ["DLT-19 Stormtrooper"], ["T-21 Stormtrooper"])

    def test_cards_of_the_whole_army(self, book):
        text = """{"armyFaction": "empire", "battleForce": "Blizzard Force", "units": [], "commandCards": ["Ambush",
"Standing Orders", "Push"], "battlefieldDeck": {"scenario": "recon", "objective": ["Nowhere"]}}"""
        found = form(book, state((OFFICER,)), text)
        assert found.fields() == [("battle_force", "blizzard-force"), ("hand", "ambush"), ("hand", "push")]
        assert [row["read"] for row in found.context()["strange"]] == ["Nowhere"]


class TestThePage:
    @pytest.fixture
    def as_ada(self, client, table):
        client.force_login(table.ada)
        return client

    def address(self, battle) -> str:
        return reverse("battles:army_from_list", args=[side_of(battle, "blue").pk])

    def test_from_the_muster_form_and_back_to_it_filled_in(self, as_ada, table):
        battle = planned(table)
        choose_army = reverse("battles:army", args=[side_of(battle, "blue").pk])
        assert self.address(battle) in html_of(as_ada.get(choose_army))
        assert as_ada.get(self.address(battle)).status_code == 200
        text = tts({"Imperial Officer": [], "Stormtroopers": []})
        page = as_ada.post(self.address(battle), {"text": text})
        assert (page.status_code, page.context["list"]["undecided"]) == (200, 1)
        html = html_of(page)
        [line] = re.findall(r'name="(line-\d+)"', html)
        [digest] = re.findall(r'name="read" value="(\w+)"', html)
        waiting = as_ada.post(self.address(battle), {"text": text, "read": digest, line: ""})
        assert waiting.status_code == 422
        ready = as_ada.post(self.address(battle), {"text": text, "read": digest, line: "3"})
        html = html_of(ready)
        fill = html[html.index('id="fill"') :].split("</form>")[0]
        fields = [(name, unescape(value)) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', fill)]
        assert (ready.status_code, fields[1:]) == (200, [("reckon", "1"), ("unit", "1"), ("unit", "3")])
        data = {"reckon": "1", "unit": ["1", "3"]}
        filled = as_ada.post(choose_army, data)
        assert [(unit["key"], unit["fielded"]) for unit in filled.context["units"]] == [
            ("1", True),
            ("2", False),
            ("3", True),
        ]
        assert side_of(battle, "blue").army_chosen is False

    def test_battle_force_hand_and_deck_come_along(self, as_ada, table):
        battle = planned(table)
        text = """{"armyFaction": "empire", "battleForce": "Tempest Force", "units": [{"name": "Imperial Officer",
"upgrades": []}], "commandCards": ["Ambush", "Covert Observation", "Push", "Pinned Down", "Assault", "Coordinated Fire",
"Standing Orders"], "battlefieldDeck": {"scenario": "recon", "objective": ["Recover the Research"]}}"""
        fields: dict[str, list[str]] = {}
        for name, value in as_ada.post(self.address(battle), {"text": text}).context["list"]["fields"]:
            fields.setdefault(name, []).append(value)
        choose_army = reverse("battles:army", args=[side_of(battle, "blue").pk])
        filled = as_ada.post(choose_army, fields | {"reckon": "1"})
        assert 'value="tempest-force" selected' in html_of(filled)
        assert (filled.context["hand"]["count"], filled.context["deck"]["count"]) == (7, len(fields.get("deck", [])))
        assert as_ada.post(choose_army, fields | {"agenda": "", "deck": []}).status_code == 302
        assert CommandHand.objects.get().cards == [*fields["hand"], "standing-orders"]
        assert side_of(battle, "blue").army["battle_force"] == "tempest-force"

    @pytest.mark.parametrize("text", ["", "hello", "A\0", "x\n" * 501])
    def test_what_is_no_list_gets_a_sentence(self, as_ada, table, text):
        answer = as_ada.post(self.address(planned(table)), {"text": text})
        assert (answer.status_code, 'role="alert"' in html_of(answer)) == (422, True)

    def test_a_file(self, as_ada, table):
        file = SimpleUploadedFile("list.json", tts({"Imperial Officer": []}).encode())
        page = as_ada.post(self.address(planned(table)), {"file": file})
        assert "Fill in army" in text_of(page)

    def test_only_while_mustering(self, as_ada, table):
        battle = in_play(planned(table))
        assert as_ada.get(self.address(battle))["Location"] == battle.get_absolute_url()

    def test_nobody_elses(self, client, table):
        battle = planned(table)
        client.force_login(table.ben)
        assert client.get(self.address(battle)).status_code == 404
