"""What goes each night."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from accounts.tasks import forget_expired


@pytest.mark.django_db
def test_expired_rows_are_deleted_at_night():
    cache.clear()
    cache.set("old", 1, timeout=-5)
    cache.set("new", 1)
    now = timezone.now()
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=1))
    Session.objects.create(session_key="new", session_data="", expire_date=now + timedelta(days=1))

    forget_expired(timestamp=0)

    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        rows = [key for (key,) in cursor.fetchall()]
    assert rows == [cache.make_key("new")]
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]
