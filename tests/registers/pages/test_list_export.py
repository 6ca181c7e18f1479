"""A Register as an army for other programs, and what it says in each format."""

from dataclasses import replace

from catalogue.snapshot import card_index
from lists.exporting import WRITERS, ExportedList, all_written, list_file, written
from registers.pages.sheet import plain_register
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.register.state import Dossier, RegisterState

ARMY = PlainArmy(
    faction="empire", size=600, title="Ashen Patrol", units=(PlainUnit("stormtroopers", ("dlt-19-stormtrooper",)),)
)


def test_the_paragon_comes_first():
    dossiers = {
        "1": Dossier("1", "stormtroopers", upgrades=("dlt-19-stormtrooper",)),
        "2": Dossier("2", "imperial-officer-ruthless-efficiency", name="Captain Sorne", experience=7),
    }
    state = RegisterState(
        name="Ashen Patrol", faction="empire", combat_potential=750, dossiers=dossiers, paragon="2",
        fallen={"3": Dossier("3", "stormtroopers")},
    )  # fmt: skip
    assert plain_register(state) == PlainArmy(
        faction="empire",
        size=750,
        title="Ashen Patrol",
        units=(PlainUnit("imperial-officer-ruthless-efficiency"), PlainUnit("stormtroopers", ("dlt-19-stormtrooper",))),
    )


def test_every_format(book):
    index = card_index()
    link, text, json = all_written(ARMY)
    assert (link.slug, text.slug, json.slug) == ("link", "text", "tts")
    unit, upgrade = index.letters("unit", "stormtroopers"), index.letters("upgrade", "dlt-19-stormtrooper")
    assert link.text.startswith(f"https://legionhq2.com/list/empire/600:1{unit}{upgrade}")
    points = index.units["stormtroopers"].points + index.upgrades["dlt-19-stormtrooper"].points
    assert text.text.splitlines()[:4] == [
        "Ashen Patrol",
        f"{points}/600 (1 activation)",
        "Empire",
        f"Stormtroopers ({points})",
    ]
    assert '"listname": "Ashen Patrol"' in json.text


def test_a_card_that_a_format_does_not_know(book):
    army = PlainArmy(faction="empire", units=(PlainUnit("home-made"),))
    assert written(army, card_index(), "link") == ExportedList("link", WRITERS["link"], missing="home-made")


def test_names_of_files(book):
    names = [
        list_file(army, slug)["Content-Disposition"] for army in (ARMY, replace(ARMY, title="…")) for slug in WRITERS
    ]
    assert names == [
        f'attachment; filename="{name}"'
        for name in (
            "ashen-patrol.txt", "ashen-patrol.txt", "ashen-patrol.json",
            "musterbook.txt", "musterbook.txt", "musterbook.json",
        )
    ]  # fmt: skip
