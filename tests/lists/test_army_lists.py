"""Army lists without a Register: read, checked, saved, deleted (E8, E13)."""

import json
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation
from hypothesis import HealthCheck, given, settings

from accounts.queries import data_of
from accounts.services.closing import delete_account, merge_accounts
from catalogue.snapshot import card_index
from lists.formats import legion_hq_link, list_text, tts_json
from lists.formats.plain_army import army_points
from lists.models import ArmyList
from lists.services.army_lists import (
    CheckedArmy,
    ReadList,
    Source,
    check_army_list,
    delete_army_list,
    import_army_list,
    read_army_list,
    save_army_list,
)
from rules.battle.battle_deck import BATTLE_DECK
from rules.battle.plain_army import COMMAND_HAND, POINTS, RANKS, UPGRADES, PlainArmy, PlainUnit
from rules.core.violations import RuleViolation, Violation
from tests.lists.armies import ARMY, COMMANDS, HAND, MINIMAL, OFFICER, SNOW
from tests.lists.formats.exports import slotted, tts_deck
from tests.lists.formats.strategies import INDEX, armies
from tests.rules.battle.decks import RECON as DECK
from tests.thoroughness import examples

pytestmark = pytest.mark.django_db

ID = UUID("11111111-2222-4333-8444-555555555555")
#: 55 + 10 for the officer, 42 for each Snowtroopers.
COST = 149
STANDARD = f"""Ashen Patrol
149/600 (3 activations)
Commanders:
 - Imperial Officer (55): Academy Trained (10) = 65
Corps:
 - 2× Snowtroopers (42) = 84
Commands: {COMMANDS}"""
ADMIRAL = f"""149/600
3 Activations
Imperial Officer 55 + 10 = 65 --Academy Trained (10)
2x Snowtroopers 42 x 2 = 84
{COMMANDS}"""

quickly = settings(
    max_examples=examples(10, 100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def _cards(book):
    """Every test reads cards from the database."""


def admiral_json() -> str:
    return json.dumps(json.loads(tts_json.write(ARMY, card_index())) | {"author": "Tabletop Admiral"})


def refused(act) -> list[Violation]:
    with pytest.raises(RuleViolation) as caught:
        act()
    assert not ArmyList.objects.exists()
    return list(caught.value.violations)


# --- Reading -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "army"),
    [
        ("Legion HQ link", lambda: legion_hq_link.write(ARMY, INDEX), replace(ARMY, title="")),
        ("Legion HQ tournament text", lambda: list_text.write_tournament(ARMY, INDEX), ARMY),
        ("Legion HQ standard text", lambda: STANDARD, replace(ARMY, battle_cards=())),
        ("Legion HQ minimal text", lambda: MINIMAL, replace(ARMY, battle_cards=())),
        ("Tabletop Simulator JSON", lambda: tts_json.write(ARMY, INDEX), tts_deck(replace(ARMY, size=0))),
        ("Tabletop Admiral JSON", admiral_json, tts_deck(replace(ARMY, size=0))),
        ("Tabletop Admiral text", lambda: ADMIRAL, replace(ARMY, title="", battle_cards=())),
    ],
)
def test_a_list_in_each_format(name, text, army):
    text = text()
    read = read_army_list(text)
    assert read == ReadList(Source(name, text), read.parsed, CheckedArmy(army, COST))
    assert read.open == {}


def test_an_open_line_is_left_out_until_it_is_chosen():
    text = "200/600 (1 activation)\nDarth Vader\n - Frobnicator"
    read = read_army_list(text)
    assert read.checked.army.units == ()
    assert {place: line.candidates[:1] for place, line in read.open.items()} == {
        3: ("darth-vader-dark-lord-of-the-sith",),
        4: (),
    }
    chosen = read_army_list(text, {3: "darth-vader-dark-lord-of-the-sith", 4: ""})
    assert chosen.checked.army.units == (PlainUnit("darth-vader-dark-lord-of-the-sith"),)
    assert chosen.open == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste a list or its link."),
        (
            "Dear friends, I cannot come.",
            (
                "This list format is unknown. Paste a link or text from Legion HQ, JSON for Tabletop Simulator, JSON "
                "or text from Tabletop Admiral or LegionApp, or a Register file."
            ),
        ),
        (
            "https://tabletopadmiral.com/legion/list/1",
            "Links of Tabletop Admiral cannot be read. Export the list there as JSON and paste that.",
        ),
        (
            '{"format": "legion-tod-register", "version": 1, "registers": []}',
            "This file contains Registers. Import it as a Register instead.",
        ),
        ("https://legionhq2.com/list/empire/600:", "This list has no units. Copy the whole list and paste it again."),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_saved(player, text, sentence):
    violations = [Violation("", sentence, "text")]
    assert refused(lambda: read_army_list(text)) == violations
    assert refused(lambda: import_army_list(actor=player, list_id=ID, text=text)) == violations


def test_choices_for_another_list_are_refused():
    choices = {99: "snowtroopers"}
    assert refused(lambda: read_army_list(STANDARD, choices)) == [
        Violation("", "These choices belong to another list. Choose “Read again”.", "text")
    ]


# --- Checking ------------------------------------------------------------------------------------------------


def test_a_legal_army():
    assert check_army_list(ARMY) == CheckedArmy(ARMY, COST)


def test_everything_wrong_at_once():
    """E8: points, ranks, upgrades, Command Hand, and Battle Deck, each with its rule."""
    army = replace(
        ARMY,
        size=100,
        units=(OFFICER, OFFICER, replace(SNOW, upgrades=("hq-uplink",))),
        command_cards=HAND[1:],
        battle_cards=tuple(DECK[1:]),
    )
    assert check_army_list(army) == CheckedArmy(
        army,
        182,
        (
            Violation(POINTS, "The cards cost 182 points, but only 100 are allowed."),
            Violation(RANKS, "Recon: at most 1 commander (the army has 2)."),
            Violation(RANKS, "Recon: at least 2 corps (the army has 1)."),
            Violation(UPGRADES, "Snowtroopers has no free slot for this (comms).", "2"),
            Violation(UPGRADES, "An army can have Academy Trained at most once, but this one has it twice."),
            Violation(COMMAND_HAND, "A Command Hand has 2 cards of 1 pip. This one has 1.", "pips-1"),
            Violation(BATTLE_DECK, "A Battle Deck has 3 objectives. This one has 2.", "objective"),
        ),
    )


def test_a_loadout_is_kept_apart_from_the_total(player):
    """E8."""
    army = replace(ARMY, units=(OFFICER, SNOW, replace(SNOW, loadout=("hq-uplink",))))
    saved = save_army_list(actor=player, list_id=ID, army=army)
    assert (saved.army, saved.points, saved.units[2]["loadout"]) == (army, COST, ["hq-uplink"])
    assert [Violation(**each) for each in saved.violations] == [
        Violation(UPGRADES, "Snowtroopers does not have the keyword Loadout.", "2")
    ]


# --- Saving --------------------------------------------------------------------------------------------------


def test_a_saved_list(player):
    text = list_text.write_tournament(replace(ARMY, units=(OFFICER, SNOW)), card_index())
    saved = import_army_list(actor=player, list_id=ID, text=text)
    row = ArmyList.objects.get()
    assert (saved, str(row), row.army) == (row, "Ashen Patrol", replace(ARMY, units=(OFFICER, SNOW)))
    assert data_of(player)["army lists"] == [
        {
            "name": "Ashen Patrol",
            "faction": "empire",
            "battle_force": "",
            "size": 600,
            "points": 107,
            "units": [
                {
                    "card": "imperial-officer-ruthless-efficiency",
                    "upgrades": ["academy-trained"],
                    "loadout": [],
                    "counterpart": "",
                    "counterpart_upgrades": [],
                },
                {"card": "snowtroopers", "upgrades": [], "loadout": [], "counterpart": "", "counterpart_upgrades": []},
            ],
            "command_hand": list(HAND),
            "battle_deck": list(DECK),
            "violations": [{"rule": RANKS, "text": "Recon: at least 2 corps (the army has 1).", "about": ""}],
            "source_format": "Legion HQ tournament text",
            "source_text": text,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
        }
    ]


def test_saving_twice_changes_nothing(player, django_assert_num_queries):
    first = save_army_list(actor=player, list_id=ID, army=ARMY)
    with django_assert_num_queries(3):  # savepoint, row, release
        again = save_army_list(actor=player, list_id=ID, army=ARMY)
    assert (again, again.updated_at) == (first, first.updated_at)
    assert ArmyList.objects.count() == 1


def test_saving_a_change_checks_again(player):
    first = save_army_list(actor=player, list_id=ID, army=ARMY)
    changed = save_army_list(actor=player, list_id=ID, army=replace(ARMY, units=(OFFICER, SNOW)))
    changed.refresh_from_db()
    assert (changed.points, changed.created_at) == (107, first.created_at)
    assert [violation["rule"] for violation in changed.violations] == [RANKS]
    assert changed.updated_at > first.updated_at


def test_open_lines_are_refused_all_at_once(player):
    text = "200/600 (1 activation)\nDarth Vader\n - Frobnicator"
    assert refused(lambda: import_army_list(actor=player, list_id=ID, text=text)) == [
        Violation("", "“Darth Vader”: More than one unit matches. Choose one.", "line-3"),
        Violation("", "“- Frobnicator”: No upgrade has this name.", "line-4"),
    ]
    choices = {3: "darth-vader-dark-lord-of-the-sith", 4: ""}
    saved = import_army_list(actor=player, list_id=ID, text=text, choices=choices)
    assert saved.army.units == (PlainUnit("darth-vader-dark-lord-of-the-sith"),)


def test_impossible_armies_are_refused_with_everything_that_is_wrong(player):
    army = PlainArmy(
        faction="hutts",
        battle_force="hutt-cartel",
        size=-1,
        title="x" * 201,
        units=(PlainUnit("jabba", ("whip",), "salacious", ("laugh",), ("sail",)), *[SNOW] * 100),
        command_cards=("boast",) * 61,
    )
    assert refused(lambda: save_army_list(actor=player, list_id=ID, army=army)) == [
        Violation("", "This Faction does not exist. Choose another one.", "faction"),
        Violation("", "This battle force does not exist. Choose another one.", "battle_force"),
        Violation("", "The name is too long. Use at most 200 characters.", "name"),
        Violation("", "The game size must be between 0 and 100000 points. Enter another number.", "size"),
        Violation("", "A list can have up to 100 units. Remove some.", "units"),
        Violation("", "A list can have up to 60 cards of a type. Remove some.", "cards"),
        Violation("", "No card is called “boast”. Choose another one.", "boast"),
        *(
            Violation("", f"No card is called “{slug}”. Choose another one.", "0")
            for slug in ("jabba", "salacious", "whip", "laugh", "sail")
        ),
    ]


def test_upgrades_that_the_rules_could_not_look_at_are_refused(player, book):
    """Cards that give slots are tried in every order: twenty of them would take for ever."""
    [granting, *_] = [card.slug for card in book.upgrades.values() if card.grants_slots]
    for upgrades in ((granting,) * 5, ("hq-uplink",) * 21):
        army = replace(ARMY, units=(replace(SNOW, upgrades=upgrades),))
        assert refused(lambda army=army: save_army_list(actor=player, list_id=ID, army=army)) == [
            Violation("", "A unit has more upgrades than it can have. Remove some.", "0")
        ]


def test_violations_are_saved_in_english(player, monkeypatch):
    def shout(message: str) -> str:
        return message if translation.get_language() == "en" else message.upper()

    monkeypatch.setattr(translation._trans, "gettext", shout)
    monkeypatch.setattr(translation._trans, "ngettext", lambda one, many, number: shout(one if number == 1 else many))
    with translation.override("de"):
        saved = save_army_list(actor=player, list_id=ID, army=replace(ARMY, units=()))
        with pytest.raises(RuleViolation, match="THIS FACTION DOES NOT EXIST"):
            save_army_list(actor=player, list_id=ID, army=replace(ARMY, faction="hutts"))
    assert saved.violations[0]["text"] == "Recon: at least 1 commander (the army has 0)."


# --- Whose lists they are ------------------------------------------------------------------------------------


def test_nobody_changes_or_deletes_the_list_of_somebody_else(player, other):
    save_army_list(actor=player, list_id=ID, army=ARMY)
    for act in (
        lambda: save_army_list(actor=other, list_id=ID, army=replace(ARMY, title="Mine")),
        lambda: delete_army_list(actor=other, list_id=ID),
    ):
        with pytest.raises(RuleViolation, match="belongs to another person"):
            act()
    assert ArmyList.objects.get().name == "Ashen Patrol"


def test_deleting_twice_is_as_good_as_once(player):
    save_army_list(actor=player, list_id=ID, army=ARMY)
    for _ in range(2):
        delete_army_list(actor=player, list_id=ID)
    assert not ArmyList.objects.exists()


def test_lists_are_deleted_with_their_account(player, other):
    save_army_list(actor=player, list_id=ID, army=ARMY)
    kept = save_army_list(actor=other, list_id=uuid4(), army=ARMY)
    delete_account(actor=player, user=player)
    assert ArmyList.objects.get() == kept


def test_lists_move_when_accounts_are_merged(player, other):
    save_army_list(actor=player, list_id=ID, army=ARMY)
    merge_accounts(actor=other, gone=player, into=other)
    assert ArmyList.objects.get().owner == other


# --- The database --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"faction": "hutts"},
        {"size": 100_001},
        {"source_format": "unknown", "source_text": "x"},
        {"source_text": "x"},
        {"source_format": "Legion HQ link"},
        *({column: {}} for column in ("units", "command_hand", "battle_deck", "violations")),
    ],
)
def test_what_the_database_refuses(player, values):
    with pytest.raises(IntegrityError), transaction.atomic():
        ArmyList.objects.create(owner=player, **values)


# --- Laws ----------------------------------------------------------------------------------------------------


@quickly
@given(army=armies())
def test_a_saved_army_is_loaded_as_it_was(player, army: PlainArmy):
    saved = save_army_list(actor=player, list_id=uuid4(), army=army)
    loaded = ArmyList.objects.get(pk=saved.pk)
    assert (loaded.army, loaded.points) == (army, army_points(army, INDEX))


@quickly
@given(army=armies())
def test_a_list_that_the_app_wrote_is_the_same_list_when_it_is_imported(player, army: PlainArmy):
    """A link loses the title and the order of upgrades."""
    saved = save_army_list(actor=player, list_id=uuid4(), army=army)
    text = legion_hq_link.write(saved.army, INDEX)
    read = import_army_list(actor=player, list_id=uuid4(), text=text)
    assert slotted(read.army) == slotted(replace(army, title=""))
    assert read.points == saved.points
