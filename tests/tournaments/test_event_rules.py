"""Every E number that code and templates of events cite is a ruling of docs/event-rules.md."""

import re

from ops.paths import BASE_DIR

RULING = re.compile(r"^- \*\*E(\d+)\*\* ", re.MULTILINE)
CITED = re.compile(r"\bE(\d{1,2})\b")
PLACES = (("tournaments", "*.py"), ("rules/tournaments", "*.py"), ("templates/tournaments", "*.html"))


def test_every_ruling_that_is_cited_is_there():
    rulings = [int(number) for number in RULING.findall((BASE_DIR / "docs" / "event-rules.md").read_text())]
    assert rulings == list(range(1, 46))
    cited = {
        int(number)
        for place, names in PLACES
        for path in (BASE_DIR / place).rglob(names)
        for number in CITED.findall(path.read_text())
    }
    assert cited - set(rulings) == set()
    assert len(cited) > 30
