"""R17 to R24: a battle, and what is reported of it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from rules.rulebook import Rulebook

from . import tables
from .parts import Passage, Section, in_short, ruling

MUSTERING = (
    _("Agree on the points: up to 800 is Recon, 801 and more standard (R18)."),
    _("Is a Turning Point Mission open? With 2 Agendas complete you may, with 3 you must play it (R22)."),
    _("Muster: the Paragon, any other Dossiers, any of their upgrades, assets to be used (R19, R21)."),
    _("Against a higher Reputation: up to 50 points more for each point of difference (R20)."),
    _("Without a Turning Point Mission of yours: choose 1 Agenda that is not complete, blue first (R23)."),
)

RULINGS = (
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
            "Either player reports. The other confirms or disputes; an organiser may settle it. Then the sequence "
            "begins; with a guest, at once."
        ),
    ),
    on_sheet=False,
)


def section(book: Rulebook) -> Section:
    """A battle (R17 to R24)."""
    limits = Passage("table-rank-limits", _("Rank limits"), table=tables.rank_limits(book))
    assets = Passage(
        "table-strategic-assets",
        _("Strategic Assets"),
        _("They are requested in [step 7](#step-7) (R43) and used in a battle (R21)."),
        table=tables.assets(book),
    )
    short = in_short("battle", _("Before a battle, in short"), MUSTERING)
    return Section("battle", _("A battle"), (short, *RULINGS, limits, assets, REPORT))
