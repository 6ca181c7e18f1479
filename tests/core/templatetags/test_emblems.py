"""Each printed Story Arc has an emblem of its own; those that a playgroup writes share one."""

import json
from pathlib import Path

from core.templatetags.icons import drawings, emblem

FIXTURES = Path(__file__).parents[3] / "fixtures"


def test_each_printed_arc_is_drawings():
    arcs = json.loads((FIXTURES / "catalogue/story_arcs.json").read_text())["arcs"]
    emblems = {f"arc-{arc['slug']}" for arc in arcs}
    assert {emblem(arc["slug"]) for arc in arcs} == emblems
    assert {name for name in drawings() if name.startswith("arc-")} == emblems | {"arc-own"}


def test_ones_own_share_an_emblem():
    assert [emblem("cold-freight-1"), emblem("")] == ["arc-own", "arc-own"]
