"""QR codes for invitations and authenticator apps."""

from __future__ import annotations

import qrcode  # type: ignore[import-untyped]
from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped]


def qr_svg(text: str) -> str:
    """Return `text` as an inline SVG QR code: dark on white in both themes, so that cameras can read it."""
    return str(qrcode.make(text, image_factory=SvgPathFillImage).to_string(encoding="unicode"))
