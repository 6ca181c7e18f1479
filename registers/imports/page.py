"""The page of an imported list: a row for each line, with its meaning and its result."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from catalogue.snapshot import card_index
from core.form_errors import as_context as spoken, by_field
from core.sentences import said
from lists.formats.cards import full_name
from lists.formats.parsed import Format, LineKind, ParsedLine
from rules.core.card_types import Unit
from rules.core.translation import sentences_of
from rules.core.violations import Violation
from rules.register.upgrade_slots import faction_name

from .form import ImportedList
from .judging import OF_REGISTER, OF_UNIT, OUT, PartVerdict, Verdict

SENTENCES = sentences_of(__file__)
#: Icons of lines that are not upgrades.
_ICONS = dict.fromkeys((*OF_REGISTER, *OF_UNIT), "ledger") | {LineKind.SETBACK: "warning"}


def context(form: ImportedList, violations: tuple[Violation, ...] = ()) -> dict[str, Any]:
    """Return the values for `registers/_import_lines.html`. `violations` are those of a failed import."""
    rows = _Rows(form, strict=bool(violations))
    values, units = list(rows.values()), list(rows.units())
    beside = {
        violation for verdict in form.joining for each in (verdict, *verdict.parts) for violation in each.violations
    }
    return {
        "units": units,
        "strange": list(rows.strange()),
        "aside": list(rows.aside()),
        "offered": ",".join(str(place) for place in rows.offered),
        "values": values,
        "takes_over": form.takes_over,
        "spent": form.spent,
        "capacity": form.capacity,
        "joining": len(form.joining),
        "undecided": len(form.undecided),
        "violations": by_field(tuple(p for p in violations if p not in beside), "faction", "register_name"),
        "notes": form.pasted.parsed.violations,
        "factions": _factions(form) if form.faction_is_open else [],
        "faction": form.faction,
        "register_name": form.register_name,
        "several_commanders": sum(unit["may_lead"] for unit in units) > 1,
        "digest": form.pasted.digest,
        "text": form.pasted.text,
        "format": str(form.pasted.parsed.format),
    }


def _factions(form: ImportedList) -> list[dict[str, Any]]:
    named = [slug for line in form.lines if line.kind is LineKind.FACTION for slug in line.candidates]
    return [
        {"value": slug, "label": faction_name(slug), "faction": slug, "checked": slug == form.faction}
        for slug in form.factions
        if slug in named or not named
    ]


class _Rows:
    """The rows of a list on one page. `offered` collects the lines with a checkbox."""

    def __init__(self, form: ImportedList, *, strict: bool) -> None:
        self.form, self.strict = form, strict
        self.offered: list[int] = []
        self.verdicts = {verdict.recruit.place: verdict for verdict in form.verdicts}
        self.paragon = next(
            (v.recruit.place for v in form.joining if form.book.units[v.recruit.card].rank == "commander"), None
        )

    def units(self) -> Iterator[dict[str, Any]]:
        """Yield every unit whose card is known or can be chosen."""
        for place, line in enumerate(self.form.lines):
            if line.kind is LineKind.UNIT and (line.card or line.candidates):
                yield self._unit(place, line)

    def _unit(self, place: int, line: ParsedLine) -> dict[str, Any]:
        verdict = self.verdicts.get(place)
        row = self._row(place, line, self.form.book.units, possible=bool(verdict and verdict.possible))
        violations = verdict.violations if verdict else ()
        card = self.form.book.units[verdict.recruit.card] if verdict else None
        joins = bool(verdict and verdict.joins)
        why = [violation for violation in violations if violation.about != "name"]
        points = card.points if card else ""
        if verdict and verdict.possible:
            points = self.form.points(verdict)
        if place in self.form.beyond:
            why.append(Violation("R2", _("Not enough Combat Potential for this unit. Remove it or another one.")))
        return row | {
            "icon": card.rank if card else "corps",
            "points": points,
            "checked": joins,
            "why": self._why(line, why),
            "names": self._name(place, card, violations) if card and verdict and verdict.possible else None,
            "may_lead": bool(card and card.rank == "commander" and joins),
            "is_paragon": place == self.paragon,
            "waits": False,
            "parts": [self._part(*part, verdict) for part in self._parts(place)],
        }

    def _name(self, place: int, card: Unit, violations: Iterable[Violation]) -> dict[str, Any] | None:
        """Return the field for a Dossier name, for units that need one (R7, R9) or have one in the list."""
        name = self.form.name_of(place)
        needed = card.rank in ("commander", "operative") or any(violation.rule == "R9" for violation in violations)
        if not (needed or name or place in self.form.decisions.names):
            return None
        wrong = [violation for violation in violations if violation.about == "name" and self.strict]
        return {"value": name, "needed": needed, "violations": spoken(wrong)}

    def _parts(self, unit: int) -> Iterator[tuple[int, ParsedLine]]:
        for place, line in enumerate(self.form.lines):
            if line.of == unit and self.form.is_part(line) and not _strange(line):
                yield place, line

    def _part(self, place: int, line: ParsedLine, unit: Verdict | None) -> dict[str, Any]:
        verdict: PartVerdict | None = next(
            (part for part in (unit.parts if unit else ()) if part.part.place == place), None
        )
        row = self._valued(place, line, verdict)
        if unit and unit.cut and line.kind is LineKind.EXPERIENCE and row["checked"]:
            text = _("%(lost)d XP above the unit's maximum are lost.") % {"lost": unit.cut}
            row["why"] += spoken([Violation("R13", text)])
        return row | {
            "waits": unit is None,  # its verdict has to wait until its unit is known
            "keywords": self._keywords(place, line, verdict),
        }

    def _valued(self, place: int, line: ParsedLine, verdict: PartVerdict | None) -> dict[str, Any]:
        cards = self._cards(line.kind)
        slug = self.form.decisions.card_of(place, line)
        card = cards[slug] if slug else None
        row = self._row(place, line, cards, possible=bool(verdict and verdict.possible))
        counted = _counted(line)
        times = f": {line.number}" if line.kind is LineKind.AGENDA and line.number is not None else ""
        return row | {
            "name": counted or (row["name"] and f"{row['name']}{times}"),
            "read": counted or row["read"],
            "icon": _ICONS.get(line.kind, getattr(card, "type", "gear")),
            "points": getattr(card, "points", ""),
            "checked": bool(verdict and verdict.wanted),
            "why": self._why(line, verdict.violations if verdict else ()),
        }

    def _keywords(self, place: int, line: ParsedLine, verdict: PartVerdict | None) -> list[dict[str, Any]]:
        if line.kind is not LineKind.COMMENDATION or not verdict:
            return []
        chosen = self.form.decisions.keywords.get(place, "")
        choice = self.form.book.commendations[verdict.part.card].choose_keyword
        return [{"value": keyword, "label": keyword, "chosen": keyword == chosen} for keyword in choice]

    def values(self) -> Iterator[dict[str, Any]]:
        """Yield the values of a Register kept elsewhere, other than its units."""
        verdicts = {verdict.part.place: verdict for verdict in self.form.values}
        for place, line in enumerate(self.form.lines):
            if self.form.takes_over and line.kind in OF_REGISTER and not _strange(line):
                yield self._valued(place, line, verdicts.get(place)) | {"waits": False, "keywords": []}

    def _cards(self, kind: LineKind) -> Mapping[str, Any]:
        book = self.form.book
        return {
            LineKind.UPGRADE: book.upgrades, LineKind.COMMENDATION: book.commendations, LineKind.SETBACK: book.setbacks,
            LineKind.STORY_ARC: book.story_arcs, LineKind.AGENDA: book.agendas, LineKind.ASSET: book.assets,
        }.get(kind, {})  # fmt: skip

    def _row(self, place: int, line: ParsedLine, cards: Mapping[str, Any], *, possible: bool) -> dict[str, Any]:
        form = self.form
        can_choose = form.can_choose(line)
        slug = form.decisions.card_of(place, line)
        ticks = possible and not can_choose
        if ticks:
            self.offered.append(place)
        return {
            "place": place,
            "read": "" if slug and self._in_letters else line.read.lstrip("-–— "),
            "name": _full_name(cards[slug]) if slug else "",
            "because": line.because if line.card else "",
            "ticks": ticks,
            "possible": possible,
            "undecided": place in form.undecided,
            "options": [
                {"value": option, "label": _label(cards[option]), "chosen": option == slug}
                for option in (line.candidates if can_choose else ())
            ],
            "left_out": form.decisions.left_out(place),
            "out": OUT,
        }

    @staticmethod
    def _why(line: ParsedLine, violations: Iterable[Violation]) -> tuple[dict[str, str], ...]:
        """Return what is wrong with a line: first the parser's problems, then the rules', each once."""
        found = dict.fromkeys(line.violations, "")
        found |= {violation.text: violation.rule for violation in violations}
        return tuple({"sentence": sentence, "rule": rule} for sentence, rule in found.items())

    def strange(self) -> Iterator[dict[str, Any]]:
        """Yield lines that were not understood, each with the parser's message; they are left out."""
        for line in self.form.lines:
            if _strange(line):
                yield {"read": line.read, "of": self._whose(line), "why": self._why(line, ())}

    def aside(self) -> Iterator[dict[str, Any]]:
        """Yield lines that were understood but are not used in a Register, each with the reason."""
        for line in self.form.lines:
            if not _strange(line) and not self._has_a_row(line):
                reason = self._aside_because(line)
                yield {"read": self._called(line), "reason": reason, "why": self._why(line, ())}

    @property
    def _in_letters(self) -> bool:
        return self.form.pasted.parsed.format is Format.LEGION_HQ_LINK

    def _called(self, line: ParsedLine) -> str:
        card = card_index().of_kind(line.kind).get(line.card) if self._in_letters else None
        return full_name(card) if card else line.read or line.card

    def _whose(self, line: ParsedLine) -> str:
        if line.of is None:
            return ""
        owner = self.form.lines[line.of]
        slug = self.form.decisions.card_of(line.of, owner) if owner.kind is LineKind.UNIT else ""
        card = self.form.book.units[slug].full_name if slug else owner.read
        return self.form.name_of(line.of) or card

    def _aside_because(self, line: ParsedLine) -> str:
        because, of_kind = SENTENCES["because"], SENTENCES["aside"]
        if line.of is not None and self.form.lines[line.of].kind is LineKind.COUNTERPART:
            return _(of_kind[LineKind.COUNTERPART])
        if line.kind is LineKind.VETERAN_RANK and not self.form.is_part(line):
            return _(because["follows"])
        return _(because["homeless"] if self.form.is_part(line) else of_kind.get(line.kind, ""))

    def _has_a_row(self, line: ParsedLine) -> bool:
        if self.form.is_part(line):
            unit = self.form.lines[line.of] if line.of is not None else None
            return unit is not None and unit.kind is LineKind.UNIT and not _strange(unit)
        return line.kind is LineKind.UNIT or (self.form.takes_over and line.kind in OF_REGISTER)


def _strange(line: ParsedLine) -> bool:
    return line.open and not line.candidates and line.kind is not LineKind.FACTION


def _full_name(card: Any) -> str:
    return str(getattr(card, "full_name", card.name))


def _counted(line: ParsedLine) -> str:
    words = SENTENCES["counted"].get(line.kind)
    return said(words, {"number": line.number}) if words and line.number is not None else ""


def _label(card: Any) -> str:
    faction = f", {card.faction}" if getattr(card, "faction", "") else ""
    points = getattr(card, "points", None)
    return _full_name(card) if points is None else f"{_full_name(card)} ({points}{faction})"
