"""Chance that can be checked: the same from the same seed, every side as likely as any other."""

import hashlib
import hmac
import unicodedata
from collections import Counter
from math import comb

import pytest
from hypothesis import given, strategies as st

from rules.core.dice import DICE, LONGEST_WORD, chance, commitment, roll, sides, take, text_of, word
from rules.core.violations import RuleViolation, Violation

SEED = bytes(range(32))
TEXT = text_of("00000000-0000-0000-0000-000000000001", ("Ash", ""), "blue/4/1/check:2")

seeds = st.binary(min_size=32, max_size=32)
labels = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30)


def test_the_format_is_what_is_written_down():
    """Reckoned without any of our functions: whoever reads docs/trust.md does the same."""
    message = "musterbook dice 1\n00000000-0000-0000-0000-000000000001\nAsh\n\nblue/4/1/check:2\n0"
    first = hmac.new(SEED, message.encode(), hashlib.sha256).digest()
    black = ["hit", "hit", "hit", "critical", "surge", "blank", "blank", "blank"]
    assert roll(SEED, TEXT, "black_attack", 32) == [black[byte % 8] for byte in first]


def test_a_block_is_followed_by_the_next():
    second = hmac.new(SEED, f"{TEXT}\n1".encode(), hashlib.sha256).digest()
    assert roll(SEED, TEXT, "black_attack", 40)[32:] == [sides("black_attack")[b % 8] for b in second[:8]]


def test_six_sides_pass_over_the_bytes_of_an_incomplete_round():
    blocks = b"".join(hmac.new(SEED, f"{TEXT}\n{n}".encode(), hashlib.sha256).digest() for n in range(20))
    red = ["block", "block", "block", "surge", "blank", "blank"]
    kept = [red[byte % 6] for byte in blocks if byte < 252]
    assert len(kept) < len(blocks)
    assert roll(SEED, TEXT, "red_defense", len(kept)) == kept


def test_the_commitment_is_the_sha_256_of_the_seed():
    assert commitment(b"\0" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


@given(seeds, labels, st.sampled_from(sorted(DICE)), st.integers(1, 12), st.integers(0, 12))
def test_more_dice_of_the_same_roll_begin_with_the_same_faces(seed, label, die, few, more):
    text = text_of("battle", ("", ""), label)
    fallen = roll(seed, text, die, few)
    assert set(fallen) <= set(DICE[die])
    assert roll(seed, text, die, few + more)[:few] == fallen


@given(seeds, st.lists(st.sampled_from(["corps", "heavy", "support"]), min_size=1), st.data())
def test_tokens_are_not_put_back_and_their_order_in_the_bag_says_nothing(seed, bag, data):
    count = data.draw(st.integers(0, len(bag)))
    taken = take(seed, TEXT, bag, count)
    assert len(taken) == count
    assert Counter(taken) <= Counter(bag)
    assert take(seed, TEXT, data.draw(st.permutations(bag)), count) == taken
    assert sorted(take(seed, TEXT, bag, len(bag))) == sorted(bag)


@pytest.mark.parametrize("die", sorted(DICE))
def test_faces_fall_as_often_as_the_die_has_them(die):
    """Chi-squared over 20,000 dice of one seed; 30 is passed by one seed in a hundred thousand."""
    count = 20_000
    fallen = Counter(roll(SEED, TEXT, die, count))
    expected = {face: float(chance(die, face) * count) for face in DICE[die]}
    assert sum((fallen[face] - share) ** 2 / share for face, share in expected.items()) < 30


def test_each_way_to_draw_two_of_five_comes_as_often():
    ways = Counter(
        frozenset(take(SEED, text_of("battle", ("", ""), str(number)), "abcde", 2)) for number in range(5000)
    )
    share = 5000 / comb(5, 2)
    assert len(ways) == comb(5, 2)
    assert sum((times - share) ** 2 / share for times in ways.values()) < 40


@pytest.mark.parametrize(
    "change",
    [
        lambda: text_of("00000000-0000-0000-0000-000000000002", ("Ash", ""), "blue/4/1/check:2"),
        lambda: text_of("00000000-0000-0000-0000-000000000001", ("", "Ash"), "blue/4/1/check:2"),
        lambda: text_of("00000000-0000-0000-0000-000000000001", ("Ash", ""), "blue/4/2/check:2"),
    ],
    ids=["battle", "words", "label"],
)
def test_another_roll_falls_otherwise(change):
    assert roll(SEED, change(), "black_attack", 40) != roll(SEED, TEXT, "black_attack", 40)


@pytest.mark.parametrize("parts", [("a\nb", ("", ""), "c"), ("a", ("b\n", ""), "c"), ("a", ("", ""), "\nc")])
def test_no_line_of_the_text_holds_another(parts):
    with pytest.raises(ValueError, match="No line may hold another"):
        text_of(*parts)


@pytest.mark.parametrize("size", [0, 257])
def test_one_byte_draws_one_of_at_most_256(size):
    with pytest.raises(ValueError, match=f"One of {size} cannot be drawn by a byte"):
        take(SEED, TEXT, ["corps"] * size, 1)


# --- Words ---------------------------------------------------------------------------------------------------


def test_a_word_is_tidied_and_composed():
    decomposed = unicodedata.normalize("NFD", "Måne")
    assert word(f"  {decomposed}\t\nover  Hoth\u2028") == "Måne over Hoth"
    assert word("   ") == ""


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("x" * (LONGEST_WORD + 1), "Use up to 80 characters."),
        ("bell\x07", "This text has invisible characters. Type it again."),
        ("half \ud800", "This text has invisible characters. Type it again."),
    ],
)
def test_a_word_that_is_too_long_or_unseen_is_refused(typed, sentence):
    with pytest.raises(RuleViolation) as refused:
        word(typed)
    assert refused.value.violations == (Violation("", sentence, "word"),)


@given(st.text())
def test_a_word_that_is_taken_fits_into_a_line(typed):
    try:
        checked = word(typed)
    except RuleViolation:
        return
    assert text_of("battle", (checked, ""), "label").count("\n") == 4
    assert word(checked) == checked
