"""Two accounts of one person become one: what moves, what keeps its name, and who may."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from accounts.models import User
from accounts.services.closing import delete_account, merge_accounts
from bench.speed import counted
from campaign.battles.models import Battle
from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.battles.services.locks import lock_battles
from campaign.battles.services.sequence import TABLE
from campaign.models import ActivityKind, Admission, Membership
from campaign.people.services import joining
from campaign.people.services.merging import FOLLOW, merge_people, merge_violations
from campaign.services import campaigns
from members.services import invitations, membership
from registers.models import Register
from rules.core.violations import RuleViolation
from tests.at_once import behind
from tests.campaign.battles.amending import decide, undo_amendment
from tests.campaign.battles.closing import all_but_the_last, closed, last
from tests.campaign.factories import activity_rows, address, enlisted, planned
from tests.campaign.people.kept_places import kept_for
from tests.registers.factories import make_player

#: Rows that keep whom they name: books that are only added to, and who did what in the admin.
STAY = {
    "ArcVersion.by", "Campaign.guest", "Draw.by", "Activity.actor", "Activity.on_behalf_of", "HolderChange.by",
    "LedgerEntry.actor", "LedgerEntry.on_behalf_of",
    "LogEntry.user", "LogLine.actor", "User.merged_into", "Amendment.made_by", "Amendment.closed_by",
    "SubmittedList.submitted_by", "SubmittedList.accepted_by", "JudgeCall.appeal_judge", "TerrainCheck.checked_by",
}  # fmt: skip
#: Rows that move in their own way, and ways to sign in, which are gone.
OTHERWISE = {
    "Membership.user", "Admission.user", "Entry.user", "Register.owner", "ArmyList.owner", "Invitation.placeholder",
    "Entry.claimant", "JudgeCall.judge", "League.owner", "Availability.user",
    "Announcement.author", "Comment.author", "Notice.user", "Notice.by", "CalendarAddress.user",
    "NightlyFile.set_by", "Preference.user", "PushSubscription.user", "PersonalNotification.user",
    "EmailAddress.user", "Authenticator.user", "SocialAccount.user", "User_groups.user", "User_user_permissions.user",
}  # fmt: skip


def merged(actor, gone, into):
    merge_people(actor=actor, gone=gone, into=into, reason="Lost the password")
    gone.refresh_from_db()
    return gone


def refused(actor, gone, into) -> list[str]:
    with pytest.raises(RuleViolation) as caught:
        merged(actor, gone, into)
    return [violation.text for violation in caught.value.violations]


@pytest.fixture
def root(book) -> User:
    """Somebody who looks after the site."""
    return make_player("root", is_staff=True, is_superuser=True)


def test_every_row_that_names_somebody_is_thought_of():
    fields = (field for field in User._meta.get_fields(include_hidden=True) if field.auto_created)
    found = {f"{each.related_model.__name__}.{each.field.name}" for each in fields if not each.concrete}
    assert found == {f"{model.__name__}.{name}" for model, name in FOLLOW} | STAY | OTHERWISE


def test_everything_moves_and_nobody_signs_in(table, client, root):
    invitation = invitations.invite(actor=table.cora, group=table.campaign)
    battle = planned(table)
    type(battle).objects.filter(pk=battle.pk).update(reported_by=table.ben, status="cancelled")
    battle.sides.update(open=False)
    client.force_login(table.ben)
    for _ in range(2):
        gone = merged(root, table.ben, table.ada)
    assert Register.objects.get(pk=table.bravo.pk).owner == table.ada
    assert not table.campaign.memberships.filter(user=gone).exists()
    assert type(battle).objects.get(pk=battle.pk).reported_by == table.ada
    assert (gone.merged_into, gone.is_active, gone.has_usable_password()) == (table.ada, False, False)
    assert client.get(address(table, "campaign:people")).status_code == 302
    assert activity_rows(table.campaign, ActivityKind.MERGED) == [
        ("merged", root, {"name": "ben", "user": table.ada.pk})
    ]
    assert invitation.created_by == table.cora


def test_ledgers_name_both_by_the_name_that_is_left(table, root):
    gone = merged(root, table.ben, table.ada)
    assert {entry.actor for entry in table.bravo.entries.select_related("actor")} == {gone}
    assert (str(gone), gone.get_username(), gone.username) == ("ada", "ada", gone.former_name)
    delete_account(actor=table.ada, user=table.ada)
    gone.refresh_from_db()
    assert str(gone) == table.ada.former_name


def test_the_reason_is_in_the_admin_history_of_both(table, root):
    for _ in range(2):
        merged(root, table.ben, table.ada)
    message = f"Merged ben (#{table.ben.pk}) into ada (#{table.ada.pk}): Lost the password"
    entries = LogEntry.objects.values_list("user", "object_id", "change_message")
    assert set(entries) == {(root.pk, str(each.pk), message) for each in (table.ada, table.ben)}
    assert len(entries) == 2


def test_much_takes_as_many_statements_as_little(table, root):
    """Registers, memberships, campaigns and answers, whatever there is of them."""

    def taken(gone: User) -> int:
        with counted() as statements:
            merge_accounts(actor=root, gone=gone, into=table.ada)
        return len(statements)

    for number in range(3):
        there = campaigns.create_campaign(actor=table.ben, name=f"Elsewhere {number}")
        enlisted(there, table.ben, f"Dust {number}")
        if number:
            membership.add_member(actor=table.ben, group=there, username="ada")
    own = campaigns.create_campaign(actor=table.mia, name="Mia's")
    enlisted(own, table.mia, "Lone Star")
    planned(table)
    first, second = taken(table.mia), taken(table.ben)
    assert first == second
    assert (table.ada.registers.count(), table.ada.campaign_memberships.count()) == (6, 5)


def test_merged_once_more(table, root):
    mia = Admission.objects.create(
        user=table.mia, invitation=invitations.invite(actor=table.cora, group=table.campaign)
    )
    gone = merged(root, table.ben, table.mia)
    merged(root, table.mia, table.ada)
    gone.refresh_from_db()
    mia.refresh_from_db()
    assert (gone.merged_into, str(gone), mia.user) == (table.ada, "ada", table.ada)


def test_a_place_that_was_merged_is_kept_for_nobody(table, root):
    """Who follows the link later would take a place that another has."""
    kept_for(table.ben)
    way = joining.invite_to_place(actor=table.cora, campaign=table.campaign, of=table.ben)
    merged(root, table.ben, table.ada)
    with pytest.raises(RuleViolation, match="was revoked"):
        joining.join(actor=table.eve, invitation=way)


def test_the_higher_role_is_left(table, root):
    elsewhere = campaigns.create_campaign(actor=table.ben, name="Elsewhere")
    membership.give_role(actor=table.cora, group=table.campaign, user=table.ben, role=Membership.Role.ORGANIZER)
    merged(root, table.ben, table.ada)
    roles = {each.campaign: each.role for each in table.ada.campaign_memberships.select_related("campaign")}
    assert roles == {table.campaign: "organizer", elsewhere: "organizer"}


def test_a_step_under_way_is_told_of_who_is_left(fought):
    fought.answer("blue", ["corps", "heavy"], TABLE)
    merge_accounts(actor=fought.ben, gone=fought.ada, into=fought.ben)
    assert [item["by"] for item in fought.side("blue").answers] == [fought.ben.pk]


def test_the_decisions_of_a_revision_are_told_of_who_is_left(fought):
    closed(fought)
    amendment = undo_amendment(fought, "step", step=4)
    decide(fought, amendment, {"check:2": ["hit"], "check:5": ["blank"]}, TABLE)
    amendment.refresh_from_db()
    assert {item["by"] for item in amendment.decisions} == {fought.ada.pk}
    merge_accounts(actor=fought.ben, gone=fought.ada, into=fought.ben)
    amendment.refresh_from_db()
    assert {item["by"] for item in amendment.decisions} == {fought.ben.pk}


def test_who_may(table, root):
    for actor in (table.ada, table.cora):
        with pytest.raises(PermissionDenied):
            merged(actor, table.ben, table.ada)
    assert Register.objects.get(pk=table.bravo.pk).owner == table.ben


def test_which_accounts(table, root):
    another = "Choose an account that somebody signs in with."
    assert refused(root, table.ben, table.ben) == [another]
    assert refused(root, table.ada, kept_for(table.ben)) == [another]
    assert refused(root, root, table.ada) == [
        "You are using this account. Merge the other one into it.",
        "root is staff. Staff accounts cannot be merged.",
    ]


MERGED = "One of these accounts has been merged already. Choose two that are still in use."


def test_an_account_that_was_merged_is_not_merged_elsewhere(table, root):
    merged(root, table.ben, table.mia)
    assert refused(root, table.ben, table.ada) == [MERGED]


@pytest.mark.django_db(transaction=True)
def test_two_merge_the_same_accounts_crosswise_at_once(root, book):
    """Neither account is in a campaign, so no lock of one lets the second see what the first did."""
    one, other = make_player("one"), make_player("other")
    pair = User.objects.select_for_update().filter(pk__in=(one.pk, other.pk))
    found = behind(lambda: list(pair), lambda: merged(root, one, other), lambda: merged(root, other, one))
    assert [violation.text for violation in found.violations] == [MERGED]
    assert list(User.objects.filter(merged_into=one)) == [other]


@pytest.mark.django_db(transaction=True)
def test_a_battle_is_locked_before_its_registers(fought, root):
    """As the services of a battle do, which hold it and wait for its Registers: the other way round both would wait."""
    battle, into = closed(fought), make_player("other")
    undo_amendment(fought, "step", step=4)
    behind(
        lambda: list(Battle.objects.select_for_update().filter(pk=battle.pk)),
        lambda: merged(root, fought.ben, into),
        lambda: lock_battles(Q(pk=battle.pk)),
    )
    assert Register.objects.get(sides__battle=battle, name="Dune Wardens").owner == into


def test_nobody_gets_a_hand_of_a_battle_that_goes_on(table, root):
    """Who plays against a Register must not come to see its Command Hand (R24), by whatever way."""
    planned(table)
    place = kept_for(table.ben)
    assert refused(root, place, table.mia) == [f"{place} is in a battle. Finish the battle first."]
    way = joining.invite_to_place(actor=table.cora, campaign=table.campaign, of=table.ben)
    with pytest.raises(RuleViolation, match="You are playing a battle against this player"):
        joining.join(actor=table.ada, invitation=way)
    joining.join(actor=table.mia, invitation=way)
    assert Register.objects.get(pk=table.bravo.pk).owner == table.mia


def test_a_closed_account_takes_nothing(table):
    delete_account(actor=table.eve, user=table.eve)
    with pytest.raises(ValueError, match="cannot be merged"):
        merge_accounts(actor=table.cora, gone=table.ben, into=table.eve)


class TestAdminAction:
    LIST = "/admin/accounts/user/"

    @pytest.fixture
    def send(self, client, root, table):
        """Send the action for Ben and Ada, as staff."""
        client.force_login(root)

        def _send(*people: User, **fields: object):
            chosen = [each.pk for each in people or (table.ben, table.ada)]
            return client.post(
                self.LIST, {"action": "merge_accounts", "_selected_action": chosen, **fields}, follow=True
            )

        return _send

    def test_shows_first_what_would_move(self, table, send):
        page = send()
        assert page.status_code == 200
        for line in (
            "If ada stays",
            "The Register Dune Wardens",
            "The role in Outer Rim Winter: player",
            "If ben stays",
        ):
            assert line in page.text
        assert User.objects.get(pk=table.ben.pk).merged_into is None

    def test_merges_with_a_reason_and_twice_is_as_good_as_once(self, table, send):
        assert send(merge="1", stays=table.ada.pk).status_code == 422
        for _ in range(2):
            page = send(merge="1", stays=table.ada.pk, reason="Lost the password")
            assert (page.status_code, "Accounts merged. ada is left." in page.text) == (200, True)
        assert User.objects.get(pk=table.ben.pk).merged_into == table.ada
        newest = activity_lines(of_campaign(table.campaign))[0]
        assert (newest.who, newest.text) == ("root", "The account of ben was merged into ada.")

    def test_a_refusal_is_on_the_page(self, table, send):
        planned(table)
        page = send(merge="1", stays=table.ada.pk, reason="Lost the password")
        assert (page.status_code, "is in a battle" in page.text) == (422, True)
        assert User.objects.get(pk=table.ben.pk).merged_into is None

    def test_takes_two_accounts(self, table, send):
        assert "Select exactly two accounts." in send(table.ben).text
        assert "Select exactly two accounts." in send(table.ben, table.ada, table.mia).text

    def test_is_not_there_for_staff_who_may_only_look(self, table, client):
        watcher = make_player("watcher", is_staff=True)
        watcher.user_permissions.add(Permission.objects.get(codename="view_user"))
        client.force_login(watcher)
        chosen = {"action": "merge_accounts", "_selected_action": [table.ben.pk, table.ada.pk]}
        assert "merge_accounts" not in client.get(self.LIST).text
        client.post(self.LIST, {**chosen, "merge": "1", "stays": table.ada.pk, "reason": "No"})
        assert User.objects.get(pk=table.ben.pk).merged_into is None


def test_not_while_the_sequence_of_an_opponent_runs(fought, root):
    """Whose hand it is may be seen by nobody else until the battle is closed (R24)."""
    all_but_the_last(fought)

    def found() -> list[tuple[str, str]]:
        return [(each.rule, each.text) for each in merge_violations(root, fought.ben, fought.ada)]

    assert fought.red.open is False
    assert found() == [("R24", "ben is in a battle. Finish the battle first.")]
    last(fought)
    assert found() == []
