"""What campaigns keep about a person."""

from __future__ import annotations

from django.utils import timezone

from accounts.download import data_of
from campaign.download import campaigns_of
from campaign.services import invitations


def test_everything_and_no_link(table):
    made = invitations.invite(actor=table.cora, campaign=table.campaign)
    invitations.join(actor=table.eve, invitation=made)
    came = table.eve.admissions.get()
    joined = table.campaign.events.get(actor=table.eve)
    founded = table.campaign.events.get(kind="founded")
    where = {"campaign__name": "Outer Rim Winter"}
    assert campaigns_of(table.eve) == {
        "member of": [where | {"role": "player"}],
        "did": [where | {"kind": "joined", "battle__number": None, "facts": joined.facts, "at": joined.at}],
        "invited": [],
        "came in by": [{"invitation__campaign__name": "Outer Rim Winter", "at": came.at}],
    }
    told = campaigns_of(table.cora)
    assert told["did"][0] == where | {
        "kind": "founded",
        "battle__number": None,
        "facts": {"name": "Outer Rim Winter"},
        "at": founded.at,
    }
    assert told["invited"] == [
        where
        | {
            "role": "player",
            "created_at": made.created_at,
            "expires_at": made.expires_at,
            "revoked_at": None,
        }
    ]
    assert made.expires_at > timezone.now()


def test_it_is_in_the_file(table):
    assert list(data_of(table.eve)) == ["account", "campaigns", "registers"]
