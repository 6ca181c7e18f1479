"""`manage.py verify_registers`."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from tests.registers.factories import make_register


def verify() -> str:
    out = StringIO()
    call_command("verify_registers", stdout=out)
    return out.getvalue()


def tamper(sql: str, *values: object) -> str:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    out = StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("verify_registers", stdout=out)
    assert caught.value.code == 1
    return out.getvalue()


def test_the_books_balance(founded, other):
    make_register(other, name="Dune Wardens")
    assert verify() == "Registers checked: 2. Registers with problems: 0.\n"


def test_a_number_that_was_changed_by_hand(founded):
    text = tamper("UPDATE registers_dossier SET experience = 7 WHERE key = '3'")
    assert text == (
        f"{founded.pk} Ashen Patrol: dossiers.3.experience is 7 in the database, but 0 in the ledger\n"
        "Registers checked: 1. Registers with problems: 1.\n"
    )


def test_a_dossier_that_is_gone(founded):
    text = tamper("DELETE FROM registers_dossier WHERE key = '3'")
    assert "dossiers.3 is None in the database, but Dossier(key='3', card='stormtroopers'" in text


def test_in_two_processes(founded):
    out = StringIO()
    call_command("verify_registers", "--processes", "2", stdout=out)
    assert out.getvalue() == "Registers checked: 1. Registers with problems: 0.\n"
