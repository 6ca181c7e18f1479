"""Buttons and links that the guides for people name in bold are on the site, by that name."""

import re
from functools import cache

import pytest

from ops.paths import BASE_DIR

#: The guides in which bold is a button or a link, unless it ends like the beginning of a paragraph.
GUIDES = ("playing", "organizing", "events", "paper")
APPS = ("campaign", "dashboard", "members", "registers", "tournaments")


@cache
def words_of_the_site() -> str:
    files = [*(BASE_DIR / "templates").rglob("*.html")]
    files += [path for app in APPS for kind in ("py", "toml") for path in (BASE_DIR / app).rglob(f"*.{kind}")]
    return plain(" ".join(path.read_text(encoding="utf-8") for path in files))


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("’", "'")


@pytest.mark.parametrize("guide", GUIDES)
def test_each_button_of_a_guide_is_there(guide):
    text = plain((BASE_DIR / "docs" / f"{guide}.md").read_text(encoding="utf-8"))
    named = {name for name in re.findall(r"\*\*([^*]+)\*\*", text) if name[-1] not in ".:"}
    assert len(named) > 2
    assert sorted(name for name in named if name.rstrip("… ") not in words_of_the_site()) == []
