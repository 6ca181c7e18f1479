"""Where everything of the picture of a unit's Experience stands."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from hypothesis import HealthCheck, given, settings, strategies as st

from registers.campaign_side import BattleName
from registers.charts.experience import FLOOR, RIGHT, TOP, Stop, drawn
from registers.charts.geometry import room_of
from rules.register.state import Dossier
from tests.registers.charts.drawing import outside
from tests.thoroughness import examples

DAY = datetime(2026, 4, 21, tzinfo=UTC)
CORPS = "stormtroopers"
COMMANDER = "imperial-officer-ruthless-efficiency"


def stop(number: int, experience: int, gained: int, **more) -> Stop:
    return Stop(str(number), DAY, experience=experience, gained=gained, **more)


def picture(book, stops, card=CORPS):
    dossier = Dossier("2", card, experience=stops[-1].experience, veteran_rank=stops[-1].veteran_rank)
    names = {each.battle: BattleName("A battle", "/b/", each.battle) for each in stops if each.battle}
    return drawn(book, dossier, stops, names)


def test_two_battles(book):
    shown = picture(
        book,
        [
            stop(1, 5, 5, veteran_rank=1, ranks=1, commendations=["resilient"]),
            stop(3, 15, 10, veteran_rank=2, ranks=1, setbacks=["downtrodden"], held=1),
        ],
    )
    assert shown.summary == "15 of 25 Experience: Veteran Rank 2 of 3."
    assert [(t["rank"], t["experience"], t["y"], t["reached"]) for t in shown.thresholds] == [
        (1, 5, "146", True), (2, 13, "98", True), (3, 25, "26", False),
    ]  # fmt: skip
    first, second = shown.columns
    # 150 px are 25 XP: what was there and what was gained stand on each other
    assert (first["had"], first["gain"], first["hang"], first["number"]) == (("176", "0"), ("146", "30"), "0", "1")
    assert (second["had"], second["gain"], second["hang"], second["number"]) == (("146", "30"), ("86", "60"), "10", "3")
    assert (first["commendations"], second["setbacks"]) == (["Resilient"], ["Downtrodden 1"])
    assert shown.marks == [("commendation", first["middle"])]
    assert (shown.numbers, shown.height) == ("207", "212")


def test_between_battles_there_is_no_number(book):
    shown = picture(book, [stop(1, 5, 5), Stop("", DAY, experience=5, shed=["downtrodden"])])
    assert [(column["name"] is None, column["number"]) for column in shown.columns] == [(False, "1"), (True, "")]


def test_a_longer_reach_after_special_training(book):  # R44
    dossier = Dossier("2", CORPS, training=1, experience=30, veteran_rank=3)
    shown = drawn(book, dossier, [stop(1, 30, 30)], {})
    assert [threshold["experience"] for threshold in shown.thresholds] == [5, 13, 25, 40]


def test_more_than_its_reach(book):  # R13, as another house reads it
    shown = picture(book, [stop(1, 27, 27)])
    assert shown.columns[0]["gain"] == (str(TOP), str(FLOOR - TOP))


@st.composite
def stops(draw, book):
    found, experience, held = [], 0, 0
    for number in range(1, draw(st.integers(1, 120)) + 1):
        gained = min(draw(st.integers(0, 6)), 50 - experience)
        held = max(0, held + draw(st.integers(-2, 2)))
        awarded = draw(st.lists(st.sampled_from(sorted(book.commendations)), max_size=1))
        experience += gained
        found.append(stop(number * 7, experience, gained, held=held, commendations=awarded))
    found[-1].fell = draw(st.booleans())
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(5, 25))
@given(data=st.data())
def test_laws(book, data):
    drawn_stops = data.draw(stops(book))
    shown = picture(book, drawn_stops, COMMANDER)
    html = render_to_string("registers/charts/experience.html", {"picture": shown, "ledger": "?dossier=2"})
    assert outside(html) == []
    # as tall as the Experience: 150 px are 50 XP, and the Setbacks are as long as there are many
    for column in shown.columns:
        tall = float(column["had"][1]) + float(column["gain"][1])
        assert tall == pytest.approx(3 * column["stop"].experience, abs=0.05)
    most = max(1, *(each.held for each in drawn_stops))
    longest = float(max((column["hang"] for column in shown.columns), key=float))
    for column in shown.columns:
        assert float(column["hang"]) == pytest.approx(longest * column["stop"].held / most, abs=0.05)
    # no number and no mark lies on another, and thresholds are as far apart as their words are high
    numbered = [column for column in shown.columns if column["number"]]
    for one, other in pairwise(numbered):
        room = room_of(max(len(one["number"]), len(other["number"])))
        assert float(other["middle"][:-1]) - float(one["middle"][:-1]) >= room
    marks = [float(x[:-1]) for _kind, x in shown.marks]
    if len(marks) < 16:
        assert all(other - one >= 4.65 for one, other in pairwise(marks))
    assert all(8 < x < RIGHT for x in marks)
    words = [float(threshold["word"]) for threshold in shown.thresholds]
    assert all(one - other >= 11 for one, other in pairwise(words))
