#!/usr/bin/env bash
# Guess:    `pgtrigger.Protect(level=pgtrigger.Statement, operation=pgtrigger.Truncate)` makes a trigger that refuses TRUNCATE,
#           which has statement triggers only.
# Happens:  it raises ValueError when it is rendered, in makemigrations: Protect knows update, delete and insert at that level. Its
#           default, a row trigger, is rendered without a word, and PostgreSQL refuses the migration: "TRUNCATE FOR EACH ROW
#           triggers are not supported". So Protect cannot refuse TRUNCATE, although pgtrigger.Truncate is one of its operations.
# Hurt:     tables that are append-only by Protect(operation=Update | Delete) and can be truncated. The way out is a plain
#           pgtrigger.Trigger at statement level with a func of its own.
# Versions: django-pgtrigger 4.17.0, django 5.2.8 (PyPI). Source: pgtrigger/contrib.py (`Protect.get_func`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet django-pgtrigger==4.17.0 django==5.2.8 'psycopg[binary]'

cat > protect.py <<'PYTHON'
import django
import pgtrigger
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "pgtrigger"],
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "none"}},
)
django.setup()
from django.contrib.contenttypes.models import ContentType

for level in (pgtrigger.Statement, pgtrigger.Row):
    trigger = pgtrigger.Protect(name="keep", level=level, operation=pgtrigger.Truncate)
    try:
        sql = trigger.compile(ContentType).install_sql
        print(level, "renders", "BEFORE TRUNCATE" in sql and "FOR EACH ROW" in sql)
    except ValueError as error:
        print(level, "raises", error)
PYTHON
venv/bin/python protect.py | tee output
diff output - <<'SEEN'
STATEMENT raises Unsupported operation "TRUNCATE" for statement-level protect trigger
ROW renders True
SEEN
