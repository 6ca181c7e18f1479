"""R1 to R51: a Register and its units, a battle, and the ten steps after it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from rules.core.rulebook import Rulebook
from rules.post_battle.steps import STEPS

from . import tables
from .passages import Passage, Section, in_short, ruling

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

REGISTER_RULINGS = (
    ruling(
        1,
        _("A new Register"),
        _(
            "It opens with **600 Combat Potential**, **5 Supply Points** and **Reputation 0**. Organizers may set "
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
    ruling(14, _("VR is never lost"), _("A unit keeps every VR it has reached, even when it loses XP.")),
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
    """Return the section on a Register (R1 to R11)."""
    return Section(
        "register", _("A Register"), (in_short("register", _("Founding one, in short"), FOUNDING), *REGISTER_RULINGS)
    )


def veterans() -> Section:
    """Return the section on Experience and Veteran Rank (R12 to R16); step 6 lists the Commendations."""
    ranks = Passage("table-veteran-ranks", _("Veteran Ranks"), table=tables.veteran_ranks())
    highest = Passage("table-maximum-veteran-ranks", _("Maximum by rank"), table=tables.maximum_veteran_ranks())
    return Section("veterans", _("Experience and Veteran Rank"), (ranks, highest, *VETERANS))


MUSTERING = (
    _("Agree on the points: up to 800 is Recon, 801 and more standard (R18)."),
    _("Is a Turning Point Mission open? With 2 Agendas complete you may, with 3 you must play it (R22)."),
    _("Muster: the Paragon, any other Dossiers, any of their upgrades, assets to be used (R19, R21)."),
    _("Against a higher Reputation: up to 50 points more for each point of difference (R20)."),
    _("Without a Turning Point Mission of yours: choose 1 Agenda that is not complete, blue first (R23)."),
)

BATTLE_RULINGS = (
    ruling(
        17,
        _("Sides"),
        _(
            "Two. One of them plays a Register; the other plays one as well, or is a guest, with a name, a Faction "
            "and points."
        ),
    ),
    ruling(
        18,
        _("Size and ranks"),
        _(
            "The players agree on a size first. **Up to 800 points** the Recon rules are played, **from 801** the "
            "standard ones. The [rank limits](#table-rank-limits) of that size warn, and do not forbid: who goes "
            "outside them gives a reason."
        ),
    ),
    ruling(
        19,
        _("The army"),
        _(
            "Dossiers of the Register, the Paragon’s always among them, each with those of its own upgrades that "
            "its player wants. The army costs what the fielded cards cost, 15 points more for each Downtrodden on a "
            "fielded unit, and what assets bring; this must fit the size and the reinforcements (R20). How many of "
            "a unique or limited card there are is counted over everything fielded."
        ),
    ),
    ruling(
        20,
        _("Reinforcements of Reputation"),
        _(
            "Against a Register with the higher Reputation an army may cost more: up to 50 points for each point "
            "by which the other is ahead."
        ),
    ),
    ruling(
        21,
        _("Assets in the army"),
        _(
            "Which assets are used is decided while mustering. Request Assistance (a unique unit, no commander), "
            "Heroic Intervention (a unique commander) and Requisition Special Equipment (a unique upgrade) are barred "
            "from one’s own Turning Point Mission. Authorized Extraordinary Use frees one unit from the maximum of "
            "its rank."
        ),
    ),
    ruling(
        22,
        _("Turning Point Missions"),
        _(
            "A side with 2 complete Agendas *may* play its mission, one with 3 *must*. Where both could, they decide "
            "together whose it is. The owner plays blue and brings no Agenda. **The other side may still bring one.**"
        ),
    ),
    ruling(
        23,
        _("Bringing an Agenda"),
        _("Else each side may bring one Agenda of its current arc that is not complete; blue chooses first."),
    ),
    ruling(
        24,
        _("The Command Hand"),
        _(
            "Whoever likes records it. **Seven cards**: two of 1 pip, two of 2, two of 3, no card twice, and the "
            "Standing Orders of 4 pips. A card that names units wants one of them in the army, or all where it says "
            "so. Unlocked Paragon Command Cards may be in it, that of 4 pips instead of Standing Orders. The "
            "opponent sees the hand when the battle is closed, not before; its number of cards and what was "
            "discarded are open."
        ),
    ),
)

REPORT = Passage(
    "reported",
    _("What is reported"),
    lines=(
        _("**Of the battle**: date, size, colours, mission, VP, who won or that it is a draw, who conceded."),
        _(
            "**Of each Register**: who took part, who was defeated, who contested or held an objective at the end, "
            "Agenda tokens and what else the card asks, marked units, secondary VP, assets used, XP and SP that "
            "Paragon Command Cards brought during the battle (these are entered before step 1)."
        ),
        _("**Of a Turning Point Mission**: what its card asks besides."),
        _(
            "Either player reports. The other confirms or disputes; an organizer may settle it. Then the sequence "
            "begins; with a guest, at once."
        ),
    ),
    on_sheet=False,
)


def battle(book: Rulebook) -> Section:
    """Return the section on a battle (R17 to R24)."""
    limits = Passage("table-rank-limits", _("Rank limits"), table=tables.rank_limits(book))
    assets = Passage(
        "table-strategic-assets",
        _("Strategic Assets"),
        _("They are requested in [step 7](#step-7) (R43) and used in a battle (R21)."),
        table=tables.assets(book),
    )
    short = in_short("battle", _("Before a battle, in short"), MUSTERING)
    return Section("battle", _("A battle"), (short, *BATTLE_RULINGS, limits, assets, REPORT))


HOW = Passage(
    "sequence-how",
    _("How it is walked"),
    _(
        "Every Register takes the ten steps one after the other, at its own pace. Only [step 5](#step-5) waits: the "
        "other side’s casualties must be known before a rival is named. A step in which nothing happens is written "
        "down too, with the reason. Dice fall in Musterbook or on the table and are typed in; the record says which."
    ),
    on_sheet=False,
)

#: Each step of the sequence in short.
SHORT: Mapping[int, tuple[str, ...]] = {
    1: (
        _("Take the Agenda that is in play at the end."),
        _("Test its conditions in order: each that is met is 1 progression, the first that is not ends it (R25)."),
        _("With any progression: resolve its reward (R26)."),
    ),
    2: (
        _("Only after a Turning Point Mission: what its card gives each side at the end of the game."),
        _("Then its owner resolves victory, or (lost or drawn) defeat (R29)."),
    ),
    3: (_("Gain 2 SP."), _("Roll a red defense die: block, 1 SP more; surge, 1 SP more if you won (R30).")),
    4: (
        _(
            "Each defeated unit makes a check, but for lent ones and the one a Medevac saves; so does a Paragon "
            "with Tunnel Vision whose Agenda did not progress."
        ),
        _("Roll black attack dice: as many as it has Setbacks, at least 1 (R31)."),
        _("War Weary: 1 die more, or else all blanks again (R32). Resilient and its like: reroll (R33)."),
        _(
            "First that fits: **any surge**, casualty (Paragon: a Trait) · **only criticals**, 2 XP and a Setback · "
            "**any hit**, a Setback · **else** 1 XP (R34, R35)."
        ),
    ),
    5: (
        _("1 XP to each unit that took part, 1 more where it contested or held an objective at the end."),
        _("Name one of the opponent’s units, no casualty, Most Feared Rival: it gains 3 XP (R39, R40)."),
        _("Casualties and lent units gain nothing."),
    ),
    6: (
        _("1 Commendation for each VR reached (R15)."),
        _("The Paragon: 1 Paragon Command Card for each, too (R16)."),
        _("Name every unit that has reached VR 1 (R9)."),
    ),
    7: (
        _("Selfless Warden first: 3 white defense dice, 1 SP less for each block or surge."),
        _("Spend SP on Aid Requests, each once unless it is repeatable (R41)."),
    ),
    8: (
        _("Assets that were used leave; an unused Contingency Plan stays (R47)."),
        _("Corps units that are owed come first (R4). Then add units, upgrades and names (R8, R11)."),
    ),
    9: (
        _("After your own Turning Point Mission, won or lost: Reputation +1 (R48)."),
        _("All 3 Agendas complete: Reputation +1 more, and 3 SP."),
    ),
    10: (
        _("If your arc has ended, choose the next, perhaps the same (R49)."),
        _("Defining Traits count down; the Register leaves the field (R37, R50)."),
    ),
}

CHECKS = Passage(
    "checks",
    _("Who makes a check"),
    _(
        "Every defeated unit of the Register, except one that a Medevac used in this battle saves; what assets lent "
        "makes none. The Paragon makes one for Tunnel Vision, too, if the Agenda it brought did not progress: once, "
        "even if it was defeated as well (R27), and not at all when Medevac saved it."
    ),
    on_sheet=False,
)

SLOTS = Passage(
    "commendation-slots",
    _("Slots from Commendations"),
    _("A slot that a Commendation gives is filled in step 8 or in any edit after it, if CP allow (R8)."),
    on_sheet=False,
)

RULINGS: Mapping[int, tuple[Passage, ...]] = {
    1: (
        ruling(
            25,
            _("Progress"),
            _(
                "What counts is the Agenda in play when the battle ends, perhaps one that a Contingency Plan put "
                "there. Its conditions are tested from the first to the last: one that is met is 1 progression, one "
                "that is not ends the test. So does the progression that completes the Agenda."
            ),
        ),
        ruling(
            26,
            _("The reward of an Agenda"),
            _(
                "An Agenda that has progressed pays its reward, line by line; without progress there is none. "
                "Casualties come later, so a defeated unit can still gain here."
            ),
        ),
        ruling(
            27,
            _("Tunnel Vision"),
            _(
                "A Paragon with this Trait gets neither SP nor XP out of the Agenda for its Register, nor the 2 XP "
                "of the shield (R28). Progress and the rest of the reward stand, and the same questions are asked."
            ),
        ),
        ruling(
            28,
            _("Daring Defense"),
            _(
                "Its shield against casualties in [step 4](#step-4) is a part of its reward: no progress, no shield."
            ),
        ),
    ),
    2: (
        ruling(
            29,
            _("End of game, victory, defeat"),
            _(
                "The step belongs to Turning Point Missions alone. Each side first takes what the card promises for "
                "the end of the game; then the owner takes the victory or the defeat. To draw is not to win: the "
                "owner takes the defeat."
            ),
        ),
    ),
    3: (
        ruling(
            30,
            _("Supply Points"),
            _(
                "2 SP, and a red defense die for perhaps one more: a block brings it to anybody, a surge to "
                "whoever won."
            ),
        ),
    ),
    4: (
        ruling(
            31,
            _("Dice of a Casualty Check"),
            _(
                "Black attack dice: 1, and 1 more for every Setback beyond the first. So 0 and 1 Setback make 1 die, "
                "2 make 2, 3 make 3."
            ),
        ),
        ruling(
            32,
            _("War Weary"),
            _("The player adds 1 die, or does not, and then every blank falls again, once."),
        ),
        ruling(
            33,
            _("Rerolls"),
            _(
                "With 2 dice or more in the roll (one that War Weary added counts) Resilient rerolls up to 1 of them, "
                "Dedicated to the Cause up to 2, not 3. The player has seen the dice by then, and R32 is done."
            ),
        ),
        ruling(
            34,
            _("The result"),
            _(
                "The first of these that fits, and nothing after it:\n\n"
                "1. a surge anywhere: **casualty**;\n"
                "2. criticals on all dice: **2 XP and a Setback**;\n"
                "3. a hit anywhere: **a Setback**;\n"
                "4. anything else: it has escaped, and gains **1 XP**."
            ),
        ),
        ruling(
            35,
            _("Casualty"),
            _(
                "The Dossier leaves the Register for the roll of the fallen. A Paragon stays, and rolls a Defining "
                "Trait (R37). Whom the shield of R28 covers gains 2 XP and a Setback instead, a Paragon too: then "
                "there is no Trait."
            ),
        ),
        ruling(
            36,
            _("Setbacks"),
            _(
                "One black attack die decides, see [the table](#table-setbacks). Battle-Fatigue and Downtrodden add "
                "up. Battle-Shaken comes once: a second one is rolled again. A critical is worth 1 XP and brings the "
                "Setback of the current Story Arc.\n\n"
                "The arcs’ own come once as well. A second Flat Footed, Compromised or Scrambled gives its 1 XP and "
                "makes the unit a casualty (a Paragon rolls a Trait and keeps the one it has). War Weary, Behind "
                "Schedule, Losing Faith and Self-Serving are rolled again instead, before any XP."
            ),
        ),
        ruling(
            37,
            _("Defining Traits"),
            _(
                "One black attack die, see [the table](#table-defining-traits); a critical is worth 1 XP and brings "
                "the Trait of the current arc. A Paragon has one Trait: a new one replaces it, and the same again "
                "starts anew.\n\n"
                "It lasts **2 games**, those fielded after the battle that brought it, and ends with the sequence "
                "of the second. In a sequence the Trait counts that the Paragon had when the battle began (R27, "
                "R40, the check of step 4), but for Selfless Warden: there, the one it has in step 7."
            ),
        ),
        ruling(
            38,
            _("Order of the checks"),
            _("One unit after the other; which comes next is for their player to say."),
        ),
    ),
    5: (
        ruling(
            39,
            _("Experience and the Most Feared Rival"),
            _(
                "1 XP for having taken part, then 1 XP for contesting or holding an objective when the battle "
                "ended, then 3 XP for the Most Feared Rival: every player names one unit on the other side that took "
                "part and is no casualty. For casualties the step has nothing. A unit that an asset lent can be "
                "named, and gains nothing."
            ),
        ),
        ruling(
            40,
            _("Who cannot be named"),
            _(
                "Nobody on a side whose Paragon had Captious Command when the battle began. A guest names a rival "
                "through the player who reports. A player who conceded still names one."
            ),
        ),
    ),
    6: (SLOTS,),
    7: (
        ruling(
            41,
            _("Aid Requests"),
            _(
                "Any of [the seven](#table-aid-requests) that the SP pay for, which never fall below 0. Each is made "
                "once in a sequence, unless it is repeatable. Under Selfless Warden 3 white defense dice come "
                "first: every block and every surge takes 1 SP, while there are any."
            ),
        ),
        ruling(
            42,
            _("Medical Supplies"),
            _(
                "The player picks the Setback that goes. Then as many red defense dice as Setbacks are left: every "
                "block takes away another, which one is the player’s choice."
            ),
        ),
        ruling(
            43,
            _("Strategic Assets"),
            _(
                "One of each on a Register, one of each in a sequence. Request Assistance and Requisition Special "
                "Equipment may be requested twice, and held twice. An asset used in this battle is there until "
                "step 8, so that it cannot be bought anew in step 7."
            ),
        ),
        ruling(
            44,
            _("Special Training"),
            _("For a unit at its maximum VR, which rises by 1, to no more than 5."),
        ),
        ruling(
            45,
            _("Reinforcements"),
            _(
                "There must be a heavy weapon or personnel slot on the unit card itself. The card that comes may be "
                "one more than a joining unit may have (R7); a free slot and all else of R8 is needed."
            ),
        ),
        ruling(
            46,
            _("Reassign"),
            _("Anybody but the Paragon. If corps units are missing afterwards, R4 says what follows."),
        ),
    ),
    8: (
        ruling(
            47,
            _("Assets leave"),
            _(
                "What was used in this battle goes; only a Contingency Plan that switched nothing stays. After that "
                "the Register is edited freely (R11, R4)."
            ),
        ),
    ),
    9: (
        ruling(
            48,
            _("Reputation"),
            _(
                "Who owned the Turning Point Mission of this battle has ended the Story Arc, by winning or by losing: "
                "Reputation +1. Were all 3 Agendas complete: 1 more, and 3 SP."
            ),
        ),
    ),
    10: (
        ruling(
            49,
            _("The next Story Arc"),
            _(
                "Whose arc has ended chooses one, be it the same; Agendas begin at nothing. Everybody else passes. A "
                "campaign may limit the choice, and may set how many arcs make a saga: then the Register is complete "
                "and fights no more, unless the campaign grows longer."
            ),
        ),
        ruling(
            50,
            _("The end of the sequence"),
            _("It ends here. Defining Traits count down, and the Register is no longer in the field."),
        ),
    ),
}  # fmt: skip

CONCESSION = ruling(
    51,
    _("Concession"),
    _(
        "When one side concedes, the other has won. The side that conceded leaves out steps 2, 3 and 5 for itself. "
        "To end a battle early is to concede it, for whoever ended it; if both did, both conceded, and the report says "
        "who won, or nobody."
    ),
    on_sheet=True,
)


def sequence(book: Rulebook) -> tuple[Section, ...]:
    """Return the sections on the sequence, its ten steps with their tables, and concession."""
    whole = Section("sequence", _("The Post-Battle Sequence"), (HOW,))
    concession = Section("concession", _("Concession"), (CONCESSION,))
    return (whole, *(_step(book, step.number, step.name) for step in STEPS), concession)


def _step(book: Rulebook, number: int, name: str) -> Section:
    short = in_short(f"step-{number}", _("Step %(number)s in short") % {"number": number}, SHORT[number])
    return Section(f"step-{number}", name, (short, *_around(book, number)), step=number)


def _around(book: Rulebook, number: int) -> tuple[Passage, ...]:
    """Return the rulings of a step, with the tables that belong to it."""
    rulings = RULINGS[number]
    if number == 4:
        return (CHECKS, *rulings, *tables.of_casualties(book))
    if number == 6:
        return (*rulings, *tables.of_commendations(book))
    if number == 7:
        return (*rulings, tables.of_aid_requests(book))
    return rulings
