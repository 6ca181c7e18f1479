#!/usr/bin/env bash
# Guess:    a <title> that a template wraps over two lines gives the PDF the title that browsers show: HTML strips and
#           collapses white space in `document.title`.
# Happens:  WeasyPrint copies the element's text as it stands. /Title begins with a line break and blanks, and holds
#           another in the middle; viewers show an empty or cut title in their window and tab.
# Hurt:     every report made from a template engine that indents or wraps its <title>.
# Versions: weasyprint 70.0, pypdf 6.0.0 (PyPI). Source: weasyprint/html.py (`get_html_metadata`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet weasyprint==70.0 pypdf==6.0.0

cat > title.py <<'PYTHON'
import io
import pypdf
import weasyprint

pdf = weasyprint.HTML(string="<html><head><title>\n  Campaign book\n  Winter 2026\n</title></head><p>Page").write_pdf()
print(repr(pypdf.PdfReader(io.BytesIO(pdf)).metadata.title))
PYTHON
venv/bin/python title.py | tee output
diff output - <<'SEEN'
'\n  Campaign book\n  Winter 2026\n'
SEEN
