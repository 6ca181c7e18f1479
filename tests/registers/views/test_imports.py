"""Founding a Register from a list, as a browser without JavaScript does."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from catalogue.models import Unit
from catalogue.snapshot import forget
from registers.audit import differences
from registers.models import Act, Entry, Register
from registers.services import founding
from registers.services.ledger import force_of
from rules.force import Dossier
from tests.registers.views.reading import text_of

OFFICER = "imperial-officer-ruthless-efficiency"
LIST = """Ashen Patrol
139/600 (3 activations)
Imperial Officer (60)
 - Strict Orders (5)
Stormtroopers (62)
 - DLT-19 Stormtrooper (20)
Stormtroopers (42)
"""


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
    html = page.content.decode()
    fields: dict[str, Any] = {"keep": re.findall(r'name="keep" value="(\d+)" checked', html)}
    for name, value in re.findall(
        r'name="(register|read|offered|register_name|name-\d+)" value="([^"]*)"', html
    ):
        fields[name] = unescape(value)
    for place, options in re.findall(r'<select[^>]* name="(line-\d+)"[^>]*>(.*?)</select>', html):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[place] = chosen[1] if chosen else ""
    fields |= dict(re.findall(r'name="(faction|paragon)" value="([^"]*)" checked', html))
    fields["text"] = unescape(re.search(r'name="text"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)[1])
    return fields


def send(client, page, **fields: Any):
    """Press the button of a page, with some fields filled in."""
    return client.post(address(), form_of(page) | {"do": "found"} | fields)


def again(client, page, **fields: Any):
    """Look at the list again, with some fields changed."""
    return client.post(address(), form_of(page) | fields)


def rows_of(page) -> list[tuple[str, bool, list[tuple[str, bool]]]]:
    """Units and their upgrades, each with whether it is ticked."""
    return [
        (unit["name"], unit["checked"], [(part["name"], part["checked"]) for part in unit["parts"]])
        for unit in page.context["lines"]["units"]
    ]


def why(page) -> dict[str, list[str]]:
    """What is said beside each line, by what was read."""
    lines = page.context["lines"]
    rows = [*lines["units"], *(part for unit in lines["units"] for part in unit["parts"]), *lines["strange"]]
    return {
        row["read"]: [f"{said['sentence']} {said['rule']}".strip() for said in row["why"]]
        for row in rows
        if row["why"]
    }


class TestTheFirstLook:
    def test_a_place_to_paste_it(self, signed_in, book):
        page = signed_in.get(address())
        assert page.status_code == 200
        assert "nothing is kept before you say so" in text_of(page)

    def test_every_line_and_nothing_stored(self, signed_in, book):
        page = look(signed_in)
        assert page.status_code == 200
        assert rows_of(page) == [
            ("Imperial Officer, Ruthless Efficiency", True, [("Strict Orders", True)]),
            ("Stormtroopers", True, [("DLT-19 Stormtrooper", True)]),
            ("Stormtroopers", True, []),
        ]
        lines = page.context["lines"]
        assert (lines["spent"], lines["capacity"], lines["undecided"], lines["faction"]) == (
            164,
            600,
            0,
            "empire",
        )
        assert [line["read"] for line in lines["aside"]] == [
            "Ashen Patrol",
            "139/600 (3 activations)",
            "139/600 (3 activations)",
            "empire",
        ]
        assert "The list counts 139 points; today its cards cost 164." in text_of(page)
        assert form_of(page)["register_name"] == "Ashen Patrol"
        assert not Register.objects.exists()

    def test_lines_that_were_not_understood(self, signed_in, book):
        page = look(signed_in, LIST + "Grim Hounds (40)\nnonsense\n")
        assert [line["read"] for line in page.context["lines"]["strange"]] == ["Grim Hounds (40)", "nonsense"]
        assert why(page) == {
            "Grim Hounds (40)": ["No unit is known by this name."],
            "nonsense": ["This is neither a unit nor an upgrade with its points."],
        }

    def test_a_file(self, signed_in, book):
        page = look(signed_in, "", file=SimpleUploadedFile("list.txt", LIST.encode()))
        assert [name for name, _, _ in rows_of(page)][1:] == ["Stormtroopers", "Stormtroopers"]
        assert form_of(page)["text"] == LIST


class TestFounding:
    def test_the_whole_way(self, signed_in, player, book):
        page = look(signed_in)
        pk = form_of(page)["register"]
        name = next(field for field in form_of(page) if field.startswith("name-"))
        for _ in range(2):  # law 6: the form comes twice
            answer = send(signed_in, page, **{name: "Captain Sorne"})
            assert (answer.status_code, answer["Location"]) == (302, reverse("registers:founding", args=[pk]))
        register = Register.objects.get()
        force = force_of(register)
        assert (register.pk, register.owner, force.name, force.faction, force.paragon, force.commissioned) == (
            UUID(pk), player, "Ashen Patrol", "empire", "1", False,
        )  # fmt: skip
        assert [(d.card, d.name, d.upgrades) for d in force.dossiers.values()] == [
            (OFFICER, "Captain Sorne", ("strict-orders",)),
            ("stormtroopers", "", ("dlt-19-stormtrooper",)),
            ("stormtroopers", "", ()),
        ]
        acts = list(Entry.objects.order_by("position").values_list("act", flat=True))
        assert acts == [Act.OPEN, Act.UNIT, Act.UNIT, Act.UNIT, Act.NAME]
        assert "3 units of the list have joined." in text_of(signed_in.get(answer["Location"]))

    def test_a_name_is_missing_and_nothing_is_lost(self, signed_in, book):  # R7
        page = look(signed_in)
        ticks = form_of(page)["keep"]
        answer = send(signed_in, page, keep=ticks[:-1], register_name="Dust")
        assert answer.status_code == 422
        assert "Imperial Officer needs a name, as every commander does. R7" in text_of(answer)
        assert (form_of(answer)["keep"], form_of(answer)["register_name"]) == (ticks[:-1], "Dust")
        assert not Register.objects.exists()

    def test_a_changed_text_is_read_before_it_is_founded(self, signed_in, book):
        page = look(signed_in)
        answer = send(signed_in, page, text=LIST.replace("Strict Orders", "Vigilance"))
        assert answer.status_code == 200
        assert rows_of(answer)[0][2] == [("Vigilance", True)]
        assert not Register.objects.exists()

    def test_line_ends_are_no_change(self, signed_in, book):
        page = look(signed_in)
        answer = again(signed_in, page, text=LIST.replace("\n", "\r\n"), keep=[])
        assert [ticked for _, ticked, _ in rows_of(answer)] == [False, False, False]

    def test_somebody_elses_register(self, signed_in, other, book):
        theirs = Register.objects.create(owner=other)
        page = look(signed_in)
        fields = {name: "Sorne" for name in form_of(page) if name.startswith("name-")}
        answer = send(signed_in, page, register=str(theirs.pk), **fields)
        assert (answer.status_code, theirs.dossiers.count()) == (422, 0)
        assert "This Register belongs to somebody else." in text_of(answer)

    def test_a_garbled_key(self, signed_in, book):
        page = look(signed_in)
        answer = send(signed_in, page, register="x")
        assert answer.status_code == 422
        assert not Register.objects.exists()

    def test_a_card_that_went_up_meanwhile(self, signed_in, book):
        """All or nothing: the third unit no longer fits, so nobody joins."""
        page = look(signed_in)
        fields = {name: "Sorne" for name in form_of(page) if name.startswith("name-")}
        Unit.objects.filter(slug="stormtroopers").update(points=300)
        forget()
        answer = send(signed_in, page, **fields)
        assert answer.status_code == 422
        assert not Register.objects.exists()

    def test_nothing_ticked(self, signed_in, book):
        answer = send(signed_in, look(signed_in), keep=[])
        assert "No unit of this list is to join." in text_of(answer)

    def test_signed_out(self, client, book):
        assert client.get(address()).status_code == 302


class TestDecisions:
    def test_one_of_several_cards(self, signed_in, book):
        text = LIST.replace("Stormtroopers (42)", "Stormtroopers (44)")
        page = look(signed_in, text)
        [choice] = [name for name in form_of(page) if name.startswith("line-")]
        assert rows_of(page)[2] == ("", False, [])
        assert page.context["lines"]["undecided"] == 1
        refused = send(signed_in, page)
        assert (refused.status_code, "1 line waits for your choice." in text_of(refused)) == (422, True)
        chosen = again(signed_in, page, **{choice: "stormtroopers-heavy-response-unit"})
        assert rows_of(chosen)[2] == ("Stormtroopers, Heavy Response Unit", True, [])
        assert (chosen.context["lines"]["undecided"], form_of(chosen)[choice]) == (
            0,
            "stormtroopers-heavy-response-unit",
        )
        out = again(signed_in, page, **{choice: "-"})
        assert rows_of(out)[2] == ("", False, [])
        assert (out.context["lines"]["undecided"], form_of(out)[choice]) == (0, "-")
        wrong = again(signed_in, page, **{choice: "darth-vader-dark-lord-of-the-sith"})
        assert wrong.context["lines"]["undecided"] == 1

    def test_what_can_never_join_is_left_out(self, signed_in, book):
        names = {
            "Darth Vader Dark Lord of the Sith": ["Force Push"],
            "Rebel Troopers": [],
            "Stormtroopers": ["DLT-19 Stormtrooper", "Agent Kallus"],
        }
        page = look(signed_in, tts(names))
        assert rows_of(page) == [
            ("Darth Vader, Dark Lord of the Sith", False, [("Force Push", False)]),
            ("Rebel Troopers", False, []),
            ("Stormtroopers", True, [("DLT-19 Stormtrooper", True), ("Agent Kallus", False)]),
        ]
        said = why(page)
        assert said["Darth Vader Dark Lord of the Sith"] == [
            "Darth Vader, Dark Lord of the Sith is unique and can never be on a Register. R5"
        ]
        assert (
            "Rebel Troopers cannot serve in this Register: its Faction is empire. R3"
            in said["Rebel Troopers"]
        )
        assert (
            "Agent Kallus is a unique heavy weapon upgrade; a Register holds none. R5" in said["Agent Kallus"]
        )
        assert send(signed_in, page).status_code == 302
        assert [(d.card, d.upgrades) for d in force_of(Register.objects.get()).dossiers.values()] == [
            ("stormtroopers", ("dlt-19-stormtrooper",))
        ]

    def test_a_commander_joins_with_two_upgrades_of_choice(self, signed_in, book):  # R7
        page = look(signed_in, tts({"Imperial Officer": ["Vigilance", "Endurance", "Recon Intel"]}))
        parts = page.context["lines"]["units"][0]["parts"]
        assert rows_of(page)[0][2] == [("Vigilance", True), ("Endurance", True), ("Recon Intel", False)]
        limit = "Imperial Officer joins with at most 2 upgrades besides compulsory ones. R7"
        assert why(page) == {"Recon Intel": [limit]}
        unit, *ticks = (str(row["place"]) for row in (page.context["lines"]["units"][0], *parts))
        all_three = send(signed_in, page, keep=[unit, *ticks], **{f"name-{unit}": "Sorne"})
        assert (all_three.status_code, Register.objects.count()) == (422, 0)
        assert rows_of(all_three)[0][2] == [("Vigilance", True), ("Endurance", True), ("Recon Intel", True)]
        assert send(signed_in, page, keep=[unit, *ticks[1:]], **{f"name-{unit}": "Sorne"}).status_code == 302
        assert force_of(Register.objects.get()).dossiers["1"].upgrades == ("endurance", "recon-intel")

    def test_which_commander_leads(self, signed_in, book):  # R6
        text = LIST + "Imperial Officer (55)\n"
        page = look(signed_in, text)
        places = [unit["place"] for unit in page.context["lines"]["units"]]
        assert form_of(page)["paragon"] == str(places[0])
        names = {f"name-{places[0]}": "Captain Sorne", f"name-{places[3]}": "Major Vane"}
        answer = send(signed_in, page, paragon=str(places[3]), **names)
        assert answer.status_code == 302
        force = force_of(Register.objects.get())
        assert force.dossiers[force.paragon].name == "Major Vane"

    def test_more_than_the_combat_potential(self, signed_in, book):  # R2
        text = LIST + "Stormtroopers (42)\n" * 11
        page = look(signed_in, text)
        lines = page.context["lines"]
        assert lines["spent"] == 164 + 11 * 42
        assert sum(bool(unit["why"]) for unit in lines["units"]) == 1
        fields = {name: "Sorne" for name in form_of(page) if name.startswith("name-")}
        refused = send(signed_in, page, **fields)
        assert refused.status_code == 422
        assert "This takes 626 points, and the Register has 600: leave 26 out. R2" in text_of(refused)
        fields["keep"] = form_of(page)["keep"][:-1]
        assert send(signed_in, page, **fields).status_code == 302
        assert len(force_of(Register.objects.get()).dossiers) == 13

    def test_mercenaries_are_hired_by_a_faction_of_choice(self, signed_in, book):  # R3
        page = look(signed_in, tts({"Pyke Syndicate Foot Soldiers": []}, faction=""))
        assert "Its Faction: the list does not say" in text_of(page)
        refused = send(signed_in, page)
        assert (refused.status_code, "Choose a Faction. R3" in text_of(refused)) == (422, True)
        assert send(signed_in, page, faction="empire").status_code == 302
        assert Register.objects.get().faction == "empire"


class TestAFileOfRegisters:
    """A Register kept elsewhere is taken over with all that has become of it (R2, R12 to R16, R25, R36, R43)."""

    FILE = """{"format": "legion-tod-register", "version": 1, "registers": [{"name": "Ashen Patrol",
"faction": "Empire", "reputation": 2, "supplyPoints": 9, "combatPotential": 700,
"storyArc": "Bring Peace to the Galaxy", "strategicAssets": "Medevac",
"agendas": [{"name": "Keep Them in Line", "progression": 2}], "dossiers": [
{"unitName": "Imperial Officer", "dossierName": "Captain Sorne", "experience": 14, "veteranRank": 2,
"commendations": "Resilient"},
{"unitName": "Snowtroopers", "dossierName": "Grim Hounds", "setbacks": "Battle-Shaken", "experience": 26}]}]}"""

    def place(self, page, name: str) -> int:
        rows = [*page.context["lines"]["values"]]
        for unit in page.context["lines"]["units"]:
            rows += unit["parts"]
        return next(row["place"] for row in rows if row["name"] == name)

    def test_all_of_it(self, signed_in, book):
        page = look(signed_in, self.FILE)
        assert sorted(row["name"] for row in page.context["lines"]["values"]) == [
            "700 points of Combat Potential", "9 SP", "Bring Peace to the Galaxy", "Keep Them in Line: 2", "Medevac",
            "Reputation 2",
        ]  # fmt: skip
        assert "Above the maximum of the unit, and cut off: 1. R13" in text_of(page)
        assert page.context["lines"]["capacity"] == 700
        assert send(signed_in, page).status_code == 302
        register = Register.objects.get()
        force = force_of(register)
        assert force.dossiers == {
            "1": Dossier(
                "1", OFFICER, "Captain Sorne", experience=14, veteran_rank=2, owed=1, commendations=("resilient",)
            ),
            "2": Dossier(
                "2", "snowtroopers", "Grim Hounds", experience=25, veteran_rank=3, owed=3,
                setbacks=("battle-shaken",),
            ),
        }  # fmt: skip
        assert (force.combat_potential, force.supply_points, force.reputation, force.command_cards_owed) == (
            700, 9, 2, 2,
        )  # fmt: skip
        assert (force.story_arc, dict(force.agendas), force.assets) == (
            "bring-peace-to-the-galaxy", {"keep-them-in-line": 2}, ("medevac",),
        )  # fmt: skip
        assert [entry.act for entry in register.entries.all()] == ["open", *["take_over"] * 3, "name"]
        assert list(differences(register)) == []
        assert "taken over" in text_of(signed_in.get(reverse("registers:ledger", args=[register.pk])))

    def test_each_value_is_decided(self, signed_in, book):
        page = look(signed_in, self.FILE)
        out = [self.place(page, name) for name in ("9 SP", "Resilient", "14 XP", "Medevac")]
        keep = [place for place in form_of(page)["keep"] if int(place) not in out]
        assert send(signed_in, page, keep=keep).status_code == 302
        force = force_of(Register.objects.get())
        assert (force.supply_points, force.assets) == (5, ())
        assert force.dossiers["1"] == Dossier("1", OFFICER, "Captain Sorne")

    def test_what_is_not_legal_is_told_beside_it_and_left_out(self, signed_in, book):
        wrong = json.loads(self.FILE)
        register = wrong["registers"][0]
        register |= {"supplyPoints": 99999, "agendas": [{"name": "Keep Them in Line", "progression": 99}]}
        register["dossiers"][1] |= {
            "commendations": "Born to Lead",
            "setbacks": "Battle-Shaken, Battle-Shaken",
        }
        page = look(signed_in, json.dumps(wrong))
        said = text_of(page)
        for sentence in (
            "A Register has 0 to 9999 SP, not 99999. R1",
            "Keep Them in Line progresses",
            "Snowtroopers cannot have Born to Lead",
            "Battle-Shaken cannot be had twice. R36",
        ):
            assert sentence in said
        assert send(signed_in, page).status_code == 302
        force = force_of(Register.objects.get())
        assert (force.supply_points, dict(force.agendas)) == (5, {})
        assert (force.dossiers["2"].commendations, force.dossiers["2"].setbacks) == ((), ("battle-shaken",))

    def test_a_veteran_has_a_name(self, signed_in, book):  # R9
        page = look(signed_in, self.FILE)
        hounds = page.context["lines"]["units"][1]["place"]
        refused = send(signed_in, page, **{f"name-{hounds}": ""})
        assert (refused.status_code, "At VR 1 a unit gets a name. R9" in text_of(refused)) == (422, True)
        assert not Register.objects.exists()
        assert send(signed_in, refused, **{f"name-{hounds}": "Cold Feet"}).status_code == 302
        assert force_of(Register.objects.get()).dossiers["2"].name == "Cold Feet"

    def test_it_can_be_taken_back_while_founding(self, signed_in, player, book):
        send(signed_in, look(signed_in, self.FILE))
        register = Register.objects.get()
        page = signed_in.get(reverse("registers:founding", args=[register.pk]))
        assert 'name="entry" value="4"' in page.content.decode()
        founding.take_back(actor=player, register_id=register.pk, position=None, entry=4)
        assert list(force_of(Register.objects.get()).dossiers) == ["1"]
        assert list(differences(Register.objects.get())) == []

    def test_a_veteran_rank_that_follows_is_no_line_to_decide(self, signed_in, book):
        told = [
            (line["read"], str(line["reason"]))
            for line in look(signed_in, self.FILE).context["lines"]["aside"]
        ]
        assert ("2", "follows from the Experience") in told

    def test_nothing_is_lost_of_a_unit_that_nobody_knows(self, signed_in, book):
        wrong = json.loads(self.FILE)
        wrong["registers"][0]["dossiers"][1]["unitName"] = "Xyzzy"
        aside = look(signed_in, json.dumps(wrong)).context["lines"]["aside"]
        told = [(line["read"], str(line["reason"])) for line in aside]
        assert ("26", "its unit was not understood") in told
        assert ("Battle-Shaken", "its unit was not understood") in told

    def test_one_at_a_time(self, signed_in, book):
        two = json.loads(self.FILE)
        two["registers"] *= 2
        refused = send(signed_in, look(signed_in, json.dumps(two)))
        assert (refused.status_code, Register.objects.count()) == (422, 0)
        assert "This file holds 2 Registers: leave one of them in the list itself" in text_of(refused)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is nothing to read. Paste a list, or its link."),
        ("hello", "This is no list that can be read here"),
        ("A\0B", "This text holds control characters."),
        ('{"units": ' + "[" * 5000, "This JSON is nested deeper than any list."),
        ('{"units": ' + "[" * 20 + "]" * 20 + "}", "This JSON is nested deeper than any list."),
        ('{"units": {"a": 1}}', "This JSON has no list of units."),
        ('{"units": [], "units": []}', "This JSON says the same thing twice"),
        ('{"units": [{"name": "\\u0000"}]}', "This text holds control characters."),
        ("x\n" * 501, "at most 500 lines are read."),
        ("x" * 1_000_001, "at most 1 MB is read."),
        ("https://legionhq2.com/list/17", "This link names a list on Legion HQ's server."),
        ("https://tabletopadmiral.com/listbuilder/Empire/p03", "Only Tabletop Admiral can read its links."),
    ],
)
def test_hostile_texts_get_a_sentence(signed_in, book, text, sentence):
    answer = look(signed_in, text)
    assert (answer.status_code, Register.objects.count()) == (422, 0)
    assert sentence in text_of(answer)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe\x00list", "This file is not a text (UTF-8)."),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xb5\x9c", "This file is not a text (UTF-8)."),
        (b"PK\x03\x04", "This text holds control characters."),
        (b"x" * 10_000_000, "at most 1 MB is read."),
    ],
)
def test_hostile_files_get_a_sentence(signed_in, book, data, sentence):
    answer = look(signed_in, "", file=SimpleUploadedFile("list.json", data))
    assert (answer.status_code, Register.objects.count()) == (422, 0)
    assert sentence in text_of(answer)


def test_a_body_of_ten_megabytes(signed_in, book):
    answer = look(signed_in, "x" * 10_000_000)
    assert (answer.status_code, Register.objects.count()) == (413, 0)
    assert "This is more than any form here takes" in text_of(answer)
