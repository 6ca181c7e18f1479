"""Corrections that organizers wish for."""

from hypothesis import strategies as st

from rules.adjustments.corrections import WantedValue
from tests.rules.build import OTHERS, PARAGON, STORMTROOPERS, TROOPERS

AGENDA = "keep-them-in-line"
UNITS = st.sampled_from([PARAGON, TROOPERS, OTHERS])
WISHES = st.one_of(
    st.builds(WantedValue, st.sampled_from(["supply_points", "reputation", "combat_potential"]), st.integers(0, 9999)),
    st.builds(WantedValue, st.just("assets"), st.lists(st.sampled_from(["medevac", "combat-drop"]), max_size=3)),
    st.builds(WantedValue, st.just("trait"), st.sampled_from([None, ["unsure", 1], ["tunnel-vision", 2]])),
    st.builds(WantedValue, st.just("progress"), st.integers(0, 3), agenda=st.just(AGENDA)),
    st.builds(WantedValue, st.just("experience"), st.integers(0, 50), unit=UNITS),
    st.builds(
        WantedValue, st.just("setbacks"), st.lists(st.sampled_from(["downtrodden", "battle-shaken"])), unit=UNITS
    ),
    st.builds(WantedValue, st.just("place"), st.sampled_from(["fallen", "reassigned"]), unit=st.just(OTHERS)),
    st.builds(WantedValue, st.just("dossier"), st.just({"card": STORMTROOPERS, "experience": 2}), unit=st.just("new")),
    st.builds(WantedValue, st.just("dossier"), st.none(), unit=st.just(OTHERS)),
)
