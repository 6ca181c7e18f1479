"""Emblems of Story Arcs in icons.svg."""

from django import template

register = template.Library()

#: The printed Story Arcs, which have an emblem each. Custom Story Arcs share one.
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
    """Return the name of the emblem for the Story Arc with this slug."""
    return f"arc-{slug}" if slug in PRINTED else "arc-own"
