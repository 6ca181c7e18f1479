"""Pictures to send: harmless ones, and those that mean harm."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

#: What must not be left of a photograph: where it was taken, and words.
PLACE, SECRET = (52.0, 31.0, 12.0), b"hidden-in-the-file"
GPS, GPS_LATITUDE, ORIENTATION, DESCRIPTION = 0x8825, 2, 0x0112, 0x010E


def photo(kind: str = "JPEG", *, size: tuple[int, int] = (60, 40), mode: str = "RGB", **words: Any) -> bytes:
    """A picture of a red half (left) and a blue one."""
    picture = Image.new(mode, size, "blue")
    picture.paste("red", (0, 0, size[0] // 2, size[1]))
    out = BytesIO()
    picture.save(out, kind, **words)
    return out.getvalue()


def telling_photo(orientation: int = 1) -> bytes:
    """A JPEG that says where it was taken, has a comment, and more behind its end."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[DESCRIPTION] = orientation, SECRET.decode()
    exif.get_ifd(GPS)[GPS_LATITUDE] = PLACE
    return photo(exif=exif, comment=SECRET, icc_profile=SECRET * 9) + b"<script>" + SECRET + b"</script>"


def telling_png() -> bytes:
    """A PNG with words in it."""
    words = PngInfo()
    words.add_text("Comment", SECRET.decode())
    words.add_itxt("XML:com.adobe.xmp", SECRET.decode())
    return photo("PNG", pnginfo=words)


def moving(kind: str) -> bytes:
    """Two images, one after the other; the first is red."""
    first, second = (Image.new("RGB", (30, 30), colour) for colour in ("red", "green"))
    out = BytesIO()
    first.save(out, kind, save_all=True, append_images=[second], duration=100)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A small PNG that says it has this many pixels, and would fill memory with them."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
