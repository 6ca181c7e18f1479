"""Replay battles and ledgers as an amendment leaves them, and find where the replay stops."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any
from uuid import UUID

from django.utils.translation import gettext, gettext_noop

from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.report_data import army_of, book_of, report_of
from campaign.battles.services.replay import plan as plans
from campaign.battles.services.replay.decisions import Wishes, given, items_of, kept_of
from campaign.battles.services.sequence import RIVAL_STEP, steps_among
from campaign.battles.state_machine import BEGUN
from registers.ledger import session
from registers.ledger.text import LABELS
from registers.models import EntryType, LedgerEntry, Register
from rules.adjustments.awards import Gift, award
from rules.adjustments.corrections import Conflict, numbers_against_rules, reapply
from rules.battle.army import may_play_turning_point, open_agendas
from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.translation import kept
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Await, Context, run
from rules.post_battle.edit_register import edit
from rules.post_battle.experience import nameable
from rules.post_battle.rematch_answers import Fit, answer_parts, refit
from rules.post_battle.steps import gains_of_the_game, step as step_of, take_the_field
from rules.register.building import next_story_arc
from rules.register.effects import Corrected, Effect, FieldTaken, Noted, RivalNamed, StoryArcBegun
from rules.register.labels import unit_label
from rules.register.state import RegisterState, everyone, replay

_LEFT_OUT = gettext_noop("{value}: correction left out by an amendment")

#: Errors for effects that no longer apply: a missing unit or card, a number below its minimum.
BROKEN = (KeyError, ValueError)


class LedgerReplay:
    """The ledger entries of a Register that count, replayed in game order.

    `entries` are its whole ledger. At the current point, `old` is the Register as the ledger has it, and `new` as the
    amendment would leave it. `fresh_key` is a key that no unit has.
    """

    def __init__(self, register: Register, entries: Iterable[LedgerEntry], wishes: Wishes) -> None:
        self.register, self.wishes = register, wishes
        self.entries = session.counting_entries(entries)
        self.at = 0
        self.old = self.new = RegisterState()
        self.fresh_key = register.next_key
        self.changes: list[plans.EntryReplacement] = []

    @property
    def book(self) -> Rulebook:
        """The cards available to the Register outside battles."""
        return session.rulebook_for(self.register)

    @property
    def dirty(self) -> bool:
        """Whether the amendment has changed the Register at this point."""
        return self.old != self.new

    @property
    def next(self) -> LedgerEntry | None:
        """The next entry to replay."""
        return self.entries[self.at] if self.at < len(self.entries) else None

    def replay_to(self, battle: str | None) -> None:
        """Replay all entries before the first of a battle, or (None) all that are left."""
        while (entry := self.next) and entry.battle != battle:
            self.act(entry)

    def act(self, entry: LedgerEntry) -> None:
        """Replay an action between battles: unchanged, decided again, or left out."""
        effects, answers = tuple(session.effects_of_entry(entry)), entry.answers
        spot = str(self.register.pk), entry.place
        if spot in self.wishes.acts_left_out:
            self.become(entry, None)
            return
        if out := self.wishes.awards_left_out.get(spot):
            answers = [Gift.from_data(entry.answers[0]).without(out).as_data(), *entry.answers[1:]]
        if self.dirty and entry.act == EntryType.CORRECT and not answers:
            self.become(entry, self._corrected(entry, effects))
            return
        if self.dirty:
            effects = self._decided(entry, answers, effects)
        self.become(entry, effects, answers)

    def become(
        self,
        entry: LedgerEntry,
        effects: tuple[Effect, ...] | None,
        answers: Sequence[Any] = (),
        kept: Sequence[dict[str, Any]] = (),
    ) -> None:
        """Move past an entry, replaced by these effects and answers. Stops with a conflict if they no longer apply."""
        was = tuple(session.effects_of_entry(entry))
        self.old = replay(was, self.old)
        try:
            self.new = session.apply_effects(effects or (), self.new)
        except session.BelowZero:
            text = gettext("It spends more than the Register would have.")
            raise plans.ConflictFound(self._halt(entry, [Violation("", text)])) from None
        except BROKEN:
            raise plans.ConflictFound(self._halt(entry, [_not_there()])) from None
        if effects != was or list(answers) != entry.answers:
            self.changes.append(plans.EntryReplacement(entry, effects, answers, kept))
        self.fresh_key = max(self.fresh_key, self.new.next_key)
        self.at += 1

    def starting(self) -> RegisterState:
        """Return the Register as the next action finds it: units that join in it get the keys they had."""
        return replace(self.new, next_key=self.old.next_key)

    def _corrected(self, entry: LedgerEntry, effects: tuple[Effect, ...]) -> tuple[Effect, ...] | None:
        """Return the effects of a correction by hand on the changed Register; None if all of it was left out."""
        choices = self.wishes.choices.get((str(self.register.pk), entry.place), {})
        found = reapply(self.book, self.new, effects, choices)
        if found.conflicts:
            raise plans.ConflictFound(replace(self._halt(entry, ()), conflicts=found.conflicts))
        if found.violations:
            raise plans.ConflictFound(self._halt(entry, found.violations))
        if found.left_out and not any(isinstance(effect, Corrected) for effect in found.effects):
            return None
        return (*found.effects, *map(self._left_out, found.left_out))

    def _left_out(self, conflict: Conflict) -> Noted:
        """Return the ledger note for a value that is no longer corrected."""
        if not conflict.field:
            unit, value = "", unit_label(self.book, self.old, conflict.unit)
        else:
            unit, value = conflict.unit, LABELS["progress" if conflict.agenda else conflict.field]
        return Noted(unit=unit, rule="", why=kept(_LEFT_OUT, value=value))

    def _decided(self, entry: LedgerEntry, answers: Sequence[Any], effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Return the effects of an action decided again. An action that the rules refuse even on the old Register, for
        example because of a newer catalogue, keeps its effects.
        """
        try:
            return self._decide(entry, answers, effects, self.starting())
        except RuleViolation as refusal:
            try:
                self._decide(entry, entry.answers, effects, self.old)
            except (RuleViolation, *BROKEN):
                return effects
            halt = self._halt(entry, refusal.violations)
            raise plans.ConflictFound(replace(halt, out=_only_wrong(entry, answers, refusal.violations))) from None
        except BROKEN:
            raise plans.ConflictFound(self._halt(entry, [_not_there()])) from None

    def _decide(
        self, entry: LedgerEntry, answers: Sequence[Any], effects: tuple[Effect, ...], state: RegisterState
    ) -> tuple[Effect, ...]:
        match entry.act:
            case EntryType.EDIT if answers:
                return tuple(edit(self.book, state, answers[0]))
            case EntryType.CORRECT if answers:
                return tuple(award(self.book, state, Gift.from_data(answers[0])))
            case EntryType.ARC if state.commissioned:
                [begun] = (effect for effect in effects if isinstance(effect, StoryArcBegun))
                return tuple(next_story_arc(self.book, state, begun.story_arc))
            case EntryType.BEGIN:
                gains = (effect for effect in effects if not isinstance(effect, FieldTaken))
                return (*take_the_field(state, entry.battle), *gains)
        return effects

    def _halt(self, entry: LedgerEntry, violations: Iterable[Violation]) -> plans.ReplayConflict:
        return plans.ReplayConflict(self.register, tuple(violations), self.book, self.new, entry=entry)


def _only_wrong(entry: LedgerEntry, answers: Sequence[Any], violations: Sequence[Violation]) -> tuple[str, ...]:
    """Return the units of an award that cause all its violations, if anything of it is left without them."""
    if entry.act != EntryType.CORRECT or not answers:
        return ()
    gift = Gift.from_data(answers[0])
    wrong = tuple(violation.about for violation in violations if violation.about in (gift.units or ()))
    left = gift.without(wrong)
    return wrong if len(wrong) == len(violations) and (left.units or left.supply_points) else ()


def _not_there() -> Violation:
    return Violation("", gettext("It refers to a unit or card that would not exist."))


class SideReplay:
    """A side with its Register, before and after the amendment. `step` is the next one to replay."""

    def __init__(
        self, stream: LedgerReplay, wishes: Wishes, was: tuple[Battle, Side, Side], now: tuple[Battle, Side, Side]
    ) -> None:
        self.stream, self.wishes = stream, wishes
        self.battle, self.row, _other = was
        _battle, self.side, self.opponent = now
        self.book = book_of(self.row)
        self.old_report, self.new_report = (
            report_of(self.book, battle, side, other) for battle, side, other in (was, now)
        )
        self.other: SideReplay | None = None
        self.step = 1
        #: Keys and names of its units that the other side may name; None until it has finished step 4.
        self.old_survivors: Sequence[Sequence[str]] | None = None
        self.new_survivors: Sequence[Sequence[str]] | None = None
        #: The unit it named; None until it has.
        self.old_rival: str | None = None
        self.new_rival: str | None = None
        self.answers: Sequence[Any] | None = None
        self.kept: Sequence[Mapping[str, Any]] = ()

    @property
    def pk(self) -> str:
        return str(self.battle.pk)

    def _halted(self, violations: Iterable[Violation], entry: LedgerEntry | None, **more: Any) -> plans.ConflictFound:
        register, state = self.stream.register, self.stream.new
        book = session.rulebook_for(register, self.battle.campaign_rules)
        halt = plans.ReplayConflict(register, tuple(violations), book, state, self.battle, self.side, entry=entry)
        return plans.ConflictFound(replace(halt, **more))

    def take_the_field(self) -> None:
        """Replay everything before step 1: the beginning of the battle with this army, and the in-game gains."""
        while (entry := self._own()) and entry.act != EntryType.STEP:
            if entry.act == EntryType.BEGIN:
                self.stream.become(entry, self._begun(entry), entry.answers)
            elif entry.act == EntryType.GAINS:
                self.stream.become(entry, self._gains(_effects(entry)) or None, entry.answers)
            else:
                self.stream.act(entry)

    def vanish(self) -> None:
        """Replay the ledger as if the battle did not count."""
        while entry := self._own():
            if entry.battle == self.pk:
                self.stream.become(entry, None)
            else:
                self.stream.act(entry)

    def _begun(self, entry: LedgerEntry) -> tuple[Effect, ...]:
        stream, was = self.stream, _effects(entry)
        if stream.dirty and (out := self._not_in_the_army()):
            raise self._halted(out.values(), entry, out=tuple(filter(None, out)))
        taken: tuple[Effect, ...] = tuple(effect for effect in was if isinstance(effect, FieldTaken))
        if stream.dirty:
            try:
                taken = tuple(take_the_field(stream.new, self.pk))
            except RuleViolation as refusal:
                raise self._halted(refusal.violations, entry) from None
        if self.battle.status not in BEGUN or any(later.act == EntryType.GAINS for later in self._to_come()):
            return taken
        return taken + self._gains(tuple(effect for effect in was if not isinstance(effect, FieldTaken)))

    def _gains(self, was: tuple[Effect, ...]) -> tuple[Effect, ...]:
        if not self.stream.dirty and self.old_report == self.new_report:
            return was
        context = Context(self.book, self.stream.starting())
        return run(context, gains_of_the_game(context, self.new_report)).effects

    def _not_in_the_army(self) -> dict[str, Violation]:
        """Return violations for what the army used and would no longer have, by key of the unit (empty: the rest)."""
        now = _missing(self, self.stream.new)
        return {key: violation for key, violation in now.items() if key not in _missing(self, self.stream.old)}

    def advance(self, *, stuck: bool) -> bool:
        """Replay as many steps as possible until the other side moves (if not `stuck`); return whether it did."""
        moved = False
        while self.answers is None:
            if self.step == RIVAL_STEP and self.other and self.new_survivors is None:
                self.old_survivors = self._survivors(self.stream.old, self.old_report)
                self.new_survivors = self._survivors(self.stream.new, self.new_report)
                moved = True
            entry = self._own()
            while entry and entry.act != EntryType.STEP:
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

    def _pass(self, entry: LedgerEntry, stuck: bool) -> bool:
        """Replay a finished step; return False if the other side has to move first."""
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

    def _rerun(self, number: int, entry: LedgerEntry, stuck: bool) -> bool:
        fit = self._fit(number, entry.answers, entry)
        if fit.awaits and not stuck:
            return False
        if fit.awaits:
            raise self._halted([Violation(fit.awaits.rule, fit.awaits.text)], entry, step=number)
        if fit.misfit:
            raise self._halted(
                fit.misfit.violations, entry, step=number, other=self.opponent, report=self.new_report,
                state=fit.state, question=fit.misfit.question, slots=fit.misfit.slots,
                answers=items_of(fit.answers), effects=fit.effects,
            )  # fmt: skip
        kept = kept_of(self.side, number, fit.left, fit.answers)
        answers, same = items_of(fit.answers), fit.effects == _effects(entry)
        if same and [item["answer"] for item in answers] == [item["answer"] for item in entry.answers]:
            answers = entry.answers
        self.stream.become(entry, fit.effects, answers, kept)
        self.step = number + 1
        return True

    def _running(self, stuck: bool) -> bool:
        """Keep the answers of the unfinished step that fit, up to the first that does not."""
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
        """Return whether nothing changes for the step: neither its questions, nor the Register, nor the report."""
        same = not self.stream.dirty and self.old_report == self.new_report
        if number == RIVAL_STEP and self.other:
            same = same and self.other.old_survivors == self.other.new_survivors
        return same and not self.wishes.touch(self.row, number)

    def _other_has_changed(self, number: int) -> bool:
        return bool(number == RIVAL_STEP and self.other and self.other.old_rival != self.other.new_rival)

    def _fit(self, number: int, items: Sequence[Any], entry: LedgerEntry | None) -> Fit:
        context = Context(self.book, self.stream.old)
        given = [item["answer"] for item in items]
        try:
            parts = answer_parts(context, step_of(number).script(context, self.old_report), given, items)
        except BROKEN:
            parts = []
        context = Context(self.book, self.stream.starting())
        try:
            fit = refit(
                context, step_of(number).script(context, self.new_report), self.wishes.lines(self.row, number, parts),
                handed=self._handed, fresh_key=self.stream.fresh_key,
            )  # fmt: skip
        except RuleViolation as refusal:
            raise self._halted(refusal.violations, entry, step=number) from None
        except BROKEN:
            text = gettext("The sequence cannot continue from there.")
            raise self._halted([Violation("", text)], entry, step=number) from None
        if number == RIVAL_STEP:
            self.new_rival = _rival(fit.effects)
        return fit

    def _handed(self, question: Await) -> tuple[Any] | None:
        """Return the answer that the other side passes on, if it has it (R39)."""
        if (other := self.other) is None:
            return None
        if question.what == "survivors":
            return None if other.new_survivors is None else ([list(pair) for pair in other.new_survivors],)
        return None if other.new_rival is None else (other.new_rival or None,)

    def _survivors(self, state: RegisterState, report: Report) -> list[list[str]]:
        return [list(unit) for unit in nameable(self.book, state, report)]

    def _to_come(self) -> list[LedgerEntry]:
        """Return the remaining entries, up to the last one of the battle."""
        left = self.stream.entries[self.stream.at :]
        last = max((place for place, entry in enumerate(left) if entry.battle == self.pk), default=-1)
        return left[: last + 1]

    def _own(self) -> LedgerEntry | None:
        return next(iter(self._to_come()), None)

    def as_it_would_be(self) -> plans.SideNow:
        """Return the new values of the side's row."""
        answers = self.row.answers if self.answers is None else self.answers
        return plans.SideNow(self.side, answers, self.new_rival if self.other else self.row.rival, self.kept)


def _effects(entry: LedgerEntry) -> tuple[Effect, ...]:
    return tuple(session.effects_of_entry(entry))


def _rival(effects: Iterable[Effect]) -> str | None:
    return next((effect.rival for effect in effects if isinstance(effect, RivalNamed)), None)


def _missing(fighter: SideReplay, state: RegisterState) -> dict[str, Violation]:
    book, battle = fighter.book, fighter.battle
    army = army_of(book, fighter.side.army)
    found = {}
    for key, upgrades in army.fielded.items():
        dossier = state.dossiers.get(key)
        if dossier is None or not set(upgrades) <= set(dossier.upgrades):
            was = fighter.stream.old
            name = unit_label(book, was, key) if key in everyone(was) else gettext("Unit %(key)s") % {"key": key}
            text = gettext("%(unit)s fought in %(battle)s, but would be missing or different.")
            found[key] = Violation("R19", text % {"unit": name, "battle": battle}, key)
    for slug in Counter(army.assets) - Counter(state.assets):
        asset = book.assets[slug].name
        text = gettext("%(asset)s was used in %(battle)s, but would be missing.") % {"asset": asset, "battle": battle}
        found[""] = Violation("R21", text)
    if army.agenda and army.agenda not in [agenda.slug for agenda in open_agendas(book, state)]:
        agenda = book.agendas[army.agenda].name
        text = gettext("%(agenda)s was brought to %(battle)s, but would not be allowed.")
        found[""] = Violation("R23", text % {"agenda": agenda, "battle": battle})
    if battle.owner == fighter.side.colour and battle.turning_point_id:
        if state.story_arc != battle.turning_point_id:
            text = gettext("%(battle)s was the Turning Point Mission of another Story Arc.") % {"battle": battle}
            found[""] = Violation("R22", text)
        elif not may_play_turning_point(book, state):
            text = gettext("%(battle)s was a Turning Point Mission, and too few Agendas would be complete for it.")
            found[""] = Violation("R22", text % {"battle": battle})
    return found


def plan_of(amendment: Amendment, known: plans.Snapshot | None = None) -> plans.Plan:
    """Return an amendment's result, with the conflict where it stops; reads the ledgers unless they are `known`."""
    return _Replay(amendment, known or plans.Snapshot(amendment)).plan()


class _Replay:
    def __init__(self, amendment: Amendment, known: plans.Snapshot) -> None:
        self.amendment, self.known = amendment, known
        self.wishes = Wishes(amendment, known.kept)
        self.streams: dict[UUID, LedgerReplay] = {}
        self.battles: dict[UUID, Battle] = {}
        self.sides: list[plans.SideNow] = []
        self.armies: dict[int, dict[str, Any]] = {}
        self.let_stand: list[tuple[Register, Violation]] = []

    def plan(self) -> plans.Plan:
        halt: plans.ReplayConflict | None = None
        warnings: list[tuple[Register, Violation]] = []
        try:
            self._replay_all()
            warnings = [*self._at_the_end()]
        except plans.ConflictFound as halted:
            halt = halted.halt
        # Where it stopped early, the battle is not among those replayed.
        battle = self.battles.get(self.amendment.battle_id, self.amendment.battle)
        own = {side.register_id for side in battle.sides.all()}
        return plans.Plan(
            registers=[
                plans.RegisterImpact(
                    register=stream.register, book=stream.book, after=stream.new, changes=stream.changes,
                    # Where it stopped, `old` has only the units that joined before; the report names later ones too.
                    before=session.replay_entries(stream.entries) if halt else stream.old,
                )
                for pk, stream in sorted(self.streams.items())
                if stream.dirty or stream.changes or pk in own
            ],
            sides=self.sides,
            battles=list(self.battles.values()),
            armies=self.armies,
            halt=halt,
            warnings=warnings,
            let_stand=self.let_stand,
        )  # fmt: skip

    def _replay_all(self) -> None:
        [first] = self.known.battles([self.amendment.battle_id])
        self._open_streams(side.own_register for side in first.sides.all() if side.register)
        self._check_wish(first)
        waiting = [(first.created_at, str(first.pk), first)]
        seen = {first.pk}
        while waiting:
            *_order, battle = heappop(waiting)
            for stream in self._fight(battle):
                for later in self._later(stream, seen) if stream.dirty else ():
                    seen.add(later.pk)
                    heappush(waiting, (later.created_at, str(later.pk), later))
        for stream in self.streams.values():
            stream.replay_to(None)

    def _check_wish(self, battle: Battle) -> None:
        """Stop with a conflict if the answers to be undone have changed since the amendment was opened."""
        wanted = self.amendment.wanted
        for side in battle.sides.all() if "given" in wanted else ():
            if side.colour != self.amendment.colour:
                continue
            steps = steps_among(side, self.streams[side.own_register.pk].entries)
            if given(side, steps, wanted) != wanted["given"]:
                text = gettext("This question has been answered again since then.")
                side.battle, register = battle, side.own_register
                halt = plans.ReplayConflict(
                    register, (Violation("", text),), session.rulebook_for(register), RegisterState()
                )
                raise plans.ConflictFound(replace(halt, battle=battle, side=side, step=wanted["step"]))

    def _later(self, stream: LedgerReplay, seen: set[UUID]) -> list[Battle]:
        keys = {UUID(entry.battle) for entry in stream.entries[stream.at :] if entry.battle} - seen
        return [each for each in self.known.battles(keys) if each.status != Battle.Status.CANCELLED]

    def _fight(self, battle: Battle) -> list[LedgerReplay]:
        blue, red = rows = list(battle.sides.all())
        now, (new_blue, new_red) = self.wishes.as_wanted(battle, rows)
        for row in rows:
            row.battle = battle
        self._open_streams(row.own_register for row in rows if row.register)
        was = [(battle, blue, red), (battle, red, blue)]
        then = [(now, new_blue, new_red), (now, new_red, new_blue)]
        fighters = [
            SideReplay(self.streams[row.own_register.pk], self.wishes, was[n], then[n])
            for n, row in enumerate(rows)
            if row.register
        ]
        for fighter in fighters:
            fighter.stream.replay_to(str(battle.pk))
            fighter.other = next((other for other in fighters if other is not fighter), None)
            if self.wishes.annuls(battle):
                fighter.vanish()
            else:
                fighter.take_the_field()
        if battle.status in BEGUN and not self.wishes.annuls(battle):
            # A side may unblock the other; steps that neither unblocks stay as they were.
            for stuck in (False, True):
                while any(fighter.advance(stuck=stuck) for fighter in fighters if fighter.answers is None):
                    pass
        self._note(battle, rows, [new_blue, new_red], fighters)
        return [fighter.stream for fighter in fighters]

    def _note(self, battle: Battle, rows: list[Side], sides: list[Side], fighters: list[SideReplay]) -> None:
        self.battles[battle.pk] = battle
        for row, side in zip(rows, sides, strict=True):
            if row.army != side.army or row.report != side.report:
                self.armies[row.pk] = {"army": side.army, "report": side.report}
        if battle.status in BEGUN and not self.wishes.annuls(battle):
            self.sides += [fighter.as_it_would_be() for fighter in fighters]

    def _open_streams(self, registers: Iterable[Register]) -> None:
        """Start replaying Registers that are reached for the first time: one query for their ledgers, or none."""
        new = {register.pk: register for register in registers if register.pk not in self.streams}
        ledgers = self.known.ledgers(new.values())
        for pk, register in new.items():
            self.streams[pk] = LedgerReplay(register, ledgers[pk], self.wishes)

    def _at_the_end(self) -> Any:
        """Yield the violations that remain; too many points only warn (R2), as do those that the organizer accepted."""
        for stream in self.streams.values():
            if not stream.dirty:
                continue
            violations = _without_ground(stream)
            hard = [violation for violation in violations if violation.rule != "R2"]
            stand, key = self.wishes.let_stand, str(stream.register.pk)
            left = tuple(each for each in hard if (key, each.rule, each.about) not in stand)
            if left:
                raise plans.ConflictFound(plans.ReplayConflict(stream.register, left, stream.book, stream.new))
            self.let_stand += [(stream.register, violation) for violation in hard]
            yield from ((stream.register, violation) for violation in violations)


def _without_ground(stream: LedgerReplay) -> list[Violation]:
    """Return the violations that the amendment adds to a Register, one for each rule and unit."""
    found: dict[tuple[str, str], Violation] = {}
    for violation in (
        *session.violations_of_later_entries(stream.book, stream.old, stream.new),
        *numbers_against_rules(stream.book, stream.old, stream.new),
    ):
        found.setdefault((violation.rule, violation.about.partition(".")[0]), violation)
    return list(found.values())
