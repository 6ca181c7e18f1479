#!/usr/bin/env bash
# Guess:    a formatter of Django templates moves only white space that a page does not show.
# Happens:  djangofmt breaks the line between a tag such as {% endblocktranslate %} or {% trans %} and the {% if %}
#           that touches it, so "Won by Ada, twice." is printed as "Won by Ada , twice." after formatting. Between a
#           variable and an {% if %} it does not break.
# Hurt:     sentences with optional parts, in every project that formats its templates in a commit hook.
# Versions: djangofmt 1.1.0, Django 5.2.8 (PyPI).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet djangofmt==1.1.0 django==5.2.8

cat > page.html <<'HTML'
<p>{% blocktranslate %}Won by {{ name }}{% endblocktranslate %}{% if note %}, {{ note }}{% endif %}.</p>
<p>{{ name }}{% if note %}, {{ note }}{% endif %}.</p>
HTML
cat > draw.py <<'PYTHON'
import django
from django.conf import settings
from django.template import Context, Template

settings.configure(TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}])
django.setup()
text = Template("{% load i18n %}" + open("page.html").read()).render(Context({"name": "Ada", "note": "twice"}))
print(" ".join(text.split()))
PYTHON
{ venv/bin/python draw.py; venv/bin/djangofmt --quiet page.html || true; venv/bin/python draw.py; } 2> /dev/null | tee output
diff output - <<'SEEN'
<p>Won by Ada, twice.</p> <p>Ada, twice.</p>
<p> Won by Ada , twice. </p> <p>Ada, twice.</p>
SEEN
