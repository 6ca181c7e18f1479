"""A Register is withdrawn, retired, and brought back."""

import pytest

from campaign.access import campaign_role
from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.battles.pages.candidates import candidates
from campaign.battles.state_machine import BattleStatus
from campaign.enlistments.services import enlistments
from campaign.models import ActivityKind, Enlistment
from campaign.pages.campaign import overview_of
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows, in_play, planned

PLAYING, WITHDRAWN, RETIRED = Enlistment.Status


def change(table, status, *, actor=None, agreed=()):
    return enlistments.change_status(
        actor=actor or table.ada, campaign=table.campaign, register_id=table.alpha.pk, status=status,
        planned=[battle.pk for battle in agreed],
    )  # fmt: skip


def sentences_of(caught) -> list[tuple[str, str]]:
    return [(violation.rule, violation.text) for violation in caught.value.violations]


def test_its_player_withdraws_it_and_an_organizer_brings_it_back(table):
    for _ in range(2):
        assert change(table, WITHDRAWN).status == WITHDRAWN
    found = overview_of(table.campaign, table.ben)
    assert (list(found["registers"]), list(found["gone"])) == ([table.bravo], [table.alpha])
    assert change(table, PLAYING, actor=table.cora).plays
    facts = {"register": str(table.alpha.pk)}
    assert activity_rows(table.campaign, ActivityKind.STATUS) == [
        ("status", table.ada, facts | {"status": "withdrawn"}),
        ("status", table.cora, facts | {"status": "playing"}),
    ]
    lines = activity_lines(of_campaign(table.campaign))[:2]
    assert [(line.who, line.text) for line in lines] == [
        ("cora for ada", "Ashen Patrol was brought back."),
        ("ada", "Ashen Patrol was withdrawn."),
    ]


@pytest.mark.parametrize("status", [WITHDRAWN, RETIRED])
def test_no_battle_is_planned_for_it(table, status):
    change(table, status)
    role = campaign_role(table.ada, table.campaign)
    assert [(each.register, each.why) for each in candidates(role, table.campaign)] == [
        (table.alpha, str(status.label)),
        (table.bravo, ""),
    ]
    with pytest.raises(RuleViolation) as caught:
        planned(table)
    text = f"Ashen Patrol is {status.label}. Its player or an organizer has to bring it back first."
    assert sentences_of(caught) == [("", text)]


def test_planned_battles_are_canceled_once_their_player_agrees(table):
    battle = planned(table)
    with pytest.raises(RuleViolation) as caught:
        change(table, RETIRED)
    text = "A battle was planned a moment ago. Check the list of battles, then confirm again."
    assert sentences_of(caught) == [("", text)]
    change(table, RETIRED, agreed=[battle])
    battle.refresh_from_db()
    assert battle.status == BattleStatus.CANCELLED
    assert activity_lines(of_campaign(table.campaign))[1].note == "Ashen Patrol was retired."


def test_not_while_a_battle_is_in_play(table):
    battle = in_play(planned(table))
    with pytest.raises(RuleViolation) as caught:
        change(table, WITHDRAWN, agreed=[battle])
    assert sentences_of(caught) == [("R11", "Ashen Patrol is in Battle 1. Finish the battle first.")]
    battle.refresh_from_db()
    assert (battle.status, table.alpha.enlistment.plays) == (BattleStatus.IN_PLAY, True)


def test_nobody_else_decides(table):
    table.campaign.memberships.filter(user=table.ada).update(role="viewer")
    for actor in (table.ada, table.ben, table.eve):
        with pytest.raises(RuleViolation, match="Only its player and the organizers"):
            change(table, WITHDRAWN, actor=actor)
