"""The preview picture that messengers show next to the public link, in the fonts of the printed pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from registers.print.typesetting import BOLD, FOLDER, REGULAR, SCRIPTS

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

#: The size that Open Graph asks for, in pixels.
WIDTH, HEIGHT = 1200, 630
MARGIN, BAND = 80, 112
PAPER, INK, SOFT, COVER, COVER_INK = "#f1ead6", "#24211a", "#5b5340", "#3d4527", "#f3ecd6"
#: Font sizes in pixels: for a title on one line, and for one on two lines.
LARGE, SMALLER = 84, 64
RULE = "#847859"
#: The accent colors of the Factions, as in the light theme.
ACCENTS: Mapping[str, str] = {
    "empire": "#3c4856", "rebel": "#a33a10", "republic": "#861f3c", "separatist": "#28508f",
}  # fmt: skip
OTHERS = "#4a5521"


@dataclass(frozen=True, slots=True)
class Leader:
    """A leading Register: its name, its Faction, and why it leads in a few words."""

    name: str
    faction: str
    words: str


@lru_cache(maxsize=64)
def poster(*, title: str, words: str, leaders: tuple[Leader, ...]) -> bytes:
    """Return a PNG of WIDTH × HEIGHT: the name of a campaign, a few words about it, and up to three leaders. Results
    are cached, because drawing takes a quarter of a second and anyone may request it. Text that is too long ends in an
    ellipsis; characters missing in our fonts are left out.
    """
    from PIL import Image, ImageDraw  # lazy: rare

    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(picture)
    _cover(draw)
    room, y = WIDTH - 2 * MARGIN, BAND + 36
    size = LARGE if _wide(title, LARGE, BOLD) <= room else SMALLER
    for line in _two_lines(title, size, room):
        _write(draw, (MARGIN, y), line, size=size, weight=BOLD, ink=INK)
        y += size + 4
    _write(draw, (MARGIN, y + 12), _fitting(words, 38, REGULAR, room), size=38, ink=SOFT)
    y = HEIGHT - 60 - 66 * len(leaders[:3])
    draw.line((MARGIN, y - 22, WIDTH - MARGIN, y - 22), fill=RULE, width=3)
    draw.line((MARGIN, y - 15, WIDTH - MARGIN, y - 15), fill=RULE, width=1)
    for leader in leaders[:3]:
        _leader(draw, y, leader)
        y += 66
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _cover(draw: ImageDraw.ImageDraw) -> None:
    draw.rectangle((0, 0, WIDTH, BAND), fill=COVER)
    for x in range(0, WIDTH, 24):
        draw.line((x, BAND - 12, x + 13, BAND - 12), fill="#8b9370", width=3)
    _write(draw, (MARGIN, 28), "MUSTERBOOK", size=44, weight=BOLD, ink=COVER_INK, spaced=6)


def _leader(draw: ImageDraw.ImageDraw, y: int, leader: Leader) -> None:
    draw.rectangle((MARGIN, y + 2, MARGIN + 12, y + 50), fill=ACCENTS.get(leader.faction, OTHERS))
    room = WIDTH - 2 * MARGIN - 36
    at_end = _wide(leader.words, 36, REGULAR)
    name = _fitting(leader.name, 42, BOLD, room - at_end - 30)
    _write(draw, (MARGIN + 36, y), name, size=42, weight=BOLD, ink=INK)
    _write(draw, (int(WIDTH - MARGIN - at_end), y + 4), leader.words, size=36, ink=SOFT)


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    *,
    size: int,
    ink: str,
    weight: int = REGULAR,
    spaced: int = 0,
) -> None:
    x, y = float(at[0]), at[1]
    for part, font in _runs(" ".join(text.split()), size, weight):
        for letters in part if spaced else [part]:
            draw.text((x, y), letters, font=font, fill=ink)
            x += font.getlength(letters) + spaced


def _wide(text: str, size: int, weight: int) -> float:
    return sum(font.getlength(part) for part, font in _runs(text, size, weight))


def _fitting(text: str, size: int, weight: int, room: float) -> str:
    if _wide(text, size, weight) <= room:
        return text
    while text and _wide(f"{text}…", size, weight) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _two_lines(text: str, size: int, room: float) -> list[str]:
    words, first = text.split(), ""
    while words and _wide(f"{first} {words[0]}".strip(), size, BOLD) <= room:
        first = f"{first} {words.pop(0)}".strip()
    rest = " ".join(words)
    lines = [line for line in (first, _fitting(rest, size, BOLD, room) if rest else "") if line]
    return lines or [""]


def _runs(text: str, size: int, weight: int) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    run, script = "", ""
    for letter in text:
        has = next((each for each in SCRIPTS if ord(letter) in _known(each, weight)), "")
        if has != script and run:
            yield run, _font(script, weight, size)
            run = ""
        script = has or script
        run += letter if has else ""
    if run:
        yield run, _font(script, weight, size)


@cache
def _known(script: str, weight: int) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # lazy: rare

    with TTFont(FOLDER / f"{script}-{weight}.woff2") as font:
        return frozenset(font.getBestCmap())


@cache
def _font(script: str, weight: int, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont  # lazy: rare

    return ImageFont.truetype(str(FOLDER / f"{script}-{weight}.woff2"), size)
