"""Decoding uploaded pictures and drawing them again, so that nothing of the sent file is kept.

The name of a file and the type that the browser declares are ignored.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from rules.core.values import Value
from rules.core.violations import RuleViolation, refuse

if TYPE_CHECKING:
    from PIL import Image

MOST_BYTES = 8 * 1024 * 1024
#: The size of a good phone's photos. More pixels in a small file are meant to fill our memory.
MOST_PIXELS = 40_000_000
#: A JPEG is decoded at a reduced size. Other formats are decoded whole, with four bytes per pixel.
MOST_PIXELS_WHOLE = 16_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
#: Stored sizes, by the longest edge in pixels. Smaller pictures are not enlarged.
SIZES: Mapping[str, int] = {"full": 2048, "medium": 960, "small": 320}
QUALITY = 85

#: How to turn a picture upright, by the orientation that the camera recorded.
TURNS = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_270",
    7: "TRANSVERSE",
    8: "ROTATE_90",
}
#: Color modes that can have a profile.
WITH_PROFILE = ("L", "RGB", "RGBA", "CMYK")

#: Decoding several at once would fill memory and finish none sooner.
_one_at_a_time = Lock()


class RedrawnImage(Value):
    """A redrawn picture: its size in pixels, and a JPEG for each of SIZES."""

    width: int
    height: int
    files: Mapping[str, bytes]


def drawn(sent: bytes) -> RedrawnImage:
    """Return the sent picture, upright and without metadata; of an animation, the first image.

    Refuses more than MOST_BYTES, other formats than JPEG, PNG and WebP, more than MOST_PIXELS (MOST_PIXELS_WHOLE if it
    is decoded whole), and files that cannot be decoded to the end.
    """
    from PIL import Image, ImageFile  # lazy: rare

    if len(sent) > MOST_BYTES:
        raise too_big()
    # Pillow checks this before it decodes anything: it warns above it and refuses above twice as many.
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with _one_at_a_time:
            # WeasyPrint lets Pillow read truncated pictures, for the whole process.
            ImageFile.LOAD_TRUNCATED_IMAGES = False
            return _drawn(sent)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise _too_many_pixels() from bomb
    except Image.UnidentifiedImageError as unknown:
        raise refuse("", _("This picture cannot be read. Choose a JPEG, PNG or WebP file."), "file") from unknown
    except (OSError, SyntaxError, ValueError, TypeError, OverflowError, MemoryError) as broken:
        raise refuse("", _("This picture is damaged. Choose another file."), "file") from broken


def too_big() -> RuleViolation:
    """Return the refusal of a file that is too big."""
    return refuse(
        "", _("This picture is too large. Choose one of up to %(most)d MB.") % {"most": MOST_BYTES // 1024**2}, "file"
    )


def size_in(width: int, height: int, name: str) -> tuple[int, int]:
    """Return the width and height in pixels that a picture has in one of SIZES."""
    scale = min(1, SIZES[name] / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _drawn(sent: bytes) -> RedrawnImage:
    from PIL import Image  # lazy: rare

    with Image.open(BytesIO(sent), formats=FORMATS) as picture:
        most = MOST_PIXELS if picture.format == "JPEG" else MOST_PIXELS_WHOLE
        if picture.width * picture.height > most:
            raise _too_many_pixels()
        picture.draft("RGB", (SIZES["full"],) * 2)  # a JPEG need not be decoded larger than it is stored
        small = _with_shades(picture)
        small.thumbnail((SIZES["full"],) * 2)  # first of all, since each copy of a large picture fills memory
        plain = _plain(small)
        if (turn := TURNS.get(_orientation(picture))) is not None:
            plain = plain.transpose(Image.Transpose[turn])
    return RedrawnImage(plain.width, plain.height, {name: _jpeg(plain, name) for name in SIZES})


def _with_shades(picture: Image.Image) -> Image.Image:
    """Return the picture in a color mode with intermediate colors, so that it can be scaled smoothly."""
    if picture.mode in ("P", "PA", "1"):
        return picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    if picture.mode.startswith("I"):  # sixteen bits per pixel, of which we keep the upper eight
        return picture.point(lambda value: value / 256).convert("L")
    return picture


def _orientation(picture: Image.Image) -> int:
    """Return the orientation that the camera recorded, 1 (upright) if unreadable. No other metadata is read."""
    from PIL import ExifTags  # lazy: rare

    try:
        return int(picture.getexif().get(ExifTags.Base.Orientation, 1))
    except (AttributeError, KeyError, OSError, SyntaxError, TypeError, ValueError, struct.error):
        return 1


def _plain(picture: Image.Image) -> Image.Image:
    """Return the pixels alone, on white where transparent. A new image has none of the old one's metadata."""
    from PIL import Image  # lazy: rare

    seen = _in_our_colours(picture).convert("RGBA")
    plain = Image.new("RGB", seen.size, "white")
    plain.paste(seen, mask=seen.getchannel("A"))
    return plain


def _in_our_colours(picture: Image.Image) -> Image.Image:
    """Return the picture in sRGB, since its own profile is not kept. A broken or unsuitable profile is ignored."""
    from PIL import ImageCms  # lazy: rare

    profile = picture.info.get("icc_profile")
    if not profile or picture.mode not in WITH_PROFILE:
        return picture
    ours, mode = ImageCms.createProfile("sRGB"), "RGBA" if picture.mode == "RGBA" else "RGB"
    try:
        theirs = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.profileToProfile(picture, theirs, ours, outputMode=mode) or picture
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return picture


def _jpeg(picture: Image.Image, name: str) -> bytes:
    out = BytesIO()
    smaller = picture.resize(size_in(*picture.size, name))
    smaller.save(out, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return out.getvalue()


def _too_many_pixels() -> RuleViolation:
    sentence = _(
        "This picture has too many pixels. A JPEG can have up to %(most)d million, a PNG or WebP up to "
        "%(whole)d million. Make it smaller first."
    )
    most = {"most": MOST_PIXELS // 1_000_000, "whole": MOST_PIXELS_WHOLE // 1_000_000}
    return refuse("", sentence % most, "file")
