"""Dice and their faces (section 1)."""

from fractions import Fraction

from rules.core.dice import DICE, chance, sides


def test_a_black_attack_die_has_the_eight_sides_of_section_1() -> None:
    assert sides("black_attack") == ["hit"] * 3 + ["critical", "surge"] + ["blank"] * 3


def test_a_red_defense_die_has_six_sides() -> None:
    assert sides("red_defense") == ["block"] * 3 + ["surge"] + ["blank"] * 2


def test_the_chances_of_all_faces_of_a_die_add_up_to_one() -> None:
    assert {die: sum(chance(die, face) for face in faces) for die, faces in DICE.items()} == dict.fromkeys(DICE, 1)


def test_a_face_that_a_die_does_not_have_never_falls() -> None:
    assert (chance("black_attack", "block"), chance("black_attack", "hit")) == (0, Fraction(3, 8))
