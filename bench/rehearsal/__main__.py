"""Rehearse: see `bench.rehearsal`."""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

from bench.rehearsal.site import own_site

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip
#: Seconds on a machine that does nothing else: to begin and to end, and a battle with two phones; battles an arc.
AROUND, A_BATTLE, BATTLES_AN_ARC = 120, 13, 5


def main() -> int:
    """Play it all, and print what it came to."""
    parser = argparse.ArgumentParser(prog="python -m bench.rehearsal", description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--arcs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="two players, one Story Arc, without the admin's pages")
    words = parser.parse_args()
    if words.short:
        words.players, words.arcs = 2, 1
    minutes = (AROUND + words.players / 2 * words.arcs * BATTLES_AN_ARC * A_BATTLE * 1.4) / 60
    print(f"{words.players} players, {words.arcs} Story Arcs each: {minutes:.0f} minutes or more", flush=True)
    for ends in (signal.SIGINT, signal.SIGTERM):  # what runs in the background is born deaf to Ctrl-C
        signal.signal(ends, signal.default_int_handler)
    try:
        return rehearse(words)
    except KeyboardInterrupt:
        return 130


def rehearse(words: argparse.Namespace) -> int:
    """Play at a temporary site in a temporary browser."""
    django.setup()
    from bench.rehearsal.run import Rehearsal

    with own_site() as site, sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, CHROMIUM)), None)
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS, handle_sigint=False)
        rehearsal = Rehearsal(browser, site, words.players, words.arcs, words.seed, short=words.short)
        try:
            rehearsal.run()
        except Exception:
            rehearsal.leave_pictures(Path(tempfile.mkdtemp(prefix="musterbook-rehearsal-failed-")))
            raise
        return rehearsal.report()


if __name__ == "__main__":
    sys.exit(main())
