"""The list of corrections in the admin: each act is one row, with what it was before and after, and why."""

import csv
import io
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import localdate
from lxml import html

from campaign.enlistments.services.awards import give_awards
from registers.services.awards import RegisterAward
from registers.services.corrections import correct, undo_correction
from rules.adjustments.awards import Gift
from rules.adjustments.corrections import WantedValue
from tests.campaign.battles.amending import applied, corrected
from tests.campaign.battles.closing import closed
from tests.registers.factories import make_player

LIST = "admin:battles_ledgercorrection_changelist"


@pytest.fixture
def staff(client, db):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def fix(table, value: int, reason: str) -> None:
    """Set the XP of a unit of Ashen Patrol, by the organizer."""
    table.alpha.refresh_from_db()
    wish = WantedValue("experience", value, unit="2")
    correct(actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position, wishes=[wish], reason=reason)


def award(table, reason: str = "painted") -> None:
    """Give both Registers of the campaign 2 SP, as one act."""
    both = {}
    for register in (table.alpha, table.bravo):
        register.refresh_from_db()
        both[register.pk] = RegisterAward(Gift(supply_points=2), register.position)
    give_awards(actor=table.cora, campaign=table.campaign, awards=both, reason=reason)


def rows_of(staff, **asked: str) -> list[tuple[str, ...]]:
    """The rows of the list as a person reads them: kind, Registers, players, what, by and reason."""
    found = staff.get(reverse(LIST), asked).context["cl"]
    names = ("kind", "registers", "players", "changes", "by")
    shown = [getattr(found.model_admin, name) for name in names]
    return [(*(str(column(row)) for column in shown), row.reason) for row in found.result_list]


CORRECTED = ("correction", "Ashen Patrol", "ada", "Experience of Stormtroopers (no. 2): 0 → 3", "cora", "typed wrong")
AWARDED = ("award", "Ashen Patrol, Dune Wardens", "ada, ben", "+2 SP", "cora", "painted")


def test_each_act_is_one_row_newest_first(staff, table):
    award(table)
    fix(table, 3, "typed wrong")
    assert rows_of(staff) == [CORRECTED, AWARDED]


def test_the_same_award_given_twice_is_two_acts(staff, table):
    award(table)
    award(table)
    assert rows_of(staff) == [AWARDED, AWARDED]


def test_many_registers_are_compared_up_to_a_number(staff, table, monkeypatch):
    for module in ("pages.corrections", "admin"):
        monkeypatch.setattr(f"campaign.battles.{module}.MOST_COMPARED", 1)
    award(table)
    [row] = staff.get(reverse(LIST)).context["cl"].result_list
    page = staff.get(reverse("admin:battles_ledgercorrection_change", args=[row.pk])).content.decode()
    assert (page.count("register-box"), "And 1 more Register." in page) == (1, True)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"kind": "award"}, [AWARDED]),
        ({"kind": "correction"}, [CORRECTED]),
        ({"q": "ben"}, [AWARDED]),
        ({"q": "typed"}, [CORRECTED]),
        ({"q": "outer rim"}, [CORRECTED, AWARDED]),
        ({"q": "nobody"}, []),
    ],
)
def test_a_filter_finds_an_act_by_any_of_its_registers(staff, table, asked, found):
    award(table)
    fix(table, 3, "typed wrong")
    assert rows_of(staff, **asked) == found


def test_an_undone_correction_says_so(staff, table):
    fix(table, 3, "typed wrong")
    undo_correction(actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position + 1, reason="it was 0")
    assert [row[0] for row in rows_of(staff)] == ["correction, undone"]


def test_the_page_of_an_award_has_each_register_before_and_after(staff, table):
    award(table)
    [row] = staff.get(reverse(LIST)).context["cl"].result_list
    page = staff.get(reverse("admin:battles_ledgercorrection_change", args=[row.pk]))
    table_rows = [
        [" ".join(cell.text_content().split()) for cell in tr.xpath("td")]
        for tr in html.fromstring(page.content).xpath("//section//tbody/tr")
    ]
    assert table_rows == [["The Register", "Supply Points", "from 5", "to 7"]] * 2


def test_an_amendment_is_one_row_for_all_that_it_changed(staff, fought):
    closed(fought)
    applied(fought, corrected(fought, blue={"defeated": ["5"]}))
    assert rows_of(staff) == [
        ("amendment", "Ashen Patrol", "ada", "Battle 1: report corrected", "ada", "A slip of the pen.")
    ]


def test_the_export_has_the_values_and_no_formula(staff, table):
    fix(table, 3, "=1+1")
    award(table)
    keys = [str(row.pk) for row in staff.get(reverse(LIST)).context["cl"].result_list]
    answer = staff.post(reverse(LIST), {"action": "export", "_selected_action": keys})
    found = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    columns = ("Kind", "Registers", "Value", "Before", "After", "Reason")
    assert [tuple(row[name] for name in columns) for row in found] == [
        ("award", "Ashen Patrol; Dune Wardens", "'+2 SP", "", "", "painted"),
        ("correction", "Ashen Patrol", "Experience of Stormtroopers (no. 2)", "0", "3", "'=1+1"),
    ]
    assert all(datetime.fromisoformat(row["When"]).date() == localdate() for row in found)


def test_many_rows_take_as_many_queries_as_one(staff, table, django_assert_num_queries):
    fix(table, 1, "one")
    staff.get(reverse(LIST))
    with CaptureQueriesContext(connection) as few:
        staff.get(reverse(LIST))
    fix(table, 2, "two")
    award(table)
    with django_assert_num_queries(len(few)):
        staff.get(reverse(LIST))
