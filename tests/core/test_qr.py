"""QR codes as elements of a page."""

from xml.etree import ElementTree

from core.qr import qr_svg


def test_it_is_one_dark_path_on_white_without_style():
    svg = ElementTree.fromstring(qr_svg("https://example.org/join/abc"))  # noqa: S314 (our own)

    assert [(part.tag.partition("}")[2], part.get("fill"), part.get("style")) for part in svg.iter()] == [
        ("svg", None, None),
        ("rect", "white", None),
        ("path", "#000000", None),
    ]
