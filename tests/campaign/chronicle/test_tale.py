"""What a closed battle came to, read from the ledgers."""

from collections import defaultdict

import pytest

from campaign.battles.models import Battle, Side, Tally
from campaign.chronicle.narrative.battle_story import (
    NEVER_LED,
    BattleStory,
    SideStory,
    _of_units,
    _SideNames,
    battle_stories,
    narrate,
)
from campaign.models import Campaign
from campaign.scenarios.play import play, read
from registers.models import Register
from registers.services import editing
from registers.services.corrections import correct
from rules.adjustments.corrections import WantedValue
from rules.register.effects import SetbackGained, UnitFell, VeteranRankReached
from rules.register.state import Dossier, RegisterState
from tests.campaign.battles.closing import ALL_OF_BRAVO, all_but_the_last, closed, undo
from tests.campaign.first_blood import SCENARIO

STATE = RegisterState(fallen={"1": Dossier("1", "stormtroopers")})


def battle_story_of(battle: Battle) -> BattleStory:
    return battle_stories([Battle.objects.prefetch_related("sides__register").get(pk=battle.pk)])[battle.pk]


def key_of(register: str) -> str:
    return str(Register.objects.get(name=register).pk)


def test_all_that_first_blood_brought(fought):
    battle = closed(fought)
    assert battle_story_of(battle) == BattleStory(
        key=str(battle.pk),
        number=1,
        date=battle.date,
        size=600,
        winner="blue",
        meeting=1,
        blue=SideStory(
            name="Ashen Patrol",
            colour="blue",
            key=key_of("Ashen Patrol"),
            faction="empire",
            has_sequence=True,
            ranks=(("Grim Hounds", 1),),
            commendations=(("Grim Hounds", "Resilient"),),
            agendas=(("Keep Them in Line", 2),),
            rival="X-34 Landspeeder",
            defeated=2,
            escaped=(("Stormtroopers", ("blank",)), ("Scout Troopers", ("blank",))),
            feared="Grim Hounds",
            first_honors=("Grim Hounds",),
            holding=("Grim Hounds", "Captain Sorne"),
            paragon="Captain Sorne",
            arc="Bring Peace to the Galaxy",
            arc_slug="bring-peace-to-the-galaxy",
            battles=1,
        ),
        red=SideStory(
            name="Dune Wardens",
            colour="red",
            key=key_of("Dune Wardens"),
            faction="rebel",
            has_sequence=True,
            fallen=("Rebel Troopers (no. 2)",),
            setbacks=(("AT-RT", "Compromised"),),
            rival="Grim Hounds",
            defeated=3,
            escaped=(("Rebel Troopers (no. 3)", ("blank",)),),
            feared="X-34 Landspeeder",
            holding=("Fleet Troopers",),
            paragon="Major Tal",
            arc="Liberate the System",
            arc_slug="liberate-the-system",
            battles=1,
        ),
    )
    told = [" ".join(side.sentences) for side in narrate(battle_story_of(battle)).sides]
    assert [words for words in told if "No unit" in words or "feet" in words] == []  # both had defeated units


@pytest.mark.parametrize(
    ("scores", "lead"),
    [
        ({"blue": {"2": 2, "4": 8}, "red": {"1": 1, "3": 5}}, (3, 5, 2)),
        ({"blue": {"10": 8}, "red": {"9": 5}}, (9, 5, 0)),  # rounds are numbers
        ({"blue": {"1": 8}, "red": {"2": 5}}, NEVER_LED),
        ({"blue": {"1": 2, "2": 8}, "red": {"1": 5, "2": 6}}, NEVER_LED),  # reported were 5
        ({}, NEVER_LED),
    ],
)
def test_the_last_lead_of_the_loser_as_the_table_has_it(fought, scores, lead):
    battle = closed(fought)
    for side in battle.sides.all():
        Tally.objects.update_or_create(side=side, defaults={"scores": scores.get(side.colour, {})})
        Side.objects.filter(pk=side.pk).update(victory_points={"blue": 8, "red": 5}[side.colour])
    assert battle_story_of(battle).lead == lead


def test_nothing_until_it_is_closed(fought):
    all_but_the_last(fought)
    battle = Battle.objects.prefetch_related("sides__register").get(pk=fought.battle.pk)
    assert battle_stories([battle]) == {}


def test_nothing_that_was_undone(fought):
    fought.answer("red", {"supply": ["surge"]})
    fought.answer("red", ALL_OF_BRAVO)
    fought.answer("red", {"setback:6": ["critical"]})
    Battle.objects.filter(pk=fought.battle.pk).update(status=Battle.Status.CLOSED)
    assert battle_story_of(fought.battle).red.fallen == ("Rebel Troopers (no. 2)",)
    Battle.objects.filter(pk=fought.battle.pk).update(status=Battle.Status.SEQUENCE)
    undo(fought, "red")
    Battle.objects.filter(pk=fought.battle.pk).update(status=Battle.Status.CLOSED)
    assert battle_story_of(fought.battle).red.fallen == ()


def test_who_was_taken_from_the_roll_of_the_fallen_by_a_correction_did_not_fall(fought):
    closed(fought)
    register = fought.red.own_register
    correct(
        actor=fought.ada_organizes(), register_id=register.pk, position=register.position,
        wishes=[WantedValue("place", "serving", unit="2")], reason="it had escaped",
    )  # fmt: skip
    assert battle_story_of(fought.battle).red.fallen == ()


def test_a_guest_and_the_end_of_a_story_arc(book):  # R17, R48
    campaign = Campaign.objects.create(name="Saga")
    play(read(SCENARIO.with_name("a-story-arc.json")), campaign)
    battle = campaign.battles.exclude(owner="").get()
    Side.objects.filter(battle=battle).update(victory_points=3)
    Battle.objects.filter(pk=battle.pk).update(place="The attic", mission="Cross the ridge")
    assert battle_story_of(battle) == BattleStory(
        key=str(battle.pk),
        number=5,
        date=battle.date,
        place="The attic",
        mission="Cross the ridge",
        size=600,
        turning_point="Wipe Them Out",
        winner="blue",
        meeting=5,
        last_winner="blue",
        blue=SideStory(
            name="Ashen Patrol",
            colour="blue",
            key=key_of("Ashen Patrol"),
            faction="empire",
            victory_points=3,
            has_sequence=True,
            ranks=(("Cold Feet", 1), ("Red Six", 2)),
            commendations=(("Red Six", "Recon Badge"),),
            trait="Tunnel Vision",
            arc_ended="Bring Peace to the Galaxy",
            reputation=1,
            arc_begun="Birth of a Legend",
            defeated=2,
            escaped=(("Cold Feet", ("blank",)),),
            feared="Red Six",
            holding=("Red Six",),
            paragon="Captain Sorne",
            arc="Bring Peace to the Galaxy",
            arc_slug="bring-peace-to-the-galaxy",
            battles=5,
        ),
        red=SideStory(name="Sal", colour="red", victory_points=3),
    )
    conceded = battle_story_of(campaign.battles.get(number=6))
    assert (conceded.winner, conceded.blue.conceded) == ("red", True)


def test_no_setback_and_no_rank_of_who_fell(book):
    """They may come as a reward in steps 1 and 2, and the unit fall in step 4: it came back with nothing."""
    card = next(iter(book.setbacks))
    gained = [SetbackGained(rule="R36", unit=unit, setback=card) for unit in ("1", "2")]
    ranks = [VeteranRankReached(rule="R12", unit=unit, veteran_rank=1) for unit in ("1", "2")]
    happened = {SetbackGained: gained, VeteranRankReached: ranks, UnitFell: [UnitFell(rule="R35", unit="1")]}
    names = _SideNames(book, {"1": "Hounds", "2": "Scouts"}, {}, STATE)
    found = _of_units(names, defaultdict(list, happened), {"defeated": ["1", "L1"]})
    assert (found["fallen"], found["setbacks"]) == (("Hounds",), (("Scouts", book.setbacks[card].name),))
    assert (found["ranks"], found["defeated"]) == ((("Scouts", 1),), 2)  # L1 is lent by an asset


def test_units_of_one_name_are_told_apart(fought):
    closed(fought)
    named = {"name": {"unit": "1", "name": "Grim Hounds"}}
    editing.edit(actor=fought.ada, register_id=fought.blue.register_id, position=None, change=named)
    assert battle_story_of(fought.battle).blue.ranks == (("Grim Hounds (no. 3)", 1),)
