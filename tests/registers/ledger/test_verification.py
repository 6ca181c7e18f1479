"""Whatever is changed behind our back is found and named."""

import pytest
from django.db import connection
from django.utils import timezone

from registers.ledger.hash_chain import digest_of
from registers.ledger.verification import SAID, Difference, differences, gone
from registers.models import Anchor, LedgerEntry, Proof, Register
from tests.registers.factories import make_register

TODAY = f"{timezone.now():%Y-%m-%d}"


@pytest.fixture(autouse=True)
def no_trigger(db):
    """Somebody who may do anything in the database."""
    sql("ALTER TABLE registers_ledgerentry DISABLE TRIGGER USER")


def sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def findings(register: Register) -> list[str]:
    return [str(found) for found in differences(Register.objects.get(pk=register.pk))]


def chain_anew(register: Register) -> None:
    """Write all digests so that they follow from each other, and the Register's."""
    digest = ""
    for entry in register.entries.select_related("undoes").order_by("position"):
        digest = digest_of(entry, digest, entry.undoes.position if entry.undoes else None)
        LedgerEntry.objects.filter(pk=entry.pk).update(digest=digest)
    Register.objects.filter(pk=register.pk).update(digest=digest)


def anchored(register: Register) -> None:
    """What a proof leaves behind."""
    proof = Proof.objects.create(started_at=timezone.now(), finished_at=timezone.now())
    Anchor.objects.create(register=register, position=register.position, digest=register.digest, proof=proof)


def test_nothing_was_changed(founded):
    anchored(founded)
    assert findings(founded) == []
    assert list(gone()) == []


def test_everything_that_an_entry_says(founded, other):
    changes = {
        "act": "edit",
        "actor_id": other.pk,
        "on_behalf_of_id": other.pk,
        "battle": "7",
        "step": 3,
        "answers": [1],
        "rolled_by_hand": [0],
        "reason": "why not",
        "created_at": timezone.now(),
        "place": 2,
        "digest": "0" * 64,
    }
    third = founded.entries.filter(position=3)
    was = third.values(*changes).get()
    found = {}
    for name, value in changes.items():
        third.update(**{name: value})
        found[name] = findings(founded)
        third.update(**was)
    named = ["entry 3 was changed"]
    # What follows hangs on the digest that stands there.
    assert found == dict.fromkeys(changes, named) | {"digest": [*named, "entry 4 was changed"]}


def test_what_an_entry_brought(founded):
    sql("UPDATE registers_ledgerentry SET effects = '[]' WHERE position = 5")  # the Story Arc
    assert findings(founded) == [
        "entry 5 was changed",
        "story_arc is 'bring-peace-to-the-galaxy' in the database, but '' in the ledger",
    ]


def test_an_entry_with_a_digest_that_fits_it(founded):
    third, second = (founded.entries.get(position=position) for position in (3, 2))
    third.reason = "why not"
    founded.entries.filter(position=3).update(reason=third.reason, digest=digest_of(third, second.digest))
    assert findings(founded) == ["entry 4 was changed"]


def test_the_last_entry_with_a_digest_that_fits_it(founded):
    last, before = (founded.entries.get(position=position) for position in (7, 6))
    last.reason = "why not"
    founded.entries.filter(position=7).update(reason=last.reason, digest=digest_of(last, before.digest))
    assert findings(founded) == ["the last entry does not match the Register"]


def test_a_removed_entry(founded):
    founded.entries.filter(position=6)._raw_delete("default")
    assert findings(founded)[0] == "entry 6 is missing"
    founded.entries.filter(position=5)._raw_delete("default")
    assert findings(founded)[0] == "entries 5 to 6 are missing"


def test_a_removed_entry_and_the_rest_moved_up(founded):
    founded.entries.filter(position=5)._raw_delete("default")
    for position in (6, 7):
        founded.entries.filter(position=position).update(position=position - 1, place=position - 1)
    assert findings(founded)[:3] == [
        "entry 5 was changed",
        "entry 6 was changed",
        "the Register has 7 entries, but its ledger ends with entry 6",
    ]


def test_an_inserted_entry(founded):
    entry = founded.entries.get(position=7)
    entry.pk, entry.position, entry.place, entry.effects = None, 8, 8, []
    entry.save(force_insert=True)
    assert findings(founded) == ["entry 8 was changed", "the Register has 7 entries, but its ledger ends with entry 8"]


def test_entries_in_another_order(founded):
    for old, new in ((3, 99), (4, 3), (99, 4)):
        founded.entries.filter(position=old).update(position=new, place=new)
    assert findings(founded) == [f"entry {position} was changed" for position in (3, 4, 5)]


def test_an_undo_of_another_ledger(founded, other):
    stranger = make_register(other).entries.get(position=6)
    founded.entries.filter(position=6).update(undoes=stranger)
    assert findings(founded) == ["entry 6 was changed"]


def test_a_changed_row(founded):
    sql("UPDATE registers_dossier SET experience = 7 WHERE key = '3'")
    assert findings(founded) == ["dossiers.3.experience is 7 in the database, but 0 in the ledger"]


def test_a_ledger_that_nobody_can_read(founded):
    for effects in ('[{"kind": "Miracle"}]', '["x"]', '[{"kind": "UnitFell", "rule": "", "unit": "9"}]', "[{}]"):
        sql("UPDATE registers_ledgerentry SET effects = %s WHERE position = 7", effects)
        assert findings(founded)[0] == "entry 7 was changed"
        assert findings(founded)[1].startswith("the ledger cannot be replayed: ")


class TestAnchors:
    """What chain and sum do not find: the ledger is another one, and all of it fits."""

    def test_the_end_is_cut_off(self, founded):
        anchored(founded)
        founded.entries.filter(position=7)._raw_delete("default")
        sixth = founded.entries.get(position=6)
        Register.objects.update(position=6, digest=sixth.digest, commissioned=False)
        assert findings(founded) == [f"entry 7, verified on {TODAY}, is missing"]
        Anchor.objects.all().delete()
        assert findings(founded) == []

    def test_the_chain_is_written_anew(self, founded):
        anchored(founded)
        founded.entries.filter(position=3).update(created_at=timezone.now())
        chain_anew(founded)
        assert findings(founded) == [f"the ledger up to entry 7 was changed after it was verified on {TODAY}"]
        Anchor.objects.all().delete()
        assert findings(founded) == []

    def test_a_register_that_is_gone(self, empty):
        anchored(empty)
        empty.entries.all()._raw_delete("default")
        Register.objects.filter(pk=empty.pk)._raw_delete("default")
        assert list(gone()) == [(empty.pk, Difference("gone", {"entry": 1, "day": TODAY}))]
        assert str(next(gone())[1]) == f"the Register is missing; 1 entries were verified on {TODAY}"


def test_every_kind_fits_its_column():
    assert max(map(len, SAID)) <= 12
