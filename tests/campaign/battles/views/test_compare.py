"""The page of two Registers."""

import pytest

from campaign.battles.models import CommandHand
from rules.register.effects import ReputationGained
from tests.campaign.factories import (
    address,
    against_guest,
    army_chosen,
    enlisted,
    happen,
    in_play,
    planned,
    side_of,
)  # fmt: skip
from tests.campaign.fights import over
from tests.campaign.secret_hands import HAND
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


def of(table, one, other) -> str:
    return f"{address(table, 'battles:compare')}?one={one.pk}&other={other.pk}"


def compared_part(answer) -> str:
    """What the page says below its form."""
    return html_of(answer).split('id="compared"')[1].split("</main>")[0]


def test_both_with_the_reinforcements(client, table):
    happen(table.bravo, ReputationGained(amount=2, rule="R48"))
    planned(table)
    client.force_login(table.mia)
    text = text_of(client.get(of(table, table.alpha, table.bravo)))
    for words in (
        "Ashen Patrol may bring up to 100 more points because its opponent has 2 more Reputation.",
        "Battle 1 : 600 points; Ashen Patrol up to 700, Dune Wardens up to 600.",
        "Ashen Patrol ada · Empire Dune Wardens ben · Empire 0 Reputation 2 +100 Reinforcements 0",
        "139 /600 Combat Potential 139 /600",
        "Captain Sorne Paragon · ",
    ):
        assert words in text


def test_of_equal_reputation(as_ada, table):
    assert "None. Both have the same Reputation." in text_of(as_ada.get(of(table, table.alpha, table.bravo)))


def test_the_only_two_are_compared_at_once(client, table):
    for reader, one, other in ((table.ben, table.bravo, table.alpha), (table.cora, table.alpha, table.bravo)):
        client.force_login(reader)
        page = client.get(address(table, "battles:compare"))
        assert compared_part(page) == compared_part(client.get(of(table, one, other)))


def test_one_begins_with_ones_own(as_ben, table):
    enlisted(table.campaign, table.mia, "Third Watch")
    html = html_of(as_ben.get(address(table, "battles:compare")))
    assert html.count(" selected") == 1
    assert f'<option value="{table.bravo.pk}" selected>Dune Wardens</option>' in html
    assert "Choose two Registers of the campaign." in html


def test_without_one_of_ones_own_nothing_is_chosen(as_cora, table):
    enlisted(table.campaign, table.mia, "Third Watch")
    assert " selected" not in html_of(as_cora.get(address(table, "battles:compare")))


def test_twice_the_same(as_ada, table):
    answer = as_ada.get(of(table, table.bravo, table.bravo))
    assert answer.status_code == 422
    assert "Choose two different Registers." in text_of(answer)
    assert html_of(answer).count(" selected") == 2


@pytest.mark.parametrize("key", ["nothing", "53d63792-fc8d-4c6e-a98e-582474983fa1"])
def test_what_is_not_of_the_campaign_is_not_there(as_ada, table, key):
    assert as_ada.get(f"{address(table, 'battles:compare')}?other={key}").status_code == 404


def test_nothing_of_an_army_or_a_hand_is_told(as_ada, table):
    """What the other side musters is secret until the battle begins, its hand until it is closed (R24)."""
    battle = planned(table)
    before = compared_part(as_ada.get(of(table, table.alpha, table.bravo)))
    army_chosen(battle)
    CommandHand.objects.create(side=side_of(battle, "red"), cards=HAND)
    assert compared_part(as_ada.get(of(table, table.alpha, table.bravo))) == before


def test_the_campaign_and_a_battle_that_is_not_fought_lead_there(as_ada, table):
    battle = planned(table)
    link = f"{address(table, 'battles:compare')}?one={table.alpha.pk}&amp;other={table.bravo.pk}"
    assert address(table, "battles:compare") in html_of(as_ada.get(address(table, "campaign:detail")))
    assert link in html_of(as_ada.get(battle.get_absolute_url()))
    army_chosen(battle)
    assert link in html_of(as_ada.get(battle.get_absolute_url()))
    in_play(battle)
    assert address(table, "battles:compare") not in html_of(as_ada.get(battle.get_absolute_url()))


def test_not_against_a_guest(as_ada, table):
    battle = against_guest(table)
    assert address(table, "battles:compare") not in html_of(as_ada.get(battle.get_absolute_url()))


def test_constant_queries(as_ada, table):
    over(table, "blue")
    one = queries_of(as_ada, of(table, table.alpha, table.bravo))
    for name in ("Second", "Third"):
        enlisted(table.campaign, table.mia, name)
        over(table, "red")
    assert queries_of(as_ada, of(table, table.alpha, table.bravo)) == one
