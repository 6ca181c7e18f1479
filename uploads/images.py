"""Taking in pictures of people: they are decoded and drawn anew, so that nothing of what was sent is kept.

What is written on the outside of a file (its name, the type that the browser says) counts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from rules.refusal import Refusal, refuse

MOST_BYTES = 8 * 1024 * 1024
#: What a good telephone takes. More than that, in a small file, is made to fill our memory.
MOST_PIXELS = 40_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
#: Our sizes, by the longest edge in pixels; a picture that is smaller stays as it is.
SIZES: Mapping[str, int] = {"full": 2048, "medium": 960, "small": 320}
QUALITY = 85

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

    Refuses more than MOST_BYTES, what is no JPEG, PNG or WebP, more than MOST_PIXELS, and what cannot be decoded to
    its end.
    """
    if len(sent) > MOST_BYTES:
        raise too_big()
    try:
        with Image.open(BytesIO(sent), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _too_many_pixels()
            picture.draft("RGB", (SIZES["full"],) * 2)  # a JPEG need not be decoded larger than it is kept
            picture.thumbnail(
                (SIZES["full"],) * 2
            )  # before anything else, for each copy of a large one fills memory
            plain = _plain(ImageOps.exif_transpose(picture))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise _too_many_pixels() from bomb
    except Image.UnidentifiedImageError as unknown:
        raise refuse(
            "", _("This is no picture that we can read: send a JPEG, PNG or WebP."), "file"
        ) from unknown
    except (OSError, SyntaxError, ValueError, TypeError, OverflowError, MemoryError) as broken:
        raise refuse("", _("This picture is broken: it cannot be read to its end."), "file") from broken
    return Drawn(plain.width, plain.height, {name: _jpeg(plain, name) for name in SIZES})


def too_big() -> Refusal:
    """The refusal of a file that is too big."""
    return refuse("", _("A picture has at most %(most)d MB.") % {"most": MOST_BYTES // 1024**2}, "file")


def size_in(width: int, height: int, name: str) -> tuple[int, int]:
    """Width and height in pixels that a picture has in one of SIZES."""
    scale = min(1, SIZES[name] / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _plain(picture: Image.Image) -> Image.Image:
    """The pixels alone, on white where there are none: a new image knows nothing of what the old one carried."""
    seen = picture.convert("RGBA")
    plain = Image.new("RGB", seen.size, "white")
    plain.paste(seen, mask=seen.getchannel("A"))
    return plain


def _jpeg(picture: Image.Image, name: str) -> bytes:
    out = BytesIO()
    smaller = picture.resize(size_in(*picture.size, name))
    smaller.save(out, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return out.getvalue()


def _too_many_pixels() -> Refusal:
    most = {"most": MOST_PIXELS // 1_000_000}
    return refuse(
        "", _("A picture has at most %(most)d million pixels. Make it smaller first.") % most, "file"
    )
