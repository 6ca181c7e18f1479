"""Whatever anybody does, in whatever order: the books balance, and what is refused or comes twice changes nothing.

A run begins with two Registers and their battle at some stage, and ends where it began: all of it happens within a
savepoint. So a run may be short and still see the end of a battle.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from accounts.models import User
from bench import simulation as simulate
from bench.simulated_battles import facts
from campaign.battles import state_machine
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.queries.battles import agendas_version, setup_for
from campaign.battles.report_data import army_of
from campaign.battles.services import amendments, army as army_service, planning, reports, sequence
from campaign.battles.services.agendas import choose_agenda
from campaign.battles.services.contenders import Contender
from campaign.battles.services.replay.replay import plan_of
from registers.ledger import session
from registers.ledger.hash_chain import digest_of
from registers.ledger.verification import differences
from registers.models import LedgerEntry, Register
from registers.services import building, corrections, editing
from rules.adjustments.corrections import WantedValue
from rules.core.violations import RuleViolation
from rules.post_battle.dialogue import Await, Context
from rules.register.state import RegisterState
from tests.bench.simulation.laws import check_register
from tests.campaign.battles.stages import STAGES, Place, Seen, Stages, Start, look, make_stages
from tests.checksums import checksums, tables
from tests.thoroughness import examples

#: Runs from each of the eleven stages, of as many acts at most.
RUNS, STEPS = examples(gate=4, nightly=182), 4
PEOPLE = st.sampled_from(("ada", "ben", "cora", "mia", "eve"))
OUTSIDERS = ("mia", "eve")
CHANCE = st.integers(0, 2**16)
COLOURS = st.sampled_from(("blue", "red"))
Status = Battle.Status


class Machine(RuleBasedStateMachine):
    """Two Registers and their battle, if there is one; and all that people try to do with them."""

    stages: Stages
    place: Place
    start: Start
    done: Counter[str]

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.savepoint()
        self.last: Callable[[], Any] | None = None
        self.answered: tuple[int, Any] | None = None
        self.pair, self.battle_id = list(self.place.registers), self.place.battle
        self.ledgers = {pk: list(entries) for pk, entries in self.start.ledgers.items()}
        self.seen = self.start.seen

    def teardown(self) -> None:
        transaction.savepoint_rollback(self.savepoint)
        self.done["runs"] += 1

    # --- What is tried -------------------------------------------------------------------------------------------

    @rule(chance=CHANCE)
    @precondition(lambda self: self.seen.status in (None, Status.CLOSED, Status.CANCELLED))
    def plan(self, chance: int) -> None:
        random, campaign = Random(chance), self.stages.campaign
        blue, red = random.sample([Contender(register_id=pk) for pk in self.pair], 2)
        values = {"size": random.choice((600, 800)), "owner": random.choice(("", "", "blue"))}
        actor = self.stages.people[random.choice(("ada", "ben", "cora"))]
        made = self.do(
            "plan", lambda: planning.plan_battle(actor=actor, campaign=campaign, blue=blue, red=red, **values)
        )
        if made:
            self.battle_id, self.last = made.pk, None
            self.seen = self.look()

    @rule(chance=CHANCE, colour=COLOURS)
    @precondition(lambda self: self.seen.status in state_machine.BEFORE_PLAY)
    def choose_army(self, chance: int, colour: str) -> None:
        side, other = self.sides(colour)
        if side.register:
            state, setup = (self.seen.states[side.register.pk], setup_for(side.battle, side, [side, other]))
            army = replace(simulate.choose_army(state, setup, self.stages.supply, Random(chance)), agenda="")
            values = {"actor": side.register.owner, "side_id": side.pk, "version": side.version}
            self.do("choose_army", lambda: army_service.choose_army(army=army, **values))

    @rule(chance=CHANCE, colour=COLOURS)
    @precondition(lambda self: self.seen.status == Status.READY)
    def choose_agenda(self, chance: int, colour: str) -> None:
        side, other = self.sides(colour)
        if side.register:
            arc = self.stages.supply.book.story_arcs[self.seen.states[side.register.pk].story_arc]
            agenda = Random(chance).choice((None, "", *(each.slug for each in arc.agendas)))
            values = {"actor": side.register.owner, "side_id": side.pk, "version": agendas_version([side, other])}
            self.do("choose_agenda", lambda: choose_agenda(agenda=agenda, **values))

    @rule(who=PEOPLE)
    @precondition(lambda self: self.seen.status == Status.READY)
    def begin(self, who: str) -> None:
        self.do("begin", lambda: army_service.begin(actor=self.person(who), battle_id=self.battle_id), who)

    @rule(who=PEOPLE)
    @precondition(lambda self: self.seen.status in (Status.READY, *state_machine.FOUGHT))
    def cancel(self, who: str) -> None:
        self.do("call off", lambda: planning.cancel(actor=self.person(who), battle_id=self.battle_id), who)

    @rule(who=PEOPLE, chance=CHANCE)
    @precondition(lambda self: self.seen.status in state_machine.FOUGHT)
    def report(self, who: str, chance: int) -> None:
        battle, args = self.seen.battle, self.made_up(chance)
        values = {"actor": self.person(who), "battle_id": battle.pk, "version": battle.version}
        self.do("report", lambda: reports.report(report=args, **values), who)

    @rule(who=PEOPLE, act=st.sampled_from((reports.confirm_report, reports.settle, reports.dispute)))
    @precondition(lambda self: self.seen.status in (Status.REPORTED, Status.DISPUTED))
    def decide(self, who: str, act: Callable[..., Battle]) -> None:
        battle = self.seen.battle
        values = {"actor": self.person(who), "battle_id": battle.pk, "version": battle.version}
        more = {"reason": "It was not so."} if act is reports.dispute else {}
        self.do(act.__name__, lambda: act(**values, **more), who)

    @rule(colour=COLOURS, chance=CHANCE)
    @precondition(lambda self: self.seen.status == Status.SEQUENCE)
    def answer(self, colour: str, chance: int) -> None:
        side, other = self.sides(colour)
        if side.done or side.register is None:
            return
        standing = sequence.running_step(side, other, self.seen.states[side.register.pk])
        if standing.question is None or isinstance(standing.question, Await):
            return
        context = Context(standing.book, standing.progress.state)
        given = simulate.answer(standing.question, context, Random(chance), self.stages.supply)
        values = {"actor": side.register.owner, "side_id": side.pk, "turn": side.turn}
        was = self.where(side)
        if self.do("answer", lambda: sequence.answer(answer=given, **values)):
            self.answered = (side.pk, was)

    @rule(colour=COLOURS, who=PEOPLE, value=st.sampled_from((None, [], {}, "no", -1, {"x": ["hit"]}, [["\0"]])))
    @precondition(lambda self: self.seen.status == Status.SEQUENCE)
    def answer_nonsense(self, colour: str, who: str, value: Any) -> None:
        side = self.sides(colour)[0]
        values = {"actor": self.person(who), "side_id": side.pk, "turn": side.turn, "answer": value}
        self.do("nonsense", lambda: sequence.answer(**values), who)

    @rule(colour=COLOURS, what=st.sampled_from(sequence.UndoScope))
    @precondition(lambda self: self.seen.status in (Status.SEQUENCE, Status.CLOSED))
    def undo(self, colour: str, what: str) -> None:
        side, _ = self.sides(colour)
        owner, answered = side.register and side.register.owner, self.answered
        values = {"actor": owner, "battle_id": side.battle_id, "colour": colour, "turn": side.turn, "what": what}
        taken = owner and self.do("undo", lambda: sequence.undo_answers(**values))
        if taken and what == sequence.UndoScope.ANSWER and answered and answered[0] == side.pk:
            assert self.where(self.sides(colour)[0]) == answered[1]

    @rule(who=PEOPLE, what=st.sampled_from(Amendment.What.values), colour=COLOURS, chance=CHANCE)
    @precondition(lambda self: self.seen.status in (Status.SEQUENCE, Status.CLOSED))
    def amend(self, who: str, what: str, colour: str, chance: int) -> None:
        """An organizer undoes something, and decides what has to be decided anew as chance has it."""
        random, actor, battle = Random(chance), self.person(who), self.seen.battle
        about = {"report": self.made_up(chance)} if what == "report" else {"colour": colour}
        values = {"actor": actor, "battle_id": battle.pk, "what": what, "reason": "It was not so."}
        opened = self.do("open a revision", lambda: amendments.open_amendment(**values, **about), who)
        for _ in range(8 if opened else 0):
            amendment = Amendment.objects.select_related("battle").get(pk=opened.pk)
            plan, now = plan_of(amendment), {"actor": actor, "amendment_id": amendment.pk}
            halt = plan.halt
            if halt is None:
                self.do("apply it", partial(amendments.apply, digest=plan.digest, **now))
                return
            seen = {"seen": len(amendment.decisions), "halt_digest": halt.digest}
            if halt.question is None or isinstance(halt.question, Await) or random.random() < 0.2:
                self.do("leave out", partial(amendments.leave_out, **seen, **now))
            else:
                given = simulate.answer(halt.question, Context(halt.book, halt.state), random, self.stages.supply)
                words = {"answer": given, "source": sequence.PLAYER}
                self.do("decide", partial(amendments.decide, **words, **seen, **now))

    @rule(place=st.integers(0, 1), chance=CHANCE)
    def edit(self, place: int, chance: int) -> None:
        register, random = self.seen.registers[self.pair[place]], Random(chance)
        unit = random.choice(list(self.seen.states[register.pk].dossiers))
        change = random.choice(
            (
                {"name": {"unit": unit, "name": "The Grim Hounds"}},
                {"add": {"unit": random.choice(sorted(self.stages.supply.book.units))}},
                {"upgrade": {"unit": unit, "upgrade": random.choice(sorted(self.stages.supply.book.upgrades))}},
            )
        )
        values = {"actor": register.owner, "register_id": register.pk, "position": register.position}
        self.do("edit", lambda: editing.edit(change=change, **values))

    @rule(place=st.integers(0, 1), chance=CHANCE, override=st.booleans())
    def correct(self, place: int, chance: int, override: bool) -> None:
        register, random = self.seen.registers[self.pair[place]], Random(chance)
        wish = random.choice(
            (
                WantedValue("supply_points", random.randint(-1, 9)),
                WantedValue("reputation", random.randint(0, 9)),
                WantedValue("experience", random.randint(0, 60), unit=random.choice("123")),
                WantedValue("name", "Corrected", unit=random.choice("1239")),
            )
        )
        values = {"actor": self.person("cora"), "register_id": register.pk, "position": register.position}
        self.do(
            "correct", lambda: corrections.correct(wishes=[wish], reason="Miscounted.", override=override, **values)
        )

    @rule(place=st.integers(0, 1))
    @precondition(lambda self: any("correct" in self.acts(pk) for pk in self.pair))
    def undo_correction(self, place: int) -> None:
        """The last entry that is a correction, or the last one."""
        pk = self.pair[place]
        entry = next((entry for entry in reversed(self.ledgers[pk]) if entry.act == "correct"), self.ledgers[pk][-1])
        values = {"actor": self.person("cora"), "register_id": pk, "entry_id": entry.pk, "reason": "It was right."}
        self.do("undo a correction", lambda: corrections.undo_correction(**values))

    @rule(chance=CHANCE)
    @precondition(lambda self: self.seen.status is None and len(self.ledgers) == 2)
    def found(self, chance: int) -> None:
        """A Register that is founded takes the place of ben's."""
        random, owner = Random(chance), self.person("ben")
        context = simulate.found(self.stages.supply, random, "Newly Founded")
        register = building.open_register(actor=owner, owner=owner, faction=context.state.faction)
        self.pair[1], self.ledgers[register.pk] = register.pk, []
        self.last = None
        self.seen = self.look()
        for dossier in list(context.state.dossiers.values())[:3]:
            values = {"actor": owner, "register_id": register.pk, "position": None}
            self.do("found", lambda: building.add_unit(card=dossier.card, name=dossier.name, **values))  # noqa: B023
        self.last = None

    @rule()
    @precondition(lambda self: self.last is not None)
    def again(self) -> None:
        """Repeat the last act, as a form sent twice does."""
        with suppress(RuleViolation):
            self.last()
        self.last = None
        self.done["again"] += 1
        assert checksums(self.start.tables) == self.seen.sums

    @rule()
    def verify(self) -> None:
        for register in self.seen.registers.values():
            assert list(differences(register)) == []

    # --- What is true after each ---------------------------------------------------------------------------------

    def do(self, name: str, act: Callable[[], Any], who: str = "") -> Any:
        """Do it: refused, it changes nothing; done, everything still adds up. What it gave back, or None.

        `who` does it, if not everybody may.
        """
        self.last, self.answered = act, None
        try:
            given = act()
        except RuleViolation:
            self.done[f"{name}, refused"] += 1
            assert checksums(self.start.tables) == self.seen.sums
            return None
        self.done[name] += 1
        was, self.seen = self.seen, self.look()
        assert who not in OUTSIDERS or self.seen.sums == was.sums
        for pk in self.pair:
            self.check(self.seen.registers[pk], self.seen.states[pk])
        self.check_battle()
        return given

    def check(self, register: Register, state: RegisterState) -> None:
        """The ledger goes on from where it was, link by link, and its sum are the rows."""
        known = self.ledgers[register.pk]
        new = list(LedgerEntry.objects.filter(register=register, position__gt=len(known)).select_related("undoes"))
        for entry in new:
            before = known[-1].digest if known else ""
            assert entry.digest == digest_of(entry, before, entry.undoes and entry.undoes.position)
            known.append(entry)
        assert [entry.position for entry in known] == list(range(1, register.position + 1))
        assert register.digest == known[-1].digest
        if new:
            assert state == session.replay_entries(known)
        if new and state.commissioned and "correct" not in self.acts(register.pk):
            check_register(session.rulebook_for(register), state)
        assert state.supply_points >= 0

    def check_battle(self) -> None:
        """A Register is in the field of one battle at most, and in none that is not being fought."""
        begun = Side.objects.filter(open=True, begun=True, register__isnull=False).values_list("register", flat=True)
        assert len(set(begun)) == len(begun)
        for side in (side for side in self.seen.sides if side.register_id in self.pair):
            field = self.seen.states[side.register_id].in_field
            fought = side.battle.status in (*state_machine.FOUGHT, Status.SEQUENCE) and side.open
            assert (field is not None and field.battle == str(side.battle_id)) == fought

    def look(self) -> Seen:
        return look(self.stages, self.start.tables, self.pair, self.battle_id)

    # --- Parts ---------------------------------------------------------------------------------------------------

    def acts(self, register: UUID) -> set[str]:
        """What has been done with a Register."""
        return {entry.act for entry in self.ledgers[register]}

    def person(self, name: str) -> User:
        return self.stages.people[name]

    def sides(self, colour: str) -> tuple[Side, Side]:
        """The side of that colour and the other one."""
        side, other = sorted(self.seen.sides, key=lambda side: side.colour != colour)
        return side, other

    def where(self, side: Side) -> Any:
        """Where a side stands, and its Register."""
        assert side.register is not None
        return side.step, side.answers, side.open, self.seen.states[side.register.pk]

    def made_up(self, chance: int) -> reports.BattleReport:
        """A report of what may have happened."""
        random, sides, army_reports = Random(chance), self.sides("blue"), {}
        pair = [
            simulate.SimulatedSide(Context(book := self.stages.supply.book, self.seen.states[side.register.pk]), army)
            for side in sides
            if side.register and (army := army_of(self.stages.supply.book, side.army))
        ]
        assert book
        made = simulate.fight(pair * (3 - len(pair)), str(self.battle_id), bool(sides[0].battle.owner), random)
        army_reports = {side.colour: report for side, report in zip(sides, made, strict=True) if side.register}
        found, winner = facts(army_reports)
        return reports.BattleReport(winner=winner, facts=found, victory_points={})


@pytest.mark.parametrize("stage", STAGES)
def test_the_books_balance_whatever_anybody_does(book, stage):
    quick = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    stages, done, names = make_stages(book, [stage], seed=1), Counter[str](), tables()
    place = stages.places[stage]
    ledgers = {pk: list(LedgerEntry.objects.filter(register=pk)) for pk in place.registers}
    start = Start(names, ledgers, look(stages, names, list(place.registers), place.battle))
    given = {"stages": stages, "place": place, "start": start, "done": done}
    run_state_machine_as_test(type("Machine", (Machine,), given), settings=quick)
    assert done["runs"] >= RUNS
