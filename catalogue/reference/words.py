"""The words of Tours of Duty, and the dice."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from . import tables
from .parts import Passage, Section

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
        _(
            "**Register**: the book of one player’s force, with its Dossiers, CP, SP, Reputation, assets, Story Arc."
        ),
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


def section() -> Section:
    """Letters, names, ranks, dice."""
    dice = Passage(
        "table-dice", _("Dice"), _("How many sides of a die show which face."), table=tables.dice()
    )
    return Section("words", _("Words and dice"), (ABBREVIATIONS, NAMES, RANKS, dice))
