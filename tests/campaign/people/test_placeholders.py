"""Players without an account: organizers play for them, until somebody takes their place."""

import pytest

from accounts.models import User
from accounts.services.closing import delete_account
from campaign.battles.models import Battle
from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.battles.services import army as army_service, planning, reports
from campaign.battles.services.agendas import choose_agenda
from campaign.battles.services.contenders import Contender
from campaign.enlistments.services import enlistments
from campaign.models import ActivityKind
from campaign.people.services import joining
from members.services import membership
from registers.services import building
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows, army_of, report_of, side_of
from tests.registers.factories import make_player


@pytest.fixture
def tom(table) -> User:
    return joining.add_placeholder(actor=table.cora, campaign=table.campaign, name=" Tom \n Hill ")


def register_for(table, player: User):
    """Dune Wardens' units, on a Register that cora builds for somebody."""
    register = enlistments.create_register(actor=table.cora, campaign=table.campaign, faction="empire", owner=player)
    act = {"actor": table.cora, "register_id": register.pk, "position": None}
    building.add_unit(**act, card="imperial-officer-ruthless-efficiency", name="Captain Sorne")
    for _ in range(2):
        building.add_unit(**act, card="stormtroopers")
    building.choose_story_arc(**act, story_arc="bring-peace-to-the-galaxy")
    return building.commission(**act, name="Hill Guard")


def test_is_a_member_under_the_plain_name(table, tom):
    assert (str(tom), tom.carried_name, tom.is_placeholder, tom.is_active) == ("Tom Hill", "Tom Hill", True, False)
    assert table.campaign.memberships.get(user=tom).role == "player"
    facts = {"user": tom.pk, "role": "player", "placeholder": True}
    assert activity_rows(table.campaign, ActivityKind.JOINED)[-1] == ("joined", table.cora, facts)
    assert activity_lines(of_campaign(table.campaign))[0].text == "Tom Hill was added, without an account."


def test_the_same_name_is_the_same_player(table, tom):
    assert joining.add_placeholder(actor=table.cora, campaign=table.campaign, name="tom hill") == tom


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (" ", "Enter the name of the player."),
        ("x" * 61, "This name is too long. Use up to 60 characters."),
        ("Ben", "ben is in this campaign already. Choose another name, such as a nickname."),
    ],
)
def test_a_name_that_is_refused(table, name, text):
    with pytest.raises(RuleViolation) as caught:
        joining.add_placeholder(actor=table.cora, campaign=table.campaign, name=name)
    assert [(each.about, each.text) for each in caught.value.violations] == [("name", text)]


def test_many_are_added_at_once_or_none(table, tom, django_assert_max_num_queries):
    act = {"actor": table.cora, "campaign": table.campaign}
    with pytest.raises(RuleViolation, match="ben is in this campaign already"):
        joining.add_placeholders(**act, names=["Ann", "Ben"])
    assert not User.objects.filter(known_as="Ann").exists()
    with django_assert_max_num_queries(12):
        added = joining.add_placeholders(**act, names=["Ann", "Tom Hill", "Bo", "ann "])
    assert [str(each) for each in added] == ["ann", "Tom Hill", "Bo"]
    assert len({each.username for each in added}) == 3
    assert [each.kind for each in table.campaign.activity.order_by("pk")][-2:] == ["joined", "joined"]
    assert joining.add_placeholders(**act, names=["Ann", "Bo"]) == [added[0], added[2]]


def test_only_organizers_add_them_and_build_for_them(table, tom):
    with pytest.raises(RuleViolation, match="Only an organizer can add players"):
        joining.add_placeholder(actor=table.ada, campaign=table.campaign, name="Sal")
    for actor, owner, text in (
        (table.ada, tom, "Only an organizer can add Registers for other players"),
        (table.cora, table.ben, "ben has an account and adds their own Registers"),
    ):
        with pytest.raises(RuleViolation, match=text):
            enlistments.create_register(actor=actor, campaign=table.campaign, faction="empire", owner=owner)


def test_organizers_play_until_somebody_takes_the_place(table, tom):
    register = register_for(table, tom)
    assert register.owner == tom
    battle = planning.plan_battle(
        actor=table.cora, campaign=table.campaign, size=600,
        blue=Contender(register_id=register.pk), red=Contender(register_id=table.bravo.pk),
    )  # fmt: skip
    for colour, actor in (("blue", table.cora), ("red", table.ben)):
        side = side_of(battle, colour)
        army_service.choose_army(actor=actor, side_id=side.pk, army=army_of(side.register))
    for colour, actor in (("blue", table.cora), ("red", table.ben)):
        choose_agenda(actor=actor, side_id=side_of(battle, colour).pk, agenda="")
    army_service.begin(actor=table.cora, battle_id=battle.pk)
    battle.refresh_from_db()
    reports.report(actor=table.cora, battle_id=battle.pk, version=0, report=report_of(), colour="blue")
    reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)

    theo = make_player("theo")
    way = joining.invite_to_place(actor=table.cora, campaign=table.campaign, of=tom)
    joining.join(actor=theo, invitation=way)
    register.refresh_from_db()
    battle = Battle.objects.get(pk=battle.pk)
    assert (register.owner, battle.reported_by) == (theo, theo)
    assert {each.user.username for each in table.campaign.memberships.all()} == {"cora", "ada", "ben", "mia", "theo"}
    built = register.entries.filter(actor=table.cora).select_related("on_behalf_of")
    assert {str(entry.on_behalf_of) for entry in built} == {"theo"}


def test_removed_and_added_again(table, tom):
    with pytest.raises(RuleViolation, match="Invite eve by a link instead"):
        joining.readmit_placeholder(actor=table.cora, campaign=table.campaign, user=table.eve)
    membership.remove_member(actor=table.cora, group=table.campaign, user=tom)
    for _ in range(2):
        joining.readmit_placeholder(actor=table.cora, campaign=table.campaign, user=tom)
    assert table.campaign.memberships.get(user=tom).role == "player"


def test_a_deleted_one_has_no_name(table, tom):
    membership.remove_member(actor=table.cora, group=table.campaign, user=tom)
    delete_account(actor=make_player("root", is_superuser=True), user=tom)
    tom.refresh_from_db()
    assert str(tom) == tom.former_name
