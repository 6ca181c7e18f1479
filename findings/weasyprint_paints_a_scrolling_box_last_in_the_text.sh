#!/usr/bin/env bash
# Guess:    `overflow: auto` on a box, such as the one around a wide table, changes nothing in a PDF whose box fits: paper does
#           not scroll, and the text stays in the order of the document.
# Happens:  WeasyPrint takes each box whose overflow is not visible for a stacking context, and writes it after all the blocks
#           beside it. It looks the same, but extracted, searched and read aloud the box comes last: "one three two".
# Hurt:     tables in a responsive wrapper, printed with the site's style sheet: copied text has them at the end of the page.
#           `@media print { .wrapper { overflow: visible } }` restores the order.
# Versions: weasyprint 70.0, pypdf 6.0.0 (PyPI). Source: weasyprint/stacking.py (`_dispatch`), 70.0.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet weasyprint==70.0 pypdf==6.0.0

cat > order.py <<'PYTHON'
import io
import pypdf
import weasyprint

for overflow in ("visible", "auto", "hidden"):
    html = f'<p>one</p><div style="overflow: {overflow}"><p>two</p></div><p>three</p>'
    pdf = weasyprint.HTML(string=html).write_pdf()
    print(overflow, *pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())
PYTHON
venv/bin/python order.py | tee output
diff output - <<'SEEN'
visible one two three
auto one three two
hidden one three two
SEEN
