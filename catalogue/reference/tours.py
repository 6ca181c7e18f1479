"""R1 to R51: a Register and its units, a battle, and the ten steps after it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from rules.core.rulebook import Rulebook
from rules.post_battle.steps import STEPS

from . import tables
from .passages import Passage, Section, in_short, ruling

BUILDING = (
    _("Start with 600 CP, 5 SP and Reputation 0 (R1)."),
    _("Add units of one Faction: at least 1 commander and 2 corps, none unique (R3, R4, R5)."),
    _("Your first commander stays your Paragon (R6)."),
    _(
        "Add upgrades. Commander, operative: up to 2, and a name. Other trooper: 1 heavy weapon, 1 personnel. Other "
        "vehicle: 1 hardpoint. Plus required cards (R7)."
    ),
    _("Spend SP on Aid Requests, or save them (R10, R41)."),
    _("Choose a Story Arc, then name the Register (R10)."),
)

REGISTER_RULINGS = (
    ruling(
        1,
        _("A new Register"),
        _(
            "A Register starts with **600 Combat Potential**, **5 Supply Points** and **Reputation 0**. A campaign "
            "can set other values for Combat Potential and Supply Points."
        ),
    ),
    ruling(
        2,
        _("Combat Potential"),
        _(
            "The CP spent are the current points of all cards on the Dossiers. They cannot exceed the CP of the "
            "Register. If a points update raises them above it, the Register keeps its cards, but cannot add any "
            "until they fit again."
        ),
    ),
    ruling(
        3,
        _("One Faction"),
        _(
            "All units have the same Faction. Mercenaries have none: their card says which Factions may hire them. "
            "The order in which units join does not matter."
        ),
    ),
    ruling(
        4,
        _("Commander and corps"),
        _(
            "A Register needs at least **1 commander and 2 corps** to be commissioned and to play battles.\n\nA "
            "commissioned Register with fewer than 2 corps must add the missing ones before anything else that costs "
            "CP, and before step 8 ends. Other units and upgrades are not available while the remaining CP can pay "
            "for a corps unit (without upgrades; not unique, released, including mercenaries it may hire). If there "
            "is none, the Register may continue without it."
        ),
    ),
    ruling(
        5,
        _("Forbidden cards"),
        _(
            "A Register cannot have unique units, unreleased cards (unless the campaign allows them), or unique "
            "upgrades of six types: squad leader, personnel, heavy weapon, crew, pilot, armament. "
            "[Assets](#table-strategic-assets) can lend unique cards for one battle."
        ),
    ),
    ruling(
        6,
        _("The Paragon"),
        _(
            "The first commander is the Paragon. A Paragon never leaves its Register: not as a casualty, not by "
            "reassignment, not in an edit."
        ),
    ),
    ruling(
        7,
        _("Upgrades when joining"),
        _(
            "- **Commander or operative**: up to 2 upgrades of any types on its bar. It needs a name.\n- **Any other "
            "trooper**: up to 1 heavy weapon and 1 personnel, no other types.\n- **Any other vehicle**: up to 1 "
            "hardpoint, if its bar has one.\n\nUpgrades required by Equip or Programmed are allowed in addition. You "
            "can add them in a later edit if there are not enough CP now. Until then the unit cannot be part of a "
            "legal army, and Musterbook warns you."
        ),
    ),
    ruling(
        8,
        _("Upgrades later"),
        _(
            "A unit can gain upgrades later in three ways: a slot from a Commendation, an Aid Request, or a required "
            "card that is still missing. The card needs an empty slot of its type: printed, from a Commendation, or "
            "from another upgrade that has its own slot. The unit cannot have the same card twice, the card must "
            "allow the unit, and there must be enough CP (R2). Limits of unique and limited cards apply to armies "
            "(R19), not to Registers."
        ),
    ),
    ruling(
        9,
        _("Experience at the start, and names"),
        _("Every unit starts with 0 XP and VR 0. At VR 1 it needs a Dossier name."),
    ),
    ruling(
        10,
        _("Order of building"),
        _(
            "Add units. Then spend SP on Aid Requests as in [step 7](#step-7) (building counts as one sequence). Then "
            "choose any Story Arc, also one intended for another Faction. Then name the Register."
        ),
    ),
    ruling(
        11,
        _("Editing a Register"),
        _(
            "A Register can be edited at any time outside a battle. A battle lasts until the end of the sequence "
            "after it. In a battle, the Register can be edited only in [step 8](#step-8)."
        ),
    ),
)

VETERANS = (
    ruling(
        12,
        _("Veteran Rank"),
        _(
            "The table shows the XP for each VR. The maximum VR depends on the rank of the unit. Each Special "
            "Training (R44) raises it by 1, up to VR 5."
        ),
    ),
    ruling(
        13,
        _("Experience stops at the maximum"),
        _(
            "A unit with the XP of its maximum VR gains no more. A gain beyond it is cut: a unit with 24 XP and "
            "maximum VR 3 that would gain 3 XP gains 1 and has 25. The ledger shows the lost XP."
        ),
    ),
    ruling(14, _("VR is never lost"), _("A unit keeps every VR it has reached, even if it loses XP.")),
    ruling(
        15,
        _("Commendations"),
        _(
            "A unit gains one Commendation in [step 6](#step-6) for each VR it reached. It must meet the requirements "
            "of the Commendation at that moment. A unit cannot gain the same Commendation twice. It can have **one "
            "High Commendation**, or two if it is Lauded. The Commendation of a Story Arc is only for Registers on "
            "this arc. A player can skip a Commendation. If none is available, it is skipped automatically. The "
            "ledger shows both."
        ),
    ),
    ruling(
        16,
        _("Paragon Command Cards"),
        _("For each VR the Paragon reaches, its player also unlocks one more Paragon Command Card or skips it."),
    ),
)


def register() -> Section:
    """Return the section on a Register (R1 to R11)."""
    return Section(
        "register",
        _("A Register"),
        (in_short("register", _("Building a Register in short"), BUILDING), *REGISTER_RULINGS),
    )


def veterans() -> Section:
    """Return the section on Experience and Veteran Rank (R12 to R16); step 6 lists the Commendations."""
    ranks = Passage("table-veteran-ranks", _("Veteran Ranks"), table=tables.veteran_ranks())
    highest = Passage("table-maximum-veteran-ranks", _("Maximum by rank"), table=tables.maximum_veteran_ranks())
    return Section("veterans", _("Experience and Veteran Rank"), (ranks, highest, *VETERANS))


BEFORE_A_BATTLE = (
    _("Agree on the size: up to 800 points is Recon, 801 and more is standard (R18)."),
    _("Check for a Turning Point Mission: with 2 complete Agendas you may play it, with 3 you must (R22)."),
    _("Choose your army: the Paragon, any other Dossiers, any of their upgrades, assets to use (R19, R21)."),
    _("Against higher Reputation: up to 50 more points for each point of difference (R20)."),
    _("Without your own Turning Point Mission: choose 1 incomplete Agenda, blue first (R23)."),
)

BATTLE_RULINGS = (
    ruling(
        17,
        _("Sides"),
        _(
            "A battle has two sides. At least one plays a Register. The other can be a guest with a name, a Faction "
            "and points."
        ),
    ),
    ruling(
        18,
        _("Size and ranks"),
        _(
            "The players agree on a size first. **Up to 800 points** uses Recon rules, **801 and more** standard "
            "rules. Armies outside the [rank limits](#table-rank-limits) are allowed with a reason."
        ),
    ),
    ruling(
        19,
        _("The army"),
        _(
            "An army is the Paragon and any other Dossiers of the Register, each with any of its own upgrades. It "
            "costs the points of these cards, 15 points more for each Downtrodden, and the points from assets. It can "
            "cost up to the size plus reinforcements (R20). Limits of unique and limited cards apply to the whole army."
        ),
    ),
    ruling(
        20,
        _("Reinforcements from Reputation"),
        _(
            "Against a Register with higher Reputation, an army can cost up to 50 more points for each point of "
            "difference."
        ),
    ),
    ruling(
        21,
        _("Assets in the army"),
        _(
            "Choose assets together with the army. Request Assistance (a unique unit that is not a commander), Heroic "
            "Intervention (a unique commander) and Requisition Special Equipment (a unique upgrade) cannot be used in "
            "your own Turning Point Mission. With Authorized Extraordinary Use, one unit does not count for the "
            "maximum of its rank."
        ),
    ),
    ruling(
        22,
        _("Turning Point Missions"),
        _(
            "A side with 2 complete Agendas *may* play its mission, a side with 3 *must*. If both can, the players "
            "agree on one. The owner is blue and brings no Agenda. **The other side can still bring one.**"
        ),
    ),
    ruling(
        23,
        _("Bringing an Agenda"),
        _(
            "Without its own Turning Point Mission, each side can bring one incomplete Agenda of its current arc. Blue "
            "chooses first."
        ),
    ),
    ruling(
        24,
        _("The Command Hand"),
        _(
            "Recording the Command Hand is optional. It has **seven cards**: two each of 1, 2 and 3 pips, no card "
            "twice, and Standing Orders (4 pips). A card that names units needs one of them in the army, or all if it "
            "says so. Unlocked Paragon Command Cards can be in the hand; the 4-pip card replaces Standing Orders. The "
            "opponent sees the hand when the battle is closed. The number of cards and the discard pile are open."
        ),
    ),
)

REPORT = Passage(
    "reported",
    _("Report"),
    lines=(
        _("**For the battle**: date, size, colors, mission, VP, the winner or a draw, and who conceded."),
        _(
            "**For each Register**: units that took part, were defeated, or contested or held an objective at the "
            "end; Agenda tokens and other questions of the card; marked units; secondary VP; assets used; XP and SP "
            "from Paragon Command Cards (gained before step 1)."
        ),
        _("**For a Turning Point Mission**: other questions of its card."),
        _(
            "One player reports. The other confirms or disputes, and an organizer can settle a dispute. Then the "
            "sequence begins. Against a guest it begins immediately."
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
    short = in_short("battle", _("Before a battle, in short"), BEFORE_A_BATTLE)
    return Section("battle", _("A battle"), (short, *BATTLE_RULINGS, limits, assets, REPORT))


HOW = Passage(
    "sequence-how",
    _("Order and dice"),
    _(
        "Each Register resolves the ten steps in order, at its own pace. Only [step 5](#step-5) waits for the "
        "opponent, because a casualty cannot be a rival. Steps in which nothing happens are listed with the reason. "
        "Roll dice in the app, or at the table and enter them. The ledger shows which."
    ),
    on_sheet=False,
)

#: Each step of the sequence in short.
SHORT: Mapping[int, tuple[str, ...]] = {
    1: (
        _("Use the Agenda that is in play when the battle ends."),
        _("Check its conditions in order: 1 progression for each that is met, stop at the first that is not (R25)."),
        _("If it progressed, resolve its reward (R26)."),
    ),
    2: (
        _("After a Turning Point Mission only: each side resolves the end of the game on its card."),
        _("Then its owner resolves the Victory Reward, or the Loss Reward (also for a draw) (R29)."),
    ),
    3: (_("Gain 2 SP."), _("Roll a red defense die. Block: 1 more SP. Surge: 1 more SP if you won (R30).")),
    4: (
        _(
            "Each defeated unit makes a Casualty Check, except lent units and one saved by Medevac. So does a Paragon "
            "with Tunnel Vision whose Agenda did not progress."
        ),
        _("Roll 1 black attack die for each Setback, at least 1 (R31)."),
        _("War Weary: add 1 die or reroll all blanks (R32). Resilient and similar cards: reroll (R33)."),
        _(
            "Use the first that applies: **any surge**, casualty (Paragon: a Trait) · **only criticals**, 2 XP and a "
            "Setback · **any hit**, a Setback · **otherwise**, 1 XP (R34, R35)."
        ),
    ),
    5: (
        _("Each unit that took part gains 1 XP, and 1 more if it contested or held an objective at the end."),
        _("Name one surviving enemy unit Most Feared Rival: it gains 3 XP (R39, R40)."),
        _("Casualties and lent units gain nothing."),
    ),
    6: (
        _("1 Commendation for each VR reached (R15)."),
        _("The Paragon: 1 Paragon Command Card for each, too (R16)."),
        _("Name every unit that has reached VR 1 (R9)."),
    ),
    7: (
        _("Selfless Warden first: roll 3 white defense dice, lose 1 SP for each block or surge."),
        _("Spend SP on Aid Requests, each once unless it is repeatable (R41)."),
    ),
    8: (
        _("Remove used assets. An unused Contingency Plan stays (R47)."),
        _("Add missing corps units first (R4). Then add units, upgrades and names (R8, R11)."),
    ),
    9: (
        _("After your own Turning Point Mission, won or lost: +1 Reputation (R48)."),
        _("With all 3 Agendas complete: another +1 Reputation and 3 SP."),
    ),
    10: (
        _("If your Story Arc has ended, choose the next one. It can be the same (R49)."),
        _("Defining Traits count down. The battle is over (R37, R50)."),
    ),
}

CHECKS = Passage(
    "checks",
    _("Units that make a check"),
    _(
        "Each defeated unit of the Register makes a check, except lent units and a unit saved by Medevac in this "
        "battle. A Paragon with Tunnel Vision also makes one if its Agenda did not progress: only one, even if it was "
        "defeated too (R27), and none if Medevac saved it."
    ),
    on_sheet=False,
)

SLOTS = Passage(
    "commendation-slots",
    _("Slots from Commendations"),
    _("Fill a slot from a Commendation in step 8 or in a later edit, if there are enough CP (R8)."),
    on_sheet=False,
)

RULINGS: Mapping[int, tuple[Passage, ...]] = {
    1: (
        ruling(
            25,
            _("Progress"),
            _(
                "Only the Agenda that is in play when the battle ends counts. It may have been switched by a "
                "Contingency Plan. Check its conditions in order: each that is met is 1 progression. Stop at the "
                "first that is not met, or when the Agenda is complete."
            ),
        ),
        ruling(
            26,
            _("Agenda rewards"),
            _(
                "If the Agenda progressed, resolve its reward line by line. Without progress there is no reward. "
                "Defeated units can gain rewards, because Casualty Checks come later."
            ),
        ),
        ruling(
            27,
            _("Tunnel Vision"),
            _(
                "With this Trait, the Agenda gives the Register no SP and no XP, and the shield (R28) gives no 2 XP. "
                "Progress and all other rewards apply."
            ),
        ),
        ruling(
            28,
            _("Daring Defense"),
            _(
                "The protection from casualties in [step 4](#step-4) is part of the reward. Without progress there is "
                "no protection."
            ),
        ),
    ),
    2: (
        ruling(
            29,
            _("End of game, victory, defeat"),
            _(
                "This step is only for Turning Point Missions. First each side resolves the end of the game on the "
                "card. Then the owner resolves the Victory Reward or the Loss Reward. A draw counts as a loss."
            ),
        ),
    ),
    3: (
        ruling(
            30,
            _("Supply Points"),
            _(
                "Gain 2 SP and roll a red defense die. A block gives 1 more SP, a surge 1 more SP to the winner."
            ),
        ),
    ),
    4: (
        ruling(
            31,
            _("Dice of a Casualty Check"),
            _(
                "Roll 1 black attack die for each Setback, at least 1: 1 die for 0 or 1 Setback, 2 dice for 2, 3 dice "
                "for 3."
            ),
        ),
        ruling(
            32,
            _("War Weary"),
            _("The player adds 1 die, or rerolls all blanks once."),
        ),
        ruling(
            33,
            _("Rerolls"),
            _(
                "If the roll has 2 or more dice (including one from War Weary), Resilient rerolls up to 1 of them, "
                "Dedicated to the Cause up to 2 (not 3). Rerolls come after R32."
            ),
        ),
        ruling(
            34,
            _("The result"),
            _(
                "Use the first that applies:\n\n1. any surge: **casualty**;\n2. only criticals: **2 XP and a "
                "Setback**;\n3. any hit: **a Setback**;\n4. otherwise, the unit escapes and gains **1 XP**."
            ),
        ),
        ruling(
            35,
            _("Casualty"),
            _(
                "A casualty leaves the Register and is listed as fallen. A Paragon stays and rolls for a Defining "
                "Trait (R37). A unit protected by R28 gains 2 XP and a Setback instead. A protected Paragon does too, "
                "and rolls for no Trait."
            ),
        ),
        ruling(
            36,
            _("Setbacks"),
            _(
                "Roll one black attack die and use [the table](#table-setbacks). Battle-Fatigue and Downtrodden add "
                "up. A unit can have Battle-Shaken only once; otherwise roll again. A critical gives 1 XP and the "
                "Setback of the current Story Arc.\n\nA unit can have each Story Arc Setback only once. A second Flat "
                "Footed, Compromised or Scrambled gives 1 XP, then the unit is a casualty (a Paragon rolls for a "
                "Trait and keeps the Setback it has). For War Weary, Behind Schedule, Losing Faith and Self-Serving, "
                "roll again before gaining XP."
            ),
        ),
        ruling(
            37,
            _("Defining Traits"),
            _(
                "Roll one black attack die and use [the table](#table-defining-traits). A critical gives 1 XP and the "
                "Trait of the current Story Arc. A Paragon has one Trait. A new one replaces it. The same one starts "
                "again.\n\nA Trait lasts for the next **2 games** and ends with the sequence of the second. The Trait "
                "at the beginning of the battle applies in the sequence (R27, R40, step 4). For Selfless Warden, the "
                "current Trait in step 7 applies."
            ),
        ),
        ruling(
            38,
            _("Order of the checks"),
            _("Check one unit after the other. The player chooses the order."),
        ),
    ),
    5: (
        ruling(
            39,
            _("Experience and the Most Feared Rival"),
            _(
                "Each unit that took part gains 1 XP. Each unit that contested or held an objective at the end gains "
                "1 XP. Each player names one enemy unit that took part and is not a casualty Most Feared Rival; it "
                "gains 3 XP. Casualties gain nothing. A lent unit can be named, but gains nothing."
            ),
        ),
        ruling(
            40,
            _("Limits on naming a rival"),
            _(
                "No rival can be named on a side whose Paragon had Captious Command when the battle began. The "
                "reporting player enters the rival named by a guest. A player who conceded still names a rival."
            ),
        ),
    ),
    6: (SLOTS,),
    7: (
        ruling(
            41,
            _("Aid Requests"),
            _(
                "Spend SP on any of the [Aid Requests](#table-aid-requests), each once in a sequence unless it is "
                "repeatable. SP cannot go below 0. With Selfless Warden, first roll 3 white defense dice and lose 1 "
                "SP for each block and surge."
            ),
        ),
        ruling(
            42,
            _("Medical Supplies"),
            _(
                "Remove one Setback of your choice. For each remaining Setback, roll 1 red defense die. Each block "
                "removes another one of your choice."
            ),
        ),
        ruling(
            43,
            _("Strategic Assets"),
            _(
                "A Register can have one of each asset and request one of each in a sequence. Request Assistance and "
                "Requisition Special Equipment can be requested and held twice. An asset used in this battle leaves "
                "in step 8, so it cannot be requested again in step 7."
            ),
        ),
        ruling(
            44,
            _("Special Training"),
            _("Raises the maximum VR of a unit at its maximum by 1, up to 5."),
        ),
        ruling(
            45,
            _("Reinforcements"),
            _(
                "The unit card must have a printed heavy weapon or personnel slot. The new card can exceed the limit "
                "for joining units (R7), but needs a free slot and everything else in R8."
            ),
        ),
        ruling(
            46,
            _("Reassign"),
            _("Any unit except the Paragon can be reassigned. If corps units are missing afterwards, see R4."),
        ),
    ),
    8: (
        ruling(
            47,
            _("Assets leave"),
            _(
                "Used assets leave. A Contingency Plan that switched nothing stays. Then the Register can be edited "
                "(R11, R4)."
            ),
        ),
    ),
    9: (
        ruling(
            48,
            _("Reputation"),
            _(
                "The owner of the Turning Point Mission of this battle has completed the Story Arc, won or lost: +1 "
                "Reputation. If all 3 Agendas were complete: another +1 Reputation and 3 SP."
            ),
        ),
    ),
    10: (
        ruling(
            49,
            _("The next Story Arc"),
            _(
                "A player whose Story Arc has ended chooses the next one. It can be the same; Agendas start at 0. "
                "Others skip this step. A campaign can limit the choice and set a number of Story Arcs after which a "
                "Register retires."
            ),
        ),
        ruling(
            50,
            _("The end of the sequence"),
            _("The sequence ends. Defining Traits count down, and the Register is no longer in a battle."),
        ),
    ),
}  # fmt: skip

CONCESSION = ruling(
    51,
    _("Concession"),
    _(
        "If one side concedes, the other wins. The side that conceded skips steps 2, 3 and 5. A player who ends a "
        "battle early concedes. If both end it, both conceded, and the report says who won, if anybody."
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
