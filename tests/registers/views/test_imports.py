"""Founding a Register from a list, as a browser without JavaScript does."""

from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from catalogue.models import Unit
from catalogue.snapshot import forget
from registers.models import EntryType, LedgerEntry, Register
from registers.projection import state_of
from tests.registers.views.importing import LIST, OFFICER, address, form_of, look, send, tts
from tests.registers.views.reading import text_of


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
        row["read"]: [f"{violation['sentence']} {violation['rule']}".strip() for violation in row["why"]]
        for row in rows
        if row["why"]
    }


class TestTheFirstLook:
    def test_a_place_to_paste_it(self, signed_in, book):
        page = signed_in.get(address())
        assert page.status_code == 200
        assert "You check every line before anything is saved." in text_of(page)

    def test_every_line_and_nothing_stored(self, signed_in, book):
        page = look(signed_in)
        assert page.status_code == 200
        assert rows_of(page) == [
            ("Imperial Officer, Ruthless Efficiency", True, [("Strict Orders", True)]),
            ("Stormtroopers", True, [("DLT-19 Stormtrooper", True)]),
            ("Stormtroopers", True, []),
        ]
        lines = page.context["lines"]
        assert (lines["spent"], lines["capacity"], lines["undecided"], lines["faction"]) == (164, 600, 0, "empire")
        assert [line["read"] for line in lines["aside"]] == [
            "Ashen Patrol",
            "139/600 (3 activations)",
            "139/600 (3 activations)",
            "empire",
        ]
        assert "The cards cost 164 points now, but 139 in the list." in text_of(page)
        assert form_of(page)["register_name"] == "Ashen Patrol"
        assert not Register.objects.exists()

    def test_lines_that_were_not_understood(self, signed_in, book):
        page = look(signed_in, LIST + "Grim Hounds (40)\nnonsense\n")
        assert [line["read"] for line in page.context["lines"]["strange"]] == ["Grim Hounds (40)"]
        assert why(page) == {"Grim Hounds (40)": ["No unit has this name."]}
        assert "nonsense" in [line["read"] for line in page.context["lines"]["aside"]]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_a_file(self, signed_in, book, encoding):
        page = look(signed_in, "", file=SimpleUploadedFile("list.txt", LIST.encode(encoding)))
        assert [name for name, _, _ in rows_of(page)][1:] == ["Stormtroopers", "Stormtroopers"]
        assert form_of(page)["text"] == LIST


class TestFounding:
    def test_the_whole_way(self, signed_in, player, book):
        page = look(signed_in)
        pk = form_of(page)["register"]
        name = next(field for field in form_of(page) if field.startswith("name-"))
        for _ in range(2):  # law 6: the form comes twice
            answer = send(signed_in, page, **{name: "Captain Sorne"})
            assert (answer.status_code, answer["Location"]) == (302, reverse("registers:building", args=[pk]))
        register = Register.objects.get()
        state = state_of(register)
        assert (register.pk, register.owner, state.name, state.faction, state.paragon, state.commissioned) == (
            UUID(pk), player, "Ashen Patrol", "empire", "1", False,
        )  # fmt: skip
        assert [(d.card, d.name, d.upgrades) for d in state.dossiers.values()] == [
            (OFFICER, "Captain Sorne", ("strict-orders",)),
            ("stormtroopers", "", ("dlt-19-stormtrooper",)),
            ("stormtroopers", "", ()),
        ]
        acts = list(LedgerEntry.objects.order_by("position").values_list("act", flat=True))
        assert acts == [EntryType.OPEN, EntryType.UNIT, EntryType.UNIT, EntryType.UNIT, EntryType.NAME]
        assert "3 units imported." in text_of(signed_in.get(answer["Location"]))

    def test_a_name_is_missing_and_nothing_is_lost(self, signed_in, book):  # R7
        page = look(signed_in)
        ticks = form_of(page)["keep"]
        answer = send(signed_in, page, keep=ticks[:-1], register_name="Dust")
        assert answer.status_code == 422
        assert "Imperial Officer needs a name. Enter one. R7" in text_of(answer)
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
        assert "This Register belongs to another player. Start again with New Register." in text_of(answer)

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
        assert "No unit is selected. Tick at least one." in text_of(answer)

    def test_signed_out(self, client, book):
        assert client.get(address()).status_code == 302


class TestDecisions:
    def test_one_of_several_cards(self, signed_in, book):
        text = LIST.replace("Stormtroopers (42)", "Troopers (44)")
        page = look(signed_in, text)
        [choice] = [name for name in form_of(page) if name.startswith("line-")]
        assert rows_of(page)[2] == ("", False, [])
        assert page.context["lines"]["undecided"] == 1
        refused = send(signed_in, page)
        assert (refused.status_code, "Choose a card for 1 line." in text_of(refused)) == (422, True)
        chosen = again(signed_in, page, **{choice: "scout-troopers"})
        assert rows_of(chosen)[2] == ("Scout Troopers", True, [])
        assert (chosen.context["lines"]["undecided"], form_of(chosen)[choice]) == (0, "scout-troopers")
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
        reasons = why(page)
        assert reasons["Darth Vader Dark Lord of the Sith"] == [
            "Darth Vader, Dark Lord of the Sith is unique. Unique units cannot join a Register. R5"
        ]
        assert "Rebel Troopers cannot join this Register. Its Faction is Empire. R3" in reasons["Rebel Troopers"]
        assert (
            "Agent Kallus is a unique heavy weapon upgrade. A Register cannot have those. R5" in reasons["Agent Kallus"]
        )
        assert send(signed_in, page).status_code == 302
        assert [(d.card, d.upgrades) for d in state_of(Register.objects.get()).dossiers.values()] == [
            ("stormtroopers", ("dlt-19-stormtrooper",))
        ]

    def test_a_commander_joins_with_two_upgrades_of_choice(self, signed_in, book):  # R7
        page = look(signed_in, tts({"Imperial Officer": ["Vigilance", "Endurance", "Recon Intel"]}))
        parts = page.context["lines"]["units"][0]["parts"]
        assert rows_of(page)[0][2] == [("Vigilance", True), ("Endurance", True), ("Recon Intel", False)]
        limit = "Imperial Officer can join with up to 2 upgrades, plus required ones. Remove some. R7"
        assert why(page) == {"Recon Intel": [limit]}
        unit, *ticks = (str(row["place"]) for row in (page.context["lines"]["units"][0], *parts))
        all_three = send(signed_in, page, keep=[unit, *ticks], **{f"name-{unit}": "Sorne"})
        assert (all_three.status_code, Register.objects.count()) == (422, 0)
        assert rows_of(all_three)[0][2] == [("Vigilance", True), ("Endurance", True), ("Recon Intel", True)]
        assert send(signed_in, page, keep=[unit, *ticks[1:]], **{f"name-{unit}": "Sorne"}).status_code == 302
        assert state_of(Register.objects.get()).dossiers["1"].upgrades == ("endurance", "recon-intel")

    def test_which_commander_leads(self, signed_in, book):  # R6
        text = LIST + "Imperial Officer (55)\n"
        page = look(signed_in, text)
        places = [unit["place"] for unit in page.context["lines"]["units"]]
        assert form_of(page)["paragon"] == str(places[0])
        names = {f"name-{places[0]}": "Captain Sorne", f"name-{places[3]}": "Major Vane"}
        answer = send(signed_in, page, paragon=str(places[3]), **names)
        assert answer.status_code == 302
        state = state_of(Register.objects.get())
        assert state.dossiers[state.paragon].name == "Major Vane"

    def test_more_than_the_combat_potential(self, signed_in, book):  # R2
        text = LIST + "Stormtroopers (42)\n" * 11
        page = look(signed_in, text)
        lines = page.context["lines"]
        assert lines["spent"] == 164 + 11 * 42
        assert sum(bool(unit["why"]) for unit in lines["units"]) == 1
        fields = {name: "Sorne" for name in form_of(page) if name.startswith("name-")}
        refused = send(signed_in, page, **fields)
        assert refused.status_code == 422
        assert "The units cost 626 points, and the Register has 600. Remove 26 points. R2" in text_of(refused)
        fields["keep"] = form_of(page)["keep"][:-1]
        assert send(signed_in, page, **fields).status_code == 302
        assert len(state_of(Register.objects.get()).dossiers) == 13

    def test_mercenaries_are_hired_by_a_faction_of_choice(self, signed_in, book):  # R3
        page = look(signed_in, tts({"Pyke Syndicate Foot Soldiers": []}, faction=""))
        assert "Faction (not in the list)" in text_of(page)
        refused = send(signed_in, page)
        assert (refused.status_code, "Choose a Faction. R3" in text_of(refused)) == (422, True)
        assert send(signed_in, page, faction="empire").status_code == 302
        assert Register.objects.get().faction == "empire"
