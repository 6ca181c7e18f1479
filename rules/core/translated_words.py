"""Words that are values of the rules, listed for translators; `upgrade_slots.spoken` shows them."""

from rules.core.translation import gettext_noop as _

#: Ranks, Factions, types of units and of upgrades, formats, sides, dice and their faces.
WORDS: tuple[str, ...] = (
    _("commander"), _("operative"), _("corps"), _("special forces"), _("support"), _("heavy"),
    _("rebel"), _("empire"), _("republic"), _("separatist"), _("mandalorian"), _("mercenary"),
    _("trooper"), _("vehicle"), _("clone trooper"), _("creature trooper"), _("droid trooper"),
    _("emplacement trooper"), _("heavy droid trooper"), _("mandalorian trooper"), _("wookiee trooper"),
    _("ground vehicle"), _("repulsor vehicle"),
    _("heavy weapon"), _("personnel"), _("force"), _("command"), _("hardpoint"), _("gear"), _("grenades"),
    _("programming"), _("comms"), _("pilot"), _("training"), _("generator"), _("armament"), _("crew"), _("ordnance"),
    _("squad leader"), _("doctrine"), _("clan"),
    _("standard"), _("recon"), _("blue"), _("red"), _("both"),
    _("red attack"), _("black attack"), _("white attack"), _("red defense"), _("white defense"),
    _("hit"), _("critical"), _("block"), _("surge"), _("blank"),
)  # fmt: skip
