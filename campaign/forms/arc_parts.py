"""The parts of a Story Arc that is being written, as plain forms: texts may be empty until it is published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaign.forms.clauses import FROM, names_of_dice
from rules.cards import FACTIONS, RANKS, UPGRADE_TYPES
from rules.clauses import SOURCES
from rules.dice import DICE, FACES
from rules.equipment import spoken
from rules.own_arcs import LONGEST_NAME, LONGEST_TEXT

Part = dict[str, Any]
MOST_ASKS, MOST_MARKS, ANY = 3, 6, "any"
#: What many an Agenda does not have.
_SELDOM = ("note", "marks", "casualty_shield")


def _name() -> forms.CharField:
    return forms.CharField(label=_("Name"), max_length=LONGEST_NAME, required=False)


def _text(label: Any, help_text: Any = "", rows: int = 4) -> forms.CharField:
    return forms.CharField(
        label=label, help_text=help_text, max_length=LONGEST_TEXT, required=False,
        widget=forms.Textarea(attrs={"rows": rows}),
    )  # fmt: skip


def _lines(label: Any, help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=label, help_text=help_text, max_length=400, required=False, widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip


def _spoken(*words: str) -> list[tuple[str, str]]:
    return [(word, spoken(word).capitalize()) for word in words]


def _several(label: Any, *words: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label, required=False, choices=_spoken(*words), widget=forms.CheckboxSelectMultiple
    )


def _listed(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class PartForm(forms.Form):
    """A part of an arc. `part` is it as it is written; `as_part` is it as the form says."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, part: Part) -> None:
        self.part = part
        super().__init__(data, initial=self.shown())

    def shown(self) -> dict[str, Any]:
        """What stands in the fields."""
        return self.part

    def as_part(self) -> Part:
        """The part as it is written now; what the form does not show is kept."""
        return {**self.part, **self.cleaned_data}


class ArcForm(PartForm):
    """What the arc is called and about."""

    name = _name()
    intended_for = forms.ChoiceField(
        label=_("Meant for"), required=False, choices=[("", _("every Faction")), *_spoken(*FACTIONS)],
        help_text=_("Others may begin it too."),
    )  # fmt: skip
    briefing = _text(_("Briefing"), _("What the players read before they begin it."), 6)

    def as_part(self) -> Part:
        """The same, with nobody in particular as the files have it."""
        return {**super().as_part(), "intended_for": self.cleaned_data["intended_for"] or None}


class AgendaForm(PartForm):
    """An Agenda without its conditions and rewards."""

    name = _name()
    tally = _text(_("Tally"), _("How tokens are gained in the battle, or what counts instead."))
    note = forms.CharField(label=_("A word to its players"), max_length=300, required=False)
    progressions_to_complete = forms.IntegerField(
        label=_("Progressions to complete it"), min_value=1, max_value=10
    )
    marks = forms.ChoiceField(
        label=_("Units that are marked in Setup"), required=False,
        choices=[("", _("none")), *((str(n), str(n)) for n in range(1, MOST_MARKS + 1)), (ANY, _("any number"))],
    )  # fmt: skip
    who = forms.CharField(
        label=_("Who marks them"),
        max_length=60,
        required=False,
        help_text=_("“you”, or “you 1, opponent 2”."),
    )
    source = forms.ChoiceField(
        label=_("Among"), choices=[(word, FROM[word]) for word in SOURCES], required=False
    )
    shield = forms.BooleanField(
        label=_("A marked unit that would be a casualty gains something else instead"), required=False
    )

    def shown(self) -> dict[str, Any]:
        """The marks in fields of their own."""
        marks = self.part.get("marks") or {}
        return {
            **self.part,
            "marks": marks.get("count", ""),
            "who": marks.get("who", "you"),
            "source": marks.get("from", "fielded"),
            "shield": bool(self.part.get("casualty_shield")),
        }

    def as_part(self) -> Part:
        """The marks and the shield are there only if the form says so."""
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
    blue = _text(_("Advantage of blue"), _("Blue is who brings the Turning Point."), 2)
    red = _text(_("Advantage of red"), rows=2)
    both = _text(_("Advantage of both"), rows=2)

    def __init__(self, data: Mapping[str, Any] | None = None, *, part: Part) -> None:
        super().__init__(data, part=part)
        for number in range(MOST_ASKS):
            self.fields[f"ask_{number}"] = forms.CharField(
                label=gettext("Number {n} that the report asks for").format(n=number + 1),
                max_length=120, required=False,
                help_text=_("“How many crates were loaded?” A roll may take as many dice."),
            )  # fmt: skip

    def shown(self) -> dict[str, Any]:
        """Advantages and questions in fields of their own."""
        asks = {f"ask_{number}": text for number, text in enumerate(self.part["asks"].values())}
        return {**self.part, **self.part["advantages"], **asks}

    def as_part(self) -> Part:
        """A question keeps the word by which rewards know its number, whatever it is rephrased to."""
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
    effect = _text(_("Effect"), _("What it does in a game."))
    second_instance = forms.ChoiceField(
        label=_("A second one"),
        choices=[("stacks", _("counts too")), ("reroll", _("is rolled again")), ("casualty", _("is a casualty"))],
    )  # fmt: skip
    army_points_each = forms.IntegerField(
        label=_("Points more in an army, for each"), required=False, min_value=0, max_value=100
    )
    casualty_check = forms.BooleanField(
        label=_("In a Casualty Check it adds a die, or its blanks are rolled again"), required=False
    )

    def as_part(self) -> Part:
        """What it does not do is left out."""
        words = {key: self.cleaned_data[key] for key in ("name", "effect", "second_instance")}
        if points := self.cleaned_data["army_points_each"]:
            words["army_points_each"] = points
        if self.cleaned_data["casualty_check"]:
            words["casualty_check"] = "add_one_die_or_reroll_blanks"
        return words


class TraitForm(PartForm):
    """The arc's own Defining Trait."""

    name = _name()
    effect = _text(_("Effect"), _("What it does in a game."))
    games = forms.IntegerField(label=_("Battles it lasts"), min_value=1, max_value=10)
    blocks_rival = forms.BooleanField(
        label=_("Most Feared Rival is not named while it lasts"), required=False
    )
    blocks_agenda_rewards = forms.BooleanField(
        label=_("Agendas give no rewards while it lasts"), required=False
    )
    casualty_check_without_progress = forms.BooleanField(
        label=_("A battle without progress brings one more Casualty Check"), required=False
    )
    die = forms.ChoiceField(
        label=_("Rolled before Aid Requests"), required=False, choices=[("", _("nothing")), *names_of_dice()]
    )
    count = forms.IntegerField(label=_("So many dice"), required=False, min_value=1, max_value=6)
    faces = _several(_("1 SP is lost for each"), *FACES)

    def shown(self) -> dict[str, Any]:
        """The roll in fields of its own."""
        start = self.part.get("aid_requests_start") or {"roll": {}}
        return {**self.part, **start["roll"], "faces": start.get("lose_supply_points_per_face", [])}

    def clean(self) -> dict[str, Any]:
        """Refuse a die without a number and a face that it has."""
        words = super().clean() or {}
        if die := words.get("die"):
            if not words.get("count"):
                self.add_error("count", _("How many dice?"))
            if not words.get("faces") or not set(words["faces"]) <= set(DICE[die]):
                self.add_error("faces", _("Choose faces that this die has."))
        return words

    def as_part(self) -> Part:
        """What it does not do is left out."""
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
    effect = _text(_("Effect"), _("What it does in a game."))
    veteran_rank = forms.IntegerField(
        label=_("Veteran Rank it takes"), required=False, min_value=0, max_value=5
    )
    rank = _several(_("Only units of rank"), *RANKS)
    unit_class = forms.ChoiceField(
        label=_("Only"), required=False,
        choices=[("", _("all units")), ("trooper", _("troopers")), ("vehicle", _("vehicles"))],
    )  # fmt: skip
    unit_type = _lines(_("Only units of type"), _("One a line: clone trooper."))
    unit_keyword = forms.CharField(label=_("Only units with the keyword"), required=False, max_length=60)
    paragon = forms.BooleanField(label=_("Only the Paragon"), required=False)
    keywords = _lines(_("Keywords it gives"), _("One a line, with its number: Reliable 1."))
    choose_keyword = _lines(_("Keywords of which its player chooses one"), _("One a line."))
    upgrade_slots = _several(_("Upgrade slots it gives"), *UPGRADE_TYPES)

    def shown(self) -> dict[str, Any]:
        """Lists as lines, requirements in fields of their own."""
        shown = {**self.part, **self.part["requires"]}
        for key in ("unit_type", "keywords", "choose_keyword"):
            shown[key] = "\n".join(shown.get(key, []))
        return shown

    def as_part(self) -> Part:
        """What it does not take or give is left out."""
        words = self.cleaned_data
        words |= {key: _listed(words[key]) for key in ("unit_type", "keywords", "choose_keyword")}
        requires = {"commendations": self.part["requires"].get("commendations"), **words}
        wanted = (
            "veteran_rank",
            "commendations",
            "rank",
            "unit_class",
            "unit_type",
            "unit_keyword",
            "paragon",
        )
        gives = ("keywords", "upgrade_slots", "choose_keyword")
        return {
            "name": words["name"],
            "effect": words["effect"],
            "requires": {key: requires[key] for key in wanted if requires[key]},
            **{key: words[key] for key in gives if words[key]},
        }


#: Part of an arc, by its address, to its path in the draft and its form. The arc itself has the empty path.
PARTS: Mapping[str, tuple[str, type[PartForm]]] = {
    "arc": ("", ArcForm),
    **{f"agenda-{number + 1}": (f"agendas.{number}", AgendaForm) for number in range(3)},
    "mission": ("turning_point", MissionForm),
    "setback": ("setback", SetbackForm),
    "trait": ("defining_trait", TraitForm),
    "commendation": ("commendation", CommendationForm),
}
