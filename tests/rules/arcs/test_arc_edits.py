"""Changing one place of an arc that is being written."""

import pytest

from rules.arcs.custom_arcs import appended, blank_arc, conditions_at, moved, part_at, removed, reward_at, with_part
from tests.rules.arcs.arcs import printed

SP = {"do": "gain_supply_points", "amount": 1}
XP = {"do": "gain_experience", "amount": 1}
ROLL = {"do": "roll", "die": "red_attack", "count": 1, "per_face": {"hit": [SP]}}
PATH = "agendas.0.reward"


def with_reward(*clauses):
    return with_part(blank_arc("Ours"), PATH, list(clauses))


def test_a_reward_inside_a_clause():
    arc = with_reward(SP, {"do": "choose_units", "count": 1, "each": [XP]})
    assert reward_at(arc, PATH) == part_at(arc, PATH)
    assert reward_at(arc, f"{PATH}.1.each") == [XP]


def test_a_face_that_does_nothing_yet():
    arc = with_reward(ROLL)
    assert reward_at(arc, f"{PATH}.0.per_face.critical") == []
    filled = appended(arc, f"{PATH}.0.per_face.critical", XP)
    assert part_at(filled, f"{PATH}.0.per_face") == {"hit": [SP], "critical": [XP]}
    assert removed(filled, f"{PATH}.0.per_face.critical.0") == arc


@pytest.mark.parametrize(
    "path",
    [
        "name",
        "agendas.3.reward",
        "agendas.0.name",
        "agendas.0.progress",
        f"{PATH}.0",
        f"{PATH}.4.each",
        f"{PATH}.0.each",
        f"{PATH}.0.per_face.seven",
        f"{PATH}.0.options.0",
        "agendas.0.casualty_shield.instead",
    ],
)
def test_what_is_no_reward(path):
    with pytest.raises(LookupError):
        reward_at(with_reward(ROLL), path)


def test_a_place_that_is_none():
    for path in ("agendas.first", "agendas." + "9" * 5_000, "name.0", "other"):
        with pytest.raises(LookupError):
            part_at(blank_arc(), path)
    assert part_at(blank_arc("Ours"), "")["name"] == "Ours"


def test_conditions():
    arc = printed("a-pirates-life")
    assert conditions_at(arc, "agendas.0.progress") == [{"tokens_at_least": 2}, {"tokens_at_least": 3}]
    assert conditions_at(arc, "turning_point.end_of_game") == []
    with pytest.raises(LookupError):
        conditions_at(arc, PATH)


def test_nothing_is_changed_in_place():
    arc = with_reward(SP, XP)
    for changed in (with_part(arc, "name", "Theirs"), appended(arc, PATH, SP), removed(arc, f"{PATH}.0")):
        assert changed != arc
    assert arc == with_reward(SP, XP)


def test_replaced():
    assert with_part(with_reward(SP, XP), f"{PATH}.1", SP) == with_reward(SP, SP)


@pytest.mark.parametrize(
    ("place", "by", "after"),
    [(1, -1, [XP, SP, ROLL]), (0, 1, [XP, SP, ROLL]), (0, -1, [SP, XP, ROLL]), (2, 1, [SP, XP, ROLL])],
)
def test_moved(place, by, after):
    assert moved(with_reward(SP, XP, ROLL), f"{PATH}.{place}", by) == with_reward(*after)


def test_removed():
    assert removed(with_reward(SP, XP), f"{PATH}.0") == with_reward(XP)
