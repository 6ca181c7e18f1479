"""A pair of servers, and how Django finds the one that may be written to."""

import tempfile
from pathlib import Path

import psycopg
import pytest
from django.db.backends.postgresql.base import DatabaseWrapper
from environs import env

from bench.cluster import database_url
from bench.postgres_pair import installed, pair


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory(prefix="musterbook-pair-") as place:
        yield Path(place)


def ask(url: str, question: str) -> object:
    """The first column of an answer, over a connection such as Django makes of an address in the settings."""
    args = env.dj_db_url("", default=url)
    words = DatabaseWrapper({"TIME_ZONE": None, "OPTIONS": {}, **args}, "pair").get_connection_params()
    with psycopg.connect(**words, autocommit=True) as connection:
        answer = connection.execute(question)
        return answer.fetchone()[0] if answer.description else None


@pytest.mark.nightly
def test_what_was_acknowledged_is_there_when_the_standby_takes_over(place):
    with pair(place, installed()) as (primary, standby):
        url = database_url(primary, standby)
        assert ask(url, "SELECT pg_is_in_recovery()") is False
        ask(url, "CREATE TABLE kept AS SELECT 7 AS number")
        assert primary.ask("SELECT sync_state FROM pg_stat_replication") == "sync"
        primary.kill()
        with pytest.raises(psycopg.OperationalError):
            ask(url, "SELECT number FROM kept")
        standby.ask("SELECT pg_promote()")
        assert ask(url, "SELECT number FROM kept") == 7
        ask(url, "CREATE TABLE more AS SELECT 8 AS number")
