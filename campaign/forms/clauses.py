"""One clause of a reward, and one condition of progress, as plain forms (section 8).

A form holds what the clause says itself. What is inside it ("for each unit: …") is edited in its own place and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from registers.numbers import whole_number
from rules.clauses import ALL, PROGRESSIONS, SOURCES
from rules.dice import DICE
from rules.equipment import spoken
from rules.own_arcs import OWN_TRAIT
from rules.rulebook import Rulebook

MOST, MOST_OPTIONS, FEWEST_OPTIONS = 20, 6, 2

#: The vocabulary as the page offers it: heading, then word, what it is called, and what it does.
VOCABULARY = (
    (_("The Register"), (
        ("gain_supply_points", _("Supply Points"), _("It gains SP.")),
        ("gain_combat_potential", _("Combat Potential"), _("It gains points of Combat Potential.")),
        ("gain_trait", _("Defining Trait"), _("The Paragon gains a Defining Trait.")),
        ("add_unit", _("A unit joins"), _("One of the units you name, even above Combat Potential.")),
    )),
    (_("Whom it concerns"), (
        ("choose_units", _("Choose units"), _("The player chooses; what is inside happens to each.")),
        ("paragon", _("The Paragon"), _("What is inside happens to the Paragon.")),
        ("marked_units", _("Marked units"), _("What is inside happens to each unit the Agenda marked.")),
        ("draw_order_tokens", _("Draw order tokens"), _("For each a unit of that rank; what is inside happens to it.")),
    )),
    (_("The unit in hand"), (
        ("gain_experience", _("Experience"), _("It gains Experience.")),
        ("remove_setbacks", _("Remove Setbacks"), _("It loses so many Setbacks, or all.")),
        ("gain_setback", _("A Setback"), _("It rolls one.")),
        ("gain_keyword", _("Gain a keyword"), _("It keeps it.")),
        ("lose_keyword", _("Lose a keyword"), _("Every instance of it.")),
        ("award_commendation", _("A Commendation"), _("One more to award in step 6.")),
    )),
    (_("Choice, condition and chance"), (
        ("choose_one", _("One of several"), _("The player chooses among rewards; an empty one is “nothing”.")),
        ("may", _("If the player likes"), _("They may take what is inside, or leave it.")),
        ("when", _("If something is so"), _("What is inside happens only then.")),
        ("per_progression", _("For each progression"), _("What is inside happens once for each of this battle.")),
        ("roll", _("Roll dice"), _("Each face does what you put beside it.")),
    )),
)  # fmt: skip
NAMES: Mapping[str, Any] = {word: name for _heading, words in VOCABULARY for word, name, _note in words}

#: Among which units some are chosen or marked.
FROM = {
    "register": _("any of the Register"),
    "fielded": _("those that took part"),
    "defeated": _("those that were defeated"),
    "undefeated": _("those that took part and were not defeated"),
    "non_paragon": _("any but the Paragon"),
}
_WHEN = {
    "won": _("the battle was won"),
    "lost": _("the battle was lost"),
    "paragon_not_defeated": _("the Paragon was not defeated"),
    "no_marked_unit_defeated": _("no marked unit was defeated"),
    "unit_has_setbacks": _("the unit has Setbacks"),
    "unit_had_no_setbacks": _("the unit had no Setbacks when it was chosen"),
    "has_keyword": _("the unit has the keyword …"),
}

Clause = dict[str, Any]


def _amount() -> forms.Field:
    return forms.IntegerField(label=_("How many"), min_value=1, max_value=1000)


def _keyword() -> forms.Field:
    return forms.CharField(label=_("Keyword"), max_length=60, help_text=_("With its number: Reliable 1."))


class ClauseForm(forms.Form):
    """The fields of a clause of the kind `word`; `clause` is the one that is changed, if there is one.

    `asks` are the numbers that the Turning Point Mission asks for: what they are called, and their questions.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        word: str,
        book: Rulebook,
        asks: Mapping[str, str],
        clause: Clause | None = None,
    ) -> None:
        self.word, self.book, self.asks, self.before = word, book, asks, clause
        super().__init__(data, initial=self._shown(clause) if clause else {})
        self.fields.update(_FIELDS.get(word, lambda _form: {})(self))

    def clean_one_of(self) -> list[str]:
        """Names of units, one a line."""
        names = [line.strip() for line in self.cleaned_data["one_of"].splitlines() if line.strip()]
        known = {card.name.casefold(): card.name for card in self.book.units.values() if not card.retired}
        if unknown := [name for name in names if name.casefold() not in known]:
            raise ValidationError(_("There is no unit “%(name)s”."), params={"name": unknown[0]})
        return [known[name.casefold()] for name in names]

    def clean(self) -> dict[str, Any]:
        """Refuse a condition without its keyword, and fewer options than there are rewards in them."""
        words = super().clean() or {}
        if words.get("condition") == "has_keyword" and not words.get("keyword"):
            self.add_error("keyword", _("Which keyword?"))
        lost = (self.before or {}).get("options", [])[words.get("options") or MOST_OPTIONS :]
        if any(lost):
            self.add_error("options", _("Empty the last option before you take it away."))
        return words

    def as_clause(self) -> Clause:
        """The clause as the files have it, with everything that was inside it before."""
        words, old = self.cleaned_data, self.before or {}
        clause: Clause = {"do": self.word}
        match self.word:
            case "remove_setbacks":
                clause["count"] = words["count"] or ALL
            case "choose_units":
                clause |= {"count": words["count"], "each": old.get("each", []), "from": words["source"]}
                clause |= {flag: True for flag in ("distinct", "optional") if words[flag]}
            case "choose_one":
                options = [*old.get("options", []), *([] for _ in range(words["options"]))]
                clause["options"] = options[: words["options"]]
            case "when":
                said = words["condition"]
                clause["condition"] = {said: words["keyword"]} if said == "has_keyword" else said
                clause["then"] = old.get("then", [])
            case "roll":
                faces = old.get("per_face", {})
                clause |= {"die": words["die"], "count": _counted(words["count"])}
                clause["per_face"] = {face: faces[face] for face in DICE[words["die"]] if face in faces}
            case "draw_order_tokens":
                clause |= {"count": _counted(words["count"]), "each": old.get("each", [])}
            case "per_progression" | "may" | "paragon" | "marked_units":
                clause["then"] = old.get("then", [])
                clause |= {"only": "undefeated"} if words.get("undefeated") else {}
            case _:
                clause |= words
        return clause

    @staticmethod
    def _shown(clause: Clause) -> dict[str, Any]:
        """What stands in the fields of a clause that is there already."""
        shown = {**clause, "source": clause.get("from", "register"), "undefeated": bool(clause.get("only"))}
        if isinstance(clause.get("condition"), dict):
            shown |= {"condition": "has_keyword", "keyword": clause["condition"]["has_keyword"]}
        if clause["do"] == "remove_setbacks" and clause["count"] == ALL:
            shown["count"] = None
        return shown | {
            "one_of": "\n".join(clause.get("one_of", [])),
            "options": len(clause.get("options", [])) or FEWEST_OPTIONS,
        }

    def counts(self) -> list[tuple[str, Any]]:
        """What the number of dice or tokens may be."""
        return [
            *((str(number), str(number)) for number in range(1, MOST + 1)),
            (PROGRESSIONS, _("one for each progression of this battle")),
            *((key, f"“{question}”") for key, question in self.asks.items()),
        ]


def _counted(said: str) -> int | str:
    number = whole_number(said)
    return said if number is None else number


def names_of_dice() -> list[tuple[str, str]]:
    """Each die with its name, to choose from."""
    return [(die, spoken(die)) for die in DICE]


def _traits(book: Rulebook) -> Iterator[tuple[str, Any]]:
    yield OWN_TRAIT, _("this Story Arc's own")
    yield from ((card.slug, card.name) for card in book.defining_traits.values())


_FIELDS: Mapping[str, Callable[[ClauseForm], dict[str, forms.Field]]] = {
    "gain_supply_points": lambda form: {"amount": _amount()},
    "gain_combat_potential": lambda form: {"amount": _amount()},
    "gain_experience": lambda form: {"amount": _amount()},
    "remove_setbacks": lambda form: {
        "count": forms.IntegerField(
            label=_("How many"), min_value=1, max_value=MOST, required=False, help_text=_("Empty: all.")
        )
    },
    "gain_keyword": lambda form: {"keyword": _keyword()},
    "lose_keyword": lambda form: {"keyword": _keyword()},
    "gain_trait": lambda form: {
        "trait": forms.ChoiceField(label=_("Defining Trait"), choices=list(_traits(form.book)))
    },
    "add_unit": lambda form: {
        "one_of": forms.CharField(
            label=_("Names of units"), widget=forms.Textarea(attrs={"rows": 3}), help_text=_("One a line.")
        )
    },
    "choose_units": lambda form: {
        "count": forms.IntegerField(label=_("How many units"), min_value=1, max_value=MOST, initial=1),
        "source": forms.ChoiceField(label=_("Among"), choices=[(word, FROM[word]) for word in SOURCES]),
        "distinct": forms.BooleanField(
            label=_("Not the same unit again in this reward"), required=False
        ),
        "optional": forms.BooleanField(label=_("The player may choose nobody"), required=False),
    },
    "choose_one": lambda form: {
        "options": forms.IntegerField(
            label=_("How many options"), min_value=FEWEST_OPTIONS, max_value=MOST_OPTIONS, initial=FEWEST_OPTIONS
        )
    },
    "when": lambda form: {
        "condition": forms.ChoiceField(label=_("If"), choices=list(_WHEN.items())),
        "keyword": forms.CharField(
            label=_("Keyword"), max_length=60, required=False, help_text=_("Only if it is about a keyword.")
        ),
    },
    "roll": lambda form: {
        "die": forms.ChoiceField(label=_("Die"), choices=names_of_dice()),
        "count": forms.ChoiceField(label=_("How many"), choices=form.counts()),
    },
    "draw_order_tokens": lambda form: {
        "count": forms.ChoiceField(label=_("How many"), choices=form.counts())
    },
    "marked_units": lambda form: {
        "undefeated": forms.BooleanField(label=_("Only those that were not defeated"), required=False)
    },
}  # fmt: skip
