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
        _("Armies without a Register"),
        _(
            "Musterbook can also check an army by the core rules, without a Register. Notes refer to this chapter if "
            "no Tours of Duty ruling applies."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-factions",
        _("Factions"),
        _("An army has one Faction, plus mercenaries that it may hire. Special Issue units need their battle force."),
        on_sheet=False,
    ),
    Passage(
        "core-points",
        _("Points"),
        _("All cards together cost no more than the game size: 1,000 points, or the size that the players agreed on."),
        on_sheet=False,
    ),
    Passage(
        "core-ranks",
        _("Ranks"),
        _("The [table](#table-rank-limits) has the minimum and maximum of each rank."),
        on_sheet=False,
    ),
    Passage(
        "core-upgrades",
        _("Upgrades"),
        _(
            "Each upgrade needs a slot and must fit the restrictions on its card. A unit cannot have the same card "
            "twice, and needs the cards that Equip and Programmed require. Unique and limited cards count for the "
            "whole army. A counterpart needs its unit."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-battle-force",
        _("Battle Force"),
        _(
            "An army can use one battle force of its Faction. The battle force then sets rank limits, ranks, units "
            "and unique upgrades. Other upgrades are allowed unless it forbids them."
        ),
        on_sheet=False,
    ),
    Passage(
        "core-command-hand",
        _("Command Hand"),
        _("See R24, without Paragon Command Cards."),
        on_sheet=False,
    ),
    Passage(
        "core-battle-deck",
        _("Battle Deck"),
        _(
            "Three objectives, three secondary objectives and three advantages, all different, that fit the size and "
            "the Faction. The deck is open."
        ),
        on_sheet=False,
    ),
)  # fmt: skip


def core() -> Section:
    """Return the section on the core rules."""
    return Section("core", _("Core rules"), PASSAGES)


NOTCHED = _("Notched base.")
PIVOTS_ENGAGED = _("It can pivot, even while engaged.")
REVERSES = _("It can reverse.")
OVERHANGS = _("Its base can overlap terrain at the end of a move.")
STANDS_SAFELY = _("It cannot end a move or be placed where it would topple, wobble or lean more than 45°.")
IN_MELEE = _("It can be in melee but is never engaged.")
NEVER_OBSCURED = _("Against ranged attacks it is never obscured and gets no cover from being obscured.")

#: Anchor of a unit type, its name, a sentence, and its rules. The anchor is the word for the type on the card.
TYPES = (
    Passage(
        "unit-trooper",
        _("Trooper"),
        _(
            "Most units are troopers. Rules for troopers apply to all types below unless they say otherwise."
        ),
    ),
    Passage(
        "unit-clone-trooper",
        _("Clone trooper"),
        lines=(
            _(
                "While attacking or defending, it can use 1 aim, dodge or surge token of another allied clone trooper "
                "unit at range 2 and in line of sight."
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
            _("It gets no cover from barricades."),
            _("It can attack and withdraw in the same activation."),
        ),
    ),
    Passage(
        "unit-droid-trooper",
        _("Droid trooper"),
        lines=(
            _("It cannot be suppressed, but it can panic."),
            _("It ignores poison tokens."),
        ),
    ),
    Passage(
        "unit-emplacement-trooper", _("Emplacement trooper"), lines=(NOTCHED, REVERSES, PIVOTS_ENGAGED)
    ),
    Passage(
        "unit-wookiee-trooper",
        _("Wookiee trooper"),
        lines=(_("No special rules. Other rules refer to this type."),),
    ),
    Passage(
        "unit-other-troopers",
        _("Mandalorian and heavy droid troopers"),
        _(
            "Newer cards have these types. This page follows an edition of the core rules without them. See the "
            "current core rules."
        ),
        on_sheet=False,
    ),
    Passage(
        "unit-vehicle",
        _("Vehicle"),
        _(
            "Every vehicle is a ground or repulsor vehicle. Rules for vehicles apply to both unless they say "
            "otherwise. The next rule applies to all vehicles."
        ),
    ),
    Passage(
        "unit-resilience",
        _("Resilience of vehicles"),
        lines=(
            _("Most vehicles have resilience in place of courage. A dash means none."),
            _(
                "If its wounds reach its resilience, it gains a vehicle damage token after the effect."
            ),
            _("When it activates with such a token, it rolls a white defense die. On a blank it has one action less."),
            _("It can have only one such token and can gain it only once a game, even if it loses it."),
        ),
    ),
    Passage(
        "unit-ground-vehicle",
        _("Ground vehicle"),
        lines=(
            NOTCHED,
            _("It can pivot and reverse."),
            OVERHANGS,
            STANDS_SAFELY,
            IN_MELEE,
            _("It blocks line of sight like area terrain of the size of its silhouette."),
            _(
                "For obscured and cover it counts as area terrain of that size with heavy cover."
            ),
            NEVER_OBSCURED,
        ),
    ),
    Passage(
        "unit-repulsor-vehicle",
        _("Repulsor vehicle"),
        lines=(
            NOTCHED,
            _("It can pivot."),
            _("It cannot use standby, neither the action nor the tokens."),
            OVERHANGS,
            _("It and its movement tool can pass over impassable terrain."),
            STANDS_SAFELY,
            IN_MELEE,
            _("It does not block line of sight, obscure or give cover."),
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

MINIATURE = _("Adds a miniature to the unit. Only this miniature has the weapon on the card.")
WEAPON_OF_ALL = _("A weapon on the card is for any miniature of the unit.")
EFFECT = _("See the card.")
BRINGS: Mapping[str, str] = {
    "heavy-weapon": MINIATURE,
    "personnel": MINIATURE,
    "squad-leader": MINIATURE,
    "armament": WEAPON_OF_ALL,
    "pilot": WEAPON_OF_ALL,
    "generator": WEAPON_OF_ALL,
    "ordnance": WEAPON_OF_ALL,
    "hardpoint": WEAPON_OF_ALL,
    "grenades": _("A weapon. Only one miniature can use it in an attack."),
    "gear": _("Possibly a weapon. See the card."),
    "doctrine": _("See the card. Some officers require one (on cards since April 2026)."),
    "clan": _("See the card. For Mandalorians."),
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
        _("Each icon on a unit’s bar is a slot for one card of that type."),
        _("A unit cannot have two copies of a card. A card can be restricted to certain units."),
        _("Its points count for the army."),
    ),
)

EXHAUST = Passage(
    "upgrade-exhaust",
    _("Exhaust"),
    lines=(
        _("Cards start ready. Only a ready card can be exhausted or expended. Its icon shows which."),
        _("**Exhausted**: turn it 90° clockwise. It cannot be exhausted again until it is ready."),
        _("**Ready**: when its unit recovers, turn it back 90° counterclockwise."),
        _("If the card gives an action or free action, exhaust it after that is resolved."),
    ),
)

EXPEND = Passage(
    "upgrade-expend",
    _("Expend"),
    lines=(
        _("**Expended**: turn the card upside down. It cannot become ready again in this game."),
        _(
            "If the card has a weapon, it is exhausted or expended when a miniature adds the weapon to an attack "
            "pool. If it is an armament, any number of miniatures of the unit can add it to that pool."
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
    return Table((_("Type"), _("On a Register"), _("Effect")), tuple(rows), prose=True)


def _on_a_register(kind: str) -> str:
    sentences = [JOINING[kind]] if kind in JOINING else []
    if kind in BANNED_UNIQUE_TYPES:
        sentences.append(_("No unique cards (R5)."))
    return " ".join(map(str, sentences))


ABBREVIATIONS = Passage(
    "abbreviations",
    _("Abbreviations"),
    lines=(
        _("**CP**: Combat Potential, the most points that the cards of a Register may cost."),
        _("**SP**: Supply Points, spent on Aid Requests."),
        _("**XP**: Experience of a unit. **VR**: Veteran Rank, reached with XP."),
        _("**PBS**: Post-Battle Sequence, the ten steps after a battle."),
        _("**VP**: victory points of a battle."),
    ),
    on_sheet=False,
)

NAMES = Passage(
    "names",
    _("Names"),
    lines=(
        _("**Register**: one player’s force, with Dossiers, CP, SP, Reputation, assets and Story Arc."),
        _("**Dossier**: the record of one unit."),
        _("**Paragon**: the commander who is the hero of the campaign (R6)."),
        _("**Story Arc**: three Agendas that lead to a Turning Point Mission (R22, R49)."),
        _("**Agenda**: a personal goal in addition to the objectives, pursued over several battles (R23, R25)."),
        _("**Defeated**: out of this battle. **Casualty**: lost for good (R35)."),
        _("**Setback**: a lasting penalty after a defeat (R36)."),
        _("**Commendation**: an award for a Veteran Rank (R15)."),
        _("**Defining Trait**: gained by a Paragon instead of becoming a casualty (R37)."),
        _("**Aid Request**: help that costs SP (R41). **Strategic Asset**: help for one battle (R43)."),
    ),
    on_sheet=False,
)

RANKS = Passage(
    "ranks",
    _("Ranks and sides"),
    _(
        "A unit has one of six ranks: commander, operative, corps, special forces, support, heavy. It is a trooper or "
        "a vehicle; see [Unit types](#units).\n\nRebels and Republic are the Light Side, Empire and Separatists the "
        "Dark Side. Mandalorians are a Faction too. Mercenaries have no Faction."
    ),
)


def words() -> Section:
    """Return the section on letters, names, ranks and dice."""
    dice = Passage("table-dice", _("Dice"), _("Number of sides with each face."), table=tables.dice())
    return Section("words", _("Words and dice"), (ABBREVIATIONS, NAMES, RANKS, dice))
