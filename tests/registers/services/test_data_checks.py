"""The proof of all books, and what is kept of it."""

import pgtrigger
import pytest

from registers.models import Anchor, Finding, Proof, Register
from registers.services import data_checks
from registers.services.data_checks import verify_all
from tests.cards import CARDS
from tests.registers.factories import make_player, make_register


def kept(done: Proof) -> tuple[int, int, int, bool]:
    return done.registers, done.entries, done.differing, done.finished_at is not None


def anchors() -> dict[object, tuple[int, str, int]]:
    return {anchor.register_id: (anchor.position, anchor.digest, anchor.proof_id) for anchor in Anchor.objects.all()}


def test_what_is_kept(founded, other):
    second = make_register(other, name="Dune Wardens")
    done = verify_all()
    assert kept(Proof.objects.get()) == kept(done) == (2, 14, 0, True)
    assert anchors() == {
        register.pk: (7, register.digest, done.pk)
        for register in Register.objects.filter(pk__in=(founded.pk, second.pk))
    }
    again = verify_all()
    assert {proved for _, _, proved in anchors().values()} == {again.pk}


def test_no_register_at_all(db):
    assert kept(verify_all()) == (0, 0, 0, True)


def test_an_empty_ledger_has_no_anchor(book, player):
    Register.objects.create(owner=player)
    assert kept(verify_all()) == (1, 0, 0, True)
    assert anchors() == {}


def test_where_something_is_found_the_anchor_stays(founded):
    first = verify_all()
    before = anchors()
    Register.objects.filter(pk=founded.pk).update(reputation=9)
    for _ in range(2):
        done = verify_all()
        assert kept(done) == (1, 7, 1, True)
        assert [(each.register_id, each.kind, each.facts) for each in done.findings.all()] == [
            (founded.pk, "row", {"field": "reputation", "row": "9", "ledger": "0"})
        ]
    assert anchors() == before
    assert {proved for _, _, proved in before.values()} == {first.pk}


def test_a_register_that_is_gone_is_found_each_time(empty):
    verify_all()
    with pgtrigger.ignore("registers.LedgerEntry:append_only"):
        empty.entries.all()._raw_delete("default")
    Register.objects.filter(pk=empty.pk)._raw_delete("default")
    assert [kept(verify_all()), kept(verify_all())] == [(0, 0, 1, True)] * 2
    assert {finding.kind for finding in Finding.objects.all()} == {"gone"}


def test_batch_by_batch(founded, other, monkeypatch):
    for name in ("Second", "Third"):
        make_register(other, name=name)
    monkeypatch.setattr(data_checks, "BATCH", 1)
    assert kept(verify_all()) == (3, 21, 0, True)
    monkeypatch.setattr(data_checks, "BATCH", 2)
    assert kept(verify_all(processes=2)) == (3, 21, 0, True)  # others would not see what is not committed


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_by_two_processes(monkeypatch):
    from catalogue.services.load import load_catalogue

    load_catalogue(actor="tests", folder=CARDS)
    ada = make_player("ada")
    registers = [make_register(ada, name=name) for name in ("First", "Second", "Third", "Fourth")]
    Register.objects.filter(pk=registers[2].pk).update(reputation=9)
    monkeypatch.setattr(data_checks, "BATCH", 1)
    done = verify_all(processes=2)
    assert kept(done) == (4, 28, 1, True)
    assert [finding.register_id for finding in Finding.objects.all()] == [registers[2].pk]
    assert len(anchors()) == 3
