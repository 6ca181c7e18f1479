"""The switches: what each says, and that nothing else stands in HouseRules."""

from dataclasses import fields

import pytest

from rules.core.campaign_rules import BY_NAME, OURS, SWITCHES, HouseRules, Switch


def test_every_switch_is_a_field_and_every_field_a_switch() -> None:
    """In the same order, and ours comes first."""
    expected = {field.name: field.default for field in fields(HouseRules)}
    assert {switch.name: switch.default for switch in SWITCHES} == expected
    assert [switch.name for switch in SWITCHES] == list(expected) == list(BY_NAME)
    assert HouseRules() == OURS


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_every_switch_says_what_is_printed_and_what_each_reading_means(switch: Switch) -> None:
    assert len(set(switch.values)) == len(switch.readings) >= 2
    sentences = [switch.printed, *(reading.words for reading in switch.readings)]
    assert all(sentence.endswith(".") and len(sentence) < 240 for sentence in sentences)
    assert [switch.words(value) for value in switch.values] == sentences[1:]
    assert (switch.default, *(reading.value for reading in switch.others)) == switch.values
    assert switch.title
    assert switch.rule.startswith("R")
