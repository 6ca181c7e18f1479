"""Corrections in words."""

import pytest

from registers.ledger.text import LABELS, sentence
from rules.adjustments.corrections import REGISTER, UNIT
from rules.register.effects import Corrected

NAMES = {"1": "Captain Sorne", "2": "Boba"}


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (Corrected(field="supply_points", old=5, new=0), "SP corrected from 5 to 0"),
        (Corrected(field="name", old="", new="Dawn"), "Name corrected from nothing to Dawn"),
        (Corrected(field="faction", old="empire", new="rebel"), "Faction corrected from Empire to Rebel"),
        (Corrected(field="paragon", old="1", new="2"), "Paragon corrected from Captain Sorne to Boba"),
        (
            Corrected(field="trait", old=None, new=("tunnel-vision", 2, False)),
            "Defining Trait corrected from nothing to Tunnel Vision (2)",
        ),
        (
            Corrected(agenda="keep-them-in-line", field="progress", old=1, new=2),
            "Progress of Keep Them in Line corrected from 1 to 2",
        ),
        (
            Corrected(unit="2", field="setbacks", old=("downtrodden", "downtrodden"), new=("battle-shaken",)),
            "Setbacks of Boba corrected: + Battle-Shaken, − Downtrodden 1, − Downtrodden 1",
        ),
        (
            Corrected(
                unit="2", field="setbacks", old=("downtrodden", "battle-shaken"), new=("battle-shaken", "downtrodden")
            ),
            "Setbacks of Boba corrected: order changed",
        ),
        (
            Corrected(unit="2", field="place", old="fallen", new="serving"),
            "Status of Boba corrected from fallen to serving",
        ),
        (
            Corrected(
                unit="9", field="dossier", old=None,
                new={
                    "place": "serving", "card": "stormtroopers", "name": "Late", "experience": 3,
                    "upgrades": ["duck-and-cover"],
                },
            ),
            "Late (Stormtroopers) added by hand: Experience 3, Upgrades Duck and Cover",
        ),
        (
            Corrected(unit="9", field="dossier", old=None, new={"place": "serving", "card": "stormtroopers"}),
            "Stormtroopers (Stormtroopers) added by hand",
        ),
        (
            Corrected(unit="2", field="dossier", old={"place": "serving", "card": "stormtroopers"}, new=None),
            "Stormtroopers deleted: entered by mistake",
        ),
    ],
)  # fmt: skip
def test_said(book, effect, expected):
    assert sentence(effect, NAMES, book) == expected


def test_everything_that_can_be_corrected_has_a_name():
    assert set(LABELS) == {*REGISTER, *UNIT, "by_commendation", "progress", "dossier"}
