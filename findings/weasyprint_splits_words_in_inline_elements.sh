#!/usr/bin/env bash
# Guess:    `overflow-wrap: anywhere` breaks a word only if it does not fit on a line of its own.
# Happens:  in WeasyPrint a word in an inline element within another one (<b>… <i>sudablor</i></b>) is torn where the line
#           ends, also if it would fit whole on the next one. Plain text of the same width moves as a whole.
# Hurt:     Arabic and Hebrew names in <bdi> within a bold name lose their joined letters.
# Versions: weasyprint 70.0, pypdf 6.0.0 (PyPI). Way out: `overflow-wrap: normal` on such elements.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet weasyprint==70.0 pypdf==6.0.0

cat > torn.py <<'PYTHON'
import io
import pypdf
import weasyprint

for text in ("Ember of the R sudablor", "Ember of the R <i>sudablor</i>"):
    words = []
    for width in range(24, 44, 2):
        style = f"width: {width}mm; font: 8pt sans-serif; overflow-wrap: anywhere"
        pdf = weasyprint.HTML(string=f'<div style="{style}"><b>{text}</b></div>').write_pdf()
        words.append("sudablor" in pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text())
    print("always whole" if all(words) else "torn in some widths")
PYTHON
venv/bin/python torn.py | tee output
diff output - <<'SEEN'
always whole
torn in some widths
SEEN
