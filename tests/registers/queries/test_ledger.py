"""What pages read of several Registers."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from registers import projection
from registers.models import EntryType, Register
from registers.queries.readiness import Lacking, lacking_of, outline, perhaps_unready
from registers.services import building
from rules.core.campaign_rules import CampaignRules
from rules.register.building import affordable_corps, combat_potential_spent
from rules.register.effects import Effect, FieldTaken, SagaCompleted, UnitReassigned, UpgradeAdded
from tests.registers.factories import make_player, make_register
from tests.registers.ledgers import append, lock


@pytest.fixture
def ada(book) -> User:
    return make_player("ada")


@pytest.fixture
def register(ada) -> Register:
    return make_register(ada)


@transaction.atomic
def happen(register: Register, *effects: Effect) -> None:
    [locked] = lock(register.pk)
    append(actor=None, register=locked, act=EntryType.EDIT, effects=effects)


def lose_one(register: Register) -> None:
    """One corps unit is left."""
    happen(register, UnitReassigned(unit="2", rule="R46"))


class TestUnreadyRegisters:
    def lacking(self, player: User) -> dict[Register, Lacking]:
        found = {each: lacking_of(each, outline(each)) for each in perhaps_unready(player.pk)}
        return {each: lacking for each, lacking in found.items() if lacking}

    def test_one_in_order(self, ada, register):
        assert self.lacking(ada) == {}

    def test_those_that_are_being_founded(self, ada):
        begun = make_register(ada, name="Half Done", commissioned=False)
        opened = building.open_register(actor=ada, owner=ada)
        assert self.lacking(ada) == {begun: Lacking.COMMISSION, opened: Lacking.COMMISSION}

    def test_one_that_was_discarded(self, ada):
        opened = building.open_register(actor=ada, owner=ada)
        building.discard(actor=ada, register_id=opened.pk, position=None)
        assert self.lacking(ada) == {}

    def test_one_that_owes_corps(self, ada, register):  # R4
        lose_one(register)
        assert self.lacking(ada) == {register: Lacking.CORPS}

    @pytest.mark.parametrize(("length", "lacking"), [(3, None), (4, Lacking.STORY_ARC), (None, Lacking.STORY_ARC)])
    def test_one_whose_saga_may_go_on(self, ada, register, length, lacking):  # R49
        happen(register, SagaCompleted(arcs=3, rule="R49"))
        Register.objects.update(campaign_rules=CampaignRules(length=length))
        assert self.lacking(ada).get(register) == lacking

    def test_one_in_the_field(self, ada, register):  # R11
        lose_one(register)
        happen(register, FieldTaken(battle="7", trait="", rule="R11"))
        assert self.lacking(ada) == {}

    @pytest.mark.parametrize(("beyond", "owes"), [(0, True), (-1, False)])
    def test_one_that_could_afford_a_corps_unit_to_the_point(self, ada, register, book, beyond, owes):  # R4
        lose_one(register)
        happen(register, UpgradeAdded(unit="1", upgrade=next(iter(book.upgrades)), rule="R8"))
        state = projection.state_of(register)
        cheapest = min(card.points for card in affordable_corps(book, state))
        Register.objects.update(combat_potential=combat_potential_spent(book, state) + cheapest + beyond)
        assert self.lacking(ada) == ({register: Lacking.CORPS} if owes else {})

    def test_those_of_others(self, ada, register):
        lose_one(register)
        assert self.lacking(make_player("ben")) == {}

    def test_one_query_for_all(self, ada, register):
        lose_one(register)
        make_register(ada, name="Half Done", commissioned=False)
        happen(make_register(ada, name="Over"), SagaCompleted(arcs=3, rule="R49"))
        with CaptureQueriesContext(connection) as queries:
            assert len(self.lacking(ada)) == 3
        assert sum("catalogue_cataloguestate" not in query["sql"] for query in queries.captured_queries) == 1
