"""Two people at once, the normal case: each of these ends as if one had been a little quicker."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from accounts.services.closing import DeletionRefused, delete_account
from campaign.battles.models import Battle, Tally
from campaign.battles.services import army as army_service, planning, reports
from campaign.battles.services.table import count_tokens, mark_unit
from campaign.people.services import joining
from members.services import invitations, membership
from registers import projection
from registers.models import Register
from registers.services.editing import set_portrait
from rules.core.violations import RuleViolation, refuse
from tests.at_once import at_once
from tests.campaign.archive.files import brought, content_of, elsewhere, file_of, pictures_of, zipped
from tests.campaign.factories import (
    Table,
    army_chosen,
    army_of,
    in_play,
    make_table,
    planned,
    report_of,
    reported,
    side_of,
)
from tests.registers.factories import make_player
from tests.uploads.photos import photo
from uploads.models import Picture

REFUSED = ""  # by no rule of the book
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


def together(*acts: Callable[[], Any]) -> list[str]:
    """Do all acts at the same moment; what became of each."""
    return sorted(
        ", ".join(sorted(found.rules)) if isinstance(found, RuleViolation) else "done" for found in at_once(*acts)
    )


def test_both_muster(table):
    battle = planned(table)

    def choose_army(colour: str, register: Any) -> Callable[[], Any]:
        side, army = side_of(battle, colour), army_of(register)
        return lambda: army_service.choose_army(actor=register.owner, side_id=side.pk, army=army)

    assert together(choose_army("blue", table.alpha), choose_army("red", table.bravo)) == ["done", "done"]
    battle.refresh_from_db()
    assert battle.status == "ready"


def test_both_begin(table):
    battle = army_chosen(planned(table))
    acts = [lambda user=user: army_service.begin(actor=user, battle_id=battle.pk) for user in (table.ada, table.ben)]
    assert together(*acts) == ["done", "done"]
    battle.refresh_from_db()
    assert (battle.status, battle.activity.filter(facts__act="begin").count()) == ("in_play", 1)
    for register in (table.alpha, table.bravo):
        register.refresh_from_db()
        assert projection.state_of(register).in_field.battle == str(battle.pk)
        assert register.entries.filter(act="begin").count() == 1


def test_two_battles_of_one_register_begin(table):
    one, other = (army_chosen(planned(table)) for _ in range(2))
    found = together(
        lambda: army_service.begin(actor=table.ada, battle_id=one.pk),
        lambda: army_service.begin(actor=table.ben, battle_id=other.pk),
    )
    statuses = sorted(Battle.objects.values_list("status", flat=True))
    assert (found, statuses) == (["R11", "done"], ["in_play", "ready"])


def test_a_double_tap_plans_once(table):
    pk = uuid4()
    assert together(*[lambda: planned(table, battle_id=pk)] * 2) == ["done", "done"]
    assert Battle.objects.count() == 1


def test_both_report(table):
    battle = in_play(planned(table))

    def send(actor: Any, winner: str) -> Callable[[], Any]:
        return lambda: reports.report(actor=actor, battle_id=battle.pk, version=0, report=report_of(winner))

    assert together(send(table.ada, "blue"), send(table.ben, "red")) == ["R25", "done"]
    battle.refresh_from_db()
    assert battle.version == 1


def test_one_confirms_while_the_other_changes(table):
    battle = reported(in_play(planned(table)), table.ada)
    found = together(
        lambda: reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1),
        lambda: reports.report(actor=table.ada, battle_id=battle.pk, version=1, report=report_of("red")),
    )
    battle.refresh_from_db()
    assert found == ["R25", "done"]
    assert (battle.status, battle.winner) in {("sequence", "blue"), ("reported", "red")}


def test_two_want_the_last_place(table):
    made = invitations.invite(actor=table.cora, group=table.campaign, max_uses=1)
    zoe, yan = make_player("zoe"), make_player("yan")
    found = together(lambda: joining.join(actor=zoe, invitation=made), lambda: joining.join(actor=yan, invitation=made))
    assert found == [REFUSED, "done"]
    assert made.admissions.count() == table.campaign.memberships.filter(user__in=(zoe, yan)).count() == 1


def test_two_bring_the_same_register_with_its_picture(book):
    """It has fought in the campaigns of both; whoever comes second finds its ids taken."""
    with transaction.atomic(), elsewhere():
        table = make_table()
        set_portrait(actor=table.ada, register=table.alpha, key="1", sent=photo(), alt="The leader")
        file = file_of(table.campaign)
    content, photos = content_of(file), pictures_of(file)
    other = content | {"campaign": content["campaign"] | {"id": str(uuid4())}}
    olga, otto = make_player("olga"), make_player("otto")
    found = together(lambda: brought(olga, file), lambda: brought(otto, zipped(other, **photos)))
    assert (found, Register.objects.count(), Picture.objects.count()) == (["done", "done"], 4, 2)


def test_one_person_joins_with_two_taps(table):
    made = invitations.invite(actor=table.cora, group=table.campaign, max_uses=1)

    def join() -> None:
        joining.join(actor=table.eve, invitation=made)

    assert together(join, join) == ["done", "done"]
    assert made.admissions.count() == table.campaign.activity.filter(kind="joined", actor=table.eve).count() == 1


@pytest.mark.parametrize(
    "go",
    [
        lambda campaign, one, other: membership.give_role(actor=one, group=campaign, user=other, role="player"),
        lambda campaign, one, other: membership.remove_member(actor=one, group=campaign, user=other),
        lambda campaign, one, other: membership.leave(actor=one, group=campaign),
        lambda campaign, one, other: membership.give_role(actor=one, group=campaign, user=one, role="viewer"),
    ],
    ids=["demote each other", "remove each other", "leave", "step down"],
)
def test_of_two_organizers_one_stays(table, go):
    membership.give_role(actor=table.cora, group=table.campaign, user=table.ada, role="organizer")
    found = together(
        lambda: go(table.campaign, table.cora, table.ada), lambda: go(table.campaign, table.ada, table.cora)
    )
    assert found == [REFUSED, "done"]
    assert table.campaign.memberships.filter(role="organizer").count() == 1


def test_of_two_organizers_who_delete_their_accounts_one_stays(table):
    membership.give_role(actor=table.cora, group=table.campaign, user=table.ada, role="organizer")

    def delete(user: Any) -> None:
        try:
            delete_account(actor=user, user=user)
        except DeletionRefused as refusal:
            raise refuse("", str(refusal)) from refusal

    found = together(lambda: delete(table.cora), lambda: delete(table.ada))
    assert found == [REFUSED, "done"]
    assert table.campaign.memberships.filter(role="organizer").count() == 1


def test_one_calls_off_while_the_other_confirms(table):
    battle = reported(in_play(planned(table)), table.ada)
    together(
        lambda: reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1),
        lambda: planning.cancel(actor=table.cora, battle_id=battle.pk),
    )
    battle.refresh_from_db()
    table.alpha.refresh_from_db()
    field = projection.state_of(table.alpha).in_field
    assert (battle.status, field is not None) in {("sequence", True), ("cancelled", False)}


def test_both_take_what_falls(table):
    brought = {"agenda": "keep-them-in-line"}
    side = side_of(in_play(planned(table), blue=brought), "blue").pk

    def fell(actor: Any, unit: str) -> Callable[[], Any]:
        return lambda: mark_unit(actor=actor, side_id=side, word="defeated", unit=unit, yes=True)

    def token(actor: Any) -> Callable[[], Any]:
        return lambda: count_tokens(actor=actor, side_id=side, before=0, after=1)

    acts = (fell(table.ada, "2"), fell(table.ben, "2"), fell(table.ben, "3"), token(table.ada), token(table.ben))
    assert together(*acts) == ["done"] * 5
    tally = Tally.objects.get()
    assert (sorted(tally.defeated), tally.tokens, tally.version) == (["2", "3"], 1, 3)


def test_one_confirms_and_disputes_at_once(table):
    battle = reported(in_play(planned(table)), table.ada)
    found = together(
        lambda: reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1),
        lambda: reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="No."),
    )
    battle.refresh_from_db()
    # A confirmation after the dispute withdraws it; a dispute after the confirmation is refused.
    assert (sorted(found), battle.status) in ((["done", "done"], "sequence"), (["R25", "done"], "sequence"))


def test_one_plans_anew_while_the_other_musters(table):
    battle = planned(table)
    side, army = side_of(battle, "red"), army_of(table.bravo)  # 139 points
    found = together(
        lambda: planning.replan(actor=table.ada, battle_id=battle.pk, version=0, size=100, date=battle.date),
        lambda: army_service.choose_army(actor=table.ben, side_id=side.pk, army=army),
    )
    battle.refresh_from_db()
    side.refresh_from_db()
    assert found == ["R19", "done"]
    assert (battle.size, side.army_chosen) in {(100, False), (600, True)}
