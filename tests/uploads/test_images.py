"""Pictures drawn anew, and those that are refused."""

import struct
from io import BytesIO

import pytest
from PIL import Image, ImageCms, ImageOps

from core.pdf import to_pdf
from rules.core.violations import RuleViolation
from tests.uploads.photos import ORIENTATION, SECRET, SVG, bomb, moving, photo, telling_photo, telling_png
from uploads import images
from uploads.images import MOST_BYTES, drawn, size_in

MAKER = 0x010F
RED, BLUE = (254, 0, 0), (0, 0, 254)
UNKNOWN = "This picture cannot be read. Choose a JPEG, PNG or WebP file."
BROKEN = "This picture is damaged. Choose another file."
PIXELS = (
    "This picture has too many pixels. A JPEG can have up to 40 million, a PNG or WebP up to 16 million. "
    "Make it smaller first."
)


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


def test_it_stands_upright_whatever_else_the_camera_wrote():
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = 6, "Finest cameras"
    sent = photo(size=(64, 48), exif=exif)
    entry, rational = struct.pack(">HHL", MAKER, 2, 15), struct.pack(">HHL", MAKER, 5, 1)
    assert sent.count(entry) == 1
    image = drawn(sent.replace(entry, rational))  # a fraction where its maker should be named
    assert (image.width, image.height) == (48, 64)


@pytest.mark.parametrize("turn", range(1, 9))
def test_each_way_a_camera_is_held(turn):
    exif = Image.Exif()
    exif[ORIENTATION] = turn
    sent = photo(exif=exif)
    seen = ImageOps.exif_transpose(opened(sent))
    ours = opened(drawn(sent).files["full"])
    places = [(10, 10), (seen.width - 10, seen.height - 10)]
    reds = [[picture.getpixel(place)[0] > 127 for place in places] for picture in (ours, seen)]
    assert (ours.size, reds[0]) == (seen.size, reds[1])


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_what_the_camera_wrote_is_no_exif_at_all():
    assert drawn(photo(exif=b"Exif\0\0II*\0\xff\xff\xff\x7f")).width == 60


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


def png(picture: Image.Image, **words) -> bytes:
    out = BytesIO()
    picture.save(out, "PNG", **words)
    return out.getvalue()


def test_sixteen_bits_of_grey_keep_their_shade():
    image = drawn(png(Image.new("I;16", (20, 20), 0x8000)))
    assert opened(image.files["full"]).getpixel((10, 10)) == (128, 128, 128)


@pytest.mark.parametrize("mode", ["P", "1"])
def test_few_colours_are_made_smaller_without_steps(mode):
    """Stripes of one pixel, black and white: half as wide they are grey."""
    stripes = Image.new("L", (4096, 4))
    stripes.putdata([255 * (place % 2) for place in range(4096 * 4)])
    grey = opened(drawn(png(stripes.convert(mode))).files["full"]).convert("L")
    assert 96 < grey.getpixel((1024, 1)) < 160


def test_colours_of_another_profile_become_ours():
    """Its red is what we call green."""
    swapped = ImageCms.createProfile("sRGB")
    content = bytearray(ImageCms.ImageCmsProfile(swapped).tobytes())
    red, green = content.index(b"rXYZ", 128), content.index(b"gXYZ", 128)
    content[red : red + 4], content[green : green + 4] = b"gXYZ", b"rXYZ"
    sent = png(Image.new("RGB", (20, 20), (255, 0, 0)), icc_profile=bytes(content))
    assert colours(drawn(sent).files["full"])[0] == (0, 254, 0)


def test_one_at_a_time(monkeypatch):
    """While one is decoded another waits."""
    waited = []
    monkeypatch.setattr(images, "_drawn", lambda sent: waited.append(images._one_at_a_time.locked()))
    drawn(photo())
    assert waited == [True]


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_a_moving_one_the_first_image(kind):
    red = opened(drawn(moving(kind)).files["full"]).getpixel((15, 15))
    assert (red[0] > 200, red[1] < 60) == (True, True)


@pytest.mark.parametrize(
    ("sent", "expected"),
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
        (bomb(4100, 4000), PIXELS),
        (bomb(6400, 6300), PIXELS),
        (bomb(20_000, 20_000), PIXELS),
        (bomb(60_000, 60_000), PIXELS),
        (photo() + b"\0" * MOST_BYTES, "This picture is too large. Choose one of up to 8 MB."),
    ],
    ids=[
        "nothing", "text", "svg", "gif", "tiff", "polyglot", "png cut", "jpeg cut", "webp cut", "head cut",
        "many pixels of a PNG", "many pixels", "bomb", "greater bomb", "10 MB",
    ],
)  # fmt: skip
def test_refused_with_a_sentence(sent, expected):
    with pytest.raises(RuleViolation) as refusal:
        drawn(sent)
    assert [(violation.about, violation.text) for violation in refusal.value.violations] == [("file", expected)]


def test_a_cut_one_is_refused_after_a_pdf_was_made():
    to_pdf("<p>Those who make PDFs have Pillow read what is broken.")
    with pytest.raises(RuleViolation):
        drawn(photo("PNG", size=(300, 300))[:200])
