"""One battle walked anew by its two sides, who wait for each other in step 5 as they did (R39)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.books import book_of
from campaign.facts import army_of, report_of
from campaign.life import BEGUN
from campaign.models import Battle, Side
from campaign.services.sequence import RIVAL_STEP
from registers.models import Act, Entry
from registers.services import ledger
from rules.army import may_play_turning_point, open_agendas
from rules.effects import Effect, FieldTaken, RivalNamed
from rules.force import Force, everyone
from rules.language import gettext
from rules.post_battle.experience import nameable
from rules.post_battle.sequence import gains_of_the_game, take_the_field
from rules.post_battle.sequence import step as step_of
from rules.refit import Fit, refit, said
from rules.refusal import Problem, Refusal
from rules.script import Await, Scene, run
from rules.wording import unit_label

from .decisions import Wishes, items_of, kept_of
from .plan import SideNow
from .stream import BROKEN, Stream, halted_in


class Fighter:
    """A side with its Register, as it was and as it would be. `step` is the one it comes to next."""

    def __init__(
        self, stream: Stream, wishes: Wishes, was: tuple[Battle, Side, Side], now: tuple[Battle, Side, Side]
    ) -> None:
        self.stream, self.wishes = stream, wishes
        self.battle, self.row, _other = was
        _battle, self.side, self.opponent = now
        self.book = book_of(self.row)
        self.old_report, self.new_report = (
            report_of(self.book, battle, side, other) for battle, side, other in (was, now)
        )
        self.other: Fighter | None = None
        self.step = 1
        #: Pairs of key and name of its units that the other side may name; None until it has finished step 4.
        self.old_survivors: Sequence[Sequence[str]] | None = None
        self.new_survivors: Sequence[Sequence[str]] | None = None
        #: Whom it named; None until it has.
        self.old_rival: str | None = None
        self.new_rival: str | None = None
        self.answers: Sequence[Any] | None = None
        self.kept: Sequence[Mapping[str, Any]] = ()

    @property
    def pk(self) -> str:
        return str(self.battle.pk)

    # --- Before the steps ------------------------------------------------------------------------------------------

    def take_the_field(self) -> None:
        """All that comes before step 1: taking the field with this army, and the gains of the game."""
        while (entry := self._own()) and entry.act != Act.STEP:
            if entry.act == Act.BEGIN:
                self.stream.become(entry, self._begun(entry), entry.answers)
            elif entry.act == Act.GAINS:
                self.stream.become(entry, self._gains(entry, _effects(entry)) or None, entry.answers)
            else:
                self.stream.act(entry)

    def vanish(self) -> None:
        """Nothing of the battle counts."""
        while entry := self._own():
            if entry.battle == self.pk:
                self.stream.become(entry, None)
            else:
                self.stream.act(entry)

    def _begun(self, entry: Entry) -> tuple[Effect, ...]:
        stream, was = self.stream, _effects(entry)
        if stream.dirty and (out := self._not_in_the_army()):
            raise halted_in(stream, self.battle, self.side, out.values(), entry, out=tuple(filter(None, out)))
        taken = tuple(effect for effect in was if isinstance(effect, FieldTaken))
        if stream.dirty:
            try:
                taken = tuple(take_the_field(stream.new, self.pk))
            except Refusal as refusal:
                raise halted_in(stream, self.battle, self.side, refusal.problems, entry) from None
        if self.battle.status not in BEGUN or any(later.act == Act.GAINS for later in self._to_come()):
            return taken
        return taken + self._gains(
            entry, tuple(effect for effect in was if not isinstance(effect, FieldTaken))
        )

    def _gains(self, entry: Entry, was: tuple[Effect, ...]) -> tuple[Effect, ...]:
        if not self.stream.dirty and self.old_report == self.new_report:
            return was
        scene = Scene(self.book, self.stream.starting())
        return run(scene, gains_of_the_game(scene, self.new_report)).effects

    def _not_in_the_army(self) -> dict[str, Problem]:
        """What the army has that would not be there, and was: units by their keys, the rest without one."""
        now = _missing(self, self.stream.new)
        return {key: problem for key, problem in now.items() if key not in _missing(self, self.stream.old)}

    # --- The steps -------------------------------------------------------------------------------------------------

    def walk(self, *, stuck: bool) -> bool:
        """As many steps as can be walked before the other side moves; whether it moved.

        `stuck`: the other side does not move any more.
        """
        moved = False
        while self.answers is None:
            if self.step == RIVAL_STEP and self.other and self.new_survivors is None:
                self._survive()
                moved = True
            entry = self._own()
            while entry and entry.act != Act.STEP:
                self.stream.act(entry)
                entry = self._own()
            if self.step == RIVAL_STEP and self.other and self.other.new_survivors is None and not stuck:
                return moved
            named = self.new_rival
            if entry is None and self.row.done:
                self.answers = self.row.answers
                return True
            if not (self._pass(entry, stuck) if entry else self._running(stuck)):
                return moved or self.new_rival != named
            moved = True
        return moved

    def _pass(self, entry: Entry, stuck: bool) -> bool:
        """A finished step; False if the other side has to move first."""
        number, was = entry.step or self.step, _effects(entry)
        if number == RIVAL_STEP:
            self.old_rival = _rival(was)
        if self._stays(number):
            if number == RIVAL_STEP and self.other:
                self.new_rival = self.old_rival
                if not stuck and self.other.new_rival is None:
                    return False
                if self._other_has_changed(number):
                    return self._rerun(number, entry, stuck)
            self.stream.become(entry, was, entry.answers)
            self.step = number + 1
            return True
        return self._rerun(number, entry, stuck)

    def _rerun(self, number: int, entry: Entry, stuck: bool) -> bool:
        fit = self._fit(number, entry.answers, entry)
        if fit.awaits and not stuck:
            return False
        if fit.awaits:
            waits = [Problem(fit.awaits.rule, fit.awaits.text)]
            raise halted_in(self.stream, self.battle, self.side, waits, entry, step=number)
        if fit.misfit:
            raise halted_in(
                self.stream,
                self.battle,
                self.side,
                fit.misfit.problems,
                entry,
                step=number,
                other=self.opponent,
                report=self.new_report,
                force=fit.force,
                question=fit.misfit.question,
                slots=fit.misfit.slots,
                answers=items_of(fit.answers),
                effects=fit.effects,
            )
        kept = kept_of(self.side, number, fit.left, fit.answers)
        effects, answers = fit.effects, items_of(fit.answers)
        if effects == _effects(entry) and [i["answer"] for i in answers] == [
            i["answer"] for i in entry.answers
        ]:
            answers = entry.answers
        self.stream.become(entry, effects, answers, kept)
        self.step = number + 1
        return True

    def _running(self, stuck: bool) -> bool:
        """The unfinished step of a running sequence keeps the answers that fit, up to the first that does not."""
        number = self.row.step
        if number == RIVAL_STEP:
            self.old_rival = self.row.rival
        stays = self._stays(number)
        if stays and number == RIVAL_STEP and self.other:
            self.new_rival = self.old_rival
            if not stuck and self.other.new_rival is None:
                return False
        if stays and not self._other_has_changed(number):
            self.answers = self.row.answers
            return True
        fit = self._fit(number, self.row.answers, None)
        if fit.awaits and not stuck:
            return False
        self.answers = items_of(fit.answers)
        self.kept = kept_of(self.side, number, fit.left, fit.answers)
        return True

    def _stays(self, number: int) -> bool:
        """Whether the step is asked the same by the same Register after the same battle."""
        same = not self.stream.dirty and self.old_report == self.new_report
        if number == RIVAL_STEP and self.other:
            same = same and self.other.old_survivors == self.other.new_survivors
        return same and not self.wishes.touch(self.row, number)

    def _other_has_changed(self, number: int) -> bool:
        return bool(number == RIVAL_STEP and self.other and self.other.old_rival != self.other.new_rival)

    def _fit(self, number: int, items: Sequence[Any], entry: Entry | None) -> Fit:
        scene = Scene(self.book, self.stream.old)
        given = [item["answer"] for item in items]
        try:
            told = said(scene, step_of(number).script(scene, self.old_report), given, items)
        except BROKEN:
            told = []
        scene = Scene(self.book, self.stream.starting())
        try:
            fit = refit(
                scene, step_of(number).script(scene, self.new_report), self.wishes.lines(self.row, number, told),
                handed=self._handed, fresh_key=self.stream.fresh_key,
            )  # fmt: skip
        except Refusal as refusal:
            raise halted_in(
                self.stream, self.battle, self.side, refusal.problems, entry, step=number
            ) from None
        except BROKEN:
            text = gettext("It cannot be played from there.")
            raise halted_in(
                self.stream, self.battle, self.side, [Problem("", text)], entry, step=number
            ) from None
        if number == RIVAL_STEP:
            self.new_rival = _rival(fit.effects)
        return fit

    def _handed(self, question: Await) -> tuple[Any] | None:
        """What the other side hands over, if it has it (R39)."""
        other = self.other
        if other is None:
            return None
        if question.what == "survivors":
            return None if other.new_survivors is None else ([list(pair) for pair in other.new_survivors],)
        return None if other.new_rival is None else (other.new_rival or None,)

    def _survive(self) -> None:
        for name, force, report in (
            ("old_survivors", self.stream.old, self.old_report), ("new_survivors", self.stream.new, self.new_report),
        ):  # fmt: skip
            setattr(self, name, [list(unit) for unit in nameable(self.book, force, report)])

    # --- Its entries -------------------------------------------------------------------------------------------------

    def _to_come(self) -> list[Entry]:
        """The entries up to the last of the battle."""
        left = self.stream.entries[self.stream.at :]
        last = max((place for place, entry in enumerate(left) if entry.battle == self.pk), default=-1)
        return left[: last + 1]

    def _own(self) -> Entry | None:
        return next(iter(self._to_come()), None)

    def as_it_would_be(self) -> SideNow:
        """What the row of the side becomes."""
        answers = self.row.answers if self.answers is None else self.answers
        return SideNow(self.side, answers, self.new_rival if self.other else self.row.rival, self.kept)


def _effects(entry: Entry) -> tuple[Effect, ...]:
    return tuple(ledger.effects_of(entry))


def _rival(effects: Iterable[Effect]) -> str | None:
    return next((effect.rival for effect in effects if isinstance(effect, RivalNamed)), None)


def _missing(fighter: Fighter, force: Force) -> dict[str, Problem]:
    """What of an army is not in a Force: units by key, assets and the Agenda under the empty one."""
    book, battle = fighter.book, fighter.battle
    army = army_of(book, fighter.side.army)
    found = {}
    for key, upgrades in army.fielded.items():
        dossier = force.dossiers.get(key)
        if dossier is None or not set(upgrades) <= set(dossier.upgrades):
            was = fighter.stream.old
            name = unit_label(book, was, key) if key in everyone(was) else gettext("Unit {key}", key=key)
            text = gettext(
                "{unit} fought in {battle} and would not be there as it was.", unit=name, battle=battle
            )
            found[key] = Problem("R19", text, key)
    assets = list(force.assets)
    for slug in army.assets:
        if slug in assets:
            assets.remove(slug)
        else:
            text = gettext(
                "{asset} was used in {battle} and would not be there.",
                asset=book.assets[slug].name,
                battle=battle,
            )
            found[""] = Problem("R21", text)
    if army.agenda and army.agenda not in [agenda.slug for agenda in open_agendas(book, force)]:
        text = gettext(
            "{agenda} was brought to {battle} and could not be.",
            agenda=book.agendas[army.agenda].name,
            battle=battle,
        )
        found[""] = Problem("R23", text)
    if battle.owner == fighter.side.colour and battle.turning_point_id:
        if force.story_arc != battle.turning_point_id:
            text = gettext("{battle} was a Turning Point Mission of another Story Arc.", battle=battle)
            found[""] = Problem("R22", text)
        elif not may_play_turning_point(book, force):
            text = gettext(
                "{battle} was a Turning Point Mission, and too few Agendas would be complete for it.",
                battle=battle,
            )
            found[""] = Problem("R22", text)
    return found
