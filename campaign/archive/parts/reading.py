"""Read a campaign file: its size, its JSON, its schema, its pictures."""

import json
import re
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.utils.translation import gettext as _

from core.json_files import JSONFormat
from ops.paths import BASE_DIR
from rules.core.violations import RuleViolation, refuse
from uploads.images import MOST_BYTES as MOST_PICTURE
from uploads.waiting_files import WaitingFiles

ENDING = ".musterbook.zip"

CONTENT = "campaign.json"
PICTURE = "pictures/{}.jpg"

MB = 1024**2
MOST_BYTES = 200 * MB
WAITING = WaitingFiles("zip", MOST_BYTES)
#: A campaign of 40 Registers with 200 entries each has 15 MB of text.
MOST_TEXT = 64 * MB
MOST_PICTURES = 2_000
#: Our JSON compresses to a tenth. A file that compresses to a hundredth is meant to exhaust memory.
MOST_COMPRESSED = 100


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of CONTENT."""
    path = BASE_DIR / "docs" / "campaign-file.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


#: A campaign of 40 Registers with 200 entries each has half a million values. The version is raised for changes that
#: an older Musterbook would misread.
CAMPAIGN_FILE = JSONFormat(
    name="musterbook-campaign",
    version=1,
    schema=schema,
    most_values=3_000_000,
    part=CONTENT,
    foreign=lambda: _("This is not a campaign exported from Musterbook."),
)

#: How many violations are shown.
MOST_REPORTED = 8
#: The end record of a zip: its length without a comment, its signature, and that of a Zip64, which we never write.
END, MARK, LARGE_MARK, LONGEST_COMMENT = 22, b"PK\5\6", b"PK\6\7", 65_535
LONGEST_LIST = MB  # bytes of the list of members
NAME = re.compile(r"pictures/[0-9a-f-]{36}\.jpg")
BROKEN = (BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError, struct.error, zlib.error)


def read(file: IO[bytes]) -> dict[str, Any]:
    """Return the contents of a file as the schema describes them. Refuses a file that is no zip, is broken, has
    unexpected members, would exhaust memory, is not JSON, or comes from a newer version.
    """
    with _opened(file) as archive:
        text = _text(archive)
    return CAMPAIGN_FILE.read(text)


def look_at_pictures(file: IO[bytes], content: Mapping[str, Any]) -> None:
    """Refuse missing or oversized pictures, and members of the zip that are no picture of the campaign."""
    with _opened(file) as archive:
        there = {info.filename: info.file_size for info in archive.infolist()}
    wanted = {PICTURE.format(each["id"]) for each in content["pictures"]}
    if strange := there.keys() - wanted - {CONTENT}:
        text = _("This file contains “%(name)s”, which does not belong in a campaign file.")
        raise refuse("", text % {"name": min(strange)})
    if missing := wanted - there.keys():
        raise refuse("", _("%(name)s is missing from the file.") % {"name": min(missing)})
    if large := [name for name in wanted if there[name] > MOST_PICTURE]:
        raise refuse("", _("%(name)s is too large for a picture.") % {"name": min(large)})


def picture(file: IO[bytes], key: str) -> bytes:
    """Return the file of a picture. Refuses one that is missing or broken."""
    with _opened(file) as archive:
        try:
            return _member(archive, PICTURE.format(key), MOST_PICTURE)
        except KeyError as missing:
            raise refuse("", _("The picture %(key)s is missing from the file.") % {"key": key}) from missing


def _opened(file: IO[bytes]) -> ZipFile:
    """Open the zip, once its list of members is known to be short: zipfile reads the whole list."""
    _refuse_long_list(file)
    try:
        archive = ZipFile(file)
    except BROKEN as broken:
        raise _no_zip() from broken
    names = archive.namelist()
    if CONTENT not in names:
        raise refuse("", _("This is not a campaign file: campaign.json is missing."))
    if len(names) != len(set(names)):
        raise refuse("", _("This zip file contains the same name twice."))
    if any(info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for info in archive.infolist()):
        raise _no_zip()
    if strange := [name for name in names if name != CONTENT and not NAME.fullmatch(name)]:
        text = _("This file contains “%(name)s”, which does not belong in a campaign file.")
        raise refuse("", text % {"name": strange[0][:100]})
    return archive


def _refuse_long_list(file: IO[bytes]) -> None:
    size = file.seek(0, 2)
    if size > MOST_BYTES:
        raise too_big()
    file.seek(max(0, size - END - LONGEST_COMMENT - len(LARGE_MARK) - 16))
    tail = file.read()
    at = tail.rfind(MARK)
    if at < 0 or len(tail) - at < END or tail[max(0, at - 20) : at].startswith(LARGE_MARK):
        raise _no_zip()
    members, length = struct.unpack_from("<HI", tail, at + 10)
    if members > MOST_PICTURES + 1 or length > LONGEST_LIST:
        raise refuse("", _("This zip file contains more than %(most)d files.") % {"most": MOST_PICTURES + 1})


def _text(archive: ZipFile) -> bytes:
    info = archive.getinfo(CONTENT)
    if info.file_size > MOST_COMPRESSED * max(1, info.compress_size):
        raise refuse("", _("This zip file is compressed too much to be a campaign file and was not opened."))
    return _member(archive, CONTENT, MOST_TEXT)


def _member(archive: ZipFile, name: str, most: int) -> bytes:
    """Read at most `most` bytes of a member. Raises KeyError if it is missing."""
    info: ZipInfo = archive.getinfo(name)
    if info.file_size > most:
        sentence = _("%(name)s is larger than %(most)d MB unpacked and was not opened.")
        raise refuse("", sentence % {"name": name, "most": most // MB})
    try:
        with archive.open(info) as member:
            return member.read(most + 1)
    except BROKEN as broken:
        sentence = _("%(name)s is damaged. Export the campaign again.")
        raise refuse("", sentence % {"name": name}) from broken


def too_big() -> RuleViolation:
    """Return the refusal of a file that is too big."""
    return refuse("", _("The file is too large. Choose one of up to %(most)d MB.") % {"most": MOST_BYTES // MB}, "file")


def _no_zip() -> RuleViolation:
    return refuse("", _("This is not a complete campaign file. Download it again."))
