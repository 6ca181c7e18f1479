"""QR codes for invitations, paper slips and authenticator apps."""

from base64 import b64encode
from io import BytesIO
from itertools import groupby

from django.utils.html import escape

#: Modules of white around a code.
BORDER = 4
#: Pixels of a module in a picture: programs that smooth a picture leave its edges sharp.
SHARP = 4


def _rows(text: str) -> list[list[bool]]:
    """Return the modules of a QR code, True for dark ones. The mask is always the same, because trying all of them
    takes five times as long.
    """
    from qrcode import QRCode  # type: ignore[import-untyped]  # lazy: rare

    code = QRCode(border=BORDER, mask_pattern=2)
    code.add_data(text)
    code.make()
    return list(code.get_matrix())


def qr_png(text: str) -> str:
    """Return `text` as an HTML image of a QR code, for a PDF alone: pages may load no data addresses. A path would take
    a PDF ten times as long.
    """
    from PIL import Image  # lazy: rare

    rows, png = _rows(text), BytesIO()
    image = Image.new("1", (len(rows), len(rows)))
    image.putdata([255 * (not dark) for row in rows for dark in row])
    image.resize((len(rows) * SHARP, len(rows) * SHARP)).save(png, "PNG")
    return f'<img alt="{escape(text)}" src="data:image/png;base64,{b64encode(png.getvalue()).decode()}">'


def qr_svg(text: str) -> str:
    """Return `text` as an inline SVG QR code: dark on white in both themes, so that cameras can read it. It takes 5 ms:
    a path has runs of modules.
    """
    path, rows = "", _rows(text)
    for y, row in enumerate(rows):
        x, end = 0, None
        for dark, modules in groupby(row):
            width = len(list(modules))
            if dark:
                path += f"M{x} {y}.5h{width}" if end is None else f"m{x - end} 0h{width}"
                end = x + width
            x += width
    return (
        f'<svg width="{len(rows)}mm" height="{len(rows)}mm" viewBox="0 0 {len(rows)} {len(rows)}" '
        'xmlns="http://www.w3.org/2000/svg"><rect fill="white" width="100%" height="100%"/>'
        f'<path d="{path}" stroke="black" shape-rendering="crispEdges"/></svg>'
    )
