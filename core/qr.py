"""QR codes for invitations and authenticator apps."""


def qr_svg(text: str) -> str:
    """Return `text` as an inline SVG QR code: dark on white in both themes, so that cameras can read it."""
    from qrcode import make  # type: ignore[import-untyped]  # lazy: rare
    from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped]  # lazy: rare

    return str(make(text, image_factory=SvgPathFillImage).to_string(encoding="unicode"))
