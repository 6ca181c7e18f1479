"""Corrections and awards are shown to those concerned: on the home page, in the activity log, in the history."""

import re

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaign.enlistments.services.awards import give_awards, undo_awards
from campaign.models import Activity, ActivityKind, Membership
from registers.models import CorrectionNotice, LedgerEntry, Register
from registers.services.awards import RegisterAward
from registers.services.corrections import correct, redo_correction, undo_correction
from rules.adjustments.awards import Gift
from rules.adjustments.corrections import WantedValue
from rules.register.effects import Noted
from tests.campaign.factories import Table, address
from tests.html import html_of
from tests.registers.factories import make_player, make_register
from tests.registers.ledgers import append, lock
from tests.registers.views.corrections import typed
from tests.registers.views.reading import queries_of, text_of

HOME = "/"


def correct_sp(table: Table, actor: User, points: int = 9, register: Register | None = None) -> LedgerEntry:
    """Correct the SP of a Register; alpha's, if none is given."""
    register = Register.objects.get(pk=(register or table.alpha).pk)
    entry = correct(
        actor=actor, register_id=register.pk, position=register.position, reason="The paper sheet says so.",
        wishes=[WantedValue("supply_points", points)],
    )  # fmt: skip
    assert entry is not None
    return entry


def give_award(table: Table, *registers: Register) -> list[LedgerEntry]:
    """Award 2 SP to each."""
    give_awards(
        actor=table.cora, campaign=table.campaign, reason="prize of the season",
        awards={each.pk: RegisterAward(Gift(supply_points=2), each.position) for each in registers},
    )  # fmt: skip
    return [each.entries.latest("position") for each in registers]


def at_home(client: Client, user: User) -> str:
    """What the home page says to somebody."""
    client.force_login(user)
    return text_of(client.get(HOME))


def log_of(client: Client, table: Table, user: User) -> str:
    """What the activity log says to somebody."""
    client.force_login(user)
    return text_of(client.get(address(table, "chronicle:activity")))


def test_the_player_is_told_and_led_to_the_entry(client, table):
    entry = correct_sp(table, table.cora)
    text = at_home(client, table.ada)
    assert "Your Register Ashen Patrol was corrected: SP corrected from 5 to 9" in text
    assert "cora: “The paper sheet says so.”" in text
    link = f"{reverse('registers:ledger', args=[table.alpha.pk])}?entry={entry.position}#entry-{entry.position}"
    assert f'href="{link}"' in html_of(client.get(HOME))
    for other in (table.cora, table.ben, table.eve):
        assert "was corrected" not in at_home(client, other)


def test_what_was_only_let_stand_is_told_as_an_amendment(client, table):
    with transaction.atomic():
        [locked], noted = lock(table.alpha.pk), Noted(rule="R43", why="more than one of an Asset")
        entry = append(actor=table.cora, register=locked, act="correct", effects=[noted], reason="let stand")
    CorrectionNotice.objects.create(entry=entry)
    assert "A battle of Ashen Patrol was amended." in at_home(client, table.ada)


def test_the_notice_goes_once_the_entry_is_seen(client, table):
    correct_sp(table, table.cora)
    ledger = reverse("registers:ledger", args=[table.alpha.pk])
    client.force_login(table.cora)
    client.get(ledger)  # somebody else has seen it
    assert "was corrected" in at_home(client, table.ada)
    assert "SP corrected from 5 to 9" in text_of(client.get(ledger))
    assert "was corrected" not in at_home(client, table.ada)


def test_or_once_it_is_dismissed_twice_does_no_harm(client, table):
    entry = correct_sp(table, table.cora)
    other = correct_sp(table, table.cora, register=table.bravo)
    client.force_login(table.ada)
    dismiss = reverse("registers:dismiss_notices")
    for _tab in range(2):
        answer = client.post(dismiss, {"entry": [entry.pk, other.pk, "x", "9" * 30]})
        assert answer.headers["Location"] == HOME
    assert "was corrected" not in at_home(client, table.ada)
    assert "was corrected" in at_home(client, table.ben)  # nobody dismisses what is another's
    assert client.get(dismiss).status_code == 405


def test_the_button_carries_a_token(table):
    correct_sp(table, table.cora)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(table.ada)
    page = html_of(browser.get(HOME))
    [form] = re.findall(r'<form[^>]*action="/registers/notices/dismiss/".*?</form>', page, re.DOTALL)
    sent = dict(re.findall(r'name="(\w+)" value="([^"]+)"', form))
    assert browser.post(reverse("registers:dismiss_notices"), sent).status_code == 302
    assert not CorrectionNotice.objects.exists()


def test_a_correction_is_undone_and_redone(client, table):
    entry = correct_sp(table, table.cora)
    values = {"actor": table.cora, "register_id": table.alpha.pk, "entry_id": entry.pk}
    undo_correction(**values, reason="wrong Register")
    assert "A correction of Ashen Patrol was undone." in at_home(client, table.ada)
    undo_correction(**values, reason="wrong Register")
    assert CorrectionNotice.objects.count() == 2
    redo_correction(**values, reason="it was right")
    assert at_home(client, table.ada).count("Your Register Ashen Patrol was corrected") == 2
    log = log_of(client, table, table.mia)
    for words in (
        "cora for ada History : Ashen Patrol was corrected: SP 5 → 9. The paper sheet says so.",
        "cora for ada History : A correction of Ashen Patrol was undone (SP 5 → 9). wrong Register",
        "cora for ada History : A correction of Ashen Patrol was redone: SP 5 → 9. it was right",
    ):
        assert words in log


def test_awards(client, table):
    entries = give_award(table, table.alpha, table.bravo)
    assert "Your Register Dune Wardens received an award: +2 SP" in at_home(client, table.ben)
    undo_awards(actor=table.cora, campaign=table.campaign, entries=[each.pk for each in entries], reason="too early")
    assert "An award to Dune Wardens was undone." in at_home(client, table.ben)
    log = log_of(client, table, table.mia)
    for words in (
        "Ashen Patrol received an award: +2 SP. prize of the season",
        "An award to Dune Wardens was undone (+2 SP).",
    ):
        assert words in log


def test_an_organizer_who_corrects_their_own_register_is_marked(client, table):
    """In the activity log and in the history; there is no notice, for they know."""
    Membership.objects.filter(user=table.ada).update(role=Membership.Role.ORGANIZER)
    correct_sp(table, table.ada)
    assert "was corrected" not in at_home(client, table.ada)
    assert "An organizer did this on their own Register." in log_of(client, table, table.mia)
    client.force_login(table.mia)
    ledger = text_of(client.get(reverse("registers:ledger", args=[table.alpha.pk])))
    assert "ada (own Register)" in ledger
    correct_sp(table, table.cora, 10)
    assert "cora for ada" in text_of(client.get(reverse("registers:ledger", args=[table.alpha.pk])))


def test_a_correction_in_the_admin(client, table):
    staff = make_player("root", is_staff=True, is_superuser=True)
    client.force_login(staff)
    page = reverse("admin:registers_register_change", args=[table.alpha.pk])
    assert client.post(page, typed(table.alpha, supply_points=9)).status_code == 302
    assert "root: “" in at_home(client, table.ada)
    assert "Ashen Patrol was corrected: SP 5 → 9." in log_of(client, table, table.mia)


def test_a_register_without_a_campaign(client, table, book):
    register = make_register(owner=table.eve)
    before = Activity.objects.count()
    correct_sp(table, make_player("root", is_staff=True, is_superuser=True), register=register)
    assert "was corrected: SP corrected" in at_home(client, table.eve)
    assert Activity.objects.count() == before


def test_a_refused_correction_tells_nobody(table):
    with pytest.raises(Exception, match="Give a reason"):
        correct(
            actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position, reason=" ",
            wishes=[WantedValue("supply_points", 9)],
        )  # fmt: skip
    assert (CorrectionNotice.objects.count(), Activity.objects.filter(kind=ActivityKind.CORRECTED).count()) == (0, 0)


@pytest.mark.parametrize(
    "facts", [{}, {"register": "x", "entry": "y", "what": 3, "done": [], "own": 1, "values": [3, [[], 1, 2]]}]
)
def test_a_line_from_a_strange_file_is_readable(client, table, facts):
    """The facts of a line that was imported may be anything."""
    Activity.objects.create(campaign=table.campaign, kind=ActivityKind.CORRECTED, actor=table.cora, facts=facts)
    assert "A Register was corrected." in log_of(client, table, table.mia)


def test_as_many_queries_for_one_notice_as_for_three(client, table):
    client.force_login(table.ada)
    taken = []
    for number in (1, 3):
        for points in range(number):
            correct_sp(table, table.cora, 20 + number * 3 + points)
        taken.append(queries_of(client, HOME))
    assert taken[0] == taken[1]
