"""A Register that comes from elsewhere: taken over from a file, brought in, consented to, and given away."""

import json
import re

from bench.rehearsal.battle import Player
from bench.rehearsal.founding import commission
from bench.rehearsal.person import Person

#: What another program says of it.
KEPT_ELSEWHERE = json.dumps({
    "format": "legion-tod-register", "version": 1, "registers": [{
        "name": "Old Guard", "faction": "Empire", "reputation": 2, "supplyPoints": 9, "combatPotential": 700,
        "dossiers": [
            {"unitName": "Imperial Officer", "dossierName": "Captain Sorne", "experience": 14, "veteranRank": 2},
            {"unitName": "Snowtroopers", "dossierName": "Grim Hounds", "experience": 6},
            {"unitName": "Stormtroopers"},
        ],
    }],
})  # fmt: skip


def take_over(person: Person, cora: Person, campaign: str, heir: Player) -> None:
    """From a file to a Register of the campaign, which another player gets; a founding by hand is discarded."""
    person.open("/registers/new/")
    person.press("Rebel")
    person.open(f"{person.path}?stage=name")
    person.follow("Delete draft")
    person.press("Delete draft")
    person.open("/registers/import/")
    person.fill(text=KEPT_ELSEWHERE)
    person.press("Read list")
    person.press("Create Register")
    commission(person, "Old Guard")
    person.open(campaign)
    person.press("Add to campaign")
    cora.open(campaign)
    cora.follow("Review")
    cora.press("Approve")
    cora.open(f"{campaign}people/")
    cora.follow(re.compile(person.name))
    cora.touch(cora.page.locator("li", has_text="Old Guard").locator("a[href$='/give/']"))
    cora.option(heir.person.name).click()
    cora.press("Give Register")
