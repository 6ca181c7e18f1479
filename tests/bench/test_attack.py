"""A few seconds of what bench/attack.py does for a minute, to a server within this process."""

from urllib.parse import urlsplit

import pytest

from bench import attack

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_books_balance_under_attack(book, live_server, monkeypatch):
    monkeypatch.setattr(attack, "ATTACKERS", 4)
    found = attack.play(urlsplit(live_server.url).port or 0, seconds=4, seed=1)
    assert found.well, found
    kinds = {kind.rpartition(" ")[0] for kind in found.results}
    assert kinds == set(attack.KINDS), found.results


def test_what_is_not_well():
    assert attack.Found(attack.Counter({"valid 302": 3, "broken 422": 1}), 0, 1, []).well
    for worse in (
        attack.Found(attack.Counter({"valid 500": 1}), 0, 1, []),
        attack.Found(attack.Counter(), 1, 1, []),
        attack.Found(attack.Counter(), 0, 1, ["Ashen Patrol: …"]),
    ):
        assert not worse.well
