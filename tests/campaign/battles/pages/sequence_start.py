"""What a sequence begins with."""

from rules.register.state import Dossier, RegisterState

START = RegisterState(
    combat_potential=600,
    supply_points=5,
    agendas={"keep-them-in-line": 1},
    story_arc="bring-peace-to-the-galaxy",
    paragon="1",
    dossiers={
        "1": Dossier("1", "imperial-officer-ruthless-efficiency", "Captain Sorne", experience=3),
        "2": Dossier("2", "stormtroopers"),
        "3": Dossier("3", "snowtroopers"),
    },
)
