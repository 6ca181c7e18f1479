"""The form that corrects a Register by hand: its fields, the input, and the changes it makes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, ngettext

from core.form_fields import LongText, NumbersField, Ticks, Version
from registers.ledger.text import LABELS, PLACES
from registers.services.corrections import LONGEST_REASON, RulesBroken
from rules.adjustments.corrections import MANY, NUMBERS, UNKNOWN_NAME, Promotion, WantedValue, promotion
from rules.core.card_types import FACTIONS, StoryArc
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import RuleViolation
from rules.register.building import LONGEST_NAME
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState, everyone, value_of
from rules.register.upgrade_slots import bearer, faction_name, may_equip

STRUCK = "struck"
NEW = "new"
ADD = ".add"
#: Lists of cards that a Register or unit has, with the rulebook's cards of that kind; keywords are free text.
LISTS = ("assets", "command_cards", "upgrades", "setbacks", "commendations", "keywords")
CARDS = {**{name: name for name in LISTS if name != "keywords"}, "card": "units"}
#: In the order of the printed forms; values that those lack come last.
OF_REGISTER = (
    "name", "reputation", "story_arc", "combat_potential", "supply_points", "assets", "command_cards", "faction",
    "paragon", "trait", "command_cards_owed", "arcs_ended",
)  # fmt: skip
OF_UNIT = (
    "name", "card", "experience", "veteran_rank", "owed", "upgrades", "commendations", "setbacks", "keywords",
    "training", "place",
)  # fmt: skip
AGENDA = "agenda."
#: Ticked if the VR should follow from the XP (R12), with its Commendations due (R15). Offered after a refusal.
PROMOTE = "promote"
OF_NEW = ("card", "name", "experience", "veteran_rank")
#: Fields that have another name in the rules.
ELSEWHERE = {"dossier": "place", "units": ""}


class UndoForm(forms.Form):
    """The reason for undoing a correction or, with `again`, for redoing it."""

    reason = forms.CharField(required=False)
    again = forms.BooleanField(required=False)
    #: The position of the correction, in the admin.
    undo_position = Version(required=False)


class NoticesForm(forms.Form):
    """The corrections whose notices to dismiss."""

    entry = NumbersField()


class DossierFields(Value):
    """A Dossier in the form: its name, what distinguishes it, and its fields."""

    key: str
    label: str
    note: str
    fields: list[forms.BoundField]
    wrong: bool


class CorrectionForm(forms.Form):
    """All values of a Register, ready to be changed. Drawn from `state`, the Register at `position`."""

    #: Whether the Register has changed since the form was loaded.
    stale = False

    position = forms.IntegerField(widget=forms.HiddenInput)
    reason = LongText(
        label=gettext_lazy("Reason"), rows=2, max_length=LONGEST_REASON,
        help_text=gettext_lazy("Everyone who can see the history will read this."),
    )  # fmt: skip
    override = forms.BooleanField(
        label=gettext_lazy("Save even though it breaks the rules"), required=False, widget=forms.HiddenInput
    )

    def __init__(self, book: Rulebook, state: RegisterState, position: int, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"position": position}, label_suffix="")
        self.book, self.state = book, state
        self.names = {name: _by_name(getattr(book, cards)) for name, cards in CARDS.items()}
        for name in OF_REGISTER:
            self._add(name, name)
        self.arc = book.story_arcs.get(state.story_arc)
        for agenda in self.arc.agendas if self.arc else ():
            self.fields[f"{AGENDA}{agenda.slug}"] = _number(agenda.name, MANY, state.agendas.get(agenda.slug, 0))
        for key in self.dossiers:
            for name in OF_UNIT:
                self._add(name, f"{key}.{name}", unit=key)
                if name == "owed":
                    self.fields[f"{key}.{PROMOTE}"] = forms.BooleanField(required=False, widget=forms.HiddenInput)
        for name in OF_NEW:
            self._add(name, f"{NEW}.{name}", blank=True)

    @property
    def dossiers(self) -> Mapping[str, Dossier]:
        """All Dossiers, in the order in which they joined."""
        return dict(sorted(everyone(self.state).items(), key=lambda item: int(item[0])))

    def _add(self, name: str, field: str, *, unit: str = "", blank: bool = False) -> None:
        value = None if blank else value_of(self.state, name, unit=unit)
        label = gettext(LABELS[name])
        if name in LISTS:
            self._add_list(name, field, label, value, unit)
        elif name in NUMBERS:
            self.fields[field] = _number(label, NUMBERS[name][1], value or 0)
        elif name == "card":
            self.fields[field] = _text(label, self._called("card", value) if value else "", "cards_card", not blank)
        elif name == "name":
            self.fields[field] = _text(label, value or "")
        elif name == "trait":
            self.fields[field] = _choice(label, self._choices(name), value[0] if value else "")
            self.fields["trait.games"] = _number(gettext("Games left"), MANY, value[1] if value else 0)
        else:
            self.fields[field] = _choice(label, self._choices(name), value)

    def _add_list(self, name: str, field: str, label: str, value: Sequence[str], unit: str) -> None:
        held = [(f"{place}:{slug}", self._called(name, slug)) for place, slug in enumerate(value)]
        if held:
            self.fields[field] = forms.MultipleChoiceField(
                label=label, choices=held, required=False, widget=Ticks, initial=[each for each, _ in held]
            )
        more = gettext("Add to %(list)s") % {"list": label}
        options = f"cards_{name}" if name in self.names else ""
        if name == "upgrades":
            options = f"upgrades_{unit}"
        self.fields[field + ADD] = _text(more, "", options, longest=600)

    def _choices(self, name: str) -> list[tuple[str, str]]:
        none = [("", "—")]
        if name == "faction":
            return [*none, *((faction, faction_name(faction)) for faction in FACTIONS)]
        if name == "place":
            struck = (STRUCK, gettext("delete: entered by mistake"))
            return [*((place, gettext(word)) for place, word in PLACES.items()), struck]
        if name == "paragon":
            return [*none, *((key, unit_label(self.book, self.state, key)) for key in self.state.dossiers)]
        if name == "story_arc":
            return [*none, *((slug, arc.name) for slug, arc in self._arcs().items())]
        now = self.state.trait.slug if self.state.trait else ""
        traits = self.book.defining_traits.items()
        return [*none, *((slug, card.name) for slug, card in traits if slug == now or self._may_see(card))]

    def _arcs(self) -> Mapping[str, StoryArc]:
        """Return the Story Arcs on offer and the current one; other campaigns' custom arcs are left out."""
        now = self.state.story_arc
        return {**self.book.arcs_offered, **({now: self.book.story_arcs[now]} if now else {})}

    def _may_see(self, card: Any) -> bool:
        arc = self.book.story_arcs.get(getattr(card, "story_arc", ""))
        return arc is None or not arc.own or arc.slug in self._arcs()

    def _called(self, name: str, slug: str) -> str:
        card = getattr(self.book, CARDS[name]).get(slug) if name in CARDS else None
        return _name_of(card, self.names[name]) if card else slug

    def clean(self) -> dict[str, Any]:
        """Return the values, with card names as slugs. Adds an error for each unknown card."""
        for field, value in list(self.cleaned_data.items()):
            name = field.removesuffix(ADD).rpartition(".")[2]
            if field.endswith(ADD):
                self.cleaned_data[field] = [
                    self._slug(field, name, each.strip()) for each in value.split(";") if each.strip()
                ]
            elif name == "card" and value:
                self.cleaned_data[field] = self._slug(field, name, value)
        return self.cleaned_data

    def _slug(self, field: str, name: str, typed: str) -> str:
        if name not in self.names:
            return typed
        if (known := self.names[name].get(typed.casefold())) is None:
            self.add_error(field, UNKNOWN_NAME(name=typed).text)
        return known or ""

    def wishes(self) -> list[WantedValue]:
        """Return the changed values, as the rules take them."""
        changed = set(self.changed_data)
        own = dict(self._values("", OF_REGISTER, changed))
        paragon = self._promotion(self.state.paragon) if self.state.paragon else None
        if paragon:
            own["command_cards_owed"] = self.cleaned_data["command_cards_owed"] + paragon.command_cards
        found = [WantedValue(name, new) for name, new in own.items()]
        for field in self.fields:
            if field.startswith(AGENDA) and field in changed:
                agenda = field.removeprefix(AGENDA)
                found.append(WantedValue("progress", self.cleaned_data[field], agenda=agenda))
        for key in self.dossiers:
            for name, new in {**dict(self._values(f"{key}.", OF_UNIT, changed)), **self._promoted(key)}.items():
                strike = name == "place" and new == STRUCK
                found.append(WantedValue("dossier", None, unit=key) if strike else WantedValue(name, new, unit=key))
        if new := {name: value for name, value in self._values(f"{NEW}.", OF_NEW, changed) if value}:
            found.append(WantedValue("dossier", new, unit=NEW))
        return found

    def _values(self, prefix: str, names: Iterable[str], changed: set[str]) -> Iterator[tuple[str, Any]]:
        for name in names:
            field = prefix + name
            if name in LISTS and {field, field + ADD} & changed:
                held = [each.partition(":")[2] for each in self.cleaned_data.get(field, ())]
                yield name, [*held, *self.cleaned_data[field + ADD]]
            elif name == "trait" and {field, "trait.games"} & changed:
                slug = self.cleaned_data[field]
                yield name, [slug, self.cleaned_data["trait.games"]] if slug else None
            elif field in changed and name not in LISTS:
                yield name, self.cleaned_data[field]

    def _promoted(self, key: str) -> dict[str, int]:
        """Return the VR that a unit's XP give and its Commendations due, if it is ticked; otherwise nothing."""
        if (reached := self._promotion(key)) is None:
            return {}
        return {"veteran_rank": reached.veteran_rank, "owed": self.cleaned_data[f"{key}.owed"] + reached.commendations}

    def _promotion(self, key: str) -> Promotion | None:
        """Return the promotion of a unit, if it is ticked."""
        if not self.cleaned_data.get(f"{key}.{PROMOTE}"):
            return None
        return promotion(self.book, self.state, key, self.cleaned_data[f"{key}.experience"])

    def _offer_promotion(self, key: str) -> None:
        """Show the tick that promotes a unit, with the VR that its XP give and the cards to choose."""
        reached = promotion(self.book, self.state, key, self.cleaned_data.get(f"{key}.experience") or 0)
        if reached is None:
            return
        offered = self[f"{key}.{PROMOTE}"]
        offered.field.widget = forms.CheckboxInput()
        offered.label = ngettext(
            "Set VR %(rank)s, with %(number)s Commendation to choose",
            "Set VR %(rank)s, with %(number)s Commendations to choose",
            reached.commendations,
        ) % {"number": reached.commendations, "rank": reached.veteran_rank}
        if reached.command_cards:
            offered.label = ngettext(
                "%(promotion)s and %(number)s Command Card",
                "%(promotion)s and %(number)s Command Cards",
                reached.command_cards,
            ) % {"number": reached.command_cards, "promotion": offered.label}

    def blame(self, refusal: RuleViolation) -> None:
        """Show a refusal next to the values it is about. If only game rules object, offer to override them.

        If the XP of a unit give it a higher VR, offer to set that (R12).
        """
        for violation in refusal.violations:
            unit, _, name = violation.about.rpartition(".")
            unit = NEW if unit == str(self.state.next_key) else unit
            field = f"{unit}.{ELSEWHERE.get(name, name)}".removeprefix(".")
            at = next((each for each in (field, field + ADD) if each in self.fields), None)
            self.add_error(at, f"{violation.text} {violation.rule}".strip())
            if name == "veteran_rank" and unit in self.dossiers:
                self._offer_promotion(unit)
        if isinstance(refusal, RulesBroken):
            self.fields["override"].widget = forms.CheckboxInput()

    def over(self, state: RegisterState, position: int) -> "CorrectionForm":
        """Return the form with these changes for the Register as it is now, with its errors."""
        fresh = CorrectionForm(self.book, state, position)
        data = QueryDict(mutable=True)
        for name in fresh.fields:
            kept = name in self.changed_data and name not in ("position", "override")
            value = self[name].data if kept else fresh.get_initial_for_field(fresh.fields[name], name)
            data.setlist(name, value if isinstance(value, list) else [value or ""])
        for name, field in fresh.fields.items():
            if isinstance(field, forms.IntegerField) and data[name] == "":
                data[name] = 0
        moved = CorrectionForm(self.book, state, position, data)
        moved.full_clean()
        for error in self.non_field_errors():
            moved.add_error(None, error)
        return moved

    @property
    def of_register(self) -> list[forms.BoundField]:
        """Return the fields of the Register itself, without its Agendas."""
        own = self.fields.keys() - {"position", "reason", "override"}
        return [
            self[name] for name in self.fields if name in own and not _unit_of(name) and not name.startswith(AGENDA)
        ]

    @property
    def of_agendas(self) -> list[forms.BoundField]:
        """Return the fields for the progress of the Agendas."""
        return [self[name] for name in self.fields if name.startswith(AGENDA)]

    @property
    def parts(self) -> list[DossierFields]:
        """Return one part for each Dossier."""
        return [
            self._part(key, unit_label(self.book, self.state, key), self.book.units[dossier.card].name)
            for key, dossier in self.dossiers.items()
        ]

    @property
    def new(self) -> DossierFields:
        """Return the part for a missing Dossier."""
        return self._part(NEW, gettext("Add a missing unit"), "")

    @property
    def wrong(self) -> list[tuple[str, forms.BoundField]]:
        """Return the fields with errors, each with the name of its Dossier; empty for the Register's own."""
        own = [("", field) for field in (*self.of_register, *self.of_agendas, self["reason"])]
        of_units = [(part.label, field) for part in (*self.parts, self.new) for field in part.fields]
        return [(of, field) for of, field in own + of_units if field.errors]

    def _part(self, key: str, label: str, note: str) -> DossierFields:
        own = [self[name] for name in self.fields if _unit_of(name) == key and not self[name].is_hidden]
        return DossierFields(key, label, note if note != label else "", own, any(each.errors for each in own))

    @property
    def datalists(self) -> list[tuple[str, list[str]]]:
        """Return the names of cards that can be typed, without duplicates, by the id of their list.

        Each unit has its own list of upgrades: those that fit its slots and restrictions.
        """
        return [
            *((f"cards_{name}", sorted(self._listed(name))) for name in self.names if name != "upgrades"),
            *((f"upgrades_{key}", self._fitting(dossier)) for key, dossier in self.dossiers.items()),
        ]

    def _fitting(self, dossier: Dossier) -> list[str]:
        unit = bearer(self.book, self.state, dossier)
        return sorted(
            _name_of(card, self.names["upgrades"])
            for card in self.book.upgrades.values()
            if not card.retired and may_equip(unit, [card])
        )

    def _listed(self, name: str) -> set[str]:
        faction = self.state.faction if name == "card" else ""
        return {
            _name_of(card, self.names[name])
            for card in getattr(self.book, CARDS[name]).values()
            if not getattr(card, "retired", False) and self._may_see(card)
            if not faction or faction in (card.faction, *card.hireable_by)
        }


def _unit_of(field: str) -> str:
    head, dot, _ = field.partition(".")
    return head if dot and (head == NEW or head.isdecimal()) else ""


def _names_of(card: Any) -> list[str]:
    """Return the names by which a card may be called: its own, and with its Faction, which tells namesakes apart."""
    name = getattr(card, "full_name", "") or card.name
    faction = getattr(card, "faction", "")
    return [name, f"{name} ({faction_name(faction)})"] if faction else [name]


def _by_name(cards: Mapping[str, Any]) -> dict[str, str]:
    """Return slugs by casefolded name or slug. A name that several cards share is left out."""
    found: dict[str, str] = {}
    for slug, card in cards.items():
        for name in map(str.casefold, _names_of(card)):
            found[name] = "" if name in found else slug
    return {name: slug for name, slug in found.items() if slug} | {slug.casefold(): slug for slug in cards}


def _name_of(card: Any, names: Mapping[str, str]) -> str:
    """Return the first name that means only this card; its slug if there is none."""
    return next((name for name in _names_of(card) if names.get(name.casefold()) == card.slug), card.slug)


def _number(label: str, most: int, value: int) -> forms.IntegerField:
    # A number input would send nothing for other input, which could then not be shown again.
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(label=label, min_value=0, max_value=max(most, value), initial=value, widget=widget)


def _text(
    label: str, value: str, options: str = "", required: bool = False, *, longest: int = LONGEST_NAME
) -> forms.CharField:
    attrs = {"autocomplete": "off"} | ({"list": options} if options else {})
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, required=required, initial=value, max_length=longest, widget=widget)


def _choice(label: str, choices: list[tuple[str, str]], value: str) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, initial=value, required=False)
