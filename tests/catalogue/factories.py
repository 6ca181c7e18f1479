"""Custom Story Arcs in the catalogue."""

import pytest

from catalogue.models import StoryArc
from catalogue.services.load import add_arcs
from rules.arcs.custom_arcs import Arc
from tests.rules.arcs.arcs import printed


def add_arc(*, actor: str, arc: Arc, slug: str) -> StoryArc:
    """Add one."""
    add_arcs(actor=actor, arcs={slug: arc})
    return StoryArc.objects.get(slug=slug)


@pytest.fixture
def arc(cards) -> StoryArc:
    return add_arc(actor="ada", arc=printed("a-pirates-life"), slug="ours-v1")
