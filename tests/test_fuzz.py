"""Nonsense for every address of the site, short and always the same; bench/fuzz.py sends more of it."""

from random import Random
from types import SimpleNamespace

import pytest
from django.http import HttpResponse

from bench.asks import Ask
from bench.fuzz import Fuzz, undisturbed
from registers.models import Register
from tests.campaign.conftest import book
from tests.thoroughness import NIGHTLY, examples
from tests.world import World, addresses, make_world

__all__ = ["book"]

#: Who is asked to send nonsense, one after the other from address to address.
SENDERS = ("organizer", "owner", "organizer", "stranger")


@pytest.fixture
def world(book, settings) -> World:
    """Keys differ from run to run and nonsense is made of them: a statement more or less is no test's fault."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    return make_world()


def findings(fuzz: Fuzz) -> str:
    return "\n\n".join(f"{wrong}\n{ask}\n{how}" for wrong, (ask, how) in fuzz.found.items())


def test_nonsense_for_every_address(world):
    fuzz, visited = Fuzz(world, Random(0)), set()
    asked = list(addresses())[:: 1 if NIGHTLY else 5]
    with undisturbed():
        for number, address in enumerate(asked):
            fuzz.random = Random(address.name)  # a new address changes nothing for the others
            path, in_admin = address.filled(world), address.route.startswith("admin/")
            role = "staff" if in_admin else SENDERS[number % len(SENDERS)]
            forms = not in_admin or address.name.endswith(("_add", "_change"))
            fuzz.visit(path, role, gets=not in_admin, posts=forms)
            visited.add(address.name)
    assert not fuzz.found, findings(fuzz)
    assert visited == {address.name for address in asked}
    assert {kind for kind in fuzz.counted if fuzz.counted[kind] > examples(2, 20)} >= {
        "GET 200",
        "GET 404",
        "POST 302",
        "POST 422",
    }


# --- That it would find something --------------------------------------------------------------------------------


@pytest.fixture
def fuzz(world) -> Fuzz:
    return Fuzz(world, Random(1))


def test_an_error_is_told_by_the_least_request(fuzz, monkeypatch):
    def broken(request):
        return {}[request.GET["b"]] if "x" in request.GET.get("a", "") else None

    monkeypatch.setattr("dashboard.views._played", broken)
    with undisturbed():
        page = fuzz.ask(
            Ask(
                "owner",
                "GET",
                "/rules/",
                query=(("q", ""), ("a", "xy"), ("b", "1"), ("c", "2")),
                headers=(("HX-Request", "1"),),
            )
        )
    [(wrong, (least, how))] = fuzz.found.items()
    assert (page.status, wrong.split()[0]) == (500, "KeyError")
    assert least == Ask("owner", "GET", "/rules/", query=(("a", "xy"), ("b", "1")))
    assert "in broken" in how


def test_what_a_view_looks_for_is_asked_for(fuzz, monkeypatch):
    seen = []
    monkeypatch.setattr(fuzz, "ask", lambda ask, **_: (seen.append(ask), Fuzz.ask(fuzz, ask))[1])
    with undisturbed():
        fuzz.visit("/rules/", "owner", gets=5)
        fuzz.visit(f"/battles/{fuzz.world.battles['reported'].pk}/dispute/", "owner", posts=1)
    assert {"q"} <= {name for ask in seen for name, _ in ask.query}
    assert {"reason"} <= {name for ask in seen for name, _ in ask.fields}


def test_what_an_answer_leads_to_is_sent_too(fuzz, monkeypatch):
    sent = []
    monkeypatch.setattr(fuzz, "_bent", lambda plain, ask: ask)
    monkeypatch.setattr(fuzz, "ask", lambda ask, **how: (sent.append(ask), Fuzz.ask(fuzz, ask, **how))[1])
    for keep in (False, True):
        with undisturbed():
            fuzz.visit("/registers/import/", "owner", gets=0, posts=1, keep=keep)
        sent.append(None)
    once, further = (len(each) for each in (sent[: sent.index(None)], sent[sent.index(None) + 1 : -1]))
    assert (once, further > 4) == (3, True)  # the page, its form as it is meant, and otherwise


def test_books_that_do_not_balance_are_found(fuzz, monkeypatch):
    def cheat(environ):
        Register.objects.filter(pk=fuzz.world.register.pk).update(supply_points=99)
        answer = HttpResponse()
        answer.wsgi_request = SimpleNamespace(asked=None)
        return answer

    monkeypatch.setattr(fuzz, "site", cheat)
    fuzz.ask(Ask("owner", "POST", "/"))
    assert list(fuzz.found) == ["books of Ashen Patrol: supply_points is 99 in the database, but 5 in the ledger"]
    assert Register.objects.get(pk=fuzz.world.register.pk).supply_points == 5  # it was undone


def test_what_is_slow_is_found(fuzz, monkeypatch):
    monkeypatch.setattr("bench.fuzz.LONGEST", 0)
    with undisturbed():
        fuzz.ask(Ask("owner", "GET", f"{fuzz.world.campaign.get_absolute_url()}plan/"))
    assert list(fuzz.found) == ["slow: /campaigns/…/plan/"]
