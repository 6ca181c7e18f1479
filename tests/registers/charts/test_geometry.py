"""Scales, columns and room for words."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from registers.charts.geometry import ColumnLayout, Scale, apart, per_cent, px, readable, room_of

PLACES = st.lists(st.floats(0, 100, allow_nan=False), max_size=30).map(sorted)
NEAR = 1e-6


class TestScale:
    def test_upwards(self):
        scale = Scale(0, 50, 170, 20)
        assert [scale(0), scale(25), scale(50)] == [170, 95, 20]
        assert [scale.length(0), scale.length(25), scale.length(50)] == [0, 75, 150]

    def test_without_length(self):
        scale = Scale(0, 0, 8, 88)
        assert (scale(0), scale.length(0)) == (8, 0)

    @given(st.integers(1, 500), st.integers(0, 500), st.floats(0, 300, allow_nan=False), st.floats(0, 300))
    def test_proportional_and_within(self, high, number, start, end):
        scale, number = Scale(0, high, start, end), min(number, high)
        assert min(start, end) - NEAR <= scale(number) <= max(start, end) + NEAR
        assert scale.length(number) == pytest.approx(abs(end - start) * number / high)


class TestColumns:
    def test_places(self):
        columns = ColumnLayout(4, 10, 90, free=0.2)
        assert (columns.step, columns.width) == (20, 16)
        assert [columns.left(place) for place in range(4)] == [12, 32, 52, 72]
        assert [columns.middle(place) for place in range(4)] == [20, 40, 60, 80]

    def test_none(self):
        assert ColumnLayout(0, 10, 90).step == 80

    @given(st.integers(1, 300), st.floats(0, 0.5))
    def test_side_by_side_and_within(self, count, free):
        columns = ColumnLayout(count, 8, 88, free)
        edges = [edge for n in range(count) for edge in (columns.left(n), columns.left(n) + columns.width)]
        assert all(one <= other + NEAR for one, other in pairwise(edges))
        assert edges[0] >= 8 - NEAR
        assert edges[-1] <= 88 + NEAR


@pytest.mark.parametrize(
    ("number", "across", "down"), [(0, "0%", "0"), (12.5, "12.5%", "12.5"), (100 / 3, "33.33%", "33.33")]
)
def test_for_attributes(number, across, down):
    assert (per_cent(number), px(number)) == (across, down)


def test_the_room_of_letters():
    assert room_of(7) == pytest.approx(18.5)


class TestReadable:
    @pytest.mark.parametrize(
        ("places", "room", "chosen"),
        [
            ([], 10, []),
            ([5], 10, [0]),
            ([0, 10, 20, 30], 10, [0, 1, 2, 3]),
            ([0, 5, 10, 15, 20], 10, [0, 2, 4]),
            ([0, 15, 22], 10, [0, 2]),
        ],
    )
    def test_the_last_and_as_many_as_fit(self, places, room, chosen):
        assert readable(places, room) == chosen

    @given(PLACES, st.floats(1, 40))
    def test_never_overlap(self, places, room):
        chosen = [places[index] for index in readable(places, room)]
        assert all(other - one >= room for one, other in pairwise(chosen))
        assert chosen[-1:] == places[-1:]


class TestApart:
    @pytest.mark.parametrize(
        ("places", "moved"),
        [
            ([], []),
            ([50], [50]),
            ([-3], [0]),
            ([20, 40], [20, 40]),
            ([20, 20, 24], [20, 30, 40]),
            ([95, 96, 99], [80, 90, 100]),
        ],
    )
    def test_as_little_as_it_takes(self, places, moved):
        assert apart(places, 10, 0, 100) == moved

    @given(PLACES, st.floats(1, 40))
    def test_never_overlap_within(self, places, gap):
        moved = apart(places, gap, 0, 100)
        between = min(gap, 100 / (len(places) - 1)) if len(places) > 1 else gap
        assert all(other - one >= between - NEAR for one, other in pairwise(moved))
        assert all(-NEAR <= place <= 100 + NEAR for place in moved)
