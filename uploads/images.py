"""Taking in pictures of people: they are decoded and drawn anew, so that nothing of what was sent is kept.

What is written on the outside of a file (its name, the type that the browser says) counts nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from threading import Lock

from django.utils.translation import gettext as _
from PIL import ExifTags, Image, ImageCms

from rules.core.violations import RuleViolation, refuse

MOST_BYTES = 8 * 1024 * 1024
#: What a good telephone takes. More than that, in a small file, is made to fill our memory.
MOST_PIXELS = 40_000_000
#: A JPEG is decoded smaller than it is. The others are decoded whole, with four bytes for each pixel.
MOST_PIXELS_WHOLE = 16_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
#: Our sizes, by the longest edge in pixels; a picture that is smaller stays as it is.
SIZES: Mapping[str, int] = {"full": 2048, "medium": 960, "small": 320}
QUALITY = 85

#: How a picture is turned upright, by the orientation that the camera wrote down.
TURNS: Mapping[int, Image.Transpose] = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
#: Colours that profiles speak of.
WITH_PROFILE = ("L", "RGB", "RGBA", "CMYK")

#: Several at once would fill memory, and none would be done any sooner.
_one_at_a_time = Lock()

# Pillow itself looks at this before it decodes anything: it warns above it and refuses above twice as many.
Image.MAX_IMAGE_PIXELS = MOST_PIXELS


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture drawn anew: its size in pixels, and a JPEG for each of SIZES."""

    width: int
    height: int
    files: Mapping[str, bytes]


def drawn(sent: bytes) -> Drawn:
    """The picture that was sent, upright, without its metadata, and of a moving one its first image.

    Refuses more than MOST_BYTES, what is no JPEG, PNG or WebP, more than MOST_PIXELS (MOST_PIXELS_WHOLE where it is
    decoded whole), and what cannot be decoded to its end.
    """
    if len(sent) > MOST_BYTES:
        raise too_big()
    try:
        with _one_at_a_time:
            return _drawn(sent)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise _too_many_pixels() from bomb
    except Image.UnidentifiedImageError as unknown:
        raise refuse(
            "", _("This is no picture that we can read: send a JPEG, PNG or WebP."), "file"
        ) from unknown
    except (OSError, SyntaxError, ValueError, TypeError, OverflowError, MemoryError) as broken:
        raise refuse("", _("This picture is broken: it cannot be read to its end."), "file") from broken


def too_big() -> RuleViolation:
    """The refusal of a file that is too big."""
    return refuse("", _("A picture has at most %(most)d MB.") % {"most": MOST_BYTES // 1024**2}, "file")


def size_in(width: int, height: int, name: str) -> tuple[int, int]:
    """Width and height in pixels that a picture has in one of SIZES."""
    scale = min(1, SIZES[name] / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _drawn(sent: bytes) -> Drawn:
    with Image.open(BytesIO(sent), formats=FORMATS) as picture:
        most = MOST_PIXELS if picture.format == "JPEG" else MOST_PIXELS_WHOLE
        if picture.width * picture.height > most:
            raise _too_many_pixels()
        picture.draft("RGB", (SIZES["full"],) * 2)  # a JPEG need not be decoded larger than it is kept
        small = _with_shades(picture)
        small.thumbnail((SIZES["full"],) * 2)  # before anything else: each copy of a large one fills memory
        plain = _plain(small)
        if (turn := TURNS.get(_orientation(picture))) is not None:
            plain = plain.transpose(turn)
    return Drawn(plain.width, plain.height, {name: _jpeg(plain, name) for name in SIZES})


def _with_shades(picture: Image.Image) -> Image.Image:
    """The picture in colours between which there are others, so that it can be made smaller without steps."""
    if picture.mode in ("P", "PA", "1"):
        return picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    if picture.mode.startswith("I"):  # sixteen bits for each pixel, of which we keep the upper eight
        return picture.point(lambda value: value / 256).convert("L")
    return picture


def _orientation(picture: Image.Image) -> int:
    """What the camera wrote down, 1 (upright) where that cannot be read. Nothing else of it is looked at."""
    try:
        return int(picture.getexif().get(ExifTags.Base.Orientation, 1))
    except (AttributeError, KeyError, OSError, SyntaxError, TypeError, ValueError, struct.error):
        return 1


def _plain(picture: Image.Image) -> Image.Image:
    """The pixels alone, on white where there are none: a new image knows nothing of what the old one carried."""
    seen = _in_our_colours(picture).convert("RGBA")
    plain = Image.new("RGB", seen.size, "white")
    plain.paste(seen, mask=seen.getchannel("A"))
    return plain


def _in_our_colours(picture: Image.Image) -> Image.Image:
    """The picture in sRGB, since its own profile is not kept. One that is broken or of other colours is passed over."""
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
    said = _("A JPEG has at most %(most)d million pixels, a PNG or WebP %(whole)d. Make it smaller first.")
    most = {"most": MOST_PIXELS // 1_000_000, "whole": MOST_PIXELS_WHOLE // 1_000_000}
    return refuse("", said % most, "file")
