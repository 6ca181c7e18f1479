"""A Register that comes from elsewhere, with all that it went through."""

import json

from django.urls import reverse

from registers.ledger.verification import differences
from registers.models import Register
from registers.projection import state_of
from registers.services import building
from rules.register.state import Dossier
from tests.html import html_of
from tests.registers.views.importing import KEPT_ELSEWHERE, OFFICER, form_of, look, send
from tests.registers.views.reading import text_of


class TestAFileOfRegisters:
    """A Register kept elsewhere is taken over with all that has become of it (R2, R12 to R16, R25, R36, R43)."""

    def place(self, page, name: str) -> int:
        rows = [*page.context["lines"]["values"]]
        for unit in page.context["lines"]["units"]:
            rows += unit["parts"]
        return next(row["place"] for row in rows if row["name"] == name)

    def test_all_of_it(self, signed_in, book):
        page = look(signed_in, KEPT_ELSEWHERE)
        assert sorted(row["name"] for row in page.context["lines"]["values"]) == [
            "700 points of Combat Potential", "9 SP", "Bring Peace to the Galaxy", "Keep Them in Line: 2", "Medevac",
            "Reputation 2",
        ]  # fmt: skip
        assert "1 XP above the unit's maximum are lost. R13" in text_of(page)
        assert page.context["lines"]["capacity"] == 700
        assert send(signed_in, page).status_code == 302
        register = Register.objects.get()
        state = state_of(register)
        assert state.dossiers == {
            "1": Dossier(
                "1", OFFICER, "Captain Sorne", experience=14, veteran_rank=2, owed=1, commendations=("resilient",)
            ),
            "2": Dossier(
                "2", "snowtroopers", "Grim Hounds", experience=25, veteran_rank=3, owed=3,
                setbacks=("battle-shaken",),
            ),
        }  # fmt: skip
        assert (state.combat_potential, state.supply_points, state.reputation, state.command_cards_owed) == (
            700, 9, 2, 2,
        )  # fmt: skip
        assert (state.story_arc, dict(state.agendas), state.assets) == (
            "bring-peace-to-the-galaxy", {"keep-them-in-line": 2}, ("medevac",),
        )  # fmt: skip
        assert [entry.act for entry in register.entries.all()] == ["open", *["take_over"] * 3, "name"]
        assert list(differences(register)) == []
        assert "imported" in text_of(signed_in.get(reverse("registers:ledger", args=[register.pk])))

    def test_each_value_is_decided(self, signed_in, book):
        page = look(signed_in, KEPT_ELSEWHERE)
        out = [self.place(page, name) for name in ("9 SP", "Resilient", "14 XP", "Medevac")]
        keep = [place for place in form_of(page)["keep"] if int(place) not in out]
        assert send(signed_in, page, keep=keep).status_code == 302
        state = state_of(Register.objects.get())
        assert (state.supply_points, state.assets) == (5, ())
        assert state.dossiers["1"] == Dossier("1", OFFICER, "Captain Sorne")

    def test_what_is_not_legal_is_told_beside_it_and_left_out(self, signed_in, book):
        wrong = json.loads(KEPT_ELSEWHERE)
        register = wrong["registers"][0]
        register |= {"supplyPoints": 99999, "agendas": [{"name": "Keep Them in Line", "progression": 99}]}
        register["dossiers"][1] |= {"commendations": "Born to Lead", "setbacks": "Battle-Shaken, Battle-Shaken"}
        page = look(signed_in, json.dumps(wrong))
        text = text_of(page)
        for sentence in (
            "A Register can have 0 to 9999 SP, not 99999. R1",
            "Keep Them in Line can progress",
            "Snowtroopers cannot have Born to Lead",
            "A unit cannot have Battle-Shaken twice. R36",
        ):
            assert sentence in text
        assert send(signed_in, page).status_code == 302
        state = state_of(Register.objects.get())
        assert (state.supply_points, dict(state.agendas)) == (5, {})
        assert (state.dossiers["2"].commendations, state.dossiers["2"].setbacks) == ((), ("battle-shaken",))

    def test_a_veteran_has_a_name(self, signed_in, book):  # R9
        page = look(signed_in, KEPT_ELSEWHERE)
        hounds = page.context["lines"]["units"][1]["place"]
        refused = send(signed_in, page, **{f"name-{hounds}": ""})
        assert (refused.status_code, "A unit with a Veteran Rank needs a name. Enter one. R9" in text_of(refused)) == (
            422,
            True,
        )
        assert not Register.objects.exists()
        assert send(signed_in, refused, **{f"name-{hounds}": "Cold Feet"}).status_code == 302
        assert state_of(Register.objects.get()).dossiers["2"].name == "Cold Feet"

    def test_it_can_be_undone_while_building(self, signed_in, player, book):
        send(signed_in, look(signed_in, KEPT_ELSEWHERE))
        register = Register.objects.get()
        page = signed_in.get(reverse("registers:building", args=[register.pk]))
        assert 'name="entry" value="2"' in html_of(page)  # the values of the Register; its units are in the roster
        assert "Remove Grim Hounds" in html_of(page)
        building.undo_edit(actor=player, register_id=register.pk, position=None, entry=4)
        assert list(state_of(Register.objects.get()).dossiers) == ["1"]
        assert list(differences(Register.objects.get())) == []

    def test_a_veteran_rank_that_follows_is_no_line_to_decide(self, signed_in, book):
        sentences = [
            (line["read"], str(line["reason"])) for line in look(signed_in, KEPT_ELSEWHERE).context["lines"]["aside"]
        ]
        assert ("2", "follows from the Experience") in sentences

    def test_nothing_is_lost_of_a_unit_that_nobody_knows(self, signed_in, book):
        wrong = json.loads(KEPT_ELSEWHERE)
        wrong["registers"][0]["dossiers"][1]["unitName"] = "Xyzzy"
        aside = look(signed_in, json.dumps(wrong)).context["lines"]["aside"]
        sentences = [(line["read"], str(line["reason"])) for line in aside]
        assert ("26", "its unit was not recognized") in sentences
        assert ("Battle-Shaken", "its unit was not recognized") in sentences

    def test_one_at_a_time(self, signed_in, book):
        two = json.loads(KEPT_ELSEWHERE)
        two["registers"] *= 2
        refused = send(signed_in, look(signed_in, json.dumps(two)))
        assert (refused.status_code, Register.objects.count()) == (422, 0)
        assert "This file has 2 Registers. Keep one of them in the text below" in text_of(refused)
