"""Forms for the parts of a custom Story Arc (section 8): texts may be empty until it is published. A form has a part's
own values. Nested rewards (“for each unit: …”) are edited on their own page and kept.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _

from core.form_fields import LongText, Version
from registers.ledger.text import whole_number
from rules.arcs.custom_arcs import LONGEST_NAME, LONGEST_TEXT, OWN_TRAIT
from rules.core.card_types import FACTIONS, RANKS, UPGRADE_TYPES
from rules.core.dice import DICE, FACES
from rules.core.reward_effects import ALL, PROGRESSIONS, SOURCES
from rules.core.rulebook import Rulebook
from rules.core.translation import sentences_of
from rules.register.upgrade_slots import spoken

MOST, MOST_OPTIONS, FEWEST_OPTIONS = 20, 6, 2

_SENTENCES = sentences_of(__file__)


def _words(table: str) -> dict[str, Any]:
    return {word: _(text) for word, text in _SENTENCES[table].items()}


#: The reward effects that the page offers: heading, then word, name, and explanation.
VOCABULARY = [
    (_(group["heading"]), [(word, _(each["name"]), _(each["note"])) for word, each in group["effects"].items()])
    for group in _SENTENCES["vocabulary"].values()
]
NAMES: Mapping[str, Any] = {word: name for _heading, words in VOCABULARY for word, name, _note in words}
#: The groups of units to choose or mark from, and the conditions of effects.
FROM, _WHEN = _words("from"), _words("when")

Clause = dict[str, Any]


def _amount() -> forms.Field:
    return forms.IntegerField(label=_("Number"), min_value=1, max_value=1000)


def _keyword() -> forms.Field:
    return forms.CharField(label=_("Keyword"), max_length=60, help_text=_("Include the number: Reliable 1."))


class RevisionForm(forms.Form):
    """The revision of a custom arc that a form was drawn from."""

    revision = Version()


class EffectPlaceForm(forms.Form):
    """Which reward effect a page is about: `change` is the path of an existing one, `into` that of the reward to which
    a new one is added. `do` is the kind of the new one, or the button pressed for the existing one.
    """

    into = forms.CharField(required=False)
    change = forms.CharField(required=False)
    do = forms.CharField(required=False)


class NextPageForm(forms.Form):
    """The path of the condition or reward whose button saved a part, if it was one of these buttons."""

    condition = forms.RegexField(r"^[a-z0-9_.]+$", required=False)
    reward = forms.RegexField(r"^[a-z0-9_.]+$", required=False)


class ClauseForm(forms.Form):
    """The fields of a `word` effect, an existing one (`clause`) or new; `asks` are the mission's questions by name."""

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
        """Return names of units, one on each line."""
        names = _listed(self.cleaned_data["one_of"])
        known = {card.name.casefold(): card.name for card in self.book.units.values() if not card.retired}
        if unknown := [name for name in names if name.casefold() not in known]:
            raise ValidationError(_("No unit is called “%(name)s”. Check the spelling."), params={"name": unknown[0]})
        return [known[name.casefold()] for name in names]

    def clean(self) -> dict[str, Any]:
        """Refuse a condition without its keyword, and fewer options than there are rewards in them."""
        words = super().clean() or {}
        if words.get("condition") == "has_keyword" and not words.get("keyword"):
            self.add_error("keyword", _("Enter a keyword."))
        lost = (self.before or {}).get("options", [])[words.get("options") or MOST_OPTIONS :]
        if any(lost):
            self.add_error("options", _("Remove the effects of the last option first."))
        return words

    def as_clause(self) -> Clause:
        """Return the effect as in the arc files, with everything nested in it before."""
        words, old = self.cleaned_data, self.before or {}
        clause: Clause = {"do": self.word}
        match self.word:
            case "remove_setbacks":
                clause["count"] = words["count"] or ALL
            case "choose_units":
                clause |= {"count": words["count"], "each": old.get("each", []), "from": words["source"]}
                clause |= {flag: True for flag in ("distinct", "optional") if words[flag]}
            case "gain_upgrade":
                clause |= {"types": words["types"]} if words["types"] else {}
            case "choose_one":
                options = [*old.get("options", []), *([] for _ in range(words["options"]))]
                clause["options"] = options[: words["options"]]
            case "when":
                condition = words["condition"]
                clause["condition"] = {condition: words["keyword"]} if condition == "has_keyword" else condition
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
        """Return the initial field values for an existing effect."""
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
        """Return the choices for the number of dice or tokens."""
        return [
            *((str(number), str(number)) for number in range(1, MOST + 1)),
            (PROGRESSIONS, _("1 for each progression of this battle")),
            *((key, f"“{question}”") for key, question in self.asks.items()),
        ]


def _counted(typed: str) -> int | str:
    number = whole_number(typed)
    return typed if number is None else number


def names_of_dice() -> list[tuple[str, str]]:
    """Return each die with its name, as choices."""
    return [(die, spoken(die)) for die in DICE]


def _traits(book: Rulebook) -> Iterator[tuple[str, Any]]:
    yield OWN_TRAIT, _("the one of this Story Arc")
    yield from ((card.slug, card.name) for card in book.defining_traits.values())


_FIELDS: Mapping[str, Callable[[ClauseForm], dict[str, forms.Field]]] = {
    "gain_supply_points": lambda form: {"amount": _amount()},
    "opponent_loses_supply_points": lambda form: {"amount": _amount()},
    "gain_combat_potential": lambda form: {"amount": _amount()},
    "gain_reputation": lambda form: {
        "amount": forms.IntegerField(label=_("Number"), min_value=1, max_value=MOST)
    },
    "gain_asset": lambda form: {
        "asset": forms.ChoiceField(
            label=_("Strategic Asset"),
            choices=[(asset.slug, asset.name) for asset in form.book.assets.values() if not asset.retired],
        )
    },
    "gain_upgrade": lambda form: {"types": _several(_("Only of these types"), *UPGRADE_TYPES)},
    "gain_experience": lambda form: {"amount": _amount()},
    "remove_setbacks": lambda form: {
        "count": forms.IntegerField(
            label=_("Number"), min_value=1, max_value=MOST, required=False, help_text=_("Leave empty for all.")
        )
    },
    "gain_keyword": lambda form: {"keyword": _keyword()},
    "lose_keyword": lambda form: {"keyword": _keyword()},
    "gain_trait": lambda form: {
        "trait": forms.ChoiceField(label=_("Defining Trait"), choices=list(_traits(form.book)))
    },
    "add_unit": lambda form: {
        "one_of": forms.CharField(
            label=_("Unit names"), widget=forms.Textarea(attrs={"rows": 3}), help_text=_("One per line.")
        )
    },
    "choose_units": lambda form: {
        "count": forms.IntegerField(label=_("Number of units"), min_value=1, max_value=MOST, initial=1),
        "source": forms.ChoiceField(label=_("Choose from"), choices=[(word, FROM[word]) for word in SOURCES]),
        "distinct": forms.BooleanField(
            label=_("Different units within this reward"), required=False
        ),
        "optional": forms.BooleanField(label=_("The player may choose none"), required=False),
    },
    "choose_one": lambda form: {
        "options": forms.IntegerField(
            label=_("Number of options"), min_value=FEWEST_OPTIONS, max_value=MOST_OPTIONS, initial=FEWEST_OPTIONS
        )
    },
    "when": lambda form: {
        "condition": forms.ChoiceField(label=_("If"), choices=list(_WHEN.items())),
        "keyword": forms.CharField(
            label=_("Keyword"), max_length=60, required=False, help_text=_("Only for conditions about a keyword.")
        ),
    },
    "roll": lambda form: {
        "die": forms.ChoiceField(label=_("Die"), choices=names_of_dice()),
        "count": forms.ChoiceField(label=_("Number"), choices=form.counts()),
    },
    "draw_order_tokens": lambda form: {
        "count": forms.ChoiceField(label=_("Number"), choices=form.counts())
    },
    "marked_units": lambda form: {
        "undefeated": forms.BooleanField(label=_("Only undefeated units"), required=False)
    },
}  # fmt: skip


MOST_CONDITIONS = 4
_COUNTED, _PLAIN = _words("counted"), _words("plain")
_CONFIRMED = {"confirmed": _("the player confirms a statement")}

Condition = dict[str, Any]


class ConditionPartForm(forms.Form):
    """One part of a condition; it may be empty."""

    word = forms.ChoiceField(label=_("If"), required=False, choices=[
        ("", "—"), *_COUNTED.items(), *_PLAIN.items(), *_CONFIRMED.items(),
    ])  # fmt: skip
    number = forms.IntegerField(label=_("Number"), required=False, min_value=1, max_value=99)
    text = forms.CharField(
        label=_("Statement"), required=False, max_length=200,
        help_text=_("Complete the sentence “If …”, for example: your Paragon defeated a commander."),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Refuse a condition without the value it needs."""
        words = super().clean() or {}
        if words.get("word") in _COUNTED and not words.get("number") and "number" not in self.errors:
            self.add_error("number", _("Enter a number."))
        if words.get("word") in _CONFIRMED and not words.get("text"):
            self.add_error("text", _("Write the statement that the player confirms."))
        return words

    def as_condition(self) -> Condition | None:
        """Return the part as in the arc files; None if it is empty."""
        word, value = self.cleaned_data["word"], True
        if word in _COUNTED:
            value = self.cleaned_data["number"]
        elif word in _CONFIRMED:
            value = self.cleaned_data["text"]
        return {word: value} if word else None


class ConditionForm:
    """Up to MOST_CONDITIONS forms for a condition; all filled ones must hold."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, condition: Condition | None = None) -> None:
        parts = (condition or {}).get("all", [condition] if condition else [])
        shown = [*map(_shown, parts), *([None] * (MOST_CONDITIONS - len(parts)))]
        self.parts = [
            ConditionPartForm(data, prefix=str(number), initial=initial) for number, initial in enumerate(shown)
        ]

    def is_valid(self) -> bool:
        """Return whether every part is valid, and at least one is filled."""
        wrong = [part for part in self.parts if not part.is_valid()]
        if not wrong and not any(part.cleaned_data["word"] for part in self.parts):
            self.parts[0].add_error("word", _("Choose a condition."))
            return False
        return not wrong

    def as_condition(self) -> Condition:
        """Return the condition as in the arc files."""
        sentences = [condition for part in self.parts if (condition := part.as_condition())]
        return sentences[0] if len(sentences) == 1 else {"all": sentences}


def _shown(part: Condition) -> dict[str, Any]:
    [(word, value)] = part.items()
    return {"word": word, "text" if word == "confirmed" else "number": None if value is True else value}


Part = dict[str, Any]
MOST_ASKS, MOST_MARKS, ANY = 3, 6, "any"
#: Keys that many Agendas do not have.
_SELDOM = ("note", "marks", "casualty_shield")


def _name() -> forms.CharField:
    return forms.CharField(label=_("Name"), max_length=LONGEST_NAME, required=False)


def _text(label: Any, help_text: Any = "", rows: int = 4) -> forms.CharField:
    return LongText(label=label, help_text=help_text, rows=rows, max_length=LONGEST_TEXT)


def _lines(label: Any, help_text: Any) -> forms.CharField:
    return LongText(label=label, help_text=help_text, rows=2, max_length=400)


def _spoken(*words: str) -> list[tuple[str, str]]:
    return [(word, spoken(word).capitalize()) for word in words]


def _several(label: Any, *words: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label, required=False, choices=_spoken(*words), widget=forms.CheckboxSelectMultiple
    )


def _listed(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class PartForm(forms.Form):
    """A part of an arc. `part` is the stored part; `as_part` returns it as the form has it."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, part: Part) -> None:
        self.part = part
        super().__init__(data, initial=self.shown())

    def shown(self) -> dict[str, Any]:
        """Return the initial field values."""
        return self.part

    def as_part(self) -> Part:
        """Return the part with the form's values; keys that the form does not show are kept."""
        return {**self.part, **self.cleaned_data}


class ArcForm(PartForm):
    """The arc's own name and texts."""

    name = _name()
    intended_for = forms.ChoiceField(
        label=_("Intended for"), required=False, choices=[("", _("all Factions")), *_spoken(*FACTIONS)],
        help_text=_("Other Factions can choose it too."),
    )  # fmt: skip
    briefing = _text(_("Briefing"), _("Players read this before they choose the Story Arc."), 6)

    def as_part(self) -> Part:
        """Return the values; an arc for every Faction has None, as in the arc files."""
        return {**super().as_part(), "intended_for": self.cleaned_data["intended_for"] or None}


class AgendaForm(PartForm):
    """An Agenda without its conditions and rewards."""

    name = _name()
    tally = _text(_("Tally"), _("How to gain tokens in the battle, or what to count instead."))
    note = forms.CharField(label=_("Note for players"), max_length=300, required=False)
    progressions_to_complete = forms.IntegerField(label=_("Progressions to complete"), min_value=1, max_value=10)
    marks = forms.ChoiceField(
        label=_("Units marked in Setup"), required=False,
        choices=[("", _("none")), *((str(n), str(n)) for n in range(1, MOST_MARKS + 1)), (ANY, _("any number"))],
    )  # fmt: skip
    who = forms.CharField(
        label=_("Marked by"), max_length=60, required=False, help_text=_("For example “you” or “you 1, opponent 2”.")
    )
    source = forms.ChoiceField(label=_("Choose from"), choices=[(word, FROM[word]) for word in SOURCES], required=False)
    shield = forms.BooleanField(
        label=_("Marked units gain something else instead of becoming casualties"), required=False
    )

    def shown(self) -> dict[str, Any]:
        """Return the initial values, with marks in fields of their own."""
        marks = self.part.get("marks") or {}
        return {
            **self.part,
            "marks": marks.get("count", ""),
            "who": marks.get("who", "you"),
            "source": marks.get("from", "fielded"),
            "shield": bool(self.part.get("casualty_shield")),
        }

    def as_part(self) -> Part:
        """Return the part; marks and shield are included only if the form has them."""
        words = self.cleaned_data
        part = {key: value for key, value in self.part.items() if key not in _SELDOM}
        part |= {key: words[key] for key in ("name", "tally", "progressions_to_complete")}
        if words["note"]:
            part["note"] = words["note"]
        if count := words["marks"]:
            part["marks"] = {"count": ANY if count == ANY else int(count), "who": words["who"] or "you"}
            part["marks"] |= {} if words["source"] in ("", "fielded") else {"from": words["source"]}
        if words["shield"]:
            part["casualty_shield"] = self.part.get("casualty_shield") or {"units": "marked", "instead": []}
        return part


class MissionForm(PartForm):
    """The Turning Point Mission without its rewards."""

    name = _name()
    setup = _text(_("Setup"))
    scoring = _text(_("Scoring"))
    secondary = _text(_("Secondary objective"))
    blue = _text(_("Advantage for blue"), _("Blue is the player who brings the Turning Point."), 2)
    red = _text(_("Advantage for red"), rows=2)
    both = _text(_("Advantage for both"), rows=2)

    def __init__(self, data: Mapping[str, Any] | None = None, *, part: Part) -> None:
        super().__init__(data, part=part)
        for number in range(MOST_ASKS):
            self.fields[f"ask_{number}"] = forms.CharField(
                label=gettext("Question %(number)s in the report") % {"number": number + 1},
                max_length=120, required=False,
                help_text=_("For example “How many crates were loaded?” A reward can roll that many dice."),
            )  # fmt: skip

    def shown(self) -> dict[str, Any]:
        """Return the initial values, with advantages and questions in fields of their own."""
        asks = {f"ask_{number}": text for number, text in enumerate(self.part["asks"].values())}
        return {**self.part, **self.part["advantages"], **asks}

    def as_part(self) -> Part:
        """Return the part. A rephrased question keeps the word by which rewards refer to its number."""
        words = self.cleaned_data
        keys = list(self.part["asks"])
        asks = {}
        for number in range(MOST_ASKS):
            if text := words[f"ask_{number}"]:
                asks[keys[number] if number < len(keys) else _key(text, asks)] = text
        texts = {key: words[key] for key in ("name", "setup", "scoring", "secondary")}
        advantages = {side: words[side] for side in ("blue", "red", "both") if words[side]}
        return {**self.part, **texts, "advantages": advantages, "asks": asks}


def _key(question: str, taken: Mapping[str, str]) -> str:
    key = slugify(question)[:30].replace("-", "_").strip("_") or "number"
    return key if key not in taken else f"{key}_{len(taken)}"


class SetbackForm(PartForm):
    """The arc's own Setback."""

    name = _name()
    effect = _text(_("Effect"), _("Effect during a battle."))
    second_instance = forms.ChoiceField(
        label=_("If a unit gains it twice"),
        choices=[("stacks", _("it has both")), ("reroll", _("roll again")), ("casualty", _("the unit is a casualty"))],
    )  # fmt: skip
    army_points_each = forms.IntegerField(
        label=_("Extra army points for each"), required=False, min_value=0, max_value=100
    )
    casualty_check = forms.BooleanField(label=_("In Casualty Checks, add 1 die or reroll blanks"), required=False)

    def as_part(self) -> Part:
        """Return the part without empty effects."""
        words = {key: self.cleaned_data[key] for key in ("name", "effect", "second_instance")}
        if points := self.cleaned_data["army_points_each"]:
            words["army_points_each"] = points
        if self.cleaned_data["casualty_check"]:
            words["casualty_check"] = "add_one_die_or_reroll_blanks"
        return words


class TraitForm(PartForm):
    """The arc's own Defining Trait."""

    name = _name()
    effect = _text(_("Effect"), _("Effect during a battle."))
    games = forms.IntegerField(label=_("Number of battles"), min_value=1, max_value=10)
    blocks_rival = forms.BooleanField(label=_("No Most Feared Rival while active"), required=False)
    blocks_agenda_rewards = forms.BooleanField(label=_("No Agenda rewards while active"), required=False)
    casualty_check_without_progress = forms.BooleanField(
        label=_("Extra Casualty Check after a battle without progress"), required=False
    )
    die = forms.ChoiceField(
        label=_("Roll before Aid Requests"), required=False, choices=[("", _("nothing")), *names_of_dice()]
    )
    count = forms.IntegerField(label=_("Number of dice"), required=False, min_value=1, max_value=6)
    faces = _several(_("Lose 1 SP for each"), *FACES)

    def shown(self) -> dict[str, Any]:
        """Return the initial values, with the roll in fields of its own."""
        start = self.part.get("aid_requests_start") or {"roll": {}}
        return {**self.part, **start["roll"], "faces": start.get("lose_supply_points_per_face", [])}

    def clean(self) -> dict[str, Any]:
        """Refuse a die without a number, or with a face that it does not have."""
        words = super().clean() or {}
        if die := words.get("die"):
            if not words.get("count"):
                self.add_error("count", _("Enter the number of dice."))
            if not words.get("faces") or not set(words["faces"]) <= set(DICE[die]):
                self.add_error("faces", _("Choose faces of this die."))
        return words

    def as_part(self) -> Part:
        """Return the part without empty effects."""
        words = self.cleaned_data
        part = {key: words[key] for key in ("name", "effect", "games")}
        flags = ("blocks_rival", "blocks_agenda_rewards", "casualty_check_without_progress")
        part |= {flag: True for flag in flags if words[flag]}
        if words["die"]:
            roll = {"die": words["die"], "count": words["count"]}
            part["aid_requests_start"] = {"roll": roll, "lose_supply_points_per_face": words["faces"]}
        return part


class CommendationForm(PartForm):
    """The arc's own Commendation."""

    name = _name()
    effect = _text(_("Effect"), _("Effect during a battle."))
    veteran_rank = forms.IntegerField(label=_("Required Veteran Rank"), required=False, min_value=0, max_value=5)
    rank = _several(_("Only ranks"), *RANKS)
    unit_class = forms.ChoiceField(
        label=_("Only"), required=False,
        choices=[("", _("all units")), ("trooper", _("troopers")), ("vehicle", _("vehicles"))],
    )  # fmt: skip
    unit_type = _lines(_("Only unit types"), _("One per line, for example: clone trooper."))
    unit_keyword = forms.CharField(label=_("Only units with this keyword"), required=False, max_length=60)
    paragon = forms.BooleanField(label=_("Only the Paragon"), required=False)
    keywords = _lines(_("Keywords gained"), _("One per line, with the number: Reliable 1."))
    choose_keyword = _lines(_("Keywords to choose one from"), _("One per line."))
    upgrade_slots = _several(_("Upgrade slots gained"), *UPGRADE_TYPES)

    def shown(self) -> dict[str, Any]:
        """Return the initial values: lists as lines, requirements in fields of their own."""
        shown = {**self.part, **self.part["requires"]}
        for key in ("unit_type", "keywords", "choose_keyword"):
            shown[key] = "\n".join(shown.get(key, []))
        return shown

    def as_part(self) -> Part:
        """Return the part without empty requirements and effects."""
        words = self.cleaned_data
        words |= {key: _listed(words[key]) for key in ("unit_type", "keywords", "choose_keyword")}
        requires = {"commendations": self.part["requires"].get("commendations"), **words}
        # In the order of the arc files.
        wanted = ("veteran_rank", "commendations", "rank", "unit_class", "unit_type", "unit_keyword", "paragon")
        gives = ("keywords", "upgrade_slots", "choose_keyword")
        return {
            "name": words["name"],
            "effect": words["effect"],
            "requires": {key: requires[key] for key in wanted if requires[key]},
            **{key: words[key] for key in gives if words[key]},
        }


#: The titles of the pages of an arc, by their addresses.
TITLES = _words("titles")
#: The parts of an arc by address: the path in the draft, and the form. The arc itself has the empty path.
PARTS: Mapping[str, tuple[str, type[PartForm]]] = {
    "arc": ("", ArcForm),
    **{f"agenda-{number + 1}": (f"agendas.{number}", AgendaForm) for number in range(3)},
    "mission": ("turning_point", MissionForm),
    "setback": ("setback", SetbackForm),
    "trait": ("defining_trait", TraitForm),
    "commendation": ("commendation", CommendationForm),
}
