"""Icons of the installed app, painted from static/mark.svg: `python -m bench.app_icons`.

Run it after changing the mark, and commit the files in static/app/. It needs Chromium and the development packages; the
running app needs neither.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
COVER = "#3d4527"


@dataclass(frozen=True, slots=True)
class AppIcon:
    """A file of static/app/. `size` is its edge in px, `share` the part that the mark takes, in whole per cent."""

    name: str
    size: int
    share: int = 100


#: Phones may crop a maskable icon to a circle of 80 %. Icons that a phone rounds itself have no corners.
PICTURES = (
    AppIcon("icon-192.png", 192),
    AppIcon("icon-512.png", 512),
    AppIcon("maskable-512.png", 512, 74),
    AppIcon("touch-180.png", 180, 88),
)


def page_of(picture: AppIcon) -> str:
    """Return the picture as a page of its size: the mark on the background of the site's header."""
    mark = (STATIC / "mark.svg").read_text()
    ground = "transparent" if picture.share == 100 else COVER
    edge = picture.size * picture.share / 100
    return (
        f'<body style="margin:0;background:{ground};display:grid;place-items:center;height:100vh">'
        f"{mark.replace('<svg ', f'<svg width={edge} height={edge} ', 1)}"
    )


def paint() -> None:
    """Write all icons."""
    from playwright.sync_api import sync_playwright  # lazy: optional

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for picture in PICTURES:
            page = browser.new_page(viewport={"width": picture.size, "height": picture.size})
            page.set_content(page_of(picture))
            page.screenshot(path=STATIC / "app" / picture.name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    paint()
