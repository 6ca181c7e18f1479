"""What organizers see of the proof of the books."""

from django.urls import reverse
from django.utils import timezone

from registers.models import Proof, Register
from registers.services.data_checks import verify_all
from tests.campaign.factories import Table, enlisted, happen
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.ledger_entries import POINT
from tests.registers.views.reading import queries_of, text_of


def proof_of(table: Table) -> str:
    return reverse("campaign:data_check", args=[table.campaign.pk])


def test_before_the_first(as_cora, table):
    Proof.objects.create(started_at=timezone.now())  # one that is not over
    text = text_of(as_cora.get(proof_of(table)))
    assert "No check yet" in text
    assert proof_of(table) in html_of(as_cora.get(table.campaign.get_absolute_url()))


def test_all_balance(as_cora, table):
    make_register(table.ada, name="Elsewhere")
    verify_all()
    page = as_cora.get(proof_of(table))
    text, lines = text_of(page), page.context["lines"]
    assert "Last check verified" in text
    assert "3 Registers" in text
    assert [(str(line["register"]), line["found"]) for line in lines] == [
        (register.name, []) for register in table.campaign.registers.order_by("name")
    ]
    assert "up to entry 7 of 7, on" in text
    assert "Elsewhere" not in text


def test_what_differs_stands_first_with_what_was_proved_before(as_cora, table):
    verify_all()
    last = table.campaign.registers.order_by("name").last()
    happen(last, POINT)
    Register.objects.filter(pk=last.pk).update(supply_points=9)
    verify_all()
    page = as_cora.get(proof_of(table))
    [first, *others] = page.context["lines"]
    assert (first["register"], [str(found) for found in first["found"]]) == (
        last,
        ["supply_points is 9 in the database, but 5 in the ledger"],
    )
    assert [line["found"] for line in others] == [[]]
    assert "1 Register of this campaign does not match its ledger" in text_of(page)
    assert "up to entry 7 of 8, on" in text_of(page)


def test_one_that_is_newer_than_the_proof(as_cora, table):
    verify_all()
    enlisted(table.campaign, table.ada, "Latecomers")
    assert "not yet: newer than the last check" in text_of(as_cora.get(proof_of(table)))


def test_only_for_organizers(as_ada, table):
    assert as_ada.get(proof_of(table)).status_code == 404
    assert proof_of(table) not in html_of(as_ada.get(table.campaign.get_absolute_url()))


def test_constant_queries(as_cora, table):
    numbers = []
    for name in ("Third", "Fourth"):
        enlisted(table.campaign, table.ada, name)
        verify_all()
        Register.objects.update(reputation=9)
        verify_all()
        Register.objects.update(reputation=0)
        numbers.append(queries_of(as_cora, proof_of(table)))
    assert numbers[0] == numbers[1]
