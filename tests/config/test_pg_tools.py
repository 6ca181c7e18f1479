"""Tests for config.pg_tools: which programs are called, and with which words."""

from types import SimpleNamespace

from config import pg_tools


def connected(**parameters):
    """A connection to PostgreSQL 15, asked for with these parameters."""
    return SimpleNamespace(server_version=150_018, password="", get_parameters=lambda: parameters)


class TestToolsFor:
    def test_says_nothing_that_older_programs_do_not_know(self, monkeypatch, tmp_path):
        monkeypatch.setattr(pg_tools, "_places", lambda: [tmp_path])
        monkeypatch.setattr(pg_tools, "_version", lambda place: 15)

        of_itself = pg_tools.tools_for(connected(dbname="muster", host="/run", sslcertmode="allow"))
        assert of_itself.database == "dbname=muster host=/run"
        chosen = pg_tools.tools_for(connected(dbname="muster", sslcertmode="disable"))
        assert chosen.database == "dbname=muster sslcertmode=disable"

    def test_the_nearest_version_that_is_not_older_than_the_server(self, monkeypatch, tmp_path):
        versions = {tmp_path / "14": 14, tmp_path / "18": 18, tmp_path / "16": 16}
        monkeypatch.setattr(pg_tools, "_places", lambda: list(versions))
        monkeypatch.setattr(pg_tools, "_version", versions.get)

        assert pg_tools.tools_for(connected(dbname="muster")).directory == tmp_path / "16"
