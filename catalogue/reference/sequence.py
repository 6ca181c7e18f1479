"""R25 to R51: the ten steps after a battle, and conceding one."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from rules.post_battle.sequence import STEPS
from rules.rulebook import Rulebook

from . import tables
from .parts import Passage, Section, in_short, ruling

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

#: What each step asks one to do, in short.
SHORT: Mapping[int, tuple[str, ...]] = {
    1: (
        _("Take the Agenda that is in play at the end."),
        _(
            "Test its conditions in order: each that is met is 1 progression, the first that is not ends it (R25)."
        ),
        _("With any progression: resolve its reward (R26)."),
    ),
    2: (
        _("Only after a Turning Point Mission: what its card gives each side at the end of the game."),
        _("Then its owner resolves victory, or (lost or drawn) defeat (R29)."),
    ),
    3: (
        _("Gain 2 SP."),
        _("Roll a red defense die: block, 1 SP more; surge, 1 SP more if you won (R30)."),
    ),
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


def sections(book: Rulebook) -> tuple[Section, ...]:
    """The sequence, its ten steps with their tables, and concession."""
    whole = Section("sequence", _("The Post-Battle Sequence"), (HOW,))
    concession = Section("concession", _("Concession"), (CONCESSION,))
    return (whole, *(_step(book, step.number, step.name) for step in STEPS), concession)


def _step(book: Rulebook, number: int, name: str) -> Section:
    short = in_short(f"step-{number}", _("Step %(number)s in short") % {"number": number}, SHORT[number])
    return Section(f"step-{number}", name, (short, *_around(book, number)), step=number)


def _around(book: Rulebook, number: int) -> tuple[Passage, ...]:
    """The rulings of a step, with what belongs to it besides."""
    rulings = RULINGS[number]
    if number == 4:
        return (CHECKS, *rulings, *tables.of_casualties(book))
    if number == 6:
        return (*rulings, *tables.of_commendations(book))
    if number == 7:
        return (*rulings, tables.of_aid_requests(book))
    return rulings
