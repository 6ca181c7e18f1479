"""The rules of an event, as its settings or its file say them."""

from rules.tournaments.rule_sets import EventRules, RuleSet


def test_rules_are_taken_by_name():
    rules = EventRules(rule_set=RuleSet.GALACTIC_CONQUEST, army_size=600, bye_tokens=2, bracket_minutes=0)
    values = {
        "rule_set": "GC", "army_size": 600, "awarded_points": rules.awarded_points, "bye_tokens": 2,
        "bye_is_opponent": False, "skips_unpaired_losses": False, "bracket_minutes": 0, "name": "Winter Cup",
    }  # fmt: skip
    assert EventRules.of(values.__getitem__) == rules
