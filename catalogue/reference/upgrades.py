"""Upgrade types, and cards that are exhausted or expended, from the core rules."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from rules.cards import BANNED_UNIQUE_TYPES, UPGRADE_TYPES

from .parts import Passage, Row, Section, Table

NAMES: Mapping[str, str] = {
    "heavy-weapon": _("Heavy Weapon"),
    "personnel": _("Personnel"),
    "force": _("Force"),
    "command": _("Command"),
    "hardpoint": _("Hardpoint"),
    "gear": _("Gear"),
    "grenades": _("Grenades"),
    "programming": _("Programming"),
    "comms": _("Comms"),
    "pilot": _("Pilot"),
    "training": _("Training"),
    "generator": _("Generator"),
    "armament": _("Armament"),
    "crew": _("Crew"),
    "ordnance": _("Ordnance"),
    "squad-leader": _("Squad Leader"),
    "doctrine": _("Doctrine"),
    "clan": _("Clan"),
}

MINIATURE = _("A miniature that joins the unit; the weapon on the card, if any, is its alone.")
WEAPON_OF_ALL = _("A weapon, if the card shows one, for any miniature of the unit.")
EFFECT = _("What its card says.")
BRINGS: Mapping[str, str] = {
    "heavy-weapon": MINIATURE,
    "personnel": MINIATURE,
    "squad-leader": MINIATURE,
    "armament": WEAPON_OF_ALL,
    "pilot": WEAPON_OF_ALL,
    "generator": WEAPON_OF_ALL,
    "ordnance": WEAPON_OF_ALL,
    "hardpoint": WEAPON_OF_ALL,
    "grenades": _("A weapon; in one attack a single miniature may use it."),
    "gear": _("A weapon, if the card shows one."),
    "doctrine": _("What its card says; some officers must have one (on cards since April 2026)."),
    "clan": _("What its card says; for Mandalorians."),
}

JOINING: Mapping[str, str] = {
    "heavy-weapon": _("Troopers join with 1 (R7)."),
    "personnel": _("Troopers join with 1 (R7)."),
    "hardpoint": _("Vehicles join with 1 (R7)."),
}

BAR = Passage(
    "upgrade-bar",
    _("The upgrade bar"),
    lines=(
        _("Each icon on a unit’s bar has room for one card of that type."),
        _("No unit has two copies of a card, and a card may name who is allowed it."),
        _("Its points are part of the army’s."),
    ),
)

EXHAUST = Passage(
    "upgrade-exhaust",
    _("Exhaust"),
    lines=(
        _("Cards begin ready. Only a ready card can be exhausted or expended, and its icon says which."),
        _("**Exhausted**: turn it 90° to the right. What would exhaust it cannot be used until it is ready."),
        _("**Ready again**: when its unit recovers; then turn it back, 90° to the left."),
        _("With an action or a free action, the card is exhausted when that has been resolved."),
    ),
)

EXPEND = Passage(
    "upgrade-expend",
    _("Expend"),
    lines=(
        _("**Expended**: turn it 180°, upside down. It is spent for this game; nothing makes it ready."),
        _(
            "A weapon on such a card: when a miniature has added it to an attack pool, the card is exhausted or "
            "expended. If it is an armament, any number of the unit’s miniatures may add it to that pool."
        ),
    ),
)


def section() -> Section:
    """The eighteen types as a table, and exhaust and expend."""
    types = Passage("table-upgrade-types", _("Types"), table=_types())
    return Section("upgrades", _("Upgrade types"), (BAR, types, EXHAUST, EXPEND))


def _types() -> Table:
    rows = (
        Row(
            f"upgrade-{kind}",
            (str(NAMES[kind]), _on_a_register(kind), str(BRINGS.get(kind, EFFECT))),
            icon=kind,
        )
        for kind in UPGRADE_TYPES
    )
    return Table((_("Type"), _("On a Register"), _("What it brings")), tuple(rows), prose=True)


def _on_a_register(kind: str) -> str:
    said = [JOINING[kind]] if kind in JOINING else []
    if kind in BANNED_UNIQUE_TYPES:
        said.append(_("None that is unique (R5)."))
    return " ".join(map(str, said))
