"""What cards say of each other and of the rules: each wrong word is told with its place."""

import pytest

from rules.catalogue.references import check_references
from rules.catalogue.tables import read_tables
from tests.rules.catalogue.files import drop_row, edit_json, edit_rows, set_cell


def errors_of(folder):
    tables, errors = read_tables(folder)
    assert errors == []
    return [str(error) for error in check_references(tables)]


def test_the_catalogue_is_without_errors(folder):
    assert errors_of(folder) == []


@pytest.mark.parametrize(
    ("file", "slug", "cells", "errors"),
    [
        (
            "counterparts.csv",
            "grogu",
            {"parent_unit_slugs": "nobody"},
            ["counterparts.csv, row 3: parent_unit_slugs: there is no 'nobody'"],
        ),
        (
            "counterparts.csv",
            "grogu",
            {"source_id": "ab"},
            [
                "counterparts.csv, row 3: source_id 'ab' is already used in units.csv, row 83",
                "units.csv, row 56: counterpart_id: there is no counterpart 'tn'",
                "units.csv, row 59: counterpart_id: there is no counterpart 'tn'",
            ],
        ),
        (
            "units.csv",
            "rebel-troopers",
            {"unit_type": "ground vehicle"},
            ["units.csv, row 99: unit_type: 'ground vehicle' is not a trooper"],
        ),
        (
            "units.csv",
            "rebel-troopers",
            {"paragon_eligible": "true"},
            [
                (
                    "units.csv, row 99: paragon_eligible: true for non-unique commanders only, and for all of them"
                    " (R5, R6)"
                )
            ],
        ),
        (
            "upgrades.csv",
            "agent-kallus",
            {"tod_banned_unique_type": "false"},
            [
                (
                    "upgrades.csv, row 2: tod_banned_unique_type: true for unique upgrades of the types of R5 only, and"
                    " for all of them"
                )
            ],
        ),
        (
            "upgrades.csv",
            "axe-ewok",
            {"army_limit": "1"},
            ["upgrades.csv, row 4: army_limit: 1 for unique upgrades, and for no other"],
        ),
        (
            "upgrades.csv",
            "axe-ewok",
            {"restrictions": "unit_type:ewok|keyword:Joy;affiliation:sith|unit_title:King"},
            [
                "upgrades.csv, row 4: restrictions: there is no affiliation 'sith'",
                "upgrades.csv, row 4: restrictions: there is no keyword 'Joy'",
                "upgrades.csv, row 4: restrictions: there is no unit_title 'King'",
                "upgrades.csv, row 4: restrictions: there is no unit_type 'ewok'",
            ],
        ),
        (
            "command_cards.csv",
            "a-simple-man",
            {"required_units": "Boba Fett|Bobo"},
            ["command_cards.csv, row 3: required_units: there is no 'Bobo'"],
        ),
        (
            "command_cards.csv",
            "a-simple-man",
            {"required_mode": "", "battle_force": "Nobody's", "extra_requirements": "unit:Bobo"},
            [
                "command_cards.csv, row 3: required_mode: any or all if there are required_units, else nothing",
                'command_cards.csv, row 3: battle_force: there is no "Nobody\'s"',
                "command_cards.csv, row 3: extra_requirements: there is no unit 'Bobo'",
            ],
        ),
    ],
)
def test_a_cell_that_names_what_is_not_there(folder, file, slug, cells, errors):
    set_cell(folder, file, slug, **cells)
    assert errors_of(folder) == errors


def test_names_listed_as_suspicious_are_excused_for_that_card_only(folder):
    set_cell(folder, "command_cards.csv", "a-simple-man", required_units="Admiral Trench")
    assert errors_of(folder) == ["command_cards.csv, row 3: required_units: there is no 'Admiral Trench'"]


def test_battle_force_cards_name_a_battle_force_and_a_card_of_their_kind(folder):
    def edit(rows):
        rows[0].update(battle_force="nobodys")
        rows[1].update(kind="unit")

    edit_rows(folder, "battle_force_cards.csv", edit)
    assert errors_of(folder) == [
        "battle_force_cards.csv, row 2: battle_force: there is no 'nobodys'",
        "battle_force_cards.csv, row 3: card_slug: there is no 'clone-commander-cody'",
    ]


def test_a_slug_or_a_pair_twice(folder):
    for file in ("upgrades.csv", "battle_forces.csv", "battle_force_cards.csv", "rank_requirements.csv"):
        edit_rows(folder, file, lambda rows: rows.append(rows[0]))
    edit_json(folder, "tours_of_duty.json", lambda data: data["keywords"].append(data["keywords"][0]))
    assert errors_of(folder) == [
        "upgrades.csv, row 436: slug 'agent-kallus' is already used in upgrades.csv, row 2",
        "upgrades.csv, row 436: source_id 'Eo' is already used in upgrades.csv, row 2",
        "battle_forces.csv, row 42: slug and format 'blizzard-force recon' is already used in battle_forces.csv, row 2",
        (
            "tours_of_duty.json, keywords[5] Disgraced: name 'Disgraced' is already used in tours_of_duty.json, "
            "keywords[0] Disgraced"
        ),
        (
            "rank_requirements.csv, row 26: format and rank 'recon commander' is already used in "
            "rank_requirements.csv, row 2"
        ),
        (
            "battle_force_cards.csv, row 390: battle force, kind, rank and card "
            "'212th-attack-battalion allowed-upgrade boil' is already used in battle_force_cards.csv, row 2"
        ),
    ]


def test_capitals_make_another_source_id(folder):
    set_cell(folder, "counterparts.csv", "c-3po-made-to-suffer", source_id="JJ")
    set_cell(folder, "units.csv", "r2-d2-independent-astromech", counterpart_id="JJ")
    assert errors_of(folder) == []


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        (lambda data: data["dice"]["black_attack"].update(hit=4), "dice"),
        (lambda data: data["experience_thresholds"].update({"5": 51}), "experience_thresholds"),
        (lambda data: data["maximum_veteran_rank"].update(heavy=4), "maximum_veteran_rank"),
        (lambda data: data["starting_register"].update(supply_points=6), "starting_register"),
    ],
)
def test_a_table_that_differs_from_the_rules(folder, edit, place):
    edit_json(folder, "tours_of_duty.json", edit)
    [error] = errors_of(folder)
    assert error.startswith(f"tours_of_duty.json, {place}: differs from the rules, which say {{")


def test_each_face_stands_for_one_setback(folder):
    def edit(data):
        data["setbacks"][0].update(face="blank")
        data["defining_traits"][3].update(experience=2)

    edit_json(folder, "tours_of_duty.json", edit)
    assert errors_of(folder) == [
        (
            "tours_of_duty.json, setbacks[1] battle-shaken: face 'blank' is already used in tours_of_duty.json, "
            "setbacks[0] battle-fatigue"
        ),
        "tours_of_duty.json, setbacks: no entry for the faces hit",
        (
            "tours_of_duty.json, defining_traits[3] story-arc-defining-trait: the Story Arc's own is on the critical "
            "and gives 1 XP (R36, R37)"
        ),
    ]


def test_rank_requirements_are_whole(folder):
    def edit(rows):
        rows[0].update(min="2", max="1")
        rows[1].update(max_points="700")
        del rows[-1]

    edit_rows(folder, "rank_requirements.csv", edit)
    assert errors_of(folder) == [
        "rank_requirements.csv, row 2: min is above max",
        "rank_requirements.csv, row 2: format 'recon' has several names or sizes",
        "rank_requirements.csv, row 20: format 'grand-army' lacks the ranks heavy",
    ]


def test_a_commendation_requires_one_that_exists(folder):
    edit_json(
        folder, "tours_of_duty.json", lambda data: data["commendations"][3]["requires"].update(commendations=["luck"])
    )
    assert errors_of(folder) == [
        "tours_of_duty.json, commendations[3] well-stocked: requires.commendations: there is no 'luck'"
    ]


def test_rewards_name_what_is_there(folder):
    pirates = "story_arcs.json, arcs[6] a-pirates-life"

    def edit(data):
        arc = data["arcs"][6]
        arc["agendas"].pop()
        arc["agendas"][0]["reward"] = [{"do": "may", "then": [{"do": "gain_trait", "trait": "proud"}]}]
        arc["agendas"][1]["reward"] = [
            {"do": "add_unit", "one_of": ["Bobo"]},
            {"do": "gain_asset", "asset": "star-destroyer"},
            {"do": "paragon", "then": [{"do": "gain_upgrade", "types": ["gear", "hat"]}]},
        ]
        mission = arc["turning_point"]
        mission["asks"] = {}
        promote = [{"do": "award_commendation"}]
        mission["victory"] = [{"do": "draw_order_tokens", "count": "stars", "each": promote}]
        roll = {"do": "roll", "die": "red_defense", "count": "moons", "per_face": {"block": mission["victory"]}}
        mission["end_of_game"] = [{"who": "each player", "when": {"won": True}, "reward": [roll]}]

    edit_json(folder, "story_arcs.json", edit)
    assert errors_of(folder) == [
        f"{pirates}: agendas: a Story Arc has 3, not 2",
        f"{pirates}.agendas[0] discover-valuables: reward: there is no 'proud'",
        f"{pirates}.agendas[1] loot-and-plunder: reward: there is no 'Bobo'",
        f"{pirates}.agendas[1] loot-and-plunder: reward: there is no 'star-destroyer'",
        f"{pirates}.agendas[1] loot-and-plunder: reward: there is no 'hat'",
        f"{pirates}.turning_point: victory: there is no 'stars'",
        f"{pirates}.turning_point: defeat: there is no 'equipment_removed'",
        f"{pirates}.turning_point: end_of_game[0]: there is no 'moons'",
        f"{pirates}.turning_point: end_of_game[0]: there is no 'stars'",
    ]


def test_rewards_can_be_resolved_where_they_stand(folder):
    pirates = "story_arcs.json, arcs[6] a-pirates-life"

    def edit(data):
        arc = data["arcs"][6]
        arc["agendas"][0]["reward"] = [{"do": "marked_units", "then": [{"do": "gain_setback"}]}]
        arc["agendas"][1]["casualty_shield"] = {
            "units": "marked",
            "instead": [{"do": "gain_setback"}, {"do": "gain_keyword", "keyword": "Agile 1"}],
        }
        arc["turning_point"]["victory"].append({"do": "gain_experience", "amount": 1})
        once = {"do": "per_progression", "then": [{"do": "gain_supply_points", "amount": 1}]}
        arc["turning_point"]["end_of_game"] = [{"who": "each player", "when": {"won": True}, "reward": [once]}]

    edit_json(folder, "story_arcs.json", edit)
    assert errors_of(folder) == [
        (
            f"{pirates}.agendas[0] discover-valuables: reward[0]: No units are marked here. Let the Agenda "
            "mark some, or remove this."
        ),
        (f"{pirates}.agendas[1] loot-and-plunder: casualty_shield[1]: Use only Experience or a Setback here."),
        (f"{pirates}.turning_point: victory[1]: This effect needs a unit. Put it inside a choice of units."),
        (f"{pirates}.turning_point: end_of_game[0][0]: Only an Agenda has progressions to count."),
    ]


def test_a_row_with_a_fault_may_still_be_spoken_of(folder):
    set_cell(folder, "units.csv", "bo-katan-kryze-lady-kryze", points="many")
    tables, errors = read_tables(folder)
    assert ([error.text for error in errors if "points" in error.text], list(check_references(tables))) == (
        [error.text for error in errors],
        [],
    )


def test_a_unit_that_is_gone_is_missed_by_those_who_name_it(folder):
    drop_row(folder, "units.csv", "general-tagge-imperial-high-command")
    assert errors_of(folder) == [
        "upgrades.csv, row 324: restrictions: there is no unit 'General Tagge'",
        "command_cards.csv, row 71: required_units: there is no 'General Tagge'",
        "command_cards.csv, row 97: required_units: there is no 'General Tagge'",
    ]
