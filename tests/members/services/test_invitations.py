"""Inviting people, and coming in by an invitation."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from campaign.models import Invitation
from campaign.people.services import joining
from campaign.services.campaigns import create_campaign
from members.services import invitations, membership
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import Table, activity_rows
from tests.registers.factories import make_player


def invited(table: Table, **words: Any) -> Invitation:
    return invitations.invite(actor=table.cora, group=table.campaign, **words)


def expire(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())


def why(invitation: Invitation, user: User | None) -> str:
    invitation.refresh_from_db()
    return " ".join(
        violation.text for violation in invitations.violations_of(invitations.invitation_use(user, invitation))
    )


REVOKED = "This invitation was revoked. Ask an organizer for a new one."
EXPIRED = "This invitation has expired. Ask an organizer for a new one."
USED_UP = "This invitation is used up. Ask an organizer for one of your own."


class TestInvite:
    def test_many_players_for_a_fortnight(self, table):
        before = timezone.now()
        made = invited(table)
        assert (made.role, made.max_uses, made.created_by, made.revoked_at) == ("player", None, table.cora, None)
        assert before + timedelta(days=14) <= made.expires_at <= timezone.now() + timedelta(days=14)
        assert len(made.token) == 22

    def test_a_form_that_comes_twice_makes_one(self, table):
        pk = uuid4()
        assert invited(table, invitation_id=pk) == invited(table, invitation_id=pk)
        assert table.campaign.invitations.count() == 1

    def test_a_key_of_another_campaign_makes_none(self, table):
        elsewhere = create_campaign(actor=table.cora, name="Elsewhere")
        pk = invited(table).pk
        with pytest.raises(RuleViolation, match="This link leads somewhere else"):
            invitations.invite(actor=table.cora, group=elsewhere, invitation_id=pk)
        assert elsewhere.invitations.count() == 0

    def test_no_two_links_are_alike(self, table):
        assert len({invited(table).token for _ in range(3)}) == 3

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            ({"role": "emperor"}, Violation("", "Choose one of these roles.", "role")),
            (
                {"role": "organizer"},
                Violation("", "An invitation for an organizer works for 1 person only.", "max_uses"),
            ),
            ({"max_uses": 0}, Violation("", "Enter how many people may use it.", "max_uses")),
            ({"days": 0}, Violation("", "An invitation can be valid for 1 to 90 days.", "days")),
            ({"days": 91}, Violation("", "An invitation can be valid for 1 to 90 days.", "days")),
        ],
    )
    def test_refused(self, table, words, expected):
        with pytest.raises(RuleViolation) as caught:
            invited(table, **words)
        assert caught.value.violations == (expected,)
        assert not table.campaign.invitations.exists()

    def test_only_by_an_organizer(self, table):
        with pytest.raises(RuleViolation) as caught:
            invitations.invite(actor=table.ada, group=table.campaign)
        assert caught.value.violations == (Violation("", "Only an organizer can create invitations."),)

    def test_twenty_at_a_time(self, table):
        made = [invited(table) for _ in range(20)]
        with pytest.raises(RuleViolation) as caught:
            invited(table)
        assert caught.value.violations == (Violation("", "There are 20 open invitations. Revoke one first."),)
        invitations.revoke(actor=table.cora, invitation=made[0])
        assert invited(table).role == "player"

    def test_those_that_have_ended_do_not_count(self, table):
        for number in range(20):
            joining.join(actor=make_player(f"guest-{number}"), invitation=invited(table, max_uses=1))
        assert invited(table).role == "player"

    @pytest.mark.parametrize(
        "words", [{"role": "emperor"}, {"max_uses": 0}, {"role": "organizer", "max_uses": 2}, {"role": "organizer"}]
    )
    def test_the_database_refuses_them_too(self, table, words):
        row = {"role": "player", "expires_at": timezone.now(), "created_by": table.cora} | words
        with pytest.raises(IntegrityError), transaction.atomic():
            Invitation.objects.create(campaign=table.campaign, **row)


class TestJoin:
    def test_as_what_the_invitation_says(self, table):
        made = invited(table, role="viewer")
        joining.join(actor=table.eve, invitation=made)
        assert table.campaign.memberships.get(user=table.eve).role == "viewer"
        assert activity_rows(table.campaign, "joined")[-1] == (
            "joined",
            table.eve,
            {"user": table.eve.pk, "role": "viewer", "invited_by": table.cora.pk},
        )

    def test_whoever_comes_twice_uses_it_once(self, table):
        made = invited(table, max_uses=1)
        for _ in range(2):
            joining.join(actor=table.eve, invitation=made)
        membership.leave(actor=table.eve, group=table.campaign)
        joining.join(actor=table.eve, invitation=made)
        assert list(made.admissions.values_list("user__username", flat=True)) == ["eve"]
        assert why(made, make_player("zoe")) == USED_UP

    def test_who_is_in_keeps_the_role_and_uses_nothing(self, table):
        made = invited(table, role="organizer", max_uses=1)
        joining.join(actor=table.ada, invitation=made)
        role = table.campaign.memberships.get(user=table.ada).role
        assert (role, made.admissions.count()) == ("player", 0)

    def test_as_many_as_come(self, table):
        made = invited(table)
        for name in ("zoe", "yan", "xia"):
            joining.join(actor=make_player(name), invitation=made)
        assert (made.admissions.count(), why(made, None)) == (3, "")

    @pytest.mark.parametrize("ended", ["revoked", "expired", "used up"])
    def test_not_by_one_that_has_ended(self, table, ended):
        made = invited(table, max_uses=1)
        if ended == "revoked":
            invitations.revoke(actor=table.cora, invitation=made)
        elif ended == "expired":
            expire(made)
        else:
            joining.join(actor=make_player("zoe"), invitation=made)
        with pytest.raises(RuleViolation) as caught:
            joining.join(actor=table.eve, invitation=made)
        text = {"revoked": REVOKED, "expired": EXPIRED, "used up": USED_UP}[ended]
        assert caught.value.violations == (Violation("", text),)
        assert why(made, None) == text
        assert not table.campaign.memberships.filter(user=table.eve).exists()

    def test_who_was_removed_needs_a_newer_one(self, table):
        older = invited(table)
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        newer = invited(table)
        assert why(older, table.ben) == ("You were removed. Only a newer invitation lets you join again.")
        assert (why(older, table.eve), why(newer, table.ben)) == ("", "")

    def test_who_was_given_another_role_needs_a_newer_one(self, table):
        """An organizer that was made a player does not organize again by leaving and following the old link."""
        older = invited(table, role="organizer", max_uses=1)
        joining.join(actor=table.eve, invitation=older)
        membership.give_role(actor=table.cora, group=table.campaign, user=table.eve, role="player")
        membership.leave(actor=table.eve, group=table.campaign)
        with pytest.raises(RuleViolation) as caught:
            joining.join(actor=table.eve, invitation=older)
        text = "Your role has changed since this invitation. Ask for a newer one."
        assert caught.value.violations == (Violation("", text),)

    def test_who_left_comes_back_by_any(self, table):
        older = invited(table)
        membership.leave(actor=table.ben, group=table.campaign)
        assert why(older, table.ben) == ""


class TestRevoke:
    def test_twice_changes_nothing(self, table):
        made = invited(table)
        invitations.revoke(actor=table.cora, invitation=made)
        made.refresh_from_db()
        first = made.revoked_at
        invitations.revoke(actor=table.cora, invitation=made)
        made.refresh_from_db()
        assert made.revoked_at == first is not None

    def test_only_by_an_organizer(self, table):
        made = invited(table)
        with pytest.raises(RuleViolation) as caught:
            invitations.revoke(actor=table.ada, invitation=made)
        made.refresh_from_db()
        assert caught.value.violations == (Violation("", "Only an organizer can revoke an invitation."),)
        assert made.revoked_at is None
