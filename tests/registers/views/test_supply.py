"""The Supply Points of a Register as a bank statement: the page."""

from datetime import UTC, date, datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide
from registers.projection import state_of
from rules.register import effects as e
from tests.html import html_of
from tests.registers.charts.drawing import drawn, outside
from tests.registers.ledgers import append, lock, undo
from tests.registers.views.reading import queries_of, text_of


def happen(register, *effects, battle="7", act="step", step=3):
    with transaction.atomic():
        [locked] = lock(register.pk)
        return append(actor=register.owner, register=locked, act=act, battle=battle, step=step, effects=effects)


def address(register) -> str:
    return reverse("registers:supply", args=[register.pk])


def test_what_came_and_went(signed_in, founded, monkeypatch):
    happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
    happen(founded, e.SupplyPointsGained(amount=2, rule="R30", why="for the battle"))
    happen(founded, e.SupplyPointsSpent(amount=3, rule="R41", why="Active Recruiting"))
    slip = happen(founded, e.SupplyPointsGained(amount=9, rule="R30"))
    founded.refresh_from_db()
    with transaction.atomic():
        undo(actor=founded.owner, register=founded, entry=slip)
    founded.refresh_from_db()
    monkeypatch.setattr(
        campaign_side,
        "campaigns",
        CampaignSide(battle_names=lambda ids: {"7": BattleName("Battle 7", "/b/7/", "7", date(2026, 3, 5))}),
    )
    page = signed_in.get(address(founded))
    found = page.context["statement"]
    assert (found.came, found.went) == (7, 3)
    assert found.balance == state_of(founded).supply_points == 4
    text = text_of(page)
    assert "7 SP earned, 3 spent, 4 left. Highest balance: 7." in text
    for line in ("5 Mar 2026 Battle 7 Active Recruiting R41 −3 4", "For the battle R30 +2 7", "Total +7 −3 4"):
        assert line in text
    assert "+9" not in text
    assert outside(html_of(page)) == []


def test_a_battle_whose_step_was_entered_on_two_days_is_one_row_of_dates(signed_in, founded, monkeypatch):
    name = BattleName("Battle 7", "/b/7/", "7", date(2026, 3, 5))
    monkeypatch.setattr(campaign_side, "campaigns", CampaignSide(battle_names=lambda ids: {"7": name}))
    for day in (6, 7):
        monkeypatch.setattr(timezone, "now", lambda day=day: datetime(2026, 3, day, 12, tzinfo=UTC))
        happen(founded, e.SupplyPointsGained(amount=2, rule="R30"))
    assert text_of(signed_in.get(address(founded))).count("5 Mar 2026 Battle 7") == 1


def test_bars_have_points_in_every_language(signed_in, founded):
    happen(founded, e.SupplyPointsGained(amount=3, rule="R30"))
    with override("de"):
        html = html_of(signed_in.get(address(founded)))
    assert "62.5%" in [attributes.get("x") for _tag, attributes, _height in drawn(html)]


def test_the_register_leads_there(signed_in, founded):
    page = signed_in.get(reverse("registers:detail", args=[founded.pk]))
    assert f'<a class="figure" href="{address(founded)}">' in html_of(page)


def test_page_by_page(signed_in, founded):
    for _ in range(4):
        happen(founded, *[e.SupplyPointsGained(amount=1, rule="R30")] * 10)
    page = signed_in.get(address(founded))
    assert "1 / 2" in text_of(page)
    assert page.context["statement"].balance == 45
    older = signed_in.get(address(founded), {"page": 2})
    assert [posting["balance"] for posting, _ in older.context["postings"]] == [*range(20, 4, -1)]


def test_nobody_elses(client, other, founded):
    client.force_login(other)
    assert client.get(address(founded)).status_code == 404


def test_constant_queries(signed_in, founded):
    numbers = []
    for battle in ("7", "8", "9"):
        happen(founded, e.SupplyPointsGained(amount=1, rule="R30"), battle=battle)
        numbers.append(queries_of(signed_in, address(founded)))
    assert numbers[0] == numbers[1] == numbers[2]
