"""ETags of static files."""

from collections.abc import MutableMapping
from pathlib import Path


def weak_etag(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Give a static file a weak ETag: it is the same for the file and its gzip and Brotli forms, whose bytes differ."""
    known = Path(path).stat()
    headers["ETag"] = f'W/"{int(known.st_mtime):x}-{known.st_size:x}"'
