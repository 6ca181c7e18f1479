"""A list on its page: a row for each line, with what it was understood as and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.parsed import Kind, Line
from registers.context import by_field
from registers.offers import said as spoken
from rules.cards import Unit, Upgrade
from rules.refusal import Problem

from .form import FoundingForm
from .judging import PartVerdict, Verdict
from .said import OUT

_HISTORY = gettext_lazy("history: a Register that is founded begins anew")

#: Why a kind of line has no part in a Register.
ASIDE: Mapping[Kind, str | Promise] = {
    Kind.TITLE: gettext_lazy("the name of the Register, below"),
    Kind.FACTION: gettext_lazy("the Faction of the Register"),
    Kind.POINTS: gettext_lazy("a Register is counted with the points of today"),
    Kind.SIZE: gettext_lazy("a Register has no size; battles have"),
    Kind.SCENARIO: gettext_lazy("a Register has no size; battles have"),
    Kind.BATTLE_FORCE: gettext_lazy("a Register is of no battle force"),
    Kind.COUNTERPART: gettext_lazy("it comes with its unit and has no Dossier"),
    Kind.COMMAND_CARD: gettext_lazy("Command Cards are chosen for each battle"),
    Kind.CONTINGENCY: gettext_lazy("Command Cards are chosen for each battle"),
    Kind.BATTLE_CARD: gettext_lazy("a Battle Deck is chosen for each battle"),
    Kind.REGISTER: gettext_lazy("the name of the Register, below"),
    Kind.DOSSIER_NAME: gettext_lazy("the name of its unit, above"),
    Kind.STORY_ARC: gettext_lazy("the Story Arc is chosen once the units have joined"),
    Kind.COMBAT_POTENTIAL: _HISTORY,
    Kind.SUPPLY_POINTS: _HISTORY,
    Kind.REPUTATION: _HISTORY,
    Kind.ASSET: _HISTORY,
    Kind.AGENDA: _HISTORY,
    Kind.EXPERIENCE: _HISTORY,
    Kind.VETERAN_RANK: _HISTORY,
    Kind.SETBACK: _HISTORY,
    Kind.COMMENDATION: _HISTORY,
    Kind.NOTE: gettext_lazy("says nothing of the army"),
}


def context(form: FoundingForm, problems: tuple[Problem, ...] = ()) -> dict[str, Any]:
    """What `registers/_import_lines.html` takes; `problems` are those of an attempt to found it."""
    rows = _Rows(form, strict=bool(problems))
    units = list(rows.units())
    beside = {problem for verdict in form.joining for problem in _of(verdict)}
    return {
        "units": units,
        "strange": list(rows.strange()),
        "aside": list(rows.aside()),
        "offered": ",".join(str(place) for place in rows.offered),
        "spent": form.spent,
        "capacity": form.combat_potential,
        "joining": len(form.joining),
        "undecided": len(form.undecided),
        "problems": by_field(tuple(p for p in problems if p not in beside), "faction", "register_name"),
        "notes": form.pasted.parsed.problems,
        "factions": _factions(form) if form.faction_is_open else [],
        "faction": form.faction,
        "register_name": form.register_name,
        "several_commanders": sum(unit["may_lead"] for unit in units) > 1,
        "digest": form.pasted.digest,
        "text": form.pasted.text,
        "format": str(form.pasted.parsed.format),
    }


def _of(verdict: Verdict) -> Iterator[Problem]:
    yield from verdict.problems
    for part in verdict.parts:
        yield from part.problems


def _factions(form: FoundingForm) -> list[dict[str, Any]]:
    named = [slug for line in form.lines if line.kind is Kind.FACTION for slug in line.candidates]
    return [
        {"value": slug, "label": slug.capitalize(), "faction": slug, "checked": slug == form.faction}
        for slug in form.factions
        if slug in named or not named
    ]


class _Rows:
    """Rows of one look at a list; `offered` gathers the lines that have something to tick."""

    def __init__(self, form: FoundingForm, *, strict: bool) -> None:
        self.form, self.strict = form, strict
        self.offered: list[int] = []
        self.verdicts = {verdict.recruit.place: verdict for verdict in form.verdicts}
        self.paragon = next(
            (v.recruit.place for v in form.joining if form.book.units[v.recruit.card].rank == "commander"),
            None,
        )

    # --- Units -----------------------------------------------------------------------------------------------

    def units(self) -> Iterator[dict[str, Any]]:
        """Every unit that is known, or can be chosen."""
        for place, line in enumerate(self.form.lines):
            if line.kind is Kind.UNIT and (line.card or line.candidates):
                yield self._unit(place, line)

    def _unit(self, place: int, line: Line) -> dict[str, Any]:
        verdict = self.verdicts.get(place)
        row = self._row(place, line, self.form.book.units, possible=bool(verdict and verdict.possible))
        problems = verdict.problems if verdict else ()
        card = self.form.book.units[verdict.recruit.card] if verdict else None
        joins = bool(verdict and verdict.joins)
        return row | {
            "icon": card.rank if card else "corps",
            "points": self.form.points(verdict)
            if verdict and verdict.possible
            else (card.points if card else ""),
            "checked": joins,
            "why": self._why(line, [problem for problem in problems if problem.about != "name"])
            + self._too_many(place),
            "names": self._name(place, card, problems) if card and verdict and verdict.possible else None,
            "may_lead": bool(card and card.rank == "commander" and joins),
            "is_paragon": place == self.paragon,
            "waits": False,
            "parts": [self._part(*part, verdict) for part in self._parts(place)],
        }

    def _too_many(self, place: int) -> tuple[dict[str, str], ...]:
        if place not in self.form.beyond:
            return ()
        return spoken([Problem("R2", _("The Combat Potential does not reach as far as this unit."))])

    def _name(self, place: int, card: Unit, problems: Iterable[Problem]) -> dict[str, Any] | None:
        """The field for a Dossier name: for who needs one (R7), and who has one in the list."""
        needed, name = card.rank in ("commander", "operative"), self.form.name_of(place)
        if not (needed or name or place in self.form.said.names):
            return None
        wrong = [problem for problem in problems if problem.about == "name" and self.strict]
        return {"value": name, "needed": needed, "problems": spoken(wrong)}

    # --- Parts -----------------------------------------------------------------------------------------------

    def _parts(self, unit: int) -> Iterator[tuple[int, Line]]:
        for place, line in enumerate(self.form.lines):
            if line.of == unit and line.kind is Kind.UPGRADE and (line.card or line.candidates):
                yield place, line

    def _part(self, place: int, line: Line, unit: Verdict | None) -> dict[str, Any]:
        verdict: PartVerdict | None = next(
            (part for part in (unit.parts if unit else ()) if part.part.place == place), None
        )
        row = self._row(place, line, self.form.book.upgrades, possible=bool(verdict and verdict.possible))
        slug = self.form.said.card_of(place, line)
        card: Upgrade | None = self.form.book.upgrades[slug] if slug else None
        return row | {
            "icon": card.type if card else "gear",
            "points": card.points if card else "",
            "checked": bool(verdict and verdict.wanted),
            "waits": unit is None,  # nothing can be said of it before its unit is known
            "why": self._why(line, verdict.problems if verdict else ()),
        }

    # --- Every row -------------------------------------------------------------------------------------------

    def _row(self, place: int, line: Line, cards: Mapping[str, Any], *, possible: bool) -> dict[str, Any]:
        form = self.form
        can_choose = form.can_choose(line)
        slug = form.said.card_of(place, line)
        ticks = possible and not can_choose
        if ticks:
            self.offered.append(place)
        return {
            "place": place,
            "read": line.read.lstrip("-–— "),
            "name": cards[slug].full_name if slug else "",
            "because": line.because if line.card else "",
            "ticks": ticks,
            "possible": possible,
            "undecided": place in form.undecided,
            "options": [
                {"value": option, "label": _label(cards[option]), "chosen": option == slug}
                for option in line.candidates
            ]
            if can_choose
            else [],
            "left_out": form.said.left_out(place),
            "out": OUT,
        }

    @staticmethod
    def _why(line: Line, problems: Iterable[Problem]) -> tuple[dict[str, str], ...]:
        """What is wrong with a line: first what its reader found, then the rules, each thing once."""
        found = dict.fromkeys(line.problems, "")
        found |= {problem.text: problem.rule for problem in problems}
        return tuple({"sentence": sentence, "rule": rule} for sentence, rule in found.items())

    # --- The rest --------------------------------------------------------------------------------------------

    def strange(self) -> Iterator[dict[str, Any]]:
        """Lines that were not understood, each with its reader's sentences: they are left out."""
        for line in self.form.lines:
            if _strange(line):
                yield {"read": line.read, "why": self._why(line, ())}

    def aside(self) -> Iterator[dict[str, Any]]:
        """Lines that were understood and have no part in a Register, each with the reason."""
        for line in self.form.lines:
            if not _strange(line) and (
                line.kind not in (Kind.UNIT, Kind.UPGRADE) or self._of_counterpart(line)
            ):
                reason = ASIDE.get(Kind.COUNTERPART if line.kind is Kind.UPGRADE else line.kind, "")
                yield {"read": line.read or line.card, "reason": reason, "why": self._why(line, ())}

    def _of_counterpart(self, line: Line) -> bool:
        return line.of is not None and self.form.lines[line.of].kind is Kind.COUNTERPART


def _strange(line: Line) -> bool:
    return line.open and not line.candidates and line.kind is not Kind.FACTION


def _label(card: Unit | Upgrade) -> str:
    faction = f", {card.faction}" if card.faction else ""
    return f"{card.full_name} ({card.points}{faction})"
