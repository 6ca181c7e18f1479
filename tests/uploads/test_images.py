"""Pictures drawn anew, and those that are refused."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from config.pdf import to_pdf
from rules.refusal import Refusal
from tests.uploads.photos import ORIENTATION, SECRET, SVG, bomb, moving, photo, telling_photo, telling_png
from uploads.images import MOST_BYTES, drawn, size_in

RED, BLUE = (254, 0, 0), (0, 0, 254)
UNKNOWN = "This is no picture that we can read: send a JPEG, PNG or WebP."
BROKEN = "This picture is broken: it cannot be read to its end."
PIXELS = "A picture has at most 40 million pixels. Make it smaller first."


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def colours(content: bytes) -> list[tuple[int, ...]]:
    """The middle of its left and of its right half, coarsely."""
    picture = opened(content)
    found = [picture.getpixel((picture.width * part // 4, picture.height // 2)) for part in (1, 3)]
    return [tuple(round(value / 127) * 127 for value in colour) for colour in found]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_three_kinds_become_one_in_three_sizes(kind):
    image = drawn(photo(kind, size=(3000, 1500)))
    assert (image.width, image.height) == (2048, 1024)
    assert {name: opened(file).size for name, file in image.files.items()} == {
        "full": (2048, 1024), "medium": (960, 480), "small": (320, 160)
    }  # fmt: skip
    assert {opened(file).format for file in image.files.values()} == {"JPEG"}
    assert [colours(file) for file in image.files.values()] == [[RED, BLUE]] * 3


def test_a_small_one_is_not_blown_up():
    assert {opened(file).size for file in drawn(photo()).files.values()} == {(60, 40)}
    assert [size_in(60, 40, name) for name in ("full", "small")] == [(60, 40), (60, 40)]
    assert size_in(4000, 1, "small") == (320, 1)


def test_it_stands_upright():
    image = drawn(telling_photo(orientation=6))  # turned to the right: the left half is on top
    assert (image.width, image.height) == (40, 60)
    assert opened(image.files["full"]).getpixel((20, 10))[0] > 200
    assert ORIENTATION not in opened(image.files["full"]).getexif()


@pytest.mark.parametrize("sent", [telling_photo(), telling_png()], ids=["jpeg", "png"])
def test_nothing_of_what_it_told_is_left(sent):
    assert SECRET in sent
    for file in drawn(sent).files.values():
        assert (SECRET in file, b"<script" in file, b"Exif" in file) == (False, False, False)
        assert dict(opened(file).getexif()) == {}
        assert set(opened(file).info) <= {
            "jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"
        }  # fmt: skip


def test_what_is_seen_through_is_white():
    picture = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    out = BytesIO()
    picture.save(out, "PNG")
    assert opened(drawn(out.getvalue()).files["full"]).getpixel((10, 10)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["L", "P", "1", "CMYK", "I;16"])
def test_other_ways_to_keep_colours(mode):
    picture = Image.new(mode, (20, 20))
    out = BytesIO()
    picture.save(out, "JPEG" if mode == "CMYK" else "PNG")
    assert opened(drawn(out.getvalue()).files["full"]).mode == "RGB"


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_a_moving_one_the_first_image(kind):
    red = opened(drawn(moving(kind)).files["full"]).getpixel((15, 15))
    assert (red[0] > 200, red[1] < 60) == (True, True)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", UNKNOWN),
        (b"I am a picture.jpg, honestly", UNKNOWN),
        (SVG, UNKNOWN),
        (photo("GIF"), UNKNOWN),
        (photo("TIFF"), UNKNOWN),
        (b"GIF89a/*" + photo() + b"*/=1;alert(1)", UNKNOWN),
        (photo("PNG", size=(300, 300))[:200], BROKEN),
        (photo("JPEG", size=(300, 300))[:-200], BROKEN),
        (photo("WEBP", size=(300, 300))[:-100], BROKEN),
        (bomb(300, 300)[:60], BROKEN),
        (bomb(6400, 6300), PIXELS),
        (bomb(20_000, 20_000), PIXELS),
        (bomb(60_000, 60_000), PIXELS),
        (photo() + b"\0" * MOST_BYTES, "A picture has at most 8 MB."),
    ],
    ids=[
        "nothing", "text", "svg", "gif", "tiff", "polyglot", "png cut", "jpeg cut", "webp cut", "head cut",
        "many pixels", "bomb", "greater bomb", "10 MB",
    ],
)  # fmt: skip
def test_refused_with_a_sentence(sent, said):
    with pytest.raises(Refusal) as refusal:
        drawn(sent)
    assert [(problem.about, problem.text) for problem in refusal.value.problems] == [("file", said)]


def test_a_cut_one_is_refused_after_a_pdf_was_made():
    to_pdf("<p>Those who make PDFs have Pillow read what is broken.")
    with pytest.raises(Refusal):
        drawn(photo("PNG", size=(300, 300))[:200])
