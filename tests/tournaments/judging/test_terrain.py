"""Terrain checklists of tables (E44)."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.terrain import KEYS
from tests.html import html_of
from tests.tournaments.table_world import new_event
from tournaments.models import TerrainCheck
from tournaments.services.terrain import check_terrain


@pytest.mark.django_db
class TestChecks:
    @pytest.fixture
    def world(self):
        olga, event = new_event()
        client = Client()
        client.force_login(olga)
        return olga, event, client

    def test_two_judges_tick_at_one_table(self, world):
        olga, event, _client = world
        words = {"actor": olga, "event": event, "table": 1}
        check_terrain(**words, ticks={"cover": True, "kinds": True})
        check_terrain(**words, ticks={"scatter": True, "nonsense": True}, small=True)
        for _ in range(2):
            check = check_terrain(**words, ticks={"kinds": False})
        assert list(TerrainCheck.objects.values_list("table", "small", "ticks", "checked_by")) == [
            (1, True, ["cover", "scatter"], olga.pk)
        ]
        assert check.ticks == ["cover", "scatter"]
        for table in (0, 501):
            with pytest.raises(RuleViolation, match="Table numbers are 1–500"):
                check_terrain(actor=olga, event=event, table=table, ticks={})
        mallory = User.objects.create_user("mallory")
        with pytest.raises(RuleViolation, match="Only a leader"):
            check_terrain(actor=mallory, event=event, table=1, ticks={})

    def test_a_tick_is_saved_at_once_and_a_button_saves_all(self, world):
        _olga, event, client = world
        address = reverse("tournaments:terrain_table", args=[event.pk, 2])
        form = {"shown": list(KEYS), "small": "no"}
        headers = {"HX-Request": "true"}
        answer = client.post(address, {**form, "ticks": ["cover", "mix"], "only": "mix"}, headers=headers)
        assert answer.status_code == 200
        assert "1 of 9" in " ".join(answer.content.decode().split())
        client.post(address, {**form, "small": "yes", "only": "small"}, headers=headers)
        check = TerrainCheck.objects.get()
        assert (check.table, check.small, check.ticks) == (2, True, ["mix"])
        assert client.post(address, {**form, "ticks": list(KEYS)}).status_code == 302
        check.refresh_from_db()
        assert (check.small, check.ticks) == (False, list(KEYS))
        assert "ready" in client.get(address).content.decode()
        assert client.get(reverse("tournaments:terrain_table", args=[event.pk, 0])).status_code == 404

    def test_all_tables_on_the_screen_and_on_paper(self, world):
        olga, event, client = world
        for name in ("terrain", "print_terrain"):
            address = reverse(f"tournaments:{name}", args=[event.pk])
            with CaptureQueriesContext(connection) as few:
                assert client.get(address).status_code == 200
            check_terrain(actor=olga, event=event, table=1, ticks={"cover": True})
            check_terrain(actor=olga, event=event, table=7, ticks={"cover": True}, small=True)
            with CaptureQueriesContext(connection) as more:
                page = html_of(client.get(address))
            assert len(few) == len(more) <= 15
            TerrainCheck.objects.all().delete()
        assert page.count('class="terrain-paper__table"') == 3
        assert page.count(">×<") == 2
