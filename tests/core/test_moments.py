"""Moments and days from 2000 to 2100, in texts, fields, tables and templates."""

from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.template import Context, Template
from django.utils import timezone

from campaign.battles.models import Draw
from campaign.models import Activity
from campaign.story_arcs.models import ArcVersion
from core.form_fields import DayField
from core.moments import day_of, moment_of
from registers.models import LedgerEntry
from tournaments.models import Event, LogLine


def test_texts():
    assert moment_of("2026-04-21T10:00:00Z") == datetime(2026, 4, 21, 10, tzinfo=UTC)
    for text in (
        "9999-12-31T23:59:59Z",
        "1999-12-31T23:59:59+00:00",
        "0001-01-01T00:00:00+14:00",
        "2026-04-21T10:00",
        "x",
    ):
        assert moment_of(text) is None, text
    assert day_of("2026-04-21") == date(2026, 4, 21)
    assert [day_of(text) for text in ("9999-12-31", "1999-12-31", "2026-02-31", "")] == [None] * 4


def test_forms():
    field = DayField()
    assert field.clean("2100-12-31") == date(2100, 12, 31)
    for text in ("2101-01-01", "1999-12-31"):
        with pytest.raises(Exception, match="Choose a year from 2000 to 2100"):
            field.clean(text)


@pytest.mark.parametrize("moment", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Honolulu"])
def test_drawing_a_moment_never_raises(moment, zone):
    template = Template("{{ moment|date:'Y-m-d' }} {{ moment|time:'H' }} {{ moment|date:'c' }}")
    with timezone.override(zone):
        assert str(moment.year) in template.render(Context({"moment": moment}))


@pytest.mark.django_db
def test_the_database_refuses_other_years():
    event = Event.objects.create(name="Winter", rule_set="GC", army_size=1000)
    for name in ("starts_at", "registration_deadline", "created_at"):
        with pytest.raises(IntegrityError, match="event_moments"), transaction.atomic():
            Event.objects.filter(pk=event.pk).update(**{name: datetime(9999, 12, 31, tzinfo=UTC)})


@pytest.mark.django_db
@pytest.mark.parametrize("model", [LedgerEntry, Activity, LogLine, Draw, ArcVersion])
def test_truncate_is_refused(model):
    with (
        pytest.raises(Exception, match="Cannot truncate rows from"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {model._meta.db_table} CASCADE")
