"""The encodings in which programs save text."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

#: Letters of other encodings that were read as cp1252: Polish ones of cp1250, which has no "²" ("¿Va?", "10 m³" and
#: "Muñoz" have none), and those of Mac OS Roman, which Excel for macOS saves ("Zoë", but not "Boba‘s").
_POLISH = re.compile("@[¹³¿]@|@¿|[£¯³][a-zß-ÿ]|(?:[A-Z]|@@)@[¹³]".replace("@", "[A-Za-zÀ-ÿ]"))
_MAC = re.compile(r"[A-Za-z](?:[‡ˆ‰˜Ÿ]|(?<=[aeiou])‘(?!s\b)|(?<=[a-z])[ŽŠ])(?![A-Z])(?:[a-z]|[ ;,\t\r\n]|$)")
_SIGNS = re.compile(r"[\x00-\x08\x0e-\x1f]")


def text_of(content: bytes) -> str | None:
    """Return the text of a file, None for a file that is not text: UTF-8 and UTF-16 with and without a mark, and what
    older spreadsheets save, line by line, since people put files together.
    """
    if utf16 := _utf16(content[:400]):
        text = _decoded(content, utf16)
    else:
        lines = content.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
        older = _older(b"".join(line for line in lines if _decoded(line, "utf-8") is None))
        text = "".join(_decoded(line, "utf-8") or line.decode(older, "replace") for line in lines) if older else None
    return None if text is None or _SIGNS.search(text) else text


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _utf16(start: bytes) -> str:
    """Return the kind of UTF-16 of a text: it has a mark, or every other byte of most letters is zero."""
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for encoding, zeros in (("utf-16-be", start[::2].count(0)), ("utf-16-le", start[1::2].count(0))):
        if zeros * 8 > len(start):
            return encoding
    return ""


def _older(content: bytes) -> str:
    """Return the encoding of lines that are not UTF-8, an empty text for none."""
    text = content.decode("cp1252", "replace")
    if _MAC.search(text) and not re.search("[À-ÿ‚]", text):
        return "mac-roman"
    if _POLISH.search(text) and "²" not in text:
        return "cp1250"
    return next((each for each in ("cp1252", "cp1250") if _decoded(content, each) is not None), "")
