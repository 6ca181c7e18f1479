"""Battles that might have been: names without figures, so that each can be found again.

A unit may rise, be decorated and fall in one battle.
"""

import datetime
from dataclasses import replace

from hypothesis import strategies as st

from campaign.chronicle.narrative.battle_story import BattleStory, SideStory

few = st.integers(0, 3)


def _names(letter: str, number: int) -> tuple[str, ...]:
    return tuple(f"Q{letter}{'z' * (place + 1)}q" for place in range(number))


@st.composite
def sides(draw: st.DrawFn, colour: str) -> SideStory:
    """A side: a Register's or a guest's."""
    own = {"blue": "B", "red": "R"}[colour]
    points = draw(st.integers(0, 12))
    if draw(st.integers(0, 4)) == 0:
        return SideStory(name=f"Q{own}guestq", colour=colour, victory_points=points, conceded=draw(st.booleans()))
    arc = draw(st.sampled_from(["", f"Q{own}arcq"]))
    units = _names(f"{own}u", 6)
    fallen = draw(st.lists(st.sampled_from(units), max_size=3, unique=True))
    standing = st.sampled_from([unit for unit in units if unit not in fallen])  # see tale: no Setbacks of the fallen
    some = st.lists(st.sampled_from(units), max_size=3, unique=True)
    honors = tuple((draw(st.sampled_from(units)), card) for card in _names(f"{own}cc", draw(few)))
    return SideStory(
        name=f"Q{own}nameq",
        colour=colour,
        faction="empire",
        victory_points=points,
        conceded=draw(st.booleans()),
        has_sequence=True,
        fallen=tuple(fallen),
        setbacks=tuple((draw(standing), card) for card in _names(f"{own}sc", draw(few))),
        ranks=tuple((unit, draw(st.integers(1, 5))) for unit in draw(some)),
        commendations=honors,
        joined=_names(f"{own}j", draw(few)),
        agendas=tuple((agenda, draw(st.integers(1, 3))) for agenda in _names(f"{own}a", draw(few))),
        rival=draw(st.sampled_from(["", f"Q{own}rivalq"])),
        trait=draw(st.sampled_from(["", f"Q{own}traitq"])),
        arc_ended=arc,
        reputation=draw(st.integers(1, 2)) if arc else 0,
        arc_begun=draw(st.sampled_from(["", f"Q{own}nextq", arc])),
        arcs=draw(few),
        defeated=len(fallen) + draw(few),
        escaped=tuple((unit, ("blank", "critical")[: draw(st.integers(1, 2))]) for unit in draw(some)),
        saved=draw(st.sampled_from(["", f"Q{own}savedq"])),
        feared=draw(st.sampled_from(["", f"Q{own}fearedq"])),
        first_honors=tuple(dict.fromkeys(unit for unit, _ in honors if draw(st.booleans()))),
        holding=tuple(draw(some)),
        paragon=f"Q{own}paragonq",
        arc=draw(st.sampled_from(["", f"Q{own}arcnowq"])),
        arc_slug=draw(st.sampled_from(["", "birth-of-a-legend", "a-pirates-life"])),
        battles=draw(st.integers(0, 30)),
    )


@st.composite
def battle_stories(draw: st.DrawFn) -> BattleStory:
    """A closed battle; both may have conceded, and one of them may have won."""
    winner = draw(st.sampled_from(["", "blue", "red"]))
    blue, red = draw(sides("blue")), draw(sides("red"))
    return BattleStory(
        key=str(draw(st.uuids())),
        number=draw(st.integers(1, 99)),
        date=datetime.date(2026, 3, 14),
        place="Qplaceq",
        mission=draw(st.sampled_from(["", "Qmissionq"])),
        size=draw(st.sampled_from([400, 600, 800])),
        turning_point=draw(st.sampled_from(["", "Qturningq"])),
        winner=winner,
        meeting=(meeting := draw(few)),
        last_winner=draw(st.sampled_from(["", "blue", "red"])) if meeting > 1 else "",
        lead=draw(st.sampled_from([(0, 0, 0), (3, 40, 2)])) if winner else (0, 0, 0),
        blue=replace(blue, conceded=blue.conceded and (winner == "red" or red.conceded)),
        red=replace(red, conceded=red.conceded and (winner == "blue" or blue.conceded)),
    )
