"""docs/architecture.md is short, and each path and name in it is there."""

import re

from ops.paths import BASE_DIR

TEXT = (BASE_DIR / "docs" / "architecture.md").read_text(encoding="utf-8")
#: A path from the root, and a name in that file: `rules/post_battle/dialogue.py:advance`.
NAMED = re.compile(r"`([a-z_]+/[\w/.-]*\w|[a-z_]+/[a-z_]+/)(?::([\w.]+))?`")


def test_each_path_is_there_with_the_name_in_it():
    named = NAMED.findall(TEXT)
    assert len(named) > 60
    missing = [
        f"{path}:{name}"
        for path, name in named
        if not (BASE_DIR / path).exists()
        or (name and not re.search(rf"\b{name.rpartition('.')[2]}\b", (BASE_DIR / path).read_text(encoding="utf-8")))
    ]
    assert missing == []


def test_it_is_read_in_a_few_minutes():
    assert len(TEXT.split()) <= 1500
