"""The people of a campaign and the ways into it, as their page shows them."""

from campaign.people import queries as people
from campaign.people.services import joining
from members.queries import invitation_lines
from members.services import invitations
from registers.services import building
from tests.campaign.factories import enlisted


def test_people_with_their_registers(table, django_assert_num_queries):
    enlisted(table.campaign, table.ada, "Second Patrol")
    unnamed = building.open_register(actor=table.mia, owner=table.mia, faction="rebel")
    given_up = building.open_register(actor=table.mia, owner=table.mia, faction="rebel")
    for register in (unnamed, given_up):
        table.campaign.enlistments.create(register=register)
    building.discard(actor=table.mia, register_id=given_up.pk, position=None)
    with django_assert_num_queries(1):
        found = people.people_of(table.campaign)
        sentences = [
            (each.membership.user.username, each.membership.role, [register.name for register in each.registers])
            for each in found
        ]
    assert sentences == [
        ("cora", "organizer", []),
        ("ada", "player", ["Ashen Patrol", "Second Patrol"]),
        ("ben", "player", ["Dune Wardens"]),
        ("mia", "player", []),  # nobody sees the drafts of others
    ]


def test_invitations_with_what_became_of_them(table, django_assert_num_queries):
    act = {"actor": table.cora, "group": table.campaign}
    used = invitations.invite(**act, max_uses=1)
    joining.join(actor=table.eve, invitation=used)
    back = invitations.invite(**act)
    invitations.revoke(actor=table.cora, invitation=back)
    fresh = invitations.invite(**act)
    with django_assert_num_queries(1):
        found = [
            (each.invitation, each.uses, each.end.value, each.invitation.created_by)
            for each in invitation_lines(table.campaign)
        ]
    assert found == [(fresh, 0, "", table.cora), (back, 0, "revoked", table.cora), (used, 1, "used up", table.cora)]
