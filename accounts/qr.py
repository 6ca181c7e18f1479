"""QR codes, drawn by the server."""

import qrcode
from qrcode.image.svg import SvgPathFillImage


def qr_svg(text: str) -> str:
    """Draw `text` as an SVG element to stand in a page: dark on white in both themes, so that cameras read it."""
    return str(qrcode.make(text, image_factory=SvgPathFillImage).to_string(encoding="unicode"))
