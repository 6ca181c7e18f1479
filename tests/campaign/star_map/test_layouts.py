"""Where the systems of a star map are drawn."""

from itertools import combinations

from campaign.star_map.layouts import LAYOUTS, Spot, shortened, spread


def test_no_two_overlap_on_a_phone():
    crowded = tuple(Spot(50 + n % 3, 50, shortened(f"Outer Rim Station {n}")) for n in range(6))
    drawn = spread(crowded)
    assert [one for one, other in combinations(drawn, 2) if one.overlaps(other)] == []
    assert drawn[0] == crowded[0]


def test_thirty_systems_can_all_be_tapped():
    drawn = spread(tuple(Spot(n * 37 % 101, n * 53 % 101, "Kessel") for n in range(30)))
    assert [one for one, other in combinations(drawn, 2) if one.touches(other)] == []


def test_those_that_have_room_stay():
    for layout in LAYOUTS.values():
        spots = tuple(Spot(x, y, "Naboo") for x, y in layout.places)
        assert spread(spots) == list(spots)
