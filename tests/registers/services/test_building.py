"""Building a Register (R10)."""

from uuid import uuid4

import pytest

from catalogue.models import Unit
from catalogue.snapshot import as_written
from registers.ledger.session import effects_of_entry, replay_entries
from registers.ledger.verification import differences
from registers.models import LedgerEntry, Register
from registers.projection import state_of
from registers.services import building, editing
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import FactionChosen, RegisterOpened, SetbackGained
from rules.register.state import Dossier, RegisterState
from tests.registers.factories import make_player, make_register
from tests.registers.ledgers import append


def act(register, player, **more):
    return {"actor": player, "register_id": register.pk, "position": None, **more}


def refused(violation: Violation, service, **arguments) -> None:
    with pytest.raises(RuleViolation) as caught:
        service(**arguments)
    assert caught.value.violations == (violation,)


def test_opened_with_600_points_and_5_sp(book, player):  # R1
    register = building.open_register(actor=player, owner=player, faction="empire")
    assert state_of(register) == RegisterState(faction="empire", combat_potential=600, supply_points=5)
    entry = register.entries.get()
    assert (entry.position, entry.act, entry.actor) == (1, "open", player)
    assert entry.effects == [
        {"kind": "RegisterOpened", "rule": "R1", "combat_potential": 600, "supply_points": 5, "reputation": 0},
        {"kind": "FactionChosen", "rule": "R3", "faction": "empire"},
    ]


def test_opened_without_a_faction(book, player):
    register = building.open_register(actor=player, owner=player, campaign_rules=CampaignRules(unreleased=True))
    assert (register.faction, register.campaign_rules) == ("", CampaignRules(unreleased=True))
    register = building.add_unit(**act(register, player), card="stormtroopers")
    assert register.faction == "empire"  # R3: the first unit settles it


def test_opened_once_however_often_the_form_comes(book, player):
    pk = uuid4()
    for _ in range(2):
        building.open_register(actor=player, owner=player, faction="empire", register_id=pk)
    assert [register.pk for register in Register.objects.all()] == [pk]
    assert LedgerEntry.objects.count() == 1


def test_opening_in_the_place_of_another_is_refused(book, player, other, empty):
    with pytest.raises(RuleViolation):
        building.open_register(actor=other, owner=other, register_id=empty.pk)


def test_unknown_faction_is_refused(book, player, empty):
    text = "Choose a Faction: rebel, empire, republic, separatist, mandalorian."
    violation = Violation("R3", text, "faction")
    refused(violation, building.open_register, actor=player, owner=player, faction="mercenary")


def test_the_whole_way(player, founded):
    assert state_of(founded) == RegisterState(
        name="Ashen Patrol",
        faction="empire",
        commissioned=True,
        combat_potential=600,
        supply_points=5,
        story_arc="bring-peace-to-the-galaxy",
        dossiers={
            "1": Dossier("1", "imperial-officer-ruthless-efficiency", "Captain Sorne"),
            "2": Dossier("2", "stormtroopers"),
            "3": Dossier("3", "stormtroopers"),
        },
        paragon="1",
        next_key=4,
    )
    assert [entry.act for entry in founded.entries.all()] == [
        "open", "unit", "unit", "unit", "arc", "name", "commission",
    ]  # fmt: skip
    assert replay_entries(founded.entries.all()) == state_of(founded)


def test_everything_that_is_missing_at_once(player, empty):  # R4, R10
    with pytest.raises(RuleViolation) as caught:
        building.commission(**act(empty, player))
    assert [violation.rule for violation in caught.value.violations] == ["R4", "R4", "R10", "R10"]
    assert state_of(empty) == state_of(Register.objects.get(pk=empty.pk))


class TestCommissionByName:
    def test_one_act(self, player, book):
        register = make_register(player, commissioned=False)
        named = building.commission(**act(register, player), name=" Iron Patrol ")
        assert (named.name, named.commissioned) == ("Iron Patrol", True)
        assert [effect["kind"] for effect in named.entries.last().effects] == ["RegisterNamed", "RegisterCommissioned"]

    def test_its_own_name_is_not_given_again(self, player, book):
        register = make_register(player, commissioned=False)
        named = building.commission(**act(register, player), name="Ashen Patrol")
        assert [effect["kind"] for effect in named.entries.last().effects] == ["RegisterCommissioned"]

    @pytest.mark.parametrize(
        ("name", "rules"), [("Iron Patrol", ["R4", "R4", "R10"]), (" ", ["R4", "R4", "R10", "R10"])]
    )
    def test_a_refused_one_renames_nothing(self, player, empty, name, rules):
        building.name_register(**act(empty, player), name="Ashen Patrol")
        with pytest.raises(RuleViolation) as caught:
            building.commission(**act(empty, player), name=name)
        assert [violation.rule for violation in caught.value.violations] == rules
        assert Register.objects.get().name == "Ashen Patrol"

    def test_an_overlong_one(self, player, book):
        register = make_register(player, commissioned=False)
        with pytest.raises(RuleViolation) as caught:
            building.commission(**act(register, player), name="x" * 81)
        assert caught.value.violations == (Violation("R10", "Shorten the name to 80 characters or fewer.", "name"),)
        assert not Register.objects.get().commissioned


class TestDiscard:
    PROBLEM = Violation("R10", "This draft was deleted and cannot be changed.")

    def test_the_ledger_stays(self, player, empty):  # R10
        building.add_unit(**act(empty, player), card="stormtroopers")
        seen = Register.objects.get().position
        for _ in range(2):
            gone = building.discard(actor=player, register_id=empty.pk, position=seen)
        assert gone.discarded
        assert [entry.act for entry in gone.entries.all()] == ["open", "unit", "discard"]
        assert list(differences(gone)) == []

    def test_nothing_happens_any_more(self, player, empty):
        building.add_unit(**act(empty, player), card="stormtroopers")
        make = act(building.discard(**act(empty, player)), player)
        refused(self.PROBLEM, building.add_unit, **make, card="stormtroopers")
        refused(self.PROBLEM, building.commission, **make)
        refused(self.PROBLEM, building.undo_edit, **make, entry=2)

    def test_a_commissioned_one_stays(self, player, founded):
        refused(Violation("R10", "A finished Register cannot be deleted."), building.discard, **act(founded, player))

    def test_an_old_position_discards_nothing(self, player, empty):
        assert not building.discard(actor=player, register_id=empty.pk, position=0).discarded


def test_an_old_position_changes_nothing(player, empty):  # law 6
    seen = empty.position
    first = building.add_unit(actor=player, register_id=empty.pk, position=seen, card="stormtroopers")
    again = building.add_unit(actor=player, register_id=empty.pk, position=seen, card="stormtroopers")
    assert (first.position, again.position) == (2, 2)
    assert list(state_of(again).dossiers) == ["1"]


def test_units_may_be_added_after_the_name(player, empty):
    building.name_register(**act(empty, player), name="Ashen Patrol")
    assert list(state_of(building.add_unit(**act(empty, player), card="stormtroopers")).dossiers) == ["1"]


def test_an_aid_request_is_paid_and_counted(player, empty):  # R10, R41
    wish = {"request": "request-strategic-asset", "asset": "medevac"}
    register = building.request_aid(**act(empty, player), answers=[wish])
    state = state_of(register)
    assert (state.assets, state.supply_points) == (("medevac",), 4)
    assert state.requests == {"request-strategic-asset": 1, "medevac": 1}
    assert register.entries.last().answers == [wish]


def test_requests_are_counted_anew_after_the_founding(player, empty):  # R41
    make = {**act(empty, player)}
    building.request_aid(**make, answers=[{"request": "request-strategic-asset", "asset": "medevac"}])
    building.add_unit(**make, card="imperial-officer-ruthless-efficiency", name="Captain Sorne")
    building.add_unit(**make, card="stormtroopers")
    building.add_unit(**make, card="stormtroopers")
    building.choose_story_arc(**make, story_arc="bring-peace-to-the-galaxy")
    building.name_register(**make, name="Ashen Patrol")
    assert state_of(building.commission(**make)).requests == {}


@pytest.mark.parametrize("answers", [[], [None], [{}]])
def test_no_wish_is_refused(player, empty, answers):
    with pytest.raises(RuleViolation) as caught:
        building.request_aid(**act(empty, player), answers=answers)
    assert caught.value.rules == {"R41"}


def test_a_commissioned_register_is_built(player, founded):
    violation = Violation("R10", "The Register is complete. Use Edit Register to change it.")
    make = act(founded, player)
    refused(violation, building.request_aid, **make, answers=[{"request": "active-recruiting"}])
    refused(violation, building.choose_story_arc, **make, story_arc="bring-peace-to-the-galaxy")
    refused(violation, building.commission, **make)
    refused(
        Violation("R10", "The Register is complete. Use Edit Register to change it."),
        building.undo_edit,
        **make,
        entry=2,
    )


class TestUndo:
    def test_a_unit(self, player, empty):
        before = state_of(empty)
        building.add_unit(**act(empty, player), card="stormtroopers")
        register = building.undo_edit(**act(empty, player), entry=2)
        assert state_of(register) == before
        assert [entry.act for entry in register.entries.all()] == ["open", "unit", "undo"]

    def test_for_its_owner(self, player, empty):
        olga = make_player("olga", is_staff=True, is_superuser=True)
        building.add_unit(actor=olga, register_id=empty.pk, position=None, card="stormtroopers")
        taken = empty.entries.last()
        building.undo_edit(actor=olga, register_id=empty.pk, position=None, entry=taken.position)
        assert [(entry.act, entry.actor, entry.on_behalf_of) for entry in empty.entries.order_by("position")][-2:] == [
            ("unit", olga, player),
            ("undo", olga, player),
        ]

    def test_twice_is_once(self, player, empty):
        building.add_unit(**act(empty, player), card="stormtroopers")
        building.undo_edit(**act(empty, player), entry=2)
        assert building.undo_edit(**act(empty, player), entry=2).position == 3

    def test_an_old_position_changes_nothing(self, player, empty):
        building.add_unit(**act(empty, player), card="stormtroopers")
        late = {"actor": player, "register_id": empty.pk, "position": 1}
        assert state_of(building.undo_edit(**late, entry=2)).dossiers.keys() == {"1"}


OFFICER = "imperial-officer-ruthless-efficiency"
REINFORCED = {"request": "request-reinforcements", "unit": "2", "upgrade": "dlt-19-stormtrooper"}


class TestChangeUnit:
    """The name and the upgrades of a unit, until the Register is commissioned (R7, R10)."""

    def test_the_unit_keeps_its_key_and_what_it_was_given_since(self, player, empty):
        make = act(empty, player)
        building.add_unit(**make, card=OFFICER, name="Captain Sorne")
        building.add_unit(**make, card="stormtroopers", upgrades=["stormtrooper"])
        building.request_aid(**make, answers=[REINFORCED])
        building.change_unit(**make, unit="1", upgrades=["defend-in-depth"], name="Major Varn")
        register = building.change_unit(**make, unit="2", upgrades=[], name="Grim Hounds")
        state = state_of(register)
        assert (state.paragon, state.supply_points) == ("1", 4)
        assert state.dossiers == {
            "1": Dossier("1", OFFICER, "Major Varn", upgrades=("defend-in-depth",)),
            "2": Dossier("2", "stormtroopers", "Grim Hounds", upgrades=("dlt-19-stormtrooper",)),
        }
        assert replay_entries(register.entries.all()) == state
        assert list(differences(register)) == []

    def test_the_unit_that_decided_the_faction(self, player, book):
        register = building.open_register(actor=player, owner=player)
        building.add_unit(**act(register, player), card="stormtroopers")
        changed = building.change_unit(**act(register, player), unit="1", upgrades=[], name="Grim Hounds")
        assert (changed.faction, state_of(changed).dossiers["1"].name) == ("empire", "Grim Hounds")

    def test_a_later_name_does_not_hide_the_new_one(self, player, empty):
        building.add_unit(**act(empty, player), card="stormtroopers")
        editing.edit(**act(empty, player), change={"name": {"unit": "1", "name": "Old"}})
        changed = building.change_unit(**act(empty, player), unit="1", upgrades=[], name="New")
        assert state_of(changed).dossiers["1"].name == "New"

    def test_above_its_combat_potential_a_unit_is_renamed_and_made_cheaper(self, player, empty):
        """R2: only what raises the points is refused."""
        make = act(empty, player)
        building.add_unit(**make, card=OFFICER, name="Captain Sorne", upgrades=["defend-in-depth"])
        building.add_unit(**make, card="stormtroopers", upgrades=["stormtrooper"])
        Unit.objects.filter(slug="stormtroopers").update(points=900)
        with as_written():
            building.change_unit(**make, unit="1", upgrades=["defend-in-depth"], name="Major Varn")
            register = building.change_unit(**make, unit="2", upgrades=[], name="Grim Hounds")
            with pytest.raises(RuleViolation) as refusal:
                building.change_unit(**make, unit="2", upgrades=["stormtrooper"], name="Grim Hounds")
        assert [(unit.name, unit.upgrades) for unit in state_of(register).dossiers.values()] == [
            ("Major Varn", ("defend-in-depth",)), ("Grim Hounds", ()),
        ]  # fmt: skip
        assert refusal.value.rules == {"R2"}

    def test_refusals(self, player, empty):
        make = act(empty, player)
        building.add_unit(**make, card=OFFICER, name="Captain Sorne")
        building.add_unit(**make, card="stormtroopers")
        building.request_aid(**make, answers=[REINFORCED])
        refused(
            Violation("R7", "Imperial Officer needs a name. Enter one.", "name"),
            building.change_unit, **make, unit="1", upgrades=[], name=" ",
        )  # fmt: skip
        text = "Stormtroopers has no free slot for this (heavy weapon)."
        refused(
            Violation("R8", text, "stormtroopers"),
            building.change_unit, **make, unit="2", upgrades=["t-21-stormtrooper"], name="",
        )  # fmt: skip
        assert state_of(Register.objects.get()).dossiers["2"].upgrades == ("dlt-19-stormtrooper",)


class TestRemoveUnit:
    def test_with_its_names_and_aid_requests(self, player, empty):
        make = act(empty, player)
        building.add_unit(**make, card=OFFICER, name="Captain Sorne")
        before = state_of(building.add_unit(**make, card="snowtroopers"))
        building.add_unit(**make, card="stormtroopers")
        building.request_aid(**make, answers=[REINFORCED | {"unit": "3"}])
        editing.edit(**make, change={"name": {"unit": "3", "name": "Grim Hounds"}})
        assert state_of(building.remove_unit(**make, unit="3")) == before

    def test_the_paragon_only_as_the_last_commander(self, player, empty):  # R6
        make = act(empty, player)
        for name in ("Captain Sorne", "Major Varn"):
            building.add_unit(**make, card=OFFICER, name=name)
        text = "The Paragon cannot be undone: another commander has joined since. Undo that first."
        refused(Violation("R6", text), building.remove_unit, **make, unit="1")
        building.remove_unit(**make, unit="2")
        assert state_of(building.remove_unit(**make, unit="1")).paragon == ""

    def test_a_commissioned_register_keeps_its_units(self, player, founded):
        text = "The Register is complete. Use Edit Register to change it."
        refused(Violation("R10", text), building.remove_unit, **act(founded, player), unit="2")


def test_a_starter_is_undone_unit_by_unit(player, empty):
    register = building.add_starter(**act(empty, player))
    units = len(state_of(register).dossiers)
    assert [entry.act for entry in register.entries.all()] == ["open", *["unit"] * units]
    refused(
        Violation("R10", "There is no starter for this Register. Add your own units."),
        building.add_starter, **act(empty, player),
    )  # fmt: skip
    assert len(state_of(building.remove_unit(**act(empty, player), unit="2")).dossiers) == units - 1


def test_effects_read_back(empty):
    assert effects_of_entry(empty.entries.get()) == [
        RegisterOpened(rule="R1", combat_potential=600, supply_points=5, reputation=0),
        FactionChosen(rule="R3", faction="empire"),
    ]


def test_a_request_that_still_has_a_question_is_refused(player, empty):  # R42
    building.add_unit(**act(empty, player), card="stormtroopers")
    empty.refresh_from_db()
    wounds = [SetbackGained(unit="1", setback=slug, rule="R36") for slug in ("battle-shaken", "downtrodden")]
    append(actor=player, register=empty, act="correct", effects=wounds, reason="an old wound")
    wish = {"request": "request-medical-supplies", "unit": "1", "setback": "battle-shaken"}
    refused(
        Violation("R42", "Medical supplies: roll 1", "1"), building.request_aid, **act(empty, player), answers=[wish]
    )
    register = building.request_aid(**act(empty, player), answers=[wish, {"aid": ["blank"]}])
    assert state_of(register).dossiers["1"].setbacks == ("downtrodden",)
