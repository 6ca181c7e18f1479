"""Forms of the army builder: a new list, its name and size, its units, and its cards."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from core import form_fields
from lists.models import FACTION_CHOICES, MAX_NAME
from rules.battle.army import LARGEST_SIZE, SMALLEST_SIZE, army_rank
from rules.battle.plain_army import UNKNOWN_BATTLE_FORCE, PlainArmy, PlainUnit, mercenary_forces
from rules.core.card_types import MERCENARY, RANKS
from rules.core.rulebook import Rulebook
from rules.core.violations import refuse
from rules.register.building import NO_FACTION
from rules.register.upgrade_slots import faction_name

#: The suggested size of a new list, in points: that of Galactic Conquest (E7).
SUGGESTED_SIZE = 1000


class ListForm(forms.Form):
    """The name, the Faction, the battle force and the size of an army list."""

    name = form_fields.ShortText(label=_("Name"), max_length=MAX_NAME)
    faction = form_fields.ButtonChoice(label=_("Faction"), refusal=_(NO_FACTION.sentence))
    battle_force = forms.ChoiceField(
        label=_("Battle force"),
        required=False,
        error_messages=form_fields.error_messages(_(UNKNOWN_BATTLE_FORCE.sentence)),
    )
    size = form_fields.Stepper(
        label=_("Game size in points"),
        min_value=SMALLEST_SIZE,
        max_value=LARGEST_SIZE,
        by=form_fields.POINTS_STEP,
        note=_("Galactic Conquest: 1000. Tournament Regulations: 800."),
        error_messages=form_fields.error_messages(form_fields.WRONG_SIZE),
    )

    def __init__(self, book: Rulebook, data: Any = None, *, army: PlainArmy | None = None) -> None:
        """`army` is the army of the list as it is; a new list has none."""
        values = {"size": SUGGESTED_SIZE}
        if army:
            names = {"name": army.title, "faction": army.faction, "battle_force": army.battle_force}
            values = {**names, "size": army.size or SUGGESTED_SIZE}
        super().__init__(data, initial=values, label_suffix="")
        notes = {MERCENARY: mercenary_forces(book)}
        self.fields["faction"].choices = [
            (slug, form_fields.OptionLabel(str(name), notes.get(slug, ""), faction=slug))
            for slug, name in FACTION_CHOICES
        ]
        self.fields["battle_force"].choices = [("", "–"), *_battle_forces(book, army)]

    def changed(self, army: PlainArmy) -> PlainArmy:
        """Return the army with what was entered. The form must be valid."""
        cleaned = self.cleaned_data
        return replace(
            army,
            title=cleaned["name"].strip(),
            faction=cleaned["faction"],
            battle_force=cleaned["battle_force"],
            size=cleaned["size"],
        )


class NewListForm(ListForm):
    """A new army list. `list` is its primary key, so that a form sent twice creates one."""

    list = forms.UUIDField(widget=forms.HiddenInput, error_messages=form_fields.error_messages(form_fields.INCOMPLETE))


def _battle_forces(book: Rulebook, army: PlainArmy | None) -> list[Any]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for slug, each in book.battle_forces.items():
        if not each.retired or (army and slug == army.battle_force):
            groups.setdefault(faction_name(each.faction), []).append((slug, each.name))
    return [(name, sorted(choices, key=lambda choice: choice[1])) for name, choices in groups.items()]


class ChangeForm(forms.Form):
    """A change of one tap, with the version of the list that it was made on."""

    version = forms.CharField(required=False)
    add = forms.CharField(required=False)
    copy = forms.IntegerField(required=False, min_value=0)
    remove = forms.IntegerField(required=False, min_value=0)

    def changed(self, book: Rulebook, army: PlainArmy) -> PlainArmy:
        """Return the army with a unit more or less. Refuses a card that is not in the catalogue."""
        values, units = form_fields.entered(self), list(army.units)
        if slug := values["add"]:
            if slug not in book.units:
                raise refuse("", gettext("This unit card does not exist. Reload the page."))
            units.insert(_place(book, army, slug), PlainUnit(slug))
        elif values["copy"] is not None and values["copy"] < len(units):
            units.insert(values["copy"], units[values["copy"]])
        elif values["remove"] is not None and values["remove"] < len(units):
            del units[values["remove"]]
        return replace(army, units=tuple(units))


def _place(book: Rulebook, army: PlainArmy, slug: str) -> int:
    """Return the place of a new unit: after those of its rank."""

    def order(card: str) -> int:
        rank = army_rank(book, book.units[card], army.battle_force) if card in book.units else ""
        return RANKS.index(rank) if rank in RANKS else len(RANKS)

    own = order(slug)
    return next((place for place, unit in enumerate(army.units) if order(unit.card) > own), len(army.units))


class UnitForm(forms.Form):
    """The upgrades of a unit, as a whole. `card` is its slug, so that a stale form changes no other unit."""

    card = forms.CharField(required=False)
    upgrades = form_fields.Several()
    counterpart = forms.CharField(required=False)
    counterpart_upgrades = form_fields.Several()
    loadout = form_fields.Several()

    def unit(self) -> PlainUnit:
        """Return the unit as it was entered. A counterpart's upgrades go with it."""
        values = form_fields.entered(self)
        counterpart = values["counterpart"]
        return PlainUnit(
            card=values["card"],
            upgrades=tuple(dict.fromkeys(values["upgrades"])),
            counterpart=counterpart,
            counterpart_upgrades=tuple(dict.fromkeys(values["counterpart_upgrades"])) if counterpart else (),
            loadout=tuple(dict.fromkeys(values["loadout"])),
        )


class CardsForm(forms.Form):
    """The Command Hand, without Standing Orders, and the Battle Deck, as a whole."""

    hand = form_fields.Several()
    deck = form_fields.Several()

    def changed(self, army: PlainArmy) -> PlainArmy:
        """Return the army with these cards."""
        values = form_fields.entered(self)
        return replace(army, command_cards=tuple(values["hand"]), battle_cards=tuple(values["deck"]))
