"""Words and dice, and the core rules: an army without a Register, unit types, upgrade types."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from rules.core.card_types import BANNED_UNIQUE_TYPES, UPGRADE_TYPES

from . import tables
from .passages import Passage, PassageRow, Section, Table

PASSAGES = (
    Passage(
        "core-army",
        _("A plain army"),
        _(
            "Musterbook also says what an army would be without a Register, by the chapter on army building and by "
            "what the cards print. A note cites that chapter where no ruling of Tours of Duty applies."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-factions",
        _("Factions"),
        _("One Faction, and mercenaries whom it may hire. Special Issue serves in its battle force alone."),
        on_sheet=False,
    ),
    Passage(
        "core-points",
        _("Points"),
        _("All cards together fit the size: 1,000 points, or what the players agreed on."),
        on_sheet=False,
    ),
    Passage(
        "core-ranks",
        _("Ranks"),
        _("As many units of each rank as the [table](#table-rank-limits) allows and demands."),
        on_sheet=False,
    ),
    Passage(
        "core-upgrades",
        _("Upgrades"),
        _(
            "A slot for each, no card twice on a unit, what the card restricts, what Equip and Programmed demand; "
            "unique and limited cards counted over the army; a counterpart only with its own unit."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-battle-force",
        _("Battle Force"),
        _(
            "An army may name one of its Faction. Its sheet then gives rank limits, ranks, and which units and unique "
            "upgrades there are; other upgrades are free unless it bars them."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-command-hand",
        _("Command Hand"),
        _("As in R24, without Paragon Command Cards."),
        on_sheet=False,
    ),
    Passage(
        "core-battle-deck",
        _("Battle Deck"),
        _(
            "Three objectives, three secondary objectives, three advantages, none twice, for the size of the battle "
            "and the Faction. It is open."
        ),
        on_sheet=False,
    ),
)  # fmt: skip


def core() -> Section:
    """Return the section on the core rules."""
    return Section("core", _("The core rules beside them"), PASSAGES)


NOTCHED = _("Its base is notched.")
PIVOTS_ENGAGED = _("It may pivot, engaged or not.")
REVERSES = _("It may reverse.")
OVERHANGS = _("Part of its base may lie over terrain when a move ends.")
STANDS_SAFELY = _("Nowhere may it end or be placed where it would topple, wobble, or lean by more than 45°.")
IN_MELEE = _("It can be in melee, and is never engaged.")
NEVER_OBSCURED = _(
    "Shot at from range, it is not obscured and has no cover from that when dodge and cover are applied."
)

#: Anchor of a unit type, its name, a sentence, and its rules. The anchor is the word for the type on the card.
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


def units() -> Section:
    """Return the section on troopers and vehicles."""
    return Section("units", _("Unit types"), TYPES)


UPGRADE_NAMES: Mapping[str, str] = {
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


def upgrades() -> Section:
    """Return the section on the eighteen upgrade types, and on exhaust and expend."""
    types = Passage("table-upgrade-types", _("Types"), table=_types())
    return Section("upgrades", _("Upgrade types"), (BAR, types, EXHAUST, EXPEND))


def _types() -> Table:
    rows = (
        PassageRow(
            f"upgrade-{kind}",
            (str(UPGRADE_NAMES[kind]), _on_a_register(kind), str(BRINGS.get(kind, EFFECT))),
            icon=kind,
        )
        for kind in UPGRADE_TYPES
    )
    return Table((_("Type"), _("On a Register"), _("What it brings")), tuple(rows), prose=True)


def _on_a_register(kind: str) -> str:
    sentences = [JOINING[kind]] if kind in JOINING else []
    if kind in BANNED_UNIQUE_TYPES:
        sentences.append(_("None that is unique (R5)."))
    return " ".join(map(str, sentences))


ABBREVIATIONS = Passage(
    "abbreviations",
    _("Letters"),
    lines=(
        _("**CP**: Combat Potential, the points that the cards of a Register may cost together."),
        _("**SP**: Supply Points, which pay for Aid Requests."),
        _("**XP**: Experience of a unit. **VR**: Veteran Rank, which XP lead to."),
        _("**PBS**: Post-Battle Sequence, the ten steps after a battle."),
        _("**VP**: Victory Points of a battle."),
    ),
    on_sheet=False,
)

NAMES = Passage(
    "names",
    _("Names"),
    lines=(
        _("**Register**: the book of one player’s force, with its Dossiers, CP, SP, Reputation, assets, Story Arc."),
        _("**Dossier**: the page of one unit in it."),
        _("**Paragon**: the commander about whom the saga is told (R6)."),
        _("**Story Arc**: a tale of three Agendas that ends in a Turning Point Mission (R22, R49)."),
        _("**Agenda**: an aim beside the objectives of a battle, worked on over several (R23, R25)."),
        _("**Casualty**: a unit that is lost for good (R35); **defeated** is only beaten for this battle."),
        _("**Setback**: what a unit carries away from a defeat (R36)."),
        _("**Commendation**: what a unit is awarded for a Veteran Rank (R15)."),
        _("**Defining Trait**: what a Paragon gets where others are casualties (R37)."),
        _("**Aid Request**: what SP are spent on (R41). **Strategic Asset**: help for one battle (R43)."),
    ),
    on_sheet=False,
)

RANKS = Passage(
    "ranks",
    _("Ranks and sides"),
    _(
        "A unit card has one of six ranks: commander, operative, corps, special forces, support, heavy. It is a "
        "trooper or a vehicle; the kinds of both stand under [Unit types](#units).\n\n"
        "Rebels and Republic are the Light Side, Empire and Separatists the Dark Side. Mandalorians are a Faction "
        "too; mercenaries have none."
    ),
)


def words() -> Section:
    """Return the section on letters, names, ranks and dice."""
    dice = Passage("table-dice", _("Dice"), _("How many sides of a die show which face."), table=tables.dice())
    return Section("words", _("Words and dice"), (ABBREVIATIONS, NAMES, RANKS, dice))
