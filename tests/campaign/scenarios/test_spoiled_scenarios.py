"""A campaign written down and then spoiled: what is wrong with it is said, and where."""

from typing import Any

import pytest

from tests.campaign.scenarios.spoiling import (
    ALPHA,
    BATTLE,
    CHECK,
    MISSING,
    SEQUENCE,
    WOUNDED,
    differs,
    error_of,
    in_battle,
    refused,
    unasked,
)

NONE_FITS = "is not valid under any of the schemas listed in the 'anyOf' keyword"


def unknown(key: str) -> str:
    """The message about a key that the form does not have."""
    return f"Additional properties are not allowed ('{key}' was unexpected)"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("zeal",), 1, f": {unknown('zeal')}"),
        (("acts", 0, "act"), "dance", '.acts[0].act: "dance" is not one of "battle", "edit" or 2 other candidates'),
        (("acts", 0, "faction"), "empire", f".acts[0]: {unknown('faction')}"),
        (("acts", 0, "units", 0, "nick"), "Sorne", f".acts[0].units[0]: {unknown('nick')}"),
        (("acts", 2, "size"), "600", '.acts[2].size: "600" is not of type "integer"'),
        (("acts", 2, "winner"), "green", '.acts[2].winner: "green" is not one of "blue", "red" or null'),
        (("acts", 2, "winner"), MISSING, '.acts[2]: "winner" is a required property'),
        (
            ("acts", 2, "turning_point"),
            ["blue"],
            '.acts[2].turning_point: ["blue"] is not one of "blue", "red" or null',
        ),
        ((*BATTLE, "army"), "leader", f'.acts[2].sides.blue.army: "leader" {NONE_FITS}'),
        ((*BATTLE, "army"), ["leader", None], f'.acts[2].sides.blue.army: ["leader",null] {NONE_FITS}'),
        (
            (*BATTLE, "in_game_experience"),
            ["t1"],
            '.acts[2].sides.blue.in_game_experience: ["t1"] is not of type "object"',
        ),
        (
            (*BATTLE, "asks"),
            {"equipment_removed": None},
            '.acts[2].sides.blue.asks.equipment_removed: null is not of type "integer"',
        ),
        ((*CHECK, "faces"), ["hit"], f".acts[2].sides.blue.sequence.casualties[0]: {unknown('faces')}"),
        ((*ALPHA, "supply_points"), "6", '.acts[3].registers.alpha.supply_points: "6" is not of type "integer"'),
        ((*ALPHA, "supplies"), 6, f".acts[3].registers.alpha: {unknown('supplies')}"),
        ((*ALPHA, "dossiers", "t1", "rank"), None, f".acts[3].registers.alpha.dossiers.t1: {unknown('rank')}"),
        (
            (*ALPHA, "dossiers", "t1", "trait"),
            {"slug": "unsure"},
            f'.acts[3].registers.alpha.dossiers.t1.trait: {{"slug":"unsure"}} {NONE_FITS}',
        ),
        (("acts", 3, "registers"), None, '.acts[3].registers: null is not of type "object"'),
    ],
)
def test_the_form_is_strict(book, tmp_path, path: tuple[str | int, ...], value: Any, expected: str) -> None:
    """Unknown keys, missing keys and values of another kind."""
    assert error_of(tmp_path, "first-blood", (path, value)) == f"first-blood.json{expected}"


SPOILED: list[tuple[tuple[str | int, ...], Any, str]] = [
    # answers that are missing
    ((*SEQUENCE, "supply"), MISSING, in_battle("'supply' is asked for and missing")),
    ((*SEQUENCE, "agenda_reward", 1), MISSING, in_battle("step 1: the reward asks for 'unit', and finds 'nothing'")),
    ((*SEQUENCE, "casualties", 1), MISSING, in_battle("no Casualty Check is written down for scout")),
    ((*CHECK, "setback"), MISSING, in_battle("step 4: no setback die for t1")),
    ((*SEQUENCE, "commendations"), [], in_battle("step 6: t2 is owed a Commendation and none is written down")),
    (
        (*SEQUENCE, "commendations", 0, "name"),
        MISSING,
        refused("A unit with a Veteran Rank needs a name. Enter one. (R9)"),
    ),
    # answers that nobody asks for
    ((*SEQUENCE, "agenda_reward", 2), {"unit": "t2"}, unasked("agenda_reward", "R26")),
    ((*SEQUENCE, "turning_point_reward"), [{"option": 0}], unasked("turning_point_reward", "R29")),
    ((*SEQUENCE, "casualties", 2), {"unit": "t3", "dice": ["blank"]}, unasked("dice of t3", "R31")),
    ((*SEQUENCE, "casualties", 2), {"unit": "t1", "dice": ["hit"]}, in_battle("casualties: one entry a unit")),
    ((*CHECK, "dice"), ["hit", "hit"], refused("Enter 1 die. (R31)")),
    ((*CHECK, "setback"), ["blank", "hit"], unasked("setback of t1", "R36")),
    ((*CHECK, "trait"), ["hit"], unasked("trait of t1", "R37")),
    ((*CHECK, "extra_die"), True, unasked("extra_die of t1", "R32")),
    ((*CHECK, "blanks_rerolled"), ["hit"], unasked("blanks_rerolled of t1", "R32")),
    ((*CHECK, "reroll"), {"dice": [0], "faces": ["hit"]}, unasked("reroll of t1", "R33")),
    ((*SEQUENCE, "commendations", 1), {"unit": "t3", "commendation": None}, unasked("commendations", "R15")),
    ((*SEQUENCE, "commendations", 0, "keyword"), "Scout 1", refused("Resilient: choose no keyword. (R15)")),
    ((*SEQUENCE, "command_cards"), [None], unasked("command_cards", "R16")),
    ((*SEQUENCE, "medevac"), "t1", unasked("medevac", "R21")),
    ((*SEQUENCE, "warden"), ["blank", "blank", "blank"], unasked("warden", "R41")),
    ((*SEQUENCE, "story_arc"), "a-pirates-life", unasked("story_arc", "R49")),
    ((*SEQUENCE, "aid", 0, "unit"), "t1", in_battle("active-recruiting: nobody asks for unit")),
    ((*BATTLE, "claims"), [True], in_battle("blue: the mission asks 0 claims, 1 are written down")),
    ((*BATTLE, "confirmed"), [True], in_battle("blue: 1 answers to conditions that were not reached")),
    ((*BATTLE, "asks"), {"equipment": 1}, in_battle("no mission asks for equipment")),
    # answers that are wrong
    ((*SEQUENCE, "supply"), "hit", refused("This die has no face 'hit'. (R30)")),
    (
        (*SEQUENCE, "rival"),
        "t2",
        refused(
            "Choose one of these: Major Tal, Rebel Troopers (no. 3), Fleet Troopers, Rebel Commandos, "
            "AT-RT, X-34 Landspeeder. (R39)"
        ),
    ),
    (
        (*SEQUENCE, "agenda_reward", 1, "unit"),
        "nobody",
        refused("Choose one of these: Stormtroopers (no. 2), Stormtroopers (no. 3), Snowtroopers. (R26)"),
    ),
    (
        (*SEQUENCE, "agenda_reward", 0),
        {"roll": ["corps"]},
        in_battle("step 1: the reward asks for 'ranks', and finds {'roll': ['corps']}"),
    ),
    ((*BATTLE, "army", 0), "t2", refused("A unit is fielded once. (R19)")),
    ((*BATTLE, "guest"), "Sal", in_battle("blue: a side is a Register with an army, or a guest")),
    # refusals that do not come, or not so
    (("acts", 0, "refused"), ["R5"], "act 1 (found): expected a refusal by ['R5'], found none"),
    (
        (*SEQUENCE, "aid", 0, "refused"),
        ["R41"],
        in_battle("{'request': 'active-recruiting', 'refused': ['R41']}: expected a refusal by ['R41'], found none"),
    ),
    (
        (*SEQUENCE, "aid", 1, "refused"),
        ["R43"],
        in_battle(
            "{'request': 'active-recruiting', 'refused': ['R43']}: expected ['R43'], "
            "found: Active Recruiting can be made only once per sequence. (R41)"
        ),
    ),
    (
        (*SEQUENCE, "edit", 0, "refused"),
        ["R2"],
        in_battle(
            "{'add': {'as': 't4', 'unit': 'snowtroopers', 'upgrades': []}, 'refused': ['R2']}: "
            "expected a refusal by ['R2'], found none"
        ),
    ),
    (("acts", 1, "register"), "alpha", "act 2 (found): Register 'alpha' was built already"),
    # expectations
    ((*ALPHA, "supply_points"), 7, differs("alpha.supply_points: expected 7, found 6")),
    ((*ALPHA, "fallen"), ["t1"], differs("alpha.fallen: expected ['t1'], found []")),
    (
        (*ALPHA, "dossiers", "t1", "setbacks"),
        [],
        differs("alpha.dossiers.t1.setbacks: expected [], found ['battle-shaken']"),
    ),
    ((*ALPHA, "dossiers", "r1"), {}, differs("alpha.dossiers.r1: not on the Register")),
    (("acts", 3, "registers", "gamma"), {}, "act 4 (expect): no Register 'gamma' was built"),
]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        pytest.param(*each, marks=[] if place % 3 == 0 else [pytest.mark.nightly])  # the gate takes every third
        for place, each in enumerate(SPOILED)
    ],
)
def test_a_spoiled_copy_fails(book, tmp_path, path: tuple[str | int, ...], value: Any, expected: str) -> None:
    """The text names the act, and what was expected and found."""
    assert error_of(tmp_path, "first-blood", (path, value)) == expected


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "path", "value", "expected"),
    [
        (
            "r42-medical-supplies",
            (*WOUNDED, "remove", 2),
            "battle-shaken",
            "act 13 (battle): expected no refusal, found: Choose exactly 2. (R42)",
        ),
        (
            "r42-medical-supplies",
            (*WOUNDED, "remove"),
            MISSING,
            "act 13 (battle): step 7: no answer to 'Stormtroopers (no. 3): choose 2 Setbacks to remove.'",
        ),
        (
            "r42-medical-supplies",
            (*WOUNDED, "setback"),
            "flat-footed",
            "act 13 (battle): expected no refusal, found: This unit does not have that Setback. (R42)",
        ),
        (
            "r33-rerolls",
            ("acts", 12, "sides", "blue", "sequence", "casualties", 0, "reroll"),
            {"dice": [], "faces": ["surge"]},
            "act 13 (battle): expected no refusal, found: Nobody asked for this answer: rerolled of t1. (R33)",
        ),
        (
            "r16-command-cards",
            ("acts", 2, "sides", "blue", "sequence", "command_cards", 2),
            None,
            unasked("command_cards", "R16"),
        ),
        (
            "r15-every-commendation",
            ("acts", 1, "sides", "blue", "sequence", "command_cards", 4),
            "paragon-enemy-down",
            "act 2 (battle): expected no refusal, found: Nobody asked for this answer: command_cards. (R16)",
        ),
        (
            "r21-lent-units",
            ("acts", 7, "sides", "blue", "lent", 1, "as"),
            "v",
            "act 8 (battle): handle 'v' is used twice",
        ),
        (
            "r28-shield",
            ("acts", 1, "sides", "blue", "confirmed"),
            [],
            "act 2 (battle): blue: no answer to 'The chosen unit contests the marked point at the end of the game'",
        ),
        (
            "r17-guests",
            ("acts", 1, "sides", "blue", "sequence", "supply"),
            "block",
            "act 2 (battle): blue: a guest only names a rival",
        ),
        (
            "r17-guests",
            ("acts", 1, "sides", "blue", "claims"),
            [True],
            "act 2 (battle): blue: nobody asks a guest to confirm anything",
        ),
        (
            "r51-one-side",
            ("acts", 4, "winner"),
            "blue",
            (
                "act 5 (battle): expected no refusal, found: The blue side conceded, so the other side won. "
                "Change the winner. (R51)"
            ),
        ),
    ],
)
def test_further_spoiled_copies_fail(
    book, tmp_path, name: str, path: tuple[str | int, ...], value: Any, expected: str
) -> None:
    """Answers that First Blood has no question for."""
    assert error_of(tmp_path, name, (path, value)) == expected


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("terms",), {"hutts": 1}, "terms: unknown rules: hutts"),
        (("terms",), {"draw": "win"}, "terms: draw has no reading 'win'"),
        (("terms",), {"length": 99}, "terms: Story Arcs: enter a number from 1 to 20."),
        (("acts", 2, "terms_in_play"), {"length": 99}, in_battle("terms: Story Arcs: enter a number from 1 to 20.")),
    ],
)
def test_terms_that_cannot_be(book, tmp_path, path: tuple[str | int, ...], value: Any, expected: str) -> None:
    assert error_of(tmp_path, "first-blood", (path, value)) == expected
