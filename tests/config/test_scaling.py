"""What docs/scaling.md says of the tables is said of each of them."""

from __future__ import annotations

import re
from fnmatch import fnmatch

from django.apps import apps

from config.paths import BASE_DIR


def test_every_table_has_its_place_and_only_one():
    said = (BASE_DIR / "docs" / "scaling.md").read_text()
    table = said[said.index("| tables | how |") : said.index("*What would have to change")]
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line]
    named = [name for row in rows for name in re.findall(r"`([\w*]+)`", row)]
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    exact = [name for name in named if "*" not in name]
    assert sorted(exact) == sorted(set(exact) & set(tables))
    places = {name: [each for each in named if fnmatch(name, each)] for name in tables}
    assert {name: found for name, found in places.items() if len(found) != 1} == {}
