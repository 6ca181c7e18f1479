"""Where both sides stand, as the page reads it."""

from dataclasses import replace
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.battles.models import Side
from campaign.battles.pages.sequence import (
    IN_SIGHT,
    Page,
    SequenceStep,
    moment,
    shortened,
    version,
    version_of,
    waits_for,
    words_for_other,
)
from campaign.battles.pages.sequence_events import Group, HistoryLine, NumberChange
from campaign.battles.services.sequence import UndoScope
from registers.models import Register
from rules.post_battle.dialogue import ChooseSeveral
from rules.register.effects import SupplyPointsGained
from tests.campaign.battles.closing import blue_to_step_5, closed, red_to_step_5, to_step_4, undo
from tests.campaign.battles.pages.sequence_page import page
from tests.campaign.first_blood import Fought, begin
from tests.registers.ledgers import append


def states(shown: Page) -> list[tuple[str, str]]:
    return [(step.state, step.note) for step in shown.steps]


# --- The steps -------------------------------------------------------------------------------------------------


def test_at_the_beginning(fought):
    shown = page(fought, "blue")
    assert isinstance(shown.question, ChooseSeveral)
    assert (shown.held_up, shown.gains, shown.sum, shown.undo_sizes) == ("", [], None, {})
    assert states(shown) == [("now", "")] + [("to-come", "")] * 9


def test_steps_with_nothing_to_decide_pass_and_say_why(fought):
    shown = page(fought, "red")
    assert states(shown) == [
        ("skipped", "Midnight Strikes did not progress"), ("skipped", "no Turning Point Mission"), ("now", ""),
    ] + [("to-come", "")] * 7  # fmt: skip
    assert shown.lately == [
        SequenceStep(1, "Progress Agendas", "done", "Midnight Strikes did not progress"),
        SequenceStep(2, "Turning Point Rewards", "done", "no Turning Point Mission"),
        SequenceStep(3, "Award Supply Points", "done", "", [
            Group(lines=[HistoryLine("For the battle", "R30", (), NumberChange("SP", 5, 7))])
        ]),
    ]  # fmt: skip


def test_what_just_happened_begins_at_the_last_answer(fought):
    fought.answer("red", {"supply": ["surge"]})
    shown = page(fought, "red")
    dice = ({"die": "red_defense", "face": "surge"},)
    assert shown.lately == [
        SequenceStep(
            3, "Award Supply Points", "done", "", [Group(lines=[HistoryLine("Supplies: a surge", "R30", dice)])]
        )
    ]


def test_a_done_step_tells_all_of_it_and_who_rolled(fought):
    blue_to_step_5(fought)
    step = page(fought, "blue").steps[3]
    dice = ({"die": "black_attack", "face": "blank"},)
    check = "Casualty Check: escaped"
    assert step == SequenceStep(
        4,
        "Determine Casualties and Setbacks",
        "done",
        "dice rolled at the table",
        [
            Group(
                "Stormtroopers (no. 2)", lines=[HistoryLine(check, "R34", dice, NumberChange("XP", 0, 1), by_hand=True)]
            ),
            Group("Scout Troopers", lines=[HistoryLine(check, "R34", dice, NumberChange("XP", 0, 1), by_hand=True)]),
        ],
    )


def test_dice_that_were_typed_in_are_marked_and_no_others(fought):
    """Checks typed in at step 4, the supplies of step 3 drawn by the app."""
    blue_to_step_5(fought)
    shown = page(fought, "blue")
    marked = {
        step.number: [line.by_hand for group in step.groups for line in group.lines if line.dice]
        for step in (*shown.steps, *shown.lately)
        if step.number in (3, 4)
    }
    assert marked == {3: [False], 4: [True, True]}


def test_gains_of_the_game_come_first(book):
    fought = begin(blue={"in_game_supply": 2, "in_game_experience": {"1": 1}})
    assert page(fought, "blue").gains == [
        Group("Captain Sorne", lines=[HistoryLine("Gained during the game", "R16", (), NumberChange("XP", 0, 1))]),
        Group(lines=[HistoryLine("Gained during the game", "R16", (), NumberChange("SP", 5, 7))]),
    ]


def test_what_just_happened_is_shortened_to_a_few_lines():
    hounds, scouts = (
        Group(name, lines=[HistoryLine(f"Line {number}", "R31") for number in range(IN_SIGHT // 2)]) for name in "hs"
    )
    at_ats = Group("AT-AT", lines=[HistoryLine(str(number)) for number in range(IN_SIGHT)])
    checks, passed = (
        SequenceStep(4, "Casualties", "done", groups=[hounds, scouts]),
        SequenceStep(5, "Experience", "done", "nobody"),
    )
    assert shortened([]) == ([], [])
    assert shortened([passed, checks]) == (
        [passed, replace(checks, groups=[hounds])],
        [replace(checks, groups=[scouts])],
    )
    assert shortened([checks, passed]) == (
        [replace(checks, groups=[hounds])],
        [replace(checks, groups=[scouts]), passed],
    )
    assert shortened([replace(checks, groups=[at_ats])]) == ([replace(checks, groups=[at_ats])], [])  # one at the least
    promoted = Group("AT-ST", lines=[HistoryLine("Promoted", "R15", (), NumberChange("VR", 0, 1))])
    both = replace(checks, groups=[replace(promoted, lines=[*promoted.lines, *at_ats.lines]), promoted, hounds])
    assert shortened([both]) == ([replace(both, groups=both.groups[:2])], [replace(both, groups=[hounds])])


def test_conceding_is_a_reason_to_skip(book):
    shown = page(begin(red={"conceded": True}), "red")
    assert states(shown)[:4] == [
        ("skipped", "Midnight Strikes did not progress"), ("skipped", "no Turning Point Mission"),
        ("skipped", "conceded"), ("now", ""),
    ]  # fmt: skip


def test_a_step_that_was_undone_is_to_come_again(fought):
    to_step_4(fought)
    undo(fought, "blue")
    shown = page(fought, "blue")
    assert states(shown)[2:4] == [("now", ""), ("to-come", "")]
    assert [step.number for step in shown.lately] == [1, 2, 3]


def test_the_end_is_summed_up(fought):
    closed(fought)
    shown = page(fought, "blue")
    assert (shown.question, shown.standing, shown.now) == (None, None, None)
    assert (shown.undo_sizes, [violation.rule for violation in shown.why_not]) == (
        {UndoScope.ANSWER: 1}, ["R39"],
    )  # fmt: skip
    assert shown.sum is not None
    assert shown.sum.register == [NumberChange("Keep Them in Line", 0, 2), NumberChange("SP", 5, 8)]
    assert {unit["name"]: unit["changes"] for unit in shown.sum.units} == {
        "Grim Hounds": [NumberChange("XP", 0, 7), NumberChange("VR", 0, 1)],
        "AT-ST": [NumberChange("XP", 0, 3)],
        "Captain Sorne": [NumberChange("XP", 0, 2)],
        "Stormtroopers": [NumberChange("XP", 0, 2)],
        "Scout Troopers": [NumberChange("XP", 0, 2)],
        "Snowtroopers": [NumberChange("XP", 0, 1)],
    }


def test_the_sum_stays_when_the_register_goes_on(fought):
    closed(fought)
    before = page(fought, "blue").sum
    again = fought.blue.own_register
    append(
        actor=None, register=Register.objects.select_for_update().get(pk=again.pk), act="correct",
        effects=[SupplyPointsGained(amount=3, rule="R30")], reason="forgotten",
    )  # fmt: skip
    assert page(fought, "blue").sum == before


# --- The other side ----------------------------------------------------------------------------------------------


def words(fought: Fought, colour: str) -> str:
    shown = page(fought, colour)
    return words_for_other(shown.side, shown.other)


def test_the_other_side_is_always_visible(fought):
    assert words(fought, "blue") == "step 3, Supply Points"
    red_to_step_5(fought)
    assert words(fought, "blue") == "waiting for checks"
    assert page(fought, "red").held_up == "Ashen Patrol is not done with step 4 yet. Only survivors can be named rival."
    blue_to_step_5(fought)
    assert words(fought, "blue") == "step 5, Experience"
    fought.answer("red", "3")
    assert words(fought, "blue") == "waiting for a rival"
    assert page(fought, "red").held_up == "Ashen Patrol has not named a rival among your units yet."
    fought.answer("blue", "7")
    assert (words(fought, "blue"), words(fought, "red")) == ("step 7, Aid Requests", "step 6, Commendations")


def test_a_step_without_a_change_says_so(fought):
    closed(fought)
    assert states(page(fought, "red"))[7] == ("done", "nothing changed")


def test_one_that_is_done(fought):
    closed(fought)
    assert words(fought, "red") == "all ten steps resolved"


def test_a_guest_walks_no_steps():
    side, guest = Side(step=5), Side(guest_name="Cyd")
    assert (words_for_other(side, guest), waits_for(side, guest)) == ("plays as a guest", "")


# --- Has anything changed? -----------------------------------------------------------------------------------------


def test_the_version_changes_with_every_move_of_either_side(fought):
    seen = [version(fought.ada, fought.battle.pk)]
    for colour, answer in (("red", {"supply": ["surge"]}), ("blue", ["corps", "heavy"]), ("blue", "3")):
        fought.answer(colour, answer)
        seen.append(version(fought.ada, fought.battle.pk))
    undo(fought, "blue")
    seen.append(version(fought.ada, fought.battle.pk))
    assert len(set(seen)) == 5
    shown = page(fought, "blue")
    assert version_of(shown.battle, shown.side, shown.other) == seen[-1]


def test_a_version_for_nobody_else(fought, django_user_model):
    stranger = django_user_model.objects.create_user("mallory")
    assert (version(stranger, fought.battle.pk), version(fought.ada, uuid4())) == ("", "")


def test_the_moment_changes_when_the_house_answers(fought):
    red_to_step_5(fought)
    before = moment(fought.red)
    blue_to_step_5(fought)
    assert moment(fought.red) != before


# --- Queries -----------------------------------------------------------------------------------------------------


def test_a_page_takes_the_same_queries_whatever_has_happened(fought):
    def count(colour: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            page(fought, colour)
        # Now and then one asks whether the catalogue has changed; it counts not.
        return sum("catalogue_cataloguestate" not in query["sql"] for query in queries.captured_queries)

    first = count("blue")
    blue_to_step_5(fought)
    assert count("blue") == first
    red_to_step_5(fought)
    assert {count("blue"), count("red")} == {first}


def test_a_poll_takes_one(fought, django_assert_num_queries):
    with django_assert_num_queries(1):
        version(fought.ada, fought.battle.pk)


def test_promotions_come_first(fought):
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    [step] = [step for step in page(fought, "blue").lately if step.number == 5]
    assert [group.promoted for group in step.groups] == [True] + [False] * (len(step.groups) - 1)
