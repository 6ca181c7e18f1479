#!/usr/bin/env bash
# Guess:    a hyphen that an author wrote ("Battle-Shaken") and that happens to end a printed line is still there when
#           the text of the PDF is read or searched; only hyphens that the typesetter put in may go.
# Happens:  pdftotext joins the halves to "BattleShaken" without its -layout option; PDFium (Chrome's viewer) puts the
#           control character U+0002 in the hyphen's place, so neither copy nor search finds the word. MuPDF, pypdf and
#           pdfminer keep it. The page itself holds the same U+002D in all cases.
# Hurt:     names of cards, compound surnames and product numbers in narrow columns; accessibility texts made from PDFs. A
#           word joiner (U+2060) after the hyphen keeps both halves on one line, and none of these readers returns it.
# Versions: weasyprint 70.0, pypdfium2 4.30.0, pymupdf 1.26.4, pypdf 6.0.0, pdfminer.six 20250506 (PyPI); poppler-utils
#           (Debian 22.12). Source: PDFium core/fpdftext/cpdf_textpage.cpp, poppler's TextOutputDev.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet weasyprint==70.0 pypdfium2==4.30.0 pymupdf==1.26.4 pypdf==6.0.0 pdfminer.six==20250506

cat > hyphen.py <<'PYTHON'
import io
import subprocess
import pdfminer.high_level
import pymupdf
import pypdf
import pypdfium2
import weasyprint

pdf = weasyprint.HTML(string="<p style='width: 60pt; font: 12pt DejaVu Sans'>one Battle-Shaken two").write_pdf()


def poppler(*options):
    return subprocess.run(["pdftotext", *options, "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()


texts = {
    "pdftotext": poppler(),
    "pdftotext -layout": poppler("-layout"),
    "pdfium": pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded(),
    "mupdf": pymupdf.open(stream=pdf)[0].get_text(),
    "pypdf": pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text(),
    "pdfminer": pdfminer.high_level.extract_text(io.BytesIO(pdf)),
}
for reader, text in texts.items():
    print(f"{reader:18}", ascii(" ".join(text.split())))
PYTHON
venv/bin/python hyphen.py | tee output
diff output - <<'SEEN'
pdftotext          'one BattleShaken two'
pdftotext -layout  'one Battle- Shaken two'
pdfium             'one Battle\x02Shaken two'
mupdf              'one Battle- Shaken two'
pypdf              'one Battle- Shaken two'
pdfminer           'one Battle- Shaken two'
SEEN
