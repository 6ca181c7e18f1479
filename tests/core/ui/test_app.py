"""Musterbook on the first screen of a phone."""

import json
import re
import struct
from pathlib import Path

from django.conf import settings
from whitenoise.media_types import MediaTypes

from bench.app_icons import PICTURES, STATIC
from tests.html import html_of

ROOT = Path(__file__).parents[3]


def size_of(path: Path) -> tuple[int, int]:
    """Width and height of a PNG, in px."""
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:])


def test_the_pictures_have_the_sizes_that_are_promised():
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    promised = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    found = {src: "{}x{}".format(*size_of(STATIC / src)) for src in promised}
    assert found == promised
    assert [icon.get("purpose") for icon in manifest["icons"]] == [None, None, "maskable"]
    painted = {picture.name: size_of(STATIC / "app" / picture.name) for picture in PICTURES}
    assert painted == {picture.name: (picture.size, picture.size) for picture in PICTURES}


def test_the_manifest_names_the_colours_of_the_page(client, db):
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    tokens = (ROOT / "static/css/tokens.css").read_text()
    dark = (ROOT / "static/css/dark.css").read_text()
    cover, ground = (re.search(rf"--{name}: (#\w+)", tokens)[1] for name in ("cover", "ground"))
    assert (manifest["theme_color"], manifest["background_color"]) == (cover, ground)
    colours = re.findall(r'name="theme-color" content="(#\w+)"', html_of(client.get("/rules/")))
    assert colours == [cover, re.search(r"--cover: (#\w+)", dark)[1]]


def test_it_starts_at_the_first_page_and_covers_the_site():
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    assert {key: manifest[key] for key in ("start_url", "scope", "id", "display")} == {
        "start_url": "/",
        "scope": "/",
        "id": "/",
        "display": "standalone",
    }
    assert (
        MediaTypes(extra_types=settings.WHITENOISE_MIMETYPES).get_type("manifest.webmanifest")
        == "application/manifest+json"
    )


def test_every_page_names_manifest_and_touch_icon(client, db):
    html = html_of(client.get("/rules/"))
    assert '<link rel="manifest" href="/static/manifest.webmanifest">' in html
    assert '<link rel="apple-touch-icon" href="/static/app/touch-180.png">' in html
