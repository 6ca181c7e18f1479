"""Each threat in docs/security.md names tests that are there."""

import re

from ops.paths import BASE_DIR

TEXT = (BASE_DIR / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?!Threat|---)(.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_threat_names_tests_and_each_is_there():
    threats = {threat: TEST.findall(shown) for threat, _, shown in ROW.findall(TEXT)}
    assert len(threats) > 25
    assert [threat for threat, tests in threats.items() if not tests] == []
    missing = [
        f"{file}::{name}"
        for tests in threats.values()
        for file, name in tests
        if not re.search(rf"^ *def {name}\(", (BASE_DIR / file).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_no_other_test_is_named_in_another_way():
    assert len(re.findall(r"tests/\S+::", TEXT)) == len(TEST.findall(TEXT))
