"""QR codes as elements of a page."""

import re
from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image
from qrcode import QRCode

from core.qr import qr_png, qr_svg


def test_it_is_one_dark_path_on_white_without_style():
    svg = ElementTree.fromstring(qr_svg("https://example.org/join/abc"))  # noqa: S314 (our own)

    assert [
        (part.tag.partition("}")[2], part.get("fill") or part.get("stroke"), part.get("style")) for part in svg.iter()
    ] == [("svg", None, None), ("rect", "white", None), ("path", "black", None)]


def test_the_path_has_the_dark_modules():
    path = ElementTree.fromstring(qr_svg("https://example.org/"))[1].get("d")  # noqa: S314 (our own)
    dark, x, y = set(), 0, 0
    for move, across, down, width in re.findall(r"(M|m)(\d+) (\d+)(?:\.5)?h(\d+)", path):
        x, y = (int(across), int(down)) if move == "M" else (x + int(across), y)
        dark |= {(x + each, y) for each in range(int(width))}
        x += int(width)
    code = QRCode(mask_pattern=2)
    code.add_data("https://example.org/")
    code.make()
    assert dark == {(x, y) for y, row in enumerate(code.get_matrix()) for x, each in enumerate(row) if each}


def test_the_picture_has_the_same_modules():
    picture = Image.open(BytesIO(b64decode(qr_png("https://example.org/").partition("base64,")[2][:-2])))
    code = QRCode(mask_pattern=2)
    code.add_data("https://example.org/")
    code.make()
    rows = code.get_matrix()
    assert picture.size == (4 * len(rows), 4 * len(rows))
    found = [[picture.getpixel((4 * x + 2, 4 * y + 2)) == 0 for x in range(len(rows))] for y in range(len(rows))]
    assert found == rows
