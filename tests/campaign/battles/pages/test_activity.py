"""What happened, in words."""

from datetime import timedelta

from django.utils.timezone import localdate

from campaign.battles.models import Side
from campaign.battles.pages import activity
from campaign.battles.services import army as army_service, planning, reports
from campaign.models import ActivityKind
from campaign.services.activity import log_activity
from campaign.story_arcs.services import story_arcs
from members.services import membership
from registers.models import Register
from tests.campaign.factories import army_chosen, in_play, planned, reported
from tests.html import html_of


def sentences(battle) -> list[tuple[str, str, str]]:
    lines = activity.activity_lines(activity.of_battle(battle))
    return [(line.who, line.text, line.note) for line in reversed(lines)]


def test_the_life_of_a_battle(table):
    battle = planned(table)
    planning.replan(actor=table.ben, battle_id=battle.pk, version=0, size=800, date=battle.date, place="The attic")
    in_play(battle)
    reported(battle, table.ada, victory_points={"blue": 7, "red": 4})
    planning.cancel(actor=table.cora, battle_id=battle.pk, reason="Power cut.")
    when = f"{battle.date.day} {battle.date:%B %Y}"
    planned_for = f"Planned: Ashen Patrol against Dune Wardens, 600 points, {when}."
    assert sentences(battle) == [
        ("ada", planned_for, ""),
        ("ben", "Plan changed: 600 → 800 points, in The attic.", ""),
        ("ada", "Ashen Patrol chose an army.", ""),
        ("ben", "Dune Wardens chose an army. Both armies are ready.", ""),
        ("ada", "Ashen Patrol brings no Agenda.", ""),
        ("ben", "Dune Wardens brings no Agenda.", ""),
        ("ada", "The battle begins.", ""),
        ("ada", "Reported: Ashen Patrol won, 7–4.", ""),
        ("cora", "Canceled.", "Power cut."),
    ]
    seals = [line.seal for line in activity.activity_lines(activity.of_battle(battle)) if line.seal]
    assert seals == [battle.dice_seeds.get().commitment[:12]]


def test_a_battle_that_begins_before_its_day_says_so(table):
    today = localdate()
    in_play(battle := planned(table, date=today + timedelta(days=6)))
    before, after = (f"{day.day} {day:%B %Y}" for day in (today + timedelta(days=6), today))
    assert sentences(battle)[-1][1] == f"The battle begins. Plan changed: {before} → {after}."


def test_a_rewritten_report_says_what_changed(table):
    battle = reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
    reported(battle, table.ada, winner="red", victory_points={"blue": 7, "red": 8}, red={"defeated": ["2"]})
    assert sentences(battle)[-1][1] == (
        "Report changed: Dune Wardens won, 7–8. Changed: Ashen Patrol won → Dune Wardens won; 7–4 → 7–8; "
        "Dune Wardens: defeated units 0 → 1."
    )


def test_victory_points_that_nobody_entered_are_not_said(table, client):
    battle = reported(in_play(planned(table)), table.ada, victory_points={"blue": 0, "red": 0})
    assert sentences(battle)[-1] == ("ada", "Reported: Ashen Patrol won.", "")
    client.force_login(table.ada)
    assert "result__vp" not in html_of(client.get(battle.get_absolute_url()))


def test_an_organizer_who_musters_for_a_player_is_named_with_them(table):
    battle = army_chosen(planned(table))
    side = battle.sides.get(colour="red")
    army_service.choose_army(actor=table.cora, side_id=side.pk, army=army_service.armies.Army(fielded={"1": ()}))
    assert sentences(battle)[-1] == ("cora for ben", "Dune Wardens changed the army.", "")


def test_the_only_organizer_plays_and_decides_about_the_report(table):
    membership.hand_over(actor=table.cora, group=table.campaign, user=table.ada)
    settled = reported(in_play(planned(table)), table.ada)
    reports.settle(actor=table.ada, battle_id=settled.pk, version=1)
    assert sentences(settled)[-1] == (
        "ada", "Report settled by an organizer who played. The Post-Battle Sequence begins.", "",
    )  # fmt: skip
    table.campaign.battles.update(status="closed")
    Side.objects.update(open=False)
    Register.objects.update(in_field_battle="")
    dropped = reported(in_play(planned(table)), table.ada)
    planning.cancel(actor=table.ada, battle_id=dropped.pk)
    assert sentences(dropped)[-1] == (
        "ada", "Canceled by an organizer who played. The report was dropped.", "",
    )  # fmt: skip


def test_people_and_terms(table):
    who = {"actor": table.cora, "campaign": table.campaign}
    log_activity(**who, kind=ActivityKind.JOINED, user=table.ben.pk)
    log_activity(**who, kind=ActivityKind.ROLE, user=table.ben.pk, role="viewer")
    log_activity(**who, kind=ActivityKind.ENLISTED, register=str(table.alpha.pk))
    for name, before, after in (
        ("combat_potential", 600, 700),
        ("length", 3, None),
        ("above_potential", "units_go", "nothing_joins"),
        ("gone_by", "x", "y"),
    ):
        log_activity(**who, kind=ActivityKind.CAMPAIGN_RULES, name=name, before=before, after=after)
    log_activity(**who, kind=ActivityKind.ARC, arc="Long Nights", version=2, what=story_arcs.TAKEN_IN)
    texts = [line.text for line in activity.activity_lines(activity.of_campaign(table.campaign))][:8]
    words = "Nothing is lost. Nothing can be added until the cards fit again."
    assert texts == [
        "Story Arc Long Nights, version 2: added.",
        "gone_by: x → y",
        f"House rule “Above Combat Potential”: {words}",
        "Length: 3 Story Arcs → open-ended",
        "Combat Potential: 600 → 700",
        "Ashen Patrol was added.",
        "ben is now viewer.",
        "ben joined.",
    ]
