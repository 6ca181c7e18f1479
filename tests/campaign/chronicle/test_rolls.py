"""Leaders, the roll of honor, the roll of the fallen."""

from campaign.battles.models import Battle
from campaign.chronicle.narrative.battle_story import SideStory
from campaign.chronicle.narrative.book import battles_words, fallen, honors, leaders
from registers.models import Register
from tests.campaign.chronicle.battle_stories import a_battle_story
from tests.campaign.factories import planned


def side(name: str, colour: str, **words) -> SideStory:
    return SideStory(**{"name": name, "key": name, "colour": colour, "has_sequence": True, **words})


TALES = [
    a_battle_story(
        number=1,
        blue=side("Ashen Patrol", "blue", ranks=(("Hounds", 1),), commendations=(("Hounds", "Resilient"),)),
        red=side("Dune Wardens", "red", fallen=("Old Guard", "Scouts"), commendations=(("Lander", "Drill"),)),
    ),
    a_battle_story(
        number=2,
        blue=side("Ashen Patrol", "blue", fallen=("Hounds",), ranks=(("Red Six", 1),)),
        red=side("Ashen Patrol", "red", ranks=(("Hounds", 2),), commendations=(("Hounds", "Recon Badge"),)),
    ),
]


def honored(stories) -> list[tuple]:
    return [
        (each["key"], each["register"], each["unit"], each["veteran_rank"], each["commendations"])
        for each in honors(stories)
    ]


def test_the_roll_of_honor_has_each_register_once():
    assert honored(TALES) == [
        ("Ashen Patrol", "Ashen Patrol", "Hounds", 2, ["Resilient", "Recon Badge"]),
        ("Ashen Patrol", "Ashen Patrol", "Red Six", 1, []),
        ("Dune Wardens", "Dune Wardens", "Lander", 0, ["Drill"]),
    ]
    later = a_battle_story(
        blue=side("Ashen Patrol", "blue", ranks=(("Hounds", 3),)),
        red=side("Dune Wardens", "red", ranks=(("Lander", 2),)),
    )
    assert [row[2:4] for row in honored([*TALES, later])] == [("Hounds", 3), ("Red Six", 1), ("Lander", 2)]


def test_two_registers_of_one_name_are_two():
    alike = [
        side("Ashen Patrol", colour, key=colour, ranks=(("Hounds", rank), ("Scouts", 1)))
        for rank, colour in ((1, "blue"), (2, "red"))
    ]
    assert [(row[0], *row[2:4]) for row in honored([a_battle_story(blue=alike[0], red=alike[1])])] == [
        ("red", "Hounds", 2), ("red", "Scouts", 1), ("blue", "Hounds", 1), ("blue", "Scouts", 1),
    ]  # fmt: skip


def test_the_roll_of_the_fallen():
    assert fallen(TALES) == [
        {"register": "Dune Wardens", "unit": "Old Guard", "battle": 1},
        {"register": "Dune Wardens", "unit": "Scouts", "battle": 1},
        {"register": "Ashen Patrol", "unit": "Hounds", "battle": 2},
    ]


def test_leaders_are_those_of_whom_is_told(table):
    battle = planned(table)
    Register.objects.filter(pk=table.bravo.pk).update(reputation=2, faction="rebel")
    assert (leaders(table.campaign), battles_words(table.campaign)) == ([], "The chronicle has just begun")
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)
    assert [(each.name, each.reputation) for each in leaders(table.campaign)] == [
        ("Dune Wardens", 2), ("Ashen Patrol", 0),
    ]  # fmt: skip
    assert battles_words(table.campaign) == "The chronicle of 1 battle"
