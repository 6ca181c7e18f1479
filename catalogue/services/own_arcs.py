"""Story Arcs that are not printed, as cards of the catalogue: there for ever, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from catalogue.models import MODELS, Card, StoryArc
from catalogue.rows import acting, instance
from catalogue.snapshot import forget
from rules.own_arcs import Arc, named
from rules.reading import read_arc

#: Behind everything that is printed.
POSITION = 10_000


def add_arcs(*, actor: str, arcs: Mapping[str, Arc]) -> None:
    """Add finished arcs by their slugs, each as a card with the cards of its parts, in the transaction that runs.

    `actor` stands in the history of the catalogue. One that is there stays as it is. What is wrong with the arcs has
    been asked before (`rules.arc_problems`); raises ValueError for what cannot be read.
    """
    acting(actor)
    there = set(StoryArc.objects.filter(slug__in=arcs).values_list("slug", flat=True))
    cards: dict[str, list[Card]] = {}
    for slug, arc in arcs.items():
        if slug not in there:
            for kind, rows in _rows(slug, arc).items():
                cards.setdefault(kind, []).extend(instance(MODELS[kind], row) for row in rows)
    for kind, each in cards.items():
        MODELS[kind]._default_manager.bulk_create(each)
    transaction.on_commit(forget)


def _rows(slug: str, arc: Arc) -> dict[str, list[dict[str, Any]]]:
    own = {"story_arc": {"own": True}}
    return {
        kind: [
            {**card, **own.get(kind, {}), "position": POSITION + number} for number, card in enumerate(cards)
        ]
        for kind, cards in read_arc(named(arc, slug)).items()
    }
