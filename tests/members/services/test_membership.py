"""Coming, going, and roles in a campaign."""

import pytest

from accounts.models import User
from accounts.services.closing import DeletionRefused, delete_account
from campaign.chronicle.models import ShareLink
from campaign.chronicle.services import stories
from campaign.models import Campaign
from campaign.people.services import joining
from members.services import membership
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import Table, activity_rows, in_play, planned
from tests.campaign.people.kept_places import kept_for
from tests.registers.factories import make_player


def violations(caught) -> tuple[Violation, ...]:
    return caught.value.violations


def roles(table: Table) -> dict[str, str]:
    return dict(table.campaign.memberships.values_list("user__username", "role"))


EVERYBODY = {"cora": "organizer", "ada": "player", "ben": "player", "mia": "player"}


class TestAddMember:
    def test_by_sign_in_name_whatever_its_case(self, table):
        membership.add_member(actor=table.cora, group=table.campaign, username=" ＥＶＥ ")
        assert roles(table) == EVERYBODY | {"eve": "player"}
        assert activity_rows(table.campaign, "joined")[-1] == (
            "joined",
            table.cora,
            {"user": table.eve.pk, "role": "player"},
        )

    def test_twice_changes_nothing(self, table):
        membership.add_member(actor=table.cora, group=table.campaign, username="cora")
        assert roles(table) == EVERYBODY
        assert table.campaign.memberships.count() == len(activity_rows(table.campaign, "joined")) + 1 == 4

    @pytest.mark.parametrize(
        ("actor", "username", "text"),
        [
            ("cora", "", "Enter the sign-in name of the person you want to add."),
            ("cora", "zoe", "Nobody signs in as “zoe”. Send them an invitation link."),
            ("ada", "eve", "Only an organizer can add members."),
        ],
    )
    def test_refused(self, table, actor, username, text):
        with pytest.raises(RuleViolation) as caught:
            membership.add_member(actor=getattr(table, actor), group=table.campaign, username=username)
        assert violations(caught) == (Violation("", text, "username"),)
        assert table.campaign.memberships.count() == 4

    def test_the_staff_add_anywhere(self, table):
        staff = make_player("root", is_staff=True, is_superuser=True)
        membership.add_member(actor=staff, group=table.campaign, username="eve")
        assert roles(table) == EVERYBODY | {"eve": "player"}


class TestGiveRole:
    def give(self, table, actor: str, user: str, role: str) -> None:
        membership.give_role(actor=getattr(table, actor), group=table.campaign, user=getattr(table, user), role=role)

    def test_there_may_be_several_organizers(self, table):
        self.give(table, "cora", "ada", "organizer")
        self.give(table, "ada", "mia", "viewer")
        assert roles(table) == EVERYBODY | {"ada": "organizer", "mia": "viewer"}
        assert activity_rows(table.campaign, "role") == [
            ("role", table.cora, {"user": table.ada.pk, "role": "organizer", "before": "player"}),
            ("role", table.ada, {"user": table.mia.pk, "role": "viewer", "before": "player"}),
        ]

    def test_the_role_somebody_has_changes_nothing(self, table):
        self.give(table, "cora", "ada", "player")
        assert activity_rows(table.campaign, "role") == []

    def test_one_of_two_organizers_may_step_down(self, table):
        self.give(table, "cora", "ada", "organizer")
        self.give(table, "cora", "cora", "player")
        assert roles(table) == EVERYBODY | {"ada": "organizer", "cora": "player"}

    @pytest.mark.parametrize(
        ("actor", "user", "role", "text", "about"),
        [
            ("ada", "ben", "viewer", "Only an organizer can change roles.", ""),
            ("cora", "eve", "player", "eve is not a member.", ""),
            ("cora", "ada", "emperor", "Choose one of these roles.", "role"),
            ("cora", "cora", "player", "You are the only organizer. Make somebody else organizer first.", ""),
        ],
    )
    def test_refused(self, table, actor, user, role, text, about):
        with pytest.raises(RuleViolation) as caught:
            self.give(table, actor, user, role)
        assert violations(caught) == (Violation("", text, about),)
        assert roles(table) == EVERYBODY

    def test_the_staff_do_not_take_it_from_the_last_either(self, table):
        staff = make_player("root", is_staff=True, is_superuser=True)
        with pytest.raises(RuleViolation) as caught:
            membership.give_role(actor=staff, group=table.campaign, user=table.cora, role="viewer")
        assert violations(caught) == (Violation("", "cora is the only organizer. Make somebody else organizer first."),)


class TestHandOver:
    def test_both_in_one_act(self, table):
        membership.hand_over(actor=table.cora, group=table.campaign, user=table.ada)
        assert roles(table) == EVERYBODY | {"ada": "organizer", "cora": "player"}
        assert activity_rows(table.campaign, "role") == [
            ("role", table.cora, {"user": table.ada.pk, "role": "organizer", "before": "player"}),
            ("role", table.cora, {"user": table.cora.pk, "role": "player", "before": "organizer"}),
        ]

    def test_twice_changes_nothing(self, table):
        for _ in range(2):
            membership.hand_over(actor=table.cora, group=table.campaign, user=table.ada)
        assert roles(table) == EVERYBODY | {"ada": "organizer", "cora": "player"}
        assert len(activity_rows(table.campaign, "role")) == 2

    @pytest.mark.parametrize(
        ("actor", "user", "text"),
        [
            ("ada", "ben", "Only an organizer can make somebody else the organizer."),
            ("ada", "cora", "Only an organizer can make somebody else the organizer."),
            ("cora", "cora", "You are already the organizer."),
            ("cora", "eve", "eve is not a member."),
        ],
    )
    def test_refused(self, table, actor, user, text):
        with pytest.raises(RuleViolation) as caught:
            membership.hand_over(actor=getattr(table, actor), group=table.campaign, user=getattr(table, user))
        assert violations(caught) == (Violation("", text),)
        assert roles(table) == EVERYBODY


class TestGoing:
    def test_removed_and_nothing_is_lost(self, table):
        battle = in_play(planned(table))
        entries = table.bravo.entries.count()
        for _ in range(2):  # the form comes twice
            membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        assert roles(table) == {name: role for name, role in EVERYBODY.items() if name != "ben"}
        assert activity_rows(table.campaign, "removed") == [
            ("removed", table.cora, {"user": table.ben.pk, "role": "player"})
        ]
        battle.refresh_from_db()
        assert (battle.status, table.bravo.entries.count()) == ("in_play", entries)
        assert table.campaign.registers.filter(owner=table.ben).count() == 1

    def test_left(self, table):
        for _ in range(2):
            membership.leave(actor=table.ben, group=table.campaign)
        assert activity_rows(table.campaign, "left") == [("left", table.ben, {"user": table.ben.pk, "role": "player"})]
        assert "ben" not in roles(table)

    def test_all_is_as_before_for_who_comes_back(self, table):
        membership.leave(actor=table.ben, group=table.campaign)
        membership.add_member(actor=table.cora, group=table.campaign, username="ben")
        assert roles(table) == EVERYBODY
        assert planned(table).sides.filter(register__owner=table.ben).exists()

    @pytest.mark.parametrize(
        ("actor", "user", "text"),
        [
            ("ada", "ben", "Only an organizer can remove people."),
            ("cora", "cora", "You cannot remove yourself. Leave instead."),
        ],
    )
    def test_not_removed(self, table, actor, user, text):
        with pytest.raises(RuleViolation) as caught:
            membership.remove_member(actor=getattr(table, actor), group=table.campaign, user=getattr(table, user))
        assert violations(caught) == (Violation("", text),)
        assert roles(table) == EVERYBODY

    def test_the_last_organizer_stays(self, table):
        staff = make_player("root", is_staff=True, is_superuser=True)
        with pytest.raises(RuleViolation) as own:
            membership.leave(actor=table.cora, group=table.campaign)
        with pytest.raises(RuleViolation) as others:
            membership.remove_member(actor=staff, group=table.campaign, user=table.cora)
        assert violations(own) == (Violation("", "You are the only organizer. Make somebody else organizer first."),)
        assert violations(others) == (Violation("", "cora is the only organizer. Make somebody else organizer first."),)
        assert roles(table) == EVERYBODY


class TestDeletingAnAccount:
    def test_leaves_every_campaign_and_the_books(self, table):
        delete_account(actor=table.ben, user=table.ben)
        table.bravo.refresh_from_db()
        assert (table.bravo.owner.username, table.campaign.registers.count()) == (f"former player #{table.ben.pk}", 2)
        assert activity_rows(table.campaign, "left") == [("left", table.ben, {"user": table.ben.pk, "role": "player"})]
        assert table.campaign.memberships.count() == 3

    def test_is_refused_to_who_alone_organizes_others(self, table):
        with pytest.raises(DeletionRefused) as caught:
            delete_account(actor=table.cora, user=table.cora)
        assert str(caught.value) == ("You are the only organizer of Outer Rim Winter. Hand it over first.")
        table.cora.refresh_from_db()
        assert (table.cora.username, roles(table)) == ("cora", EVERYBODY)

    def test_is_no_matter_where_nobody_else_is(self, table):
        alone = Campaign.objects.create(name="Alone")
        alone.memberships.create(user=table.mia, role="organizer")
        stories.open_chronicle(actor=table.mia, campaign=alone)
        delete_account(actor=table.mia, user=table.mia)
        assert not alone.memberships.exists()
        assert not ShareLink.objects.exists()  # for nobody could remove it

    def test_leaves_the_link_where_others_organize(self, table):
        membership.give_role(actor=table.cora, group=table.campaign, user=table.ada, role="organizer")
        link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
        delete_account(actor=table.cora, user=table.cora)
        assert ShareLink.objects.get() == link


class TestAPlaceThatIsKept:
    """Nobody organizes by the place of somebody who is not here yet."""

    @pytest.fixture
    def place(self, table) -> User:
        membership.give_role(actor=table.cora, group=table.campaign, user=table.ben, role="organizer")
        return kept_for(table.ben)

    def test_the_campaign_is_not_handed_over_to_it(self, table, place):
        with pytest.raises(RuleViolation, match="Nobody signs in as ben #"):
            membership.hand_over(actor=table.cora, group=table.campaign, user=place)

    def test_beside_it_one_is_the_last_organizer(self, table, place):
        with pytest.raises(RuleViolation, match="You are the only organizer"):
            membership.leave(actor=table.cora, group=table.campaign)
        with pytest.raises(DeletionRefused, match="You are the only organizer"):
            joining.leave_all(table.cora)

    def test_where_only_places_are_left_one_may_go(self, table, place):
        table.campaign.memberships.exclude(user__in=[table.cora, place]).delete()
        joining.leave_all(table.cora)
        assert [each.user for each in table.campaign.memberships.all()] == [place]
