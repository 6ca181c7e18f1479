"""Planning a battle, and agreeing on another plan before it begins (R17, R18, R22)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext_lazy as _

from campaign.battles.models import Battle, Side
from campaign.battles.queries.candidates import Candidate
from campaign.battles.services.contenders import Contender
from campaign.battles.services.planning import LONGEST_TEXT
from core.form_errors import by_field
from registers.keys import key_in
from registers.ledger.text import whole_number
from rules.battle.army import LARGEST_RECON, game_type
from rules.core.cards import FACTIONS
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext
from rules.core.violations import Violation
from rules.register.upgrade_slots import faction_name, spoken

GUEST = "guest"
USUAL_SIZES = (400, 500, 600, 800, 1000, 1200, 1600)
LARGEST_SIZE = 100_000
LONGEST_PLACE = 120
OWN, OPPONENT = "own", "opponent"


class PlanForm:
    """The form of a new battle: one's own Register, the opponent, the size, colours, whose mission.

    `candidates` finds the Registers of the campaign once the form is shown; who may be on the first side says each for
    itself.
    """

    def __init__(
        self, book: Rulebook, candidates: Callable[[], list[Candidate]], data: QueryDict | None = None
    ) -> None:
        self.book, self._find = book, candidates
        self.said = data or QueryDict()
        self.problems: list[Violation] = []
        self.opponent = self.said.get("opponent", "")
        self.colour = self.said.get("colour", Side.BLUE)
        self.turning_point = self.said.get("turning_point", "")
        self.battle_id = key_in(self.said.get("battle", "")) or uuid4()

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The Registers that may fight, and those that are kept from it."""
        return self._find()

    @cached_property
    def own(self) -> str:
        """The first Register: the chosen one, at first one's own, or the only one that one may lead."""
        if self.said:
            return self.said.get("own", "")
        free = [item for item in self.candidates if item.mine and not item.why]
        own = [item for item in free if item.own] or (free if len(free) == 1 else [])
        return str(own[0].register.pk) if own else ""

    @property
    def size(self) -> int:
        """Points; 0 where none that makes sense were entered."""
        chosen = self.said.get("size", "")
        number = self._number("other_size" if chosen == "other" else "size")
        return number if number <= LARGEST_SIZE else 0

    def arguments(self) -> dict[str, Any]:
        """What `plan_battle` takes. The owner of a Turning Point Mission is blue, whatever was tapped (R22)."""
        first, second = self._contender(self.own), self._contender(self.opponent)
        first_is_blue = self.colour != Side.RED
        if self.turning_point in (OWN, OPPONENT):
            first_is_blue = self.turning_point == OWN
        date = parse_date(self.said.get("date", "")) if self._is_date() else None
        return {
            "size": self.size,
            "blue": first if first_is_blue else second,
            "red": second if first_is_blue else first,
            "owner": Side.BLUE if self.turning_point else "",
            "date": date or timezone.localdate(),
            "place": self.said.get("place", "").strip()[:LONGEST_PLACE],
            "arrangements": self.said.get("arrangements", "").replace("\r\n", "\n").strip(),
            "mission": self.said.get("mission", "").strip()[:120],
            "rank_table": self._rank_table(),
            "battle_id": self.battle_id,
        }

    def own_problems(self, led: Collection[UUID]) -> Iterator[Violation]:
        """What is wrong before the rules look at it; `led` are the Registers that may be on the first side."""
        if not self.own:
            yield Violation("R17", gettext("Choose the first Register."), "own")
        elif key_in(self.own) not in led:
            yield Violation("R17", gettext("The first Register is one that you lead."), "own")
        if not self.opponent:
            yield Violation("R17", gettext("Choose who stands against it."), "opponent")
        if self.said.get("date") and not self._is_date():
            yield Violation("", gettext("Write the date as in 2026-04-21."), "date")

    def blame(self, problems: list[Violation]) -> None:
        """Keep what is wrong, with each side's problems beside the field it was chosen in."""
        blue = OWN if self.arguments()["blue"] == self._contender(self.own) else OPPONENT
        about = {Side.BLUE: blue, Side.RED: OPPONENT if blue == OWN else OWN}
        self.problems = [replace(item, about=about.get(item.about, item.about)) for item in problems]

    def context(self) -> dict[str, Any]:
        """What the template takes."""
        return {
            "form": self,
            "problems": by_field(
                tuple(self.problems), "own", "opponent", "guest_name", "guest_points", "size", "colour",
                "turning_point", "date", "arrangements",
            ),
            "own_options": [self._option(item, self.own) for item in self._free() if item.mine],
            "opponent_options": [
                *(self._option(item, self.opponent) for item in self._opponents()),
                {"value": GUEST, "label": gettext("A guest"), "note": gettext("somebody without a Register here"),
                 "checked": self.opponent == GUEST},
            ],
            "guest_factions": [{"value": faction, "label": faction_name(faction)} for faction in FACTIONS],
            "sizes": [
                {"value": size, "label": size, "note": game_type(size),
                 "checked": self.said.get("size", "600") == str(size)}
                for size in USUAL_SIZES
            ],
            "other_size": self.said.get("other_size", ""),
            "colours": [
                {"value": colour, "label": spoken(colour).capitalize(), "checked": self.colour == colour}
                for colour in (Side.BLUE, Side.RED)
            ],
            "missions": self._missions(),
            "kept_away": [item for item in self.candidates if item.why],
            "eligible": [item for item in self.candidates if item.may],
            "tables": [
                {"value": table.format,
                 "label": gettext("{table}, to {points}", table=table.name, points=table.max_points)}
                for table in self.book.rank_limits
            ],
            "date": self.said.get("date", timezone.localdate().isoformat()),
            "largest_recon": LARGEST_RECON,
        }  # fmt: skip

    def _free(self) -> list[Candidate]:
        """Who may fight, and who was chosen though they may not."""
        chosen = (self.own, self.opponent)
        return [item for item in self.candidates if not item.why or str(item.register.pk) in chosen]

    def _opponents(self) -> list[Candidate]:
        """Who may stand against it: nobody fights against their only Register."""
        free = self._free()
        alone = sum(item.own for item in free) == 1
        return [item for item in free if not (alone and item.own) or str(item.register.pk) == self.opponent]

    def _option(self, item: Candidate, chosen: str) -> dict[str, Any]:
        register = item.register
        return {
            "value": str(register.pk),
            "label": register.name or gettext("Unnamed Register"),
            "note": item.why or item.note,
            "checked": str(register.pk) == chosen,
            "faction": register.faction,
        }

    def _missions(self) -> list[dict[str, Any]]:
        options = (("", gettext("None"), gettext("each side may bring an Agenda")),
                   (OWN, gettext("The first Register’s"), gettext("it is blue then")),
                   (OPPONENT, gettext("The opponent’s"), gettext("it is blue then")))  # fmt: skip
        return [
            {"value": value, "label": label, "note": note, "checked": self.turning_point == value}
            for value, label, note in options
        ]

    def _contender(self, chosen: str) -> Contender:
        if chosen == GUEST:
            return Contender(
                guest_name=self.said.get("guest_name", "").strip()[:80],
                guest_faction=faction if (faction := self.said.get("guest_faction", "")) in FACTIONS else "",
                guest_points=min(self._number("guest_points"), LARGEST_SIZE),
            )
        return Contender(register_id=key_in(chosen))

    def _rank_table(self) -> str:
        table = self.said.get("rank_table", "")
        return table if table in [limits.format for limits in self.book.rank_limits] else ""

    def _number(self, name: str) -> int:
        return whole_number(self.said.get(name, "").strip()) or 0

    def _is_date(self) -> bool:
        try:
            return parse_date(self.said.get("date", "")) is not None
        except ValueError:
            return False


class ReplanForm(forms.Form):
    """The plan of a battle. `version` is the plan that the form was drawn from."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    date = forms.DateField(
        label=_("Date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the date as in 2026-04-21."), "required": _("Agree on a date.")},
    )
    place = forms.CharField(label=_("Place"), required=False, max_length=LONGEST_PLACE)
    size = forms.IntegerField(
        label=_("Size in points"),
        max_value=LARGEST_SIZE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1}),
        error_messages={"required": _("Agree on a size in points first.")},
    )
    arrangements = forms.CharField(
        label=_("What else you agreed on"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


def drawn_from(battle: Battle) -> dict[str, object]:
    """What the form says of a battle before anything is changed."""
    kept = {name: getattr(battle, name) for name in ("date", "place", "size", "arrangements")}
    return {"version": battle.plan_version, **kept}
