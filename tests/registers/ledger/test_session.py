"""A unit of work on locked Registers."""

from contextlib import suppress
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from registers.ledger.hash_chain import digest_of
from registers.ledger.session import LedgerSession, replay_entries
from registers.models import LedgerEntry, Register
from registers.projection import state_of
from rules.core.violations import RuleViolation
from rules.register import effects as e
from rules.register.state import replay
from tests.registers.factories import make_register
from tests.registers.strategies import effects
from tests.thoroughness import examples

SETBACK = {"unit": "2", "setback": "battle-shaken", "rule": "R36"}


def gain(amount: int) -> e.Effect:
    return e.SupplyPointsGained(amount=amount, rule="R30")


def again(register: Register) -> Register:
    return Register.objects.get(pk=register.pk)


def holds(register: Register) -> bool:
    """Whether the rows are the sum of the ledger, and the entries a chain."""
    entries, before = list(register.entries.order_by("position")), ""
    for entry in entries:
        if digest_of(entry, before, entry.undoes.position if entry.undoes else None) != entry.digest:
            return False
        before = entry.digest
    now = again(register)
    return state_of(now) == replay_entries(entries) and (now.position, now.digest) == (len(entries), before)


@pytest.fixture
def session(founded) -> LedgerSession:
    return LedgerSession.lock(founded.pk)


@pytest.fixture
def register(session) -> Register:
    [register] = session.registers.values()
    return register


class TestLock:
    def test_keeps_the_order_asked_for(self, book, player):
        first, second = (make_register(player) for _ in range(2))
        assert list(LedgerSession.lock(second.pk, first.pk).registers.values()) == [second, first]

    def test_refuses_an_unknown_key(self, founded):
        with pytest.raises(Register.DoesNotExist):
            LedgerSession.lock(founded.pk, uuid4())


@pytest.mark.django_db(transaction=True)
def test_locks_only_in_a_transaction(book):
    with pytest.raises(TransactionManagementError):
        LedgerSession.lock(uuid4())


class TestStage:
    def test_commit_keeps_everything(self, session, register, player, other):
        entry = session.stage(
            register,
            actor=other,
            act="step",
            effects=[gain(2), e.DiceRolled(die="red_defense", faces=("block",), rule="R30")],
            battle="battle-7",
            step=3,
            answers=[{7: ("block",)}],
            by_hand=[0],
            reason="settled",
        )
        session.commit()
        kept = LedgerEntry.objects.get(pk=entry.pk)
        assert (kept.position, kept.place, kept.act) == (8, 8, "step")
        assert (kept.actor, kept.on_behalf_of) == (other, player)
        assert (kept.battle, kept.step, kept.reason) == ("battle-7", 3, "settled")
        assert (kept.answers, kept.rolled_by_hand) == ([{"7": ["block"]}], [0])
        assert [effect["kind"] for effect in kept.effects] == ["SupplyPointsGained", "DiceRolled"]
        assert (register.position, register.supply_points) == (8, 7)
        assert holds(register)

    def test_nothing_is_written_before_commit(self, session, register, player):
        before = session.state(register)
        session.stage(register, actor=player, act="step", effects=[gain(2)])
        assert session.state(register) == replay([gain(2)], before)
        assert state_of(again(register)) == before
        session.commit()
        assert state_of(again(register)) == session.state(register)

    def test_acts_follow_one_another(self, session, register, player):
        for amount in (1, 2):
            session.stage(register, actor=player, act="step", effects=[gain(amount)])
        assert [entry.position for entry in session.staged(register)] == [8, 9]
        session.commit()
        assert session.staged(register) == []
        session.stage(register, actor=player, act="step", effects=[gain(3)])
        session.commit()
        assert [entry.position for entry in session.entries(register)][-3:] == [8, 9, 10]
        assert session.state(register).supply_points == 11
        assert holds(register)

    def test_commit_of_nothing(self, session):
        with CaptureQueriesContext(connection) as queries:
            session.commit()
        assert not queries

    def test_several_registers_take_no_more_queries_than_one(self, book, player):
        registers = [make_register(player) for _ in range(4)]
        asked = []
        for some in (registers[:1], registers[1:]):
            session = LedgerSession.lock(*(register.pk for register in some))
            with CaptureQueriesContext(connection) as queries:
                for register in session.registers.values():
                    assert len(session.entries(register)) == 7
                    happened = [gain(2), e.SetbackGained(**SETBACK)]
                    session.stage(register, actor=player, act="step", effects=happened)
                session.commit()
            asked.append(len(queries))
        assert asked[0] == asked[1]
        assert all(holds(register) for register in registers)

    @settings(max_examples=examples(10, 30), deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def test_rows_are_the_sum_whatever_happens(self, book, player, data):  # law 3
        session = LedgerSession([Register.objects.create(owner=player) for _ in range(2)])
        registers = list(session.registers.values())
        who = {"actor": player}
        for _ in range(data.draw(st.integers(2, 8))):
            register = data.draw(st.sampled_from(registers))
            happened = [data.draw(effects(book, session.state(register)))]
            session.stage(register, act="step", battle="battle-7", effects=happened, **who)
            if data.draw(st.booleans()):
                session.commit()
            written = [entry for entry in session.entries(register) if entry.pk and entry.act == "step"]
            if written and data.draw(st.booleans()):
                with suppress(RuleViolation):
                    session.stage_undo(register, [data.draw(st.sampled_from(written))], **who)
        session.commit()
        assert all(holds(register) for register in registers)
        assert [session.state(register) for register in registers] == [
            state_of(again(register)) for register in registers
        ]


class TestEntries:
    def test_has_what_was_staged_before_it_was_read(self, session, register, player):
        staged = session.stage(register, actor=player, act="step", effects=[gain(1)])
        assert session.entries(register) == [*register.entries.order_by("position"), staged]

    def test_has_what_is_staged_afterwards(self, session, register, player):
        before = session.entries(register)
        staged = session.stage(register, actor=player, act="step", effects=[gain(1)])
        assert session.entries(register) == [*before, staged]


class TestUndo:
    def happen(self, session: LedgerSession, *happened: e.Effect) -> LedgerEntry:
        [register] = session.registers.values()
        entry = session.stage(register, actor=None, act="step", battle="battle-7", step=3, effects=happened)
        session.commit()
        return entry

    def test_is_an_entry_that_names_the_other(self, session, register, player, other):
        session.stage(register, actor=None, act="begin", effects=[e.FieldTaken(battle="battle-7", trait="", rule="")])
        gained = self.happen(session, gain(2))
        [undo] = session.stage_undo(register, [gained], actor=other, reason="a slip")
        session.commit()
        kept = LedgerEntry.objects.get(pk=undo.pk)
        assert (kept.act, kept.undoes, kept.effects, kept.reason) == ("undo", gained, [], "a slip")
        assert (kept.battle, kept.step, kept.actor, kept.on_behalf_of) == ("battle-7", 3, other, player)
        assert session.state(register).supply_points == 5
        assert holds(register)

    def test_twice_is_once(self, session, register, player):
        gained = session.stage(register, actor=None, act="step", effects=[gain(2)])
        session.commit()
        [undo] = session.stage_undo(register, [gained], actor=player)
        assert session.stage_undo(register, [gained], actor=player) == [undo]
        session.commit()
        assert LedgerSession([register]).stage_undo(register, [gained], actor=player) == [undo]

    def test_refuses_what_later_entries_stand_on(self, session, register, player):
        gained = session.stage(register, actor=None, act="step", effects=[gain(2)])
        session.stage(register, actor=None, act="step", effects=[e.SupplyPointsSpent(amount=7, rule="R41")])
        session.commit()
        with pytest.raises(RuleViolation, match="entry 9"):
            session.stage_undo(register, [gained], actor=player)
        assert session.staged(register) == []

    @pytest.mark.parametrize("which", [0, -1])
    def test_refuses_the_opening_entry_and_an_undo(self, session, register, player, which):
        gained = session.stage(register, actor=None, act="step", effects=[gain(2)])
        session.commit()
        session.stage_undo(register, [gained], actor=player)
        session.commit()
        with pytest.raises(RuleViolation):
            session.stage_undo(register, [session.entries(register)[which]], actor=player)


class TestReplacements:
    def test_stand_where_the_others_stood(self, session, register):
        first = session.stage(register, actor=None, act="step", effects=[e.SetbackGained(**SETBACK)])
        session.stage(register, actor=None, act="step", effects=[e.SetbackRemoved(**SETBACK)])
        session.commit()
        happened = [e.to_data(e.SetbackGained(**SETBACK)), e.to_data(gain(1))]
        new = LedgerEntry(act="step", effects=happened, undoes=first)
        session.stage_replacements(register, [new])
        session.commit()
        assert (new.position, new.place) == (10, first.place)
        assert (register.supply_points, session.state(register).dossiers["2"].setbacks) == (6, ())
        assert holds(register)

    def test_refuses_a_sum_that_makes_no_sense(self, session, register):
        gained = session.stage(register, actor=None, act="step", effects=[gain(2)])
        session.stage(register, actor=None, act="step", effects=[e.SupplyPointsSpent(amount=7, rule="R41")])
        session.commit()
        with pytest.raises(RuleViolation, match="entry 9"):
            session.stage_replacements(register, [LedgerEntry(act="step", effects=[], undoes=gained)])

    def test_nobody_takes_the_place_of_one_that_does_not_count(self, session, register, player):
        gained = session.stage(register, actor=None, act="step", effects=[gain(2)])
        session.commit()
        session.stage_undo(register, [gained], actor=player)
        session.commit()
        session.stage_replacements(register, [LedgerEntry(act="step", effects=[], undoes=gained)])
        with pytest.raises(IntegrityError), transaction.atomic():
            session.commit()
