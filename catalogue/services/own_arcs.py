"""Story Arcs that are not printed, as cards of the catalogue: there for ever, and never changed."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from catalogue.history import acting
from catalogue.models import MODELS, StoryArc
from catalogue.rows import instance
from catalogue.snapshot import forget
from rules.own_arcs import Arc, named
from rules.reading import read_arc

#: Behind everything that is printed.
POSITION = 10_000


@transaction.atomic
def add_arc(*, actor: str, arc: Arc, slug: str) -> StoryArc:
    """Add an arc that is written to its end, as a card with this slug and the cards of its parts.

    `actor` stands in the history of the catalogue. Doing it twice changes nothing. What is wrong with the arc has
    been asked before (`rules.arc_problems`); raises ValueError for what cannot be read.
    """
    acting(actor)
    if there := StoryArc.objects.filter(slug=slug).first():
        return there
    for kind, cards in read_arc(named(arc, slug)).items():
        own: dict[str, Any] = {"own": True} if kind == "story_arc" else {}
        MODELS[kind]._default_manager.bulk_create(
            instance(MODELS[kind], {**card, **own, "position": POSITION + number})
            for number, card in enumerate(cards)
        )
    transaction.on_commit(forget)
    return StoryArc.objects.get(slug=slug)
