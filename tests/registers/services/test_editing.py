"""Editing outside battles (R11), and biographies."""

from uuid import uuid4

import pytest

from registers.models import Dossier, Register
from registers.projection import state_of
from registers.services import building, editing
from rules.core.violations import RuleViolation, Violation
from rules.register import effects as e, state
from tests.registers.factories import make_player
from tests.registers.ledgers import append

ADD = {"add": {"unit": "snowtroopers"}}


def act(register, player, **more):
    return {"actor": player, "register_id": register.pk, "position": None, **more}


def test_an_edit_is_an_entry_with_its_answer(player, founded):
    register = editing.edit(**act(founded, player), change=ADD)
    assert state_of(register).dossiers["4"] == state.Dossier("4", "snowtroopers")
    entry = register.entries.last()
    assert (entry.act, entry.answers, entry.actor) == ("edit", [ADD], player)


def test_who_edits_for_its_owner_is_named_with_them(player, founded):
    olga = make_player("olga", is_staff=True, is_superuser=True)
    editing.edit(**act(founded, olga), change=ADD)
    entry = founded.entries.last()
    assert (entry.actor, entry.on_behalf_of) == (olga, player)
    editing.edit(**act(founded, player), change={"name": {"unit": "2", "name": "Grim Hounds"}})
    assert founded.entries.last().on_behalf_of is None


@pytest.mark.parametrize(
    "late",
    [
        lambda words: editing.edit(**words, change=ADD),
        lambda words: building.undo_edit(**words, entry=3),
        lambda words: building.discard(**words),
        lambda words: editing.write_biography(actor=words["actor"], register_id=words["register_id"], text="Mine."),
    ],
)
def test_who_led_it_when_the_page_was_drawn_changes_it_no_more(player, founded, late):
    Register.objects.update(owner=make_player("heir"))
    with pytest.raises(RuleViolation) as caught:
        late(act(founded, player))
    text = "Only its player and organizers of its campaign can change a Register."
    assert caught.value.violations == (Violation("", text),)
    assert Register.objects.get().position == founded.position


def test_an_old_position_changes_nothing(player, founded):  # law 6
    late = act(founded, player) | {"position": 6}
    assert editing.edit(**late, change=ADD).position == 7


def test_refused_in_the_field(player, founded):  # R11
    append(actor=player, register=founded, act="begin", effects=[e.FieldTaken(battle="7", rule="R11")])
    with pytest.raises(RuleViolation) as caught:
        editing.edit(**act(founded, player), change=ADD)
    assert caught.value.violations == (
        Violation("R11", "The Register is in a battle. You can edit it in step 8 of its Post-Battle Sequence."),
    )


@pytest.mark.parametrize("change", [None, {}, {"melt": {}}, {"add": {"unit": "x", "speed": 3}}])
def test_another_shape_is_refused(player, founded, change):
    with pytest.raises(RuleViolation) as caught:
        editing.edit(**act(founded, player), change=change)
    assert caught.value.rules == {"R11"}


class TestWriteBiography:
    def test_of_a_register_and_of_a_dossier(self, player, founded):
        editing.write_biography(actor=player, register_id=founded.pk, text="The patrol")
        editing.write_biography(actor=player, register_id=founded.pk, key="2", text="The hounds")
        assert Register.objects.get().biography == "The patrol"
        assert Dossier.objects.get(key="2").biography == "The hounds"
        assert Register.objects.get().position == 7  # it stands in no ledger

    @pytest.mark.parametrize("key", ["", "2"])
    def test_what_somebody_else_has_written_meanwhile_is_not_lost(self, player, founded, key):
        """Law 6: both forms were drawn from an empty one."""
        empty = {"actor": player, "register_id": founded.pk, "key": key, "before": editing.mark_of("")}
        for _ in range(2):  # the form comes twice
            editing.write_biography(**empty, text="The patrol")
        with pytest.raises(RuleViolation) as caught:
            editing.write_biography(**empty, text="My patrol")
        assert [violation.about for violation in caught.value.violations] == ["biography"]
        editing.write_biography(**empty | {"before": editing.mark_of("The patrol")}, text="Our patrol")
        subject = Dossier.objects.get(key=key) if key else Register.objects.get()
        assert subject.biography == "Our patrol"

    @pytest.mark.parametrize("text", ["x" * 20_001, "a\0b", "|a|\n|-|\n" + "|a|\n" * 301])
    def test_refused(self, player, founded, text):
        with pytest.raises(RuleViolation):
            editing.write_biography(actor=player, register_id=founded.pk, text=text)

    def test_of_nobody(self, player, founded):
        with pytest.raises(Dossier.DoesNotExist):
            editing.write_biography(actor=player, register_id=founded.pk, key="9", text="")
        with pytest.raises(Register.DoesNotExist):
            editing.write_biography(actor=player, register_id=uuid4(), text="")
