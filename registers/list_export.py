"""Export of a Register's units as links and files for other programs (`lists.exporting`)."""

from __future__ import annotations

from lists.exporting import WRITERS, ExportedList, Writer, all_written, file_name, written
from lists.formats.plain_army import PlainArmy, PlainUnit
from registers.pages.sheet import in_order
from rules.register.state import RegisterState

__all__ = ["WRITERS", "ExportedList", "Writer", "all_written", "file_name", "plain_register", "written"]


def plain_register(state: RegisterState) -> PlainArmy:
    """Return all units of a Register as an army, the Paragon first, with all their upgrades."""
    return PlainArmy(
        faction=state.faction,
        size=state.combat_potential,
        title=state.name,
        units=tuple(PlainUnit(dossier.card, dossier.upgrades) for dossier in in_order(state)),
    )
