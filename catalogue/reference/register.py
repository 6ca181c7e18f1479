"""R1 to R16: a Register, Experience and Veteran Rank."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from . import tables
from .parts import Passage, Section, in_short, ruling

FOUNDING = (
    _("Open it with 600 CP, 5 SP and Reputation 0 (R1)."),
    _("Add units: 1 commander and 2 corps at least, of one Faction, none of them unique (R3, R4, R5)."),
    _("The first commander is your Paragon, for good (R6)."),
    _(
        "Equip them as they join. Commander, operative: 2 upgrades, and a name. Other trooper: 1 heavy weapon, "
        "1 personnel. Other vehicle: 1 hardpoint. Compulsory cards besides (R7)."
    ),
    _("Spend SP on Aid Requests, or keep them (R10, R41)."),
    _("Choose a Story Arc, then a name for the Register (R10)."),
)

RULINGS = (
    ruling(
        1,
        _("A new Register"),
        _(
            "It opens with **600 Combat Potential**, **5 Supply Points** and **Reputation 0**. Organisers may set "
            "another Combat Potential and other Supply Points for their campaign."
        ),
    ),
    ruling(
        2,
        _("Combat Potential"),
        _(
            "What all cards on the Dossiers cost today is the CP spent. No edit may lift it above the CP of the "
            "Register. Where new points in the catalogue do so, the Register keeps what it has and says by how "
            "much it is over; until it fits again it takes nothing more in."
        ),
    ),
    ruling(
        3,
        _("One Faction"),
        _(
            "Units that belong to a Faction all belong to the same. Mercenaries belong to none: they serve only "
            "Registers of a Faction that may hire them, as their card says. Every addition is judged with the "
            "whole Register in view, so it does not matter who came first."
        ),
    ),
    ruling(
        4,
        _("Commander and corps"),
        _(
            "**1 commander and 2 corps** are the least. While it is built a Register may have fewer, but without "
            "them it is not commissioned, and cannot fight.\n\n"
            "A commissioned one with fewer than 2 corps owes the missing ones. They come before everything else "
            "that costs CP, and before step 8 ends: other units and upgrades are refused as long as there is "
            "a corps unit that the CP left would pay for (without upgrades; not unique, released, mercenaries who "
            "may serve included). Where there is none, the Register is excused, and says so."
        ),
    ),
    ruling(
        5,
        _("What a Register never holds"),
        _(
            "Unique units. Cards that are not released, unless the campaign allows them. Unique upgrades of six "
            "types: squad leader, personnel, heavy weapon, crew, pilot, armament. For one battle "
            "[assets](#table-strategic-assets) can bring what is unique."
        ),
    ),
    ruling(
        6,
        _("The Paragon"),
        _(
            "The commander who joins first is the Paragon from then on. Nothing takes a Paragon off its Register: "
            "no casualty, no reassignment, no edit."
        ),
    ),
    ruling(
        7,
        _("Upgrades on joining"),
        _(
            "- **Commander or operative**: up to 2 upgrades, of any types on its bar. It must be given a name.\n"
            "- **Any other trooper**: up to 1 heavy weapon and 1 personnel, nothing of another type.\n"
            "- **Any other vehicle**: 1 hardpoint, where its bar has one.\n\n"
            "What Equip or Programmed make compulsory comes on top of these. It may follow in a later edit, when "
            "there are CP for it; until then Musterbook warns, for the unit cannot be fielded legally."
        ),
    ),
    ruling(
        8,
        _("Upgrades later"),
        _(
            "Later there are three ways: a Commendation that gives a slot, an Aid Request, or a compulsory card "
            "that is still missing. The card needs an empty slot of its type: printed, from a Commendation, or "
            "from another upgrade, which must itself sit elsewhere first. The unit must not have the card yet, must be "
            "one that the card allows, and CP must suffice (R2). How often a unique or limited card may be there "
            "is asked of an army (R19), not of the Register."
        ),
    ),
    ruling(
        9,
        _("A unit begins, and its name"),
        _("Every unit begins with 0 XP and VR 0. At VR 1 at the latest it must have a Dossier name."),
    ),
    ruling(
        10,
        _("The order of founding"),
        _(
            "Units; then Aid Requests, by the rules of [step 7](#step-7), with the founding counted as one "
            "sequence; then a Story Arc, whichever Faction it was written for; last the name of the Register."
        ),
    ),
    ruling(
        11,
        _("When a Register may be edited"),
        _(
            "Whenever it is not *in the field*, which it is from the beginning of a battle to the end of the "
            "sequence after it. In the field it is edited in [step 8](#step-8) and nowhere else."
        ),
    ),
)

VETERANS = (
    ruling(
        12,
        _("Veteran Rank"),
        _(
            "XP lead to VR, as the table says. How high a unit can rise hangs on its rank. Each Special Training "
            "(R44) lifts this by 1; VR 5 is the end for everybody."
        ),
    ),
    ruling(
        13,
        _("Experience stops at the maximum"),
        _(
            "At the XP of its highest possible VR a unit gains no more, and a gain that would lead beyond is cut: "
            "with 24 XP and VR 3 as its maximum, it gains 1 of 3 and has 25. The ledger shows what was cut."
        ),
    ),
    ruling(
        14,
        _("VR is never lost"),
        _("A unit keeps every VR it has reached, even when it loses XP."),
    ),
    ruling(
        15,
        _("Commendations"),
        _(
            "Every VR reached owes the unit one Commendation, which is awarded in [step 6](#step-6): two for two "
            "VRs in one sequence. What a Commendation requires is asked of the unit as it stands now, for both. "
            "None is awarded twice to the same unit. **One High Commendation** is the most, two where the unit is "
            "Lauded. That of a Story Arc is open only to Registers on this arc. A player may waive an award; where "
            "nothing is open to the unit it lapses. The ledger says which."
        ),
    ),
    ruling(
        16,
        _("Paragon Command Cards"),
        _(
            "Every VR the Paragon reaches unlocks one Paragon Command Card besides: its player picks one that is not "
            "yet unlocked, or declines."
        ),
    ),
)


def register() -> Section:
    """A Register (R1 to R11)."""
    return Section(
        "register", _("A Register"), (in_short("register", _("Founding one, in short"), FOUNDING), *RULINGS)
    )


def veterans() -> Section:
    """Experience and Veteran Rank (R12 to R16); Commendations have their table in step 6."""
    ranks = Passage("table-veteran-ranks", _("Veteran Ranks"), table=tables.veteran_ranks())
    highest = Passage(
        "table-maximum-veteran-ranks", _("Maximum by rank"), table=tables.maximum_veteran_ranks()
    )
    return Section("veterans", _("Experience and Veteran Rank"), (ranks, highest, *VETERANS))
