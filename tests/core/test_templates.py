"""Templates stay short enough to read at one go."""

import re

from ops.paths import BASE_DIR

MOST_LINES = 150
#: Templates of paper, mail and the admin.
ON_PAPER = re.compile(r"/(print|admin|_?book|.*_print|.*printed)|chronicle/_?book|sheet\.html$")
NAMED = re.compile(r"aria-label|<caption")


def test_no_template_is_longer_than_its_limit() -> None:
    lengths = {
        path: len(path.read_text().splitlines()) for path in BASE_DIR.glob("templates/**/*.html") if path.is_file()
    }
    assert len(lengths) > 500
    assert {str(path): length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_every_table_has_a_name() -> None:
    """Screen readers list tables by their names; those on paper and in the admin have the names of their pages."""
    nameless = [
        str(path.relative_to(BASE_DIR))
        for path in BASE_DIR.glob("templates/**/*.html")
        if not ON_PAPER.search(str(path))
        for table in re.findall(r"<table\b(?:[^>%]|%\}|\{%)*>(?:\s*<caption)?", path.read_text())
        if not NAMED.search(table)
    ]
    assert nameless == []
