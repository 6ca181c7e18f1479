"""What changed of a Register, in words."""

from dataclasses import replace

from registers.pages.comparison import compare_states
from rules.register.state import Dossier, Field, RegisterState, Trait

BEFORE = RegisterState(
    name="Ashen Patrol",
    faction="empire",
    supply_points=5,
    agendas={"keep-them-in-line": 1},
    dossiers={"1": Dossier("1", "stormtroopers"), "2": Dossier("2", "stormtroopers", "Grim Hounds")},
)


def changes(parts: list[dict]) -> list[tuple[str, str, str, str]]:
    return [(part["name"], *_words(change)) for part in parts for change in part["changes"]]


def _words(change: dict) -> tuple[str, str, str]:
    return change["label"], change["before"], change["after"]


def test_nothing(book):
    assert compare_states(book, BEFORE, BEFORE) == []


def test_values_of_the_register(book):
    after = replace(
        BEFORE,
        name="Dune Wardens",
        supply_points=0,
        commissioned=True,
        discarded=True,
        combat_potential=600,
        reputation=2,
        story_arc="bring-peace-to-the-galaxy",
        arcs_ended=1,
        saga_complete=True,
        agendas={"keep-them-in-line": 3},
        assets=("medevac", "request-assistance", "request-assistance"),
        trait=Trait("unsure", 2),
        command_cards=("paragon-enemy-down",),
        command_cards_owed=1,
        in_field=Field("7"),
    )
    assert changes(compare_states(book, BEFORE, after)) == [
        ("The Register", *words)
        for words in (
            ("Name", "Ashen Patrol", "Dune Wardens"),
            ("Combat Potential", "0", "600"),
            ("Supply Points", "5", "0"),
            ("Reputation", "0", "2"),
            ("Finished", "–", "yes"),
            ("Draft deleted", "–", "yes"),
            ("Story Arc", "–", "Bring Peace to the Galaxy"),
            ("Agendas", "Keep Them in Line 1", "Keep Them in Line 3"),
            ("Story Arcs ended", "0", "1"),
            ("All Story Arcs complete", "–", "yes"),
            ("Strategic Assets", "–", "Medevac, Request Assistance ×2"),
            ("Defining Trait", "–", "Unsure (2 games left)"),
            ("Command Cards", "–", "Enemy Down!"),
            ("Command Cards to choose", "0", "1"),
            ("In a battle", "–", "yes"),
        )
    ]


def test_units(book):
    veteran = Dossier(
        "2",
        "stormtroopers",
        "Grim Hounds",
        faction="rebel",
        upgrades=("duck-and-cover",),
        experience=5,
        veteran_rank=1,
        training=1,
        owed=1,
        setbacks=("downtrodden", "downtrodden"),
        commendations=("resilient",),
        keywords=("Steady",),
    )
    third = Dossier("3", "stormtroopers")
    after = replace(BEFORE, dossiers={"2": veteran, "3": third}, fallen={"1": BEFORE.dossiers["1"]})
    assert changes(compare_states(book, BEFORE, after)) == [
        ("Stormtroopers (no. 1)", "Status", "serving", "fallen"),
        ("Grim Hounds", "Faction", "–", "Rebel"),
        ("Grim Hounds", "Experience", "–", "5"),
        ("Grim Hounds", "Veteran Rank", "–", "1"),
        ("Grim Hounds", "Maximum Veteran Rank", "3", "4"),
        ("Grim Hounds", "Setbacks", "–", "Downtrodden 1 ×2"),
        ("Grim Hounds", "Commendations", "–", "Resilient"),
        ("Grim Hounds", "Commendations to choose", "–", "1"),
        ("Grim Hounds", "Keywords", "–", "Steady"),
        ("Grim Hounds", "Upgrades", "–", "Duck and Cover"),
        ("Stormtroopers (no. 3)", "Status", "–", "serving"),
        ("Stormtroopers (no. 3)", "Unit", "–", "Stormtroopers"),
        ("Stormtroopers (no. 3)", "Maximum Veteran Rank", "–", "3"),
    ]
