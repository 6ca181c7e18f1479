"""Tests for rules.core.json_text: how deep JSON may nest, whatever Python can read."""

import json

import pytest

from rules.core.json_text import DEEPEST, NestedTooDeep, load_json

TOO_DEEP = "This JSON is nested too deeply."


def lists(depth, inside=""):
    return "[" * depth + inside + "]" * depth


@pytest.mark.parametrize(
    "text",
    [
        lists(DEEPEST),
        '{"a":' * DEEPEST + "1" + "}" * DEEPEST,
        "[" + ",".join(["[[],{}]"] * 1_000) + "]",
        lists(DEEPEST - 1, '"' + "[{" * 1_000 + r"\"[[\\" + '"'),  # brackets in a text
    ],
)
def test_reads_what_is_nested_as_deep_as_allowed(text):
    assert load_json(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        lists(DEEPEST + 1),
        "[" * 1_000_000,
        '{"a":' * 300_000,
        "[]" * 99 + "[" * 100,
        r'["\"", ' + lists(DEEPEST) + "]",
        "[" * 100 + '"' + "]" * 100,  # a text without its end
    ],
)
def test_refuses_deeper_ones_in_one_sentence_before_they_are_read(text):
    with pytest.raises(NestedTooDeep) as refused:
        load_json(text)
    assert refused.value.msg == TOO_DEEP


def test_a_lower_limit_and_the_options_of_json():
    assert load_json("[1.5]", deepest=1, parse_float=str) == ["1.5"]
    with pytest.raises(NestedTooDeep):
        load_json("[[1]]", deepest=1)
    with pytest.raises(json.JSONDecodeError, match="Expecting value"):
        load_json("[" * 50)
