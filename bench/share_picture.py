"""The seconds that the picture of a battle to share takes, in each shape and look, with a portrait.

    .venv/bin/python bench/share_picture.py

plays the demo's battle to its end on a site of its own. The exit status is 1 if a picture takes more seconds of the
processor than MOST: on an idle machine as many seconds pass. The first one also loads WeasyPrint.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import own_site

#: Seconds of the processor for each picture.
MOST = 1.0


def _worked() -> float:
    """The seconds that this process and those that it has started, and that have ended, took of the processor."""
    spent = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def main() -> int:
    """Print a line for each picture, and return the exit status."""
    with own_site("share-picture") as place:
        from django.conf import settings
        from django.core.management import call_command

        settings.STORAGES["uploads"]["OPTIONS"]["location"] = place / "uploads"
        from bench.simulated_battles import walk
        from bench.simulation import Supply
        from campaign.battles.access import SIDES
        from campaign.battles.models import Battle
        from campaign.chronicle.narrative.after_action import LOOKS, SHAPES, picture_of, report_of
        from campaign.scenarios.sandbox import start_sandbox
        from catalogue.snapshot import rulebook
        from config import urls  # noqa: F401 — a web process has loaded its pages
        from registers.models import Register
        from registers.services.editing import focus_portrait, set_portrait
        from tests.uploads.photos import photo

        call_command("load_catalogue", verbosity=0)
        played = start_sandbox()
        walk(played, Random(1), Supply(rulebook()))  # noqa: S311
        battle = Battle.objects.select_related("campaign").prefetch_related(SIDES).get(pk=played.pk)
        hero = report_of(battle).hero_side
        of = {"actor": played.campaign.guest, "register": Register.objects.get(pk=hero.story.key)}
        of["key"] = hero.story.keys[hero.hero.name]
        set_portrait(**of, sent=photo(size=(1600, 2000)), alt="The hero")
        focus_portrait(**of, point=(50, 20))
        late = False
        for shape in SHAPES:
            for look in LOOKS:
                start, worked = perf_counter(), _worked()
                size = len(picture_of(battle, shape=shape, look=look, portrait=True))
                taken, worked = perf_counter() - start, _worked() - worked
                print(f"{shape:6} {look:5}  {worked:4.2f} s of {MOST:.0f} ({taken:.2f} s passed), {size // 1024} KB")
                late |= worked > MOST
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
