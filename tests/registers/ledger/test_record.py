"""The ledger: append, add up, undo, replace."""

from contextlib import suppress

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from registers.ledger import session
from registers.ledger.hash_chain import digest_of
from registers.ledger.session import replay_entries, rulebook_for
from registers.models import LedgerEntry, Register
from registers.projection import state_of
from registers.services import building
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation, Violation
from rules.register import effects as e
from rules.register.state import Dossier, RegisterState, apply
from tests.registers.factories import make_register
from tests.registers.ledgers import append, replace, undo
from tests.registers.strategies import effects
from tests.thoroughness import examples


def happen(register: Register, *happened: e.Effect, **more) -> LedgerEntry:
    return append(actor=register.owner, register=register, act="step", battle="battle-7", effects=happened, **more)


def gain(amount: int) -> e.Effect:
    return e.SupplyPointsGained(amount=amount, rule="R30")


def refused(register: Register, entry: LedgerEntry) -> tuple[Violation, ...]:
    before = state_of(register)
    with pytest.raises(RuleViolation) as caught:
        undo(actor=register.owner, register=register, entry=entry)
    assert state_of(Register.objects.get(pk=register.pk)) == before
    return caught.value.violations


@pytest.mark.parametrize(
    "effect",
    [
        e.SupplyPointsSpent(amount=2, rule="R41"), e.CommandCardDeclined(rule="R16"),
        e.CommendationWaived(unit="2", rule="R15"), e.ReputationGained(amount=-1, rule="R48"),
        e.ExperienceGained(unit="2", amount=-1, rule="R12"),
    ],
)  # fmt: skip
def test_more_than_there_is_is_not_taken(effect):
    with pytest.raises(session.BelowZero):
        session.apply_effects([effect], RegisterState(dossiers={"2": Dossier("2", "troopers")}, supply_points=1))


class TestAppendOnly:
    @pytest.mark.parametrize(
        "sql", ["UPDATE registers_ledgerentry SET reason = 'else'", "DELETE FROM registers_ledgerentry"]
    )
    def test_by_the_database_itself(self, founded, sql):  # law 2
        with pytest.raises(DatabaseError, match="append_only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


class TestRewrite:
    """Entries that take the places of others."""

    @staticmethod
    def anew(entry: LedgerEntry, *happened: e.Effect, act: str = "step") -> LedgerEntry:
        return LedgerEntry(act=act, effects=[e.to_data(effect) for effect in happened], undoes=entry)

    def test_stands_where_the_other_stood(self, founded):
        raised = e.CombatPotentialRaised(amount=10, rule="R41")
        first, _ = happen(founded, gain(2)), happen(founded, raised)
        new = self.anew(first, gain(1))
        replace(founded, new)
        kept = list(LedgerEntry.objects.filter(register=founded, position__gte=8).order_by("place", "position"))
        assert [(entry.position, entry.place, entry.undoes) for entry in kept] == [
            (8, 8, None),
            (10, 8, first),
            (9, 9, None),
        ]
        assert session.counting_entries(founded.entries.all())[7:] == [kept[1], kept[2]]
        assert founded.supply_points == 6
        assert state_of(Register.objects.get(pk=founded.pk)) == replay_entries(founded.entries.all())

    def test_in_the_order_of_the_sum_and_not_of_the_writing(self, founded):
        """A Setback healed before it was gained would be no sum at all."""
        setback = {"unit": "2", "setback": "battle-shaken", "rule": "R36"}
        gained = happen(founded, e.SetbackGained(**setback))
        happen(founded, e.SetbackRemoved(**setback))
        replace(founded, self.anew(gained, e.SetbackGained(**setback), gain(1)))
        assert state_of(founded).dossiers["2"].setbacks == ()
        assert founded.supply_points == 6

    def test_several_at_once(self, founded):
        """Each by itself would leave a Setback healed that nobody has."""
        setback = {"unit": "2", "setback": "battle-shaken", "rule": "R36"}
        both = [happen(founded, e.SetbackGained(**setback)), happen(founded, e.SetbackRemoved(**setback))]
        new = [self.anew(both[0], act="undo"), self.anew(both[1], gain(1))]
        replace(founded, *new)
        kept = [LedgerEntry.objects.get(pk=entry.pk) for entry in new]
        assert [entry.digest for entry in kept] == [
            digest_of(kept[0], both[1].digest, 8),
            digest_of(kept[1], kept[0].digest, 9),
        ]
        assert (founded.position, founded.digest, founded.supply_points) == (11, kept[1].digest, 6)

    def test_what_stands_in_nobodys_place_may_come_first(self, founded):
        first = happen(founded, gain(2))
        new = LedgerEntry(act="gains", effects=[e.to_data(gain(3))], place=first.place)
        replace(founded, new)
        assert session.counting_entries(founded.entries.all())[-2:] == [first, new]
        assert founded.supply_points == 10

    def test_takes_an_undo_back(self, founded):
        first = happen(founded, gain(2))
        undone = undo(actor=founded.owner, register=founded, entry=first)
        replace(founded, self.anew(undone, gain(2)))
        assert founded.supply_points == 7
        assert [entry.position for entry in session.counting_entries(founded.entries.all())][-1] == 10


class TestUndo:
    @settings(max_examples=examples(5, 30), deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def test_restores_what_was(self, book, player, data):
        register = Register.objects.create(owner=player)
        state = RegisterState()
        for _ in range(data.draw(st.integers(1, 8))):
            effect = data.draw(effects(book, state))
            state = apply(state, effect)
            append(actor=player, register=register, act="correct", effects=[effect], reason="by chance")
        last = happen(register, data.draw(effects(book, state)))
        try:
            undo(actor=player, register=register, entry=last)
        except RuleViolation:  # without it the random Register would break a rule that it broke before, too
            return
        assert state_of(Register.objects.get(pk=register.pk)) == state
        assert replay_entries(register.entries.all()) == state

    @settings(max_examples=examples(5, 40), deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def test_rows_are_the_sum_whatever_is_undone(self, book, player, data):  # law 3
        register = Register.objects.create(owner=player)
        for _ in range(data.draw(st.integers(2, 10))):
            happen(register, data.draw(effects(book, state_of(register))))
        for _ in range(2):
            entry = data.draw(st.sampled_from(list(register.entries.filter(act="step"))))
            with suppress(RuleViolation):
                undo(actor=player, register=register, entry=entry)
            assert state_of(Register.objects.get(pk=register.pk)) == replay_entries(
                register.entries.order_by("position")
            )

    def test_in_the_middle(self, founded):
        first = happen(founded, gain(2))
        happen(founded, gain(4))
        undo(actor=founded.owner, register=founded, entry=first)
        assert founded.supply_points == 9

    def test_an_undo_cannot_be_undone(self, founded):
        undone = undo(actor=founded.owner, register=founded, entry=happen(founded, gain(2)))
        assert refused(founded, undone) == (Violation("", "This cannot be undone."),)
        assert refused(founded, founded.entries.first()) == (Violation("", "This cannot be undone."),)

    def test_not_a_unit_of_which_a_later_entry_speaks(self, founded):
        happen(founded, e.ExperienceGained(unit="3", amount=1, rule="R39"))
        violation = Violation(
            "", "This cannot be undone: entry 8 (step of the Post-Battle Sequence) depends on it. Undo that first."
        )
        assert refused(founded, founded.entries.get(position=4)) == (violation,)

    def test_not_supply_points_that_were_spent(self, founded):
        gained = happen(founded, gain(2))
        happen(founded, e.SupplyPointsSpent(amount=7, rule="R41"))
        assert [violation.rule for violation in refused(founded, gained)] == [""]

    def test_not_combat_potential_that_is_used(self, book, player):  # R2
        register = make_register(player, units=10, commissioned=False)
        recruited = happen(register, e.CombatPotentialRaised(amount=150, rule="R41"))
        for _ in range(4):
            building.add_unit(actor=player, register_id=register.pk, position=None, card="stormtroopers")
        register.refresh_from_db()
        assert refused(register, recruited) == (
            Violation("R2", "Undoing this would put the Register 43 points above its Combat Potential."),
        )

    def test_not_the_paragon_of_others(self, book, player):  # R6
        register = make_register(player, commissioned=False)
        building.add_unit(
            actor=player,
            register_id=register.pk,
            position=None,
            card="imperial-officer-ruthless-efficiency",
            name="Captain Ruell",
        )
        register.refresh_from_db()
        assert [violation.rule for violation in refused(register, register.entries.get(position=2))] == ["R6"]

    def test_not_the_unit_that_settled_the_faction(self, book, player):  # R3
        register = building.open_register(actor=player, owner=player)
        for _ in range(2):
            register = building.add_unit(actor=player, register_id=register.pk, position=None, card="stormtroopers")
        assert [violation.rule for violation in refused(register, register.entries.get(position=2))] == ["R3"]

    def test_not_what_a_commissioned_register_needs(self, founded):  # R10
        named = founded.entries.get(act="name")
        assert refused(founded, named) == (Violation("R10", "A finished Register needs this."),)

    def test_not_a_slot_that_was_filled(self, founded):  # R8
        happen(founded, e.CommendationOwed(unit="2", rule="R15"))
        slot = next(
            slug
            for slug, card in rulebook_for(founded).commendations.items()
            if "training" in card.upgrade_slots and not card.story_arc
        )
        awarded = happen(founded, e.CommendationAwarded(unit="2", commendation=slot, rule="R15"))
        happen(founded, e.UpgradeAdded(unit="2", upgrade="duck-and-cover", by_commendation=True, rule="R8"))
        assert [violation.rule for violation in refused(founded, awarded)] == ["R8"]

    def test_not_the_use_of_an_asset_that_was_requested_again(self, founded):  # R43
        happen(founded, e.AssetGained(asset="medevac", rule="R43"))
        used = happen(founded, e.AssetUsedUp(asset="medevac", rule="R47"))
        happen(founded, e.AssetGained(asset="medevac", rule="R43"))
        assert refused(founded, used) == (
            Violation("R43", "Medevac was requested again later. Undo that first.", "medevac"),
        )

    def test_not_the_healing_of_a_setback_that_was_gained_again(self, founded):  # R36
        gained = e.SetbackGained(unit="2", setback="battle-shaken", rule="R36")
        happen(founded, gained)
        healed = happen(founded, e.SetbackRemoved(unit="2", setback="battle-shaken", rule="R42"))
        happen(founded, gained)
        assert refused(founded, healed) == (
            Violation("R36", "Stormtroopers (no. 2) gained Battle-Shaken again later. Undo that first.", "2"),
        )

    def test_not_the_beginning_of_a_sequence_or_its_end(self, founded):  # R11
        begun = happen(founded, e.FieldTaken(battle="battle-7", rule="R11"))
        ended = happen(founded, e.SequenceEnded(rule="R50"), step=10)
        happen(founded, e.FieldTaken(battle="battle-8", rule="R11"))
        for entry in (begun, ended):
            assert [violation.rule for violation in refused(founded, entry)] == [""]

    def test_a_casualty(self, founded):  # R35
        fell = happen(founded, e.UnitFell(unit="2", rule="R35"))
        undo(actor=founded.owner, register=founded, entry=fell)
        assert list(state_of(founded).dossiers) == ["1", "2", "3"]


def test_book_for(founded):  # R5
    assert rulebook_for(founded) is session.rulebook()
    founded.campaign_rules = CampaignRules(unreleased=True)
    assert rulebook_for(founded) is session.rulebook().under(CampaignRules(unreleased=True))
    assert rulebook_for(founded, CampaignRules(length=3)) is session.rulebook().under(CampaignRules(length=3))


def test_the_book_offers_the_arcs_that_were_taken_in(founded, django_assert_num_queries):
    """R10, R49: they stand on the Register, so that no query is needed to know them."""
    founded.adopted_arcs = ["ours-v1"]
    founded.save()
    register = Register.objects.get(pk=founded.pk)
    session.rulebook()
    with django_assert_num_queries(0):
        assert rulebook_for(register).adopted_arcs == {"ours-v1"}
