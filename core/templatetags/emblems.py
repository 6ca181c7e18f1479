"""Which drawing of icons.svg stands for a Story Arc."""

from __future__ import annotations

from django import template

register = template.Library()

#: The printed Story Arcs; each has an emblem of its own, arcs that a playgroup writes share one.
PRINTED = frozenset(
    {
        "bring-peace-to-the-galaxy",
        "liberate-the-system",
        "peacekeeping-mission",
        "root-out-the-corruption",
        "the-weekend-war",
        "birth-of-a-legend",
        "a-pirates-life",
    }
)


@register.filter
def emblem(slug: str) -> str:
    """The name of the drawing for the Story Arc with this slug."""
    return f"arc-{slug}" if slug in PRINTED else "arc-own"
