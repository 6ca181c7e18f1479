"""The picture that messengers show: its size, and that nothing stands on anything else."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from campaign.chronicle.narrative import poster as drawing
from campaign.chronicle.narrative.poster import Leader, poster
from ops.paths import BASE_DIR

LONG = "The long campaign of the Outer Rim between two winters and the thaw"
FULL = (Leader("Ashen Patrol", "empire", "Reputation 2"), Leader("W" * 80, "rebel", "Reputation 1000")) * 2


@pytest.fixture
def written(monkeypatch) -> list[tuple[str, tuple[int, int, int, int]]]:
    """What is written, and the box it stands in."""
    found = []
    poster.cache_clear()
    text = ImageDraw.ImageDraw.text

    def spy(self, xy, line, font=None, **words):
        found.append((line, tuple(round(edge) for edge in self.textbbox(xy, line, font=font))))
        return text(self, xy, line, font=font, **words)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", spy)
    return found


def test_as_open_graph_asks_for_it():
    picture = Image.open(BytesIO(poster(title="Outer Rim Winter", words="3 battles", leaders=FULL)))
    assert (picture.format, picture.size, picture.info) == ("PNG", (1200, 630), {})


@pytest.mark.parametrize("title", ["Outer Rim Winter", LONG, "W" * 80, "W " * 40, "i" * 80, "", "漢字"])
@pytest.mark.parametrize("leaders", [(), FULL[:1], FULL])
def test_nothing_leaves_the_picture_or_stands_on_another_line(written, title, leaders):
    poster(title=title, words="The chronicle of 100 battles", leaders=leaders)
    boxes = [box for _, box in written]
    assert [box for box in boxes if box[0] < 0 or box[1] < 0 or box[2] > 1200 - 79 or box[3] > 630] == []
    over = [
        (one, other)
        for place, one in enumerate(boxes)
        for other in boxes[:place]
        if min(one[2], other[2]) - max(one[0], other[0]) > 2 and min(one[3], other[3]) - max(one[1], other[1]) > 2
    ]
    assert over == []


def test_letters_of_several_scripts_and_those_that_no_file_has(written):
    poster(title="Жуки of Ľubo 漢字 Ωmega", words="", leaders=())
    assert "".join(value for value, _ in written if value not in "MUSTERBOOK") == "Жуки of Ľubo  Ωmega"


def test_leaders_are_three_at_most(written):
    poster(title="A", words="B", leaders=FULL)
    assert [value for value, _ in written if value.startswith("Reputation")] == [
        "Reputation 2", "Reputation 1000", "Reputation 2"
    ]  # fmt: skip


def test_the_same_is_drawn_once_and_another_one_anew(written):
    words = {"title": "A", "words": "B", "leaders": FULL[:1]}
    one = poster(**words)
    drawn = len(written)
    assert (poster(**words), len(written)) == (one, drawn)
    assert poster(**words | {"leaders": FULL[1:2]}) != one


def test_factions_have_the_accents_of_the_pages():
    tokens = (BASE_DIR / "static/css/tokens.css").read_text()
    assert [colour for colour in drawing.ACCENTS.values() if f"--accent: {colour}" not in tokens] == []
