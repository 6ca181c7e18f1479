"""The Discord message about a battle."""

import pytest

from campaign.battles.models import Battle
from campaign.battles.queries.discord_message import battle_message, check_message
from campaign.models import Campaign, Webhook
from campaign.scenarios.play import play, read
from notifications.discord import LONGEST, length
from tests.campaign.battles.closing import ALL_OF_BRAVO, closed, undo
from tests.campaign.factories import against_guest, in_play, reported
from tests.campaign.first_blood import SCENARIO

PAGE = "https://musterbook.example/battles/1/"
ALL = frozenset(Webhook.KINDS)
HEAD = "**Battle 1** of First Blood: **Ashen Patrol** against **Dune Wardens**"
FALLEN = ["__Fallen__", r"• Rebel Troopers \(no\. 2\), Dune Wardens"]
VETERANS = ["__Promotions__", "• Grim Hounds reached Veteran Rank 1, Ashen Patrol"]


@pytest.fixture
def battle(fought) -> Battle:
    return closed(fought)


def lines_of(battle: Battle, parts: frozenset[str] | set[str] = ALL) -> list[str]:
    return battle_message(battle, parts, PAGE).splitlines()


class TestABattle:
    def test_everything(self, battle):
        sentences = [HEAD, "**Ashen Patrol** won.", *FALLEN, *VETERANS, f"<{PAGE}>"]
        assert lines_of(battle) == sentences

    @pytest.mark.parametrize(
        ("parts", "expected"),
        [
            ({"battles"}, ["**Ashen Patrol** won."]),
            ({"casualties"}, FALLEN),
            ({"veterans"}, VETERANS),
            ({"casualties", "veterans", "arcs"}, [*FALLEN, *VETERANS]),
        ],
    )
    def test_what_is_switched_on(self, battle, parts, expected):
        assert lines_of(battle, parts) == [HEAD, *expected, f"<{PAGE}>"]

    def test_nothing_where_nothing_of_it_happened(self, battle):
        assert battle_message(battle, {"arcs"}, PAGE) == ""

    def test_nothing_that_was_undone(self, fought):
        fought.answer("red", {"supply": ["surge"]})
        fought.answer("red", ALL_OF_BRAVO)
        fought.answer("red", {"setback:6": ["critical"]})
        assert lines_of(fought.battle, {"casualties"}) == [HEAD, *FALLEN, f"<{PAGE}>"]
        undo(fought, "red")
        assert lines_of(fought.battle, {"casualties"}) == []

    def test_of_a_guest(self, table):
        battle = reported(
            in_play(against_guest(table)),
            table.ada,
            winner="blue",
            victory_points={"blue": 7, "red": 4},
            red={"conceded": True},
        )
        assert lines_of(battle) == [
            "**Battle 1** of Outer Rim Winter: **Ashen Patrol** against **Sal**",
            "**Ashen Patrol** won, 7–4.",
            "Sal conceded.",
            f"<{PAGE}>",
        ]

    def test_that_red_won_with_the_points_of_the_winner_first(self, table):
        battle = reported(in_play(against_guest(table)), table.ada, winner="red", victory_points={"blue": 4, "red": 7})
        assert lines_of(battle, {"battles"})[1] == "**Sal** won, 7–4."

    def test_that_nobody_won(self, table):
        battle = reported(in_play(against_guest(table)), table.ada, winner="")
        assert lines_of(battle, {"battles"})[1] == "Draw."


def test_the_end_of_a_story_arc(book):  # R48
    campaign = Campaign.objects.create(name="Saga")
    play(read(SCENARIO.with_name("a-story-arc.json")), campaign)
    battle = campaign.battles.exclude(owner="").get()
    assert lines_of(battle, {"arcs"}) == [
        "**Battle 5** of Saga: **Ashen Patrol** against **Sal**",
        "__Story Arcs__",
        "• Ashen Patrol completed Bring Peace to the Galaxy: Reputation +1",
        f"<{PAGE}>",
    ]


def test_names_are_no_marks_of_discord(battle):
    Campaign.objects.update(name="@everyone *come*")
    battle.sides.get(colour="blue").register.dossiers.update(name="[Free](https://evil.example)")
    battle = Battle.objects.get(pk=battle.pk)
    lines = lines_of(battle, {"veterans"})
    assert lines[0] == HEAD.replace("First Blood", r"\@everyone \*come\*")
    assert lines[2] == r"• \[Free\]\(https\://evil\.example\) \(no\. 3\) reached Veteran Rank 1, Ashen Patrol"


class TestLength:
    def test_no_message_is_longer_than_discord_takes(self, battle, monkeypatch):
        whole = battle_message(battle, ALL, PAGE)
        assert length(whole) < LONGEST
        for longest, more in (
            (length(whole), []),
            (length(whole) - 1, [*FALLEN, "… and 1 more"]),
            (length(whole) - 90, ["… and 2 more"]),
        ):
            monkeypatch.setattr("campaign.battles.queries.discord_message.LONGEST", longest)
            text = battle_message(battle, ALL, PAGE)
            assert length(text) <= longest
            rest = more or [*FALLEN, *VETERANS]
            assert text.splitlines() == [HEAD, "**Ashen Patrol** won.", *rest, f"<{PAGE}>"]

    def test_the_longest_names_leave_room(self, table):
        battle = against_guest(table)
        Campaign.objects.update(name="*" * 80)
        table.alpha.__class__.objects.update(name="*" * 80)
        battle.sides.filter(colour="red").update(guest_name="*" * 80)
        battle.sides.update(report={"conceded": True}, victory_points=1000)
        battle = Battle.objects.get(pk=battle.pk)
        assert length(battle_message(battle, ALL, f"https://{'m' * 190}{battle.get_absolute_url()}")) < LONGEST


def test_a_trial():
    assert check_message("Outer_Rim", PAGE) == (
        f"Test message: Musterbook will post news of **Outer\\_Rim** here.\n<{PAGE}>"
    )
