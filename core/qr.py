"""QR codes for invitations, paper slips and authenticator apps."""

from itertools import groupby

#: Modules of white around a code.
BORDER = 4


def qr_svg(text: str) -> str:
    """Return `text` as an inline SVG QR code: dark on white in both themes, so that cameras can read it. It takes 5 ms:
    the mask is always the same, because trying all of them takes five times as long, and a path has runs of modules.
    """
    from qrcode import QRCode  # type: ignore[import-untyped]  # lazy: rare

    code = QRCode(border=BORDER, mask_pattern=2)
    code.add_data(text)
    code.make()
    path, rows = "", code.get_matrix()
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
