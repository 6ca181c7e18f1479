"""How long a Register of 20 Dossiers takes to print, beside a view of Django's that says two letters.

    .venv/bin/python bench/printing.py

asks both of the same process, through the whole of the middleware, in the current database (DATABASE_URL, else the
embedded server) of a site that has been started once, and rolls back what it has written there. It counts the time of
the processor, so that what else the machine does does not matter; that is nearly all of it, for nobody is waited for.
The exit status is 1 when a PDF takes two seconds or more.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import use_current_database

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.test import Client

DOSSIERS, TIMES, LIMIT = 20, 7, 2.0


def bare(request: HttpRequest) -> HttpResponse:
    """The least that a view can say."""
    from django.http import HttpResponse

    return HttpResponse("ok")


def measure() -> dict[str, float]:
    """Seconds of the processor for each thing that is asked for: the median of several times, after a first one."""
    from django.db import transaction
    from django.test import Client, override_settings

    import config.urls
    from accounts.models import User
    from config.urls import path

    config.urls.urlpatterns.append(path("bare/", bare))
    with transaction.atomic(), override_settings(ALLOWED_HOSTS=["testserver"]):
        owner = User.objects.create_user("bench-of-printing")
        address = f"/registers/{_register(owner)}/print/"
        client = Client()
        client.force_login(owner)
        asked = {
            "bare view": "/bare/",
            "sheets": address,
            "sheets, PDF": f"{address}?as=pdf",
            "cards": f"{address}?what=cards",
            "cards, PDF": f"{address}?what=cards&as=pdf",
        }
        taken = {name: _seconds(client, each) for name, each in asked.items()}
        transaction.set_rollback(True)
    return taken


def _register(owner: object) -> object:
    """A Register of 20 Dossiers with names, upgrades, Experience, a Setback and a Commendation each."""
    from catalogue.snapshot import rulebook
    from registers.ledger.session import LedgerSession
    from registers.models import EntryType, Register
    from rules.register import effects as e

    book = rulebook()
    upgrades, setbacks = sorted(book.upgrades), sorted(book.setbacks)
    commendations = sorted(book.commendations)
    register = Register.objects.create(owner=owner)
    why = {"rule": "R1"}
    happened: list[e.Effect] = [
        e.RegisterOpened(combat_potential=2000, supply_points=5, reputation=1, **why),
        e.FactionChosen(faction="empire", **why),
        e.RegisterNamed(name="Ashen Patrol", **why),
        e.StoryArcBegun(story_arc="bring-peace-to-the-galaxy", **why),
    ]
    for number in range(1, DOSSIERS + 1):
        unit, honor = str(number), commendations[number % len(commendations)]
        happened += [
            e.UnitAdded(unit=unit, card="stormtroopers", name=f"The Grim Hounds of Outpost {unit}", **why),
            *(e.UpgradeAdded(unit=unit, upgrade=upgrades[number + more], **why) for more in (0, 20, 40)),
            e.ExperienceGained(unit=unit, amount=number, **why),
            e.SetbackGained(unit=unit, setback=setbacks[number % len(setbacks)], **why),
            e.CommendationOwed(unit=unit, **why),
            e.CommendationAwarded(unit=unit, commendation=honor, **why),
        ]
    session = LedgerSession.lock(register.pk)
    session.stage(session.registers[register.pk], actor=None, act=EntryType.OPEN, effects=happened)
    session.commit()
    return register.pk


def _seconds(client: Client, address: str) -> float:
    taken = []
    for _time in range(TIMES + 1):
        start = time.process_time()
        answer = client.get(address)
        taken.append(time.process_time() - start)
        if answer.status_code != 200:
            sys.exit(f"{address}: {answer.status_code}")
    return median(taken[1:])


def main() -> int:
    """Measure, and print a line for each."""
    use_current_database()
    taken = measure()
    for name, seconds in taken.items():
        print(f"{name:12} {seconds * 1000:7.1f} ms {seconds / taken['bare view']:7.1f} ×")
    return int(max(taken.values()) >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
