"""The vocabulary of section 8: each word is read, and nothing else is."""

import pytest

from rules.core.reward_effects import (
    AddUnit,
    All,
    AwardCommendation,
    ChooseOne,
    ChooseUnits,
    Confirmed,
    DrawOrderTokens,
    EndOfGame,
    GainCombatPotential,
    GainExperience,
    GainKeyword,
    GainSetback,
    GainSupplyPoints,
    GainTrait,
    LoseKeyword,
    Lost,
    MarkedUndefeatedAtLeast,
    MarkedUnits,
    May,
    NoMarkedUnitDefeated,
    Paragon,
    PerProgression,
    RemoveSetbacks,
    RollDice,
    SecondaryVpAtLeast,
    SecondaryVpMoreThanOpponent,
    TokensAtLeast,
    UnknownClause,
    When,
    Won,
    read_condition,
    read_end_of_game,
    read_reward,
    walk,
)

XP = {"do": "gain_experience", "amount": 2}
GAINED = (GainExperience(2),)


@pytest.mark.parametrize(
    ("data", "clause"),
    [
        ({"do": "gain_supply_points", "amount": 2}, GainSupplyPoints(2)),
        ({"do": "gain_combat_potential", "amount": 100}, GainCombatPotential(100)),
        (XP, GainExperience(2)),
        ({"do": "remove_setbacks", "count": 1}, RemoveSetbacks(1)),
        ({"do": "remove_setbacks", "count": "all"}, RemoveSetbacks(None)),
        ({"do": "gain_setback"}, GainSetback()),
        ({"do": "gain_keyword", "keyword": "Scout 1"}, GainKeyword("Scout 1")),
        ({"do": "lose_keyword", "keyword": "Hunted"}, LoseKeyword("Hunted")),
        ({"do": "gain_trait", "trait": "greedy"}, GainTrait("greedy")),
        ({"do": "award_commendation"}, AwardCommendation()),
        ({"do": "add_unit", "one_of": ["AT-RT"]}, AddUnit(("AT-RT",))),
        (
            {
                "do": "add_unit",
                "one_of": ["AT-RT", "AT-ST"],
                "takes": "faction and affiliation of the Paragon",
                "free_of_combat_potential": False,
            },
            AddUnit(("AT-RT", "AT-ST")),
        ),
        ({"do": "per_progression", "then": [XP]}, PerProgression(GAINED)),
        ({"do": "may", "then": [XP]}, May(GAINED)),
        ({"do": "paragon", "then": [XP]}, Paragon(GAINED)),
        ({"do": "choose_units", "count": 1, "each": [XP]}, ChooseUnits(1, GAINED)),
        (
            {"do": "choose_units", "count": 3, "each": [XP], "from": "defeated", "distinct": True, "optional": True},
            ChooseUnits(3, GAINED, source="defeated", distinct=True, optional=True),
        ),
        ({"do": "choose_one", "options": [[XP], []]}, ChooseOne((GAINED, ()))),
        ({"do": "when", "condition": "won", "then": [XP]}, When("won", GAINED)),
        ({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [XP]}, When("has_keyword", GAINED, "Hunted")),
        (
            {"do": "roll", "die": "red_defense", "count": "removed", "per_face": {"surge": [], "block": [XP]}},
            RollDice("red_defense", "removed", (("block", GAINED), ("surge", ()))),
        ),
        ({"do": "draw_order_tokens", "count": "progressions", "each": [XP]}, DrawOrderTokens("progressions", GAINED)),
        ({"do": "draw_order_tokens", "count": 2, "each": [XP]}, DrawOrderTokens(2, GAINED)),
        ({"do": "marked_units", "then": [XP]}, MarkedUnits(GAINED)),
        ({"do": "marked_units", "then": [XP], "only": "undefeated"}, MarkedUnits(GAINED, undefeated_only=True)),
    ],
)
def test_a_clause_is_read(data, clause):
    assert read_reward([data], "reward") == (clause,)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("gain", "reward: a reward is a list of clauses, not 'gain'"),
        (["gain"], "reward[0]: unknown clause 'gain'"),
        ([XP, {"do": "explode"}], "reward[1]: unknown clause {'do': 'explode'}"),
        ([{"do": "gain_setback", "count": 1}], "reward[0].gain_setback: unknown 'count'"),
        (
            [{"do": "gain_experience", "much": 1, "more": 2}],
            "reward[0].gain_experience: missing 'amount', unknown 'more', unknown 'much'",
        ),
        ([{"do": "gain_experience", "amount": "2"}], "reward[0].gain_experience: expected a whole number, not '2'"),
        ([{"do": "gain_experience", "amount": -1}], "reward[0].gain_experience: expected a whole number, not -1"),
        ([{"do": "gain_experience", "amount": True}], "reward[0].gain_experience: expected a whole number, not True"),
        (
            [{"do": "remove_setbacks", "count": "some"}],
            "reward[0].remove_setbacks: expected a whole number, not 'some'",
        ),
        ([{"do": "gain_keyword", "keyword": ""}], "reward[0].gain_keyword: expected a text, not ''"),
        ([{"do": "gain_trait", "trait": 1}], "reward[0].gain_trait: expected a text, not 1"),
        ([{"do": "may", "then": [{"do": "no"}]}], "reward[0].may[0]: unknown clause {'do': 'no'}"),
        ([{"do": "add_unit", "one_of": []}], "reward[0].add_unit: expected a list, not []"),
        ([{"do": "add_unit", "one_of": ["AT-RT"], "takes": "all"}], "reward[0].add_unit.takes: unknown value 'all'"),
        (
            [{"do": "add_unit", "one_of": ["AT-RT"], "free_of_combat_potential": True}],
            "reward[0].add_unit.free_of_combat_potential: only false is known",
        ),
        (
            [{"do": "choose_units", "count": 1, "each": [], "from": "fallen"}],
            "reward[0].choose_units.from: unknown value 'fallen'",
        ),
        (
            [{"do": "choose_units", "count": 1, "each": [], "optional": "yes"}],
            "reward[0].choose_units: expected true or false, not 'yes'",
        ),
        ([{"do": "choose_one", "options": "none"}], "reward[0].choose_one: expected a list, not 'none'"),
        ([{"do": "when", "condition": "drawn", "then": []}], "reward[0].when.condition: unknown value 'drawn'"),
        (
            [{"do": "when", "condition": {"has_setback": "x"}, "then": []}],
            "reward[0].when.condition: missing 'has_keyword', unknown 'has_setback'",
        ),
        ([{"do": "roll", "die": "d20", "count": 1, "per_face": {}}], "reward[0].roll.die: unknown die 'd20'"),
        (
            [{"do": "roll", "die": "red_defense", "count": 1, "per_face": {"hit": []}}],
            "reward[0].roll.per_face: a red_defense die has no such faces: {'hit': []}",
        ),
        (
            [{"do": "roll", "die": "red_defense", "count": 1, "per_face": []}],
            "reward[0].roll.per_face: a red_defense die has no such faces: []",
        ),
        (
            [{"do": "roll", "die": "red_defense", "count": "", "per_face": {}}],
            "reward[0].roll: expected a whole number, not ''",
        ),
        (
            [{"do": "marked_units", "then": [], "only": "defeated"}],
            "reward[0].marked_units.only: unknown value 'defeated'",
        ),
    ],
)
def test_an_unknown_clause_is_refused_with_its_place(data, sentence):
    with pytest.raises(UnknownClause) as refused:
        read_reward(data, "reward")
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("data", "condition"),
    [
        ({"tokens_at_least": 3}, TokensAtLeast(3)),
        ({"secondary_vp_at_least": 3}, SecondaryVpAtLeast(3)),
        ({"marked_undefeated_at_least": 1}, MarkedUndefeatedAtLeast(1)),
        ({"secondary_vp_more_than_opponent": True}, SecondaryVpMoreThanOpponent()),
        ({"no_marked_unit_defeated": True}, NoMarkedUnitDefeated()),
        ({"won": True}, Won()),
        ({"lost": True}, Lost()),
        ({"confirmed": "It was so"}, Confirmed("It was so")),
        ({"all": [{"won": True}, {"tokens_at_least": 1}]}, All((Won(), TokensAtLeast(1)))),
    ],
)
def test_a_condition_is_read(data, condition):
    assert read_condition(data, "progress") == condition


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("won", "progress: a condition is one word with its value, not 'won'"),
        (
            {"won": True, "lost": True},
            "progress: a condition is one word with its value, not {'won': True, 'lost': True}",
        ),
        ({"won": 1}, "progress.won: write true"),
        ({"tokens_at_least": None}, "progress.tokens_at_least: expected a whole number, not None"),
        ({"confirmed": ""}, "progress.confirmed: expected a text, not ''"),
        ({"all": []}, "progress: unknown condition 'all'"),
        ({"all": "won"}, "progress: unknown condition 'all'"),
        ({"all": [{"won": False}]}, "progress.all[0].won: write true"),
        ({"drawn": True}, "progress: unknown condition 'drawn'"),
    ],
)
def test_an_unknown_condition_is_refused_with_its_place(data, sentence):
    with pytest.raises(UnknownClause) as refused:
        read_condition(data, "progress")
    assert str(refused.value) == sentence


def test_the_end_of_a_turning_point_mission_is_read():
    data = {"who": "each player", "when": {"won": True}, "reward": [XP]}
    assert read_end_of_game(data, "end") == EndOfGame(Won(), GAINED)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "end: expected named values, not []"),
        ({"who": "each player"}, "end: missing 'reward', missing 'when'"),
        ({"who": "blue", "when": {"won": True}, "reward": []}, "end.who: only 'each player' is known, not 'blue'"),
    ],
)
def test_an_unknown_end_of_game_is_refused(data, sentence):
    with pytest.raises(UnknownClause) as refused:
        read_end_of_game(data, "end")
    assert str(refused.value) == sentence


def test_walk_finds_nested_clauses_of_every_kind():
    clauses = (
        AddUnit(("AT-RT",)),
        ChooseOne(((GainSetback(),), ())),
        RollDice("red_defense", 1, (("block", (May((LoseKeyword("Hunted"),)),)), ("surge", (GainTrait("greedy"),)))),
    )
    assert list(walk(clauses)) == [
        clauses[0],
        clauses[1],
        GainSetback(),
        clauses[2],
        May((LoseKeyword("Hunted"),)),
        LoseKeyword("Hunted"),
        GainTrait("greedy"),
    ]


def test_every_reward_of_the_catalogue_is_made_of_known_clauses(book):
    agendas = [agenda.reward for agenda in book.agendas.values()]
    missions = [arc.turning_point for arc in book.story_arcs.values()]
    assert (len(agendas), len(missions)) == (21, 7)
    assert all(list(walk(reward)) for reward in agendas)
