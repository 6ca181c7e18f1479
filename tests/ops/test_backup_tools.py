"""Tests for ops.backup: which programs are called, and with which words."""

from types import SimpleNamespace

from ops import backup


def connected(**parameters):
    """A connection to PostgreSQL 15, asked for with these parameters."""
    return SimpleNamespace(server_version=150_018, password="", get_parameters=lambda: parameters)


class TestToolsFor:
    def test_says_nothing_that_older_programs_do_not_know(self, monkeypatch, tmp_path):
        monkeypatch.setattr(backup, "_places", lambda: [tmp_path])
        monkeypatch.setattr(backup, "_version", lambda place: 15)

        of_itself = backup.tools_for(connected(dbname="muster", host="/run", sslcertmode="allow"))
        assert of_itself.database == "dbname=muster host=/run"
        chosen = backup.tools_for(connected(dbname="muster", sslcertmode="disable"))
        assert chosen.database == "dbname=muster sslcertmode=disable"

    def test_the_nearest_version_that_is_not_older_than_the_server(self, monkeypatch, tmp_path):
        versions = {tmp_path / "14": 14, tmp_path / "18": 18, tmp_path / "16": 16}
        monkeypatch.setattr(backup, "_places", lambda: list(versions))
        monkeypatch.setattr(backup, "_version", versions.get)

        assert backup.tools_for(connected(dbname="muster")).directory == tmp_path / "16"
        assert backup.tools_for(connected(dbname="muster"), newest=True).directory == tmp_path / "18"
