"""Where a campaign stands."""

from datetime import date

from django.db import transaction
from django.urls import reverse

from campaign.pages.season import season_of
from campaign.pages.standings_chart import fought
from campaign.schedule.models import Phase
from rules.post_battle.casualties import FIRST_ROLL
from rules.register.effects import DiceRolled, UnitFell
from tests.campaign.factories import complete
from tests.campaign.fights import over
from tests.registers.ledgers import append, lock
from tests.registers.views.reading import queries_of, text_of


def test_arcs_rivalries_and_numbers(table):
    for winner in ("blue", "red", "red", ""):
        over(table, winner)
    complete(table.bravo, 2)
    season = season_of(table.campaign, fought(table.campaign))
    [rivalry] = season["rivalries"]
    assert rivalry == {"one": table.bravo, "other": table.alpha, "won": 2, "drawn": 1, "lost": 1}
    [near] = season["arcs"]
    assert (near.register, near.done, near.words) == (table.bravo, 2, "can be played now")
    [faction] = season["factions"]
    assert (faction["registers"], faction["won"], faction["lost"], season["battles"]) == (2, 3, 3, 4)


def checked(table, battle, *effects) -> None:
    """What step 4 of a battle writes into alpha's ledger."""
    with transaction.atomic():
        [locked] = lock(table.alpha.pk)
        append(register=locked, actor=table.ada, act="step", battle=str(battle.pk), step=4, effects=effects)


def test_casualty_checks_against_the_odds_by_unit(table):
    def roll(unit: str, *faces: str, why: str = FIRST_ROLL) -> DiceRolled:
        return DiceRolled(unit=unit, die="black_attack", faces=faces, rule="R31", why=why)

    paragon, lucky, fallen = roll("1", "hit"), roll("2", "hit", "blank"), roll("3", "surge")
    checked(table, over(table, "blue"), paragon, lucky, roll("2", "hit", "hit", why="rerolled"), roll("3", "blank"))
    checked(table, over(table, "red"), lucky, fallen, UnitFell(unit="3", rule="R35"))
    checked(table, over(table, "", status="cancelled"), lucky)
    season = season_of(table.campaign, fought(table.campaign))
    found = [(each.unit, each.dice, each.fell, round(each.chance, 1)) for each in season["checked"]]
    assert found == [
        ("Stormtroopers (no. 2)", [2, 2], False, 58.6), ("Stormtroopers (no. 3)", [1, 1], True, 76.6),
    ]  # fmt: skip
    numbers = (season["checks"], season["casualties"], season["expected"])
    assert numbers == (4, 1, 2 * 15 / 64 + 2 / 8)


def test_the_page_says_so(as_cora, table):
    over(table, "blue")
    over(table, "blue")
    Phase.objects.create(campaign=table.campaign, name="Winter", first_day=date(2020, 1, 1), last_day=date(2099, 1, 1))
    here = reverse("campaign:standings", args=[table.campaign.pk])
    text = text_of(as_cora.get(here))
    assert "Winter, 1 January 2020 – 1 January 2099" in text
    assert "Rivalries Ashen Patrol against Dune Wardens 2–0–0" in text
    assert queries_of(as_cora, here) <= 15
