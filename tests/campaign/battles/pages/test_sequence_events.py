"""What happened, in words and numbers."""

import pytest

from campaign.battles.pages.sequence_events import (
    Group,
    HistoryItem,
    HistoryLine,
    NumberChange,
    Sum,
    groups,
    history_of,
    summed_up,
)
from registers.ledger.text import names_of
from rules.register import effects as e
from rules.register.state import replay
from tests.campaign.battles.pages.sequence_start import START

pytestmark = pytest.mark.usefixtures("db")


def history_groups(book, *effects: e.Effect) -> list[Group]:
    after = replay(effects, START)
    return groups(book, after, names_of(book, after), history_of(after, effects))


@pytest.mark.parametrize(
    ("effects", "changes"),
    [
        ([e.SupplyPointsGained(amount=2, rule="R30"), e.SupplyPointsSpent(amount=3, rule="R41")],
         [NumberChange("SP", 5, 7), NumberChange("SP", 7, 4)]),
        ([e.CombatPotentialRaised(amount=150, rule="R41")], [NumberChange("Combat Potential", 600, 750)]),
        ([e.ReputationGained(amount=1, rule="R48")], [NumberChange("Reputation", 0, 1)]),
        ([e.AgendaProgressed(agenda="keep-them-in-line", amount=2, rule="R25")], [NumberChange("Agenda", 1, 3)]),
        ([e.ExperienceGained(unit="1", amount=2, rule="R39"),
          e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12")],
         [NumberChange("XP", 3, 5), NumberChange("VR", 0, 1)]),
        ([e.ExperienceGained(unit="2", amount=2, rule="R34"), e.UnitFell(unit="2", rule="R35")],
         [NumberChange("XP", 0, 2), None]),
        ([e.AgendaProgressed(agenda="keep-them-in-line", amount=1, rule="R25"),
          e.StoryArcBegun(story_arc="liberate-the-system", rule="R49")],
         [NumberChange("Agenda", 0, 1), None]),
        ([e.Corrected(field="supply_points", old=5, new=9), e.SupplyPointsSpent(amount=1, rule="R41")],
         [NumberChange("SP", 5, 9), NumberChange("SP", 9, 8)]),
        ([e.Corrected(unit="2", field="experience", old=0, new=4)], [NumberChange("XP", 0, 4)]),
        ([e.Corrected(agenda="keep-them-in-line", field="progress", old=1, new=2)], [NumberChange("Agenda", 1, 2)]),
        ([e.Corrected(unit="2", field="setbacks", old=(), new=("downtrodden",))], [None]),
        ([e.Noted(rule="R29")], [None]),
    ],
)  # fmt: skip
def test_every_number_says_what_it_was_and_became(effects, changes):
    after = replay(effects, START)
    assert history_of(after, effects) == [
        HistoryItem(effect, change) for effect, change in zip(effects, changes, strict=True)
    ]


def test_a_name_that_is_the_heading_is_not_said_twice(book):
    named = [e.UnitNamed(unit="2", name=name, rule="R9") for name in ("Cold Feet", "Grim Hounds")]
    lines = [HistoryLine("Unit named Cold Feet", "R9"), HistoryLine("Named", "R9")]
    assert history_groups(book, *named) == [Group("Grim Hounds", lines=lines)]


def test_a_check_tells_its_dice_its_result_and_what_came_of_it(book):
    assert history_groups(
        book,
        e.DiceRolled(unit="2", die="black_attack", faces=("blank",), rule="R31", why="Casualty Check"),
        e.ExperienceGained(unit="2", amount=1, rule="R34", why="escaped"),
        e.DiceRolled(unit="3", die="black_attack", faces=("hit", "blank"), rule="R31", why="Casualty Check"),
        e.DiceRolled(unit="3", die="black_attack", faces=("surge", "blank"), rule="R31", why="rerolled"),
        e.UnitFell(unit="3", rule="R35", why="casualty"),
    ) == [
        Group(
            "Stormtroopers",
            lines=[
                HistoryLine(
                    "Casualty Check: escaped",
                    "R34",
                    ({"die": "black_attack", "face": "blank"},),
                    NumberChange("XP", 0, 1),
                )
            ],
        ),
        Group(
            "Snowtroopers",
            fell=True,
            lines=[
                HistoryLine(
                    "Casualty Check",
                    "R31",
                    ({"die": "black_attack", "face": "hit"}, {"die": "black_attack", "face": "blank"}),
                ),
                HistoryLine(
                    "Rerolled: casualty",
                    "R34",
                    ({"die": "black_attack", "face": "surge"}, {"die": "black_attack", "face": "blank"}),
                ),
                HistoryLine("Fallen: leaves the Register", "R35"),
            ],
        ),
    ]


def test_experience_for_several_reasons_is_one_line(book):
    [group] = history_groups(
        book,
        e.ExperienceGained(unit="2", amount=1, rule="R39", why="took part"),
        e.ExperienceGained(unit="2", amount=1, lost=1, rule="R39", why="at an objective"),
    )
    line = HistoryLine("Took part, at an objective (1 XP lost at the maximum)", "R39", (), NumberChange("XP", 0, 2))
    assert (group, group.plain) == (Group("Stormtroopers", lines=[line]), True)


def test_what_concerns_the_register_stands_without_a_name(book):
    assert history_groups(
        book,
        e.SupplyPointsGained(amount=2, rule="R30", why="for the battle"),
        e.DiceRolled(die="red_defense", faces=("block",), rule="R30", why="supplies"),
        e.SupplyPointsGained(amount=1, rule="R30", why="a block"),
        e.AidRequested(request="active-recruiting", rule="R41"),
        e.SupplyPointsSpent(amount=1, rule="R41", why="Active Recruiting"),
    ) == [
        Group(
            lines=[
                HistoryLine("For the battle", "R30", (), NumberChange("SP", 5, 7)),
                HistoryLine(
                    "Supplies: a block", "R30", ({"die": "red_defense", "face": "block"},), NumberChange("SP", 7, 8)
                ),
                HistoryLine("Active Recruiting", "R41", (), NumberChange("SP", 8, 7)),
            ]
        )
    ]


def test_a_trait_is_the_paragons(book):
    [group] = history_groups(book, e.TraitGained(trait="unsure", games=2, rule="R37"))
    assert (group.name, [line.rule for line in group.lines]) == ("Captain Sorne", ["R37"])


def test_the_sum_of_it_all(book):
    effects = [
        e.AgendaProgressed(agenda="keep-them-in-line", amount=1, rule="R25"),
        e.SupplyPointsGained(amount=2, rule="R30"),
        e.SupplyPointsSpent(amount=2, rule="R41"),
        e.CombatPotentialRaised(amount=150, rule="R41"),
        e.ExperienceGained(unit="1", amount=1, rule="R39"),
        e.ExperienceGained(unit="1", amount=2, rule="R39"),
        e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
        e.SetbackGained(unit="1", setback="battle-shaken", rule="R36"),
        e.SetbackRemoved(unit="1", setback="battle-shaken", rule="R42"),
        e.CommendationAwarded(unit="1", commendation="resilient", rule="R15"),
        e.UnitFell(unit="3", rule="R35"),
        e.UnitAdded(unit="4", card="snowtroopers", rule="R11"),
        e.UpgradeAdded(unit="4", upgrade="flametrooper", rule="R7"),
        e.KeywordGained(unit="4", keyword="Aid", rule="R26"),
        e.TraitGained(trait="unsure", games=2, rule="R37"),
        e.UnitReassigned(unit="2", rule="R46"),
        e.Noted(unit="2", rule="R46", why="noted"),
        e.Noted(unit="2", rule="R35", why="saved by a Medevac: no Casualty Check"),
        e.CommandCardUnlocked(command_card="paragon-standing-orders", rule="R16"),
        e.AssetGained(asset="medevac", rule="R43"),
        e.AssetUsedUp(asset="medevac", rule="R47"),
        e.AssetGained(asset="combat-drop", rule="R43"),
    ]
    after = replay(effects, START)
    assert summed_up(book, after, history_of(after, effects)) == Sum(
        register=[NumberChange("Keep Them in Line", 1, 2), NumberChange("Combat Potential", 600, 750)],
        terms=[
            {"name": "+ Medevac", "kind": ""},
            {"name": "− Medevac", "kind": ""},
            {"name": "+ Combat Drop", "kind": ""},
        ],
        units=[
            {
                "name": "Captain Sorne",
                "fell": False,
                "changes": [NumberChange("XP", 3, 6), NumberChange("VR", 0, 1)],
                "terms": [
                    {"name": "+ Battle-Shaken", "kind": "setback"},
                    {"name": "− Battle-Shaken", "kind": ""},
                    {"name": "+ Resilient", "kind": "commendation"},
                    {"name": "+ Unsure", "kind": "trait"},
                    {"name": f"+ {book.command_cards['paragon-standing-orders'].name}", "kind": "command"},
                ],
            },
            {"name": "Snowtroopers (no. 3)", "fell": True, "changes": [], "terms": []},
            {
                "name": "Snowtroopers (no. 4)",
                "fell": False,
                "changes": [],
                "terms": [
                    {"name": "joined", "kind": "commendation"},
                    {"name": "+ Flametrooper", "kind": ""},
                    {"name": "+ Aid", "kind": ""},
                ],
            },
            {
                "name": "Stormtroopers",
                "fell": False,
                "changes": [],
                "terms": [{"name": "reassigned", "kind": ""}, {"name": "saved by a Medevac", "kind": "commendation"}],
            },
        ],
    )
