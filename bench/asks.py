"""Requests of somebody's, as plain values that can be compared, told and sent again."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, quote_from_bytes

from bench.forms import FORM

#: Headers that the site reads, or that a browser sends unasked.
HEADERS = (
    "HX-Request", "HX-Boosted", "HX-Target", "HX-Trigger", "HX-Trigger-Name", "HX-Current-URL", "HX-Prompt",
    "HX-History-Restore-Request", "X-Leads-Away", "Accept-Language", "Accept-Encoding", "Accept", "If-None-Match",
    "If-Modified-Since", "Referer", "Origin", "Range", "User-Agent", "X-Forwarded-For", "X-Request-ID", "Cookie",
)  # fmt: skip
FILES: tuple[tuple[str, bytes], ...] = (
    ("a.jpg", b""),
    ("a.jpg", b"\xff\xd8\xff\xe0" + b"\xff" * 60),
    ("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 40),
    ("a.webp", b"RIFF\xff\xff\xff\xffWEBPVP8L"),
    ("a.zip", b"PK\x03\x04" + b"\0" * 60),
    ("a.zip", b"PK\x05\x06" + b"\xff" * 18),
    ("a.json", b'{"format": "musterbook-campaign"}'),
    ("a.json", b'{"a": "\\ud800\\u0000"}'),
    ("a.json", b"[" * 3_000),
    ("a.txt", b"\xff\xfe\0"),
    ("../../a", b"x"),
    ("a\r\nb.jpg", b"GIF89a"),
    ("a" * 900, b"<svg onload='alert(1)'/>"),
)


@dataclass(frozen=True)
class Ask:
    """A request of somebody's."""

    role: str
    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str, bytes], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """Path and query."""
        path = quote(_bytes(self.path), safe="/:%")
        return f"{path}?{_written(self.query)}" if self.query else path

    def body(self) -> tuple[bytes, str]:
        """What is sent, and its type."""
        if not self.files:
            return _written(self.fields).encode(), FORM
        parts = [(name, "", _bytes(content)) for name, content in self.fields]
        lines = b"".join(
            b'--b\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
            % (_bytes(name).replace(b'"', b""), b'; filename="%b"' % _bytes(file) if file else b"", content)
            for name, file, content in [*parts, *self.files]
        )
        return lines + b"--b--\r\n", "multipart/form-data; boundary=b"

    def __str__(self) -> str:
        lines = [f"{self.role}: {self.method} {self.address}"]
        lines += [f"{name}={value!r:.300}" for name, value in self.fields]
        lines += [f"file {name}: {file!r:.40} {content!r:.80}" for name, file, content in self.files]
        return "\n    ".join(lines + [f"{name}: {value!r}" for name, value in self.headers])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _written(pairs: Sequence[tuple[str, str]]) -> str:
    return "&".join(f"{quote_from_bytes(_bytes(name))}={quote_from_bytes(_bytes(content))}" for name, content in pairs)
