"""What a plain army of the core rules is held to: where a problem cites "Core: Ranks" instead of a ruling."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .parts import Passage, Section

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


def section() -> Section:
    """The core rules beside those of Tours of Duty."""
    return Section("core", _("The core rules beside them"), PASSAGES)
