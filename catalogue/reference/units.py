"""Unit types and what each of them may do, from the core rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .parts import Passage, Section

NOTCHED = _("Its base is notched.")
PIVOTS_ENGAGED = _("It may pivot, engaged or not.")
REVERSES = _("It may reverse.")
OVERHANGS = _("Part of its base may lie over terrain when a move ends.")
STANDS_SAFELY = _("Nowhere may it end or be placed where it would topple, wobble, or lean by more than 45°.")
IN_MELEE = _("It can be in melee, and is never engaged.")
NEVER_OBSCURED = _(
    "Shot at from range, it is not obscured and has no cover from that when dodge and cover are applied."
)

#: Anchor of a unit type, its name, a sentence, and its rules. The anchor is the card's own word for the type.
TYPES = (
    Passage(
        "unit-trooper",
        _("Trooper"),
        _(
            "Most units are troopers. What is said of troopers holds for every kind below that says nothing else."
        ),
    ),
    Passage(
        "unit-clone-trooper",
        _("Clone trooper"),
        lines=(
            _(
                "Attacking or defending, it may spend 1 aim, dodge or surge token of another allied clone trooper "
                "unit that is at range 2 and in line of sight, as though it were its own."
            ),
        ),
    ),
    Passage(
        "unit-creature-trooper",
        _("Creature trooper"),
        lines=(
            NOTCHED,
            REVERSES,
            PIVOTS_ENGAGED,
            _("Barricades give it no cover."),
            _("One activation is enough for it to attack and to withdraw."),
        ),
    ),
    Passage(
        "unit-droid-trooper",
        _("Droid trooper"),
        lines=(
            _("It is never suppressed; it does panic."),
            _("Poison tokens are neither gained nor resolved by it."),
        ),
    ),
    Passage(
        "unit-emplacement-trooper", _("Emplacement trooper"), lines=(NOTCHED, REVERSES, PIVOTS_ENGAGED)
    ),
    Passage(
        "unit-wookiee-trooper",
        _("Wookiee trooper"),
        lines=(_("It has no rules of its own; other rules speak of it by this name."),),
    ),
    Passage(
        "unit-other-troopers",
        _("Mandalorian and heavy droid troopers"),
        _(
            "Newer cards print these two as well. The chapter of the core rules on which this page rests does not "
            "know them yet: look into the current core rules."
        ),
        on_sheet=False,
    ),
    Passage(
        "unit-vehicle",
        _("Vehicle"),
        _(
            "Every vehicle is a ground or a repulsor vehicle. What is said of vehicles holds for both, unless "
            "something else is said. All of them follow the next rule."
        ),
    ),
    Passage(
        "unit-resilience",
        _("Resilience of vehicles"),
        lines=(
            _("In place of courage most vehicles have a resilience; a dash on the card means none."),
            _(
                "When its wounds have reached its resilience, it gains a vehicle damage token after that effect."
            ),
            _("Activated with such a token, it rolls a white defense die; a blank costs it one action."),
            _("It has one such token at most, and gets one this way once in a game, even if it lost it since."),
        ),
    ),
    Passage(
        "unit-ground-vehicle",
        _("Ground vehicle"),
        lines=(
            NOTCHED,
            _("It may pivot and reverse."),
            OVERHANGS,
            STANDS_SAFELY,
            IN_MELEE,
            _("It blocks line of sight like area terrain as large as its silhouette."),
            _(
                "For who is obscured and in cover behind it, it is area terrain of that size which gives heavy cover."
            ),
            NEVER_OBSCURED,
        ),
    ),
    Passage(
        "unit-repulsor-vehicle",
        _("Repulsor vehicle"),
        lines=(
            NOTCHED,
            _("It may pivot."),
            _("No standby: neither the action, nor gaining or spending the tokens."),
            OVERHANGS,
            _("Impassable terrain stops neither it nor its movement tool."),
            STANDS_SAFELY,
            IN_MELEE,
            _("It blocks no line of sight, obscures nobody and gives no cover."),
            NEVER_OBSCURED,
        ),
    ),
)  # fmt: skip


def section() -> Section:
    """Troopers and vehicles."""
    return Section("units", _("Unit types"), TYPES)
