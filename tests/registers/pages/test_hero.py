"""The head of a Dossier."""

import pytest

from registers.campaign_side import BattleName
from registers.pages.hero import hero_of, last_deed
from registers.projection import state_of
from registers.queries.ledger import battle_entries_about
from rules.post_battle.experience import MOST_FEARED
from rules.register import effects as e
from tests.registers.views.reading import happen

NAMES = {battle: BattleName(f"Battle {battle}") for battle in ("7", "8")}
GAIN = e.ExperienceGained(unit="1", amount=2, rule="R39", why="took part")
RIVAL = e.ExperienceGained(unit="1", amount=3, rule="R39", why=f"{MOST_FEARED} Sal")
OBJECTIVE = e.ExperienceGained(unit="1", amount=1, rule="R39", why="at an objective at the end")
CRITICALS = e.ExperienceGained(unit="1", amount=2, rule="R34", why="only criticals")
RANK = e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12")
SETBACK = e.SetbackGained(unit="1", setback="compromised", rule="R36")
UNLOCKED = e.CommandCardUnlocked(command_card="paragon-the-best-of-us", rule="R16")
TRAIT = e.TraitGained(trait="tunnel-vision", games=2, rule="R37")


@pytest.mark.parametrize(
    ("unit", "battles", "deed"),
    [
        ("1", [], None),
        ("1", [("7", [GAIN])], ("Took part", "Battle 7")),
        ("1", [("7", [RANK]), ("8", [GAIN])],
         ("Reached Veteran Rank 1", "Battle 7")),
        ("1", [("7", [GAIN]), ("8", [GAIN])], ("Took part", "Battle 8")),
        ("1", [("7", [RIVAL]), ("8", [OBJECTIVE])], ("At an objective at the end", "Battle 8")),
        ("1", [("7", [RANK, UNLOCKED, RIVAL])], ("Most Feared Rival of Sal", "Battle 7")),
        ("1", [("7", [GAIN, RANK])],
         ("Reached Veteran Rank 1", "Battle 7")),
        ("1", [("7", [GAIN, TRAIT])], ("The Paragon's Defining Trait for 2 games: Tunnel Vision", "Battle 7")),
        ("1", [("7", [GAIN, RIVAL, SETBACK])], ("Most Feared Rival of Sal", "Battle 7")),
        ("1", [("7", [GAIN, CRITICALS])], ("+2 Experience (only criticals)", "Battle 7")),
        ("1", [("7", [GAIN, OBJECTIVE])], ("At an objective at the end", "Battle 7")),
        ("2", [("7", [GAIN, TRAIT])], None),
        ("1", [("", [GAIN])], None),
    ],
)  # fmt: skip
def test_the_last_deed_is_the_rarest_of_the_last_battle_that_had_one(book, founded, unit, battles, deed):
    for battle, effects in battles:
        happen(founded, *effects, battle=battle)
    found = last_deed(book, state_of(founded), unit, battle_entries_about(founded, unit), NAMES)
    assert found == (deed and {"text": deed[0], "battle": BattleName(deed[1])})


def test_only_the_paragon_carries_the_story_arc(book, founded):
    state = state_of(founded)
    arcs = [hero_of(book, state, state.dossiers[key], founded, picture=None, deed=None)["arc"] for key in ("1", "2")]
    assert arcs == [{"slug": "bring-peace-to-the-galaxy", "name": "Bring Peace to the Galaxy"}, None]
