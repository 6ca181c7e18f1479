#!/usr/bin/env bash
# Guess:    `transaction.on_commit(hook, robust=True)` logs what the hook raises, and the request goes on.
# Happens:  it logs the hook by its `__qualname__`, which a functools.partial has not. The AttributeError about that
#           leaves `atomic` after the commit, and the hooks behind it do not run.
# Hurt:     a mail that cannot be queued gives an error page for a form that was saved, though the hook is robust.
#           Give a function that closes over the arguments (a lambda has a name), never a partial.
# Versions: Django 5.2 (PyPI), Python 3.11. Source: django/db/backends/base/base.py, `run_and_clear_commit_hooks`.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet Django==5.2

venv/bin/python - <<'PYTHON' 2>log | tee output
from functools import partial

from django.conf import settings

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})

from django.db import transaction


def fail(word):
    raise ValueError(word)


for name, hook in {"a lambda": lambda: fail("x"), "a partial": partial(fail, "x")}.items():
    try:
        with transaction.atomic():
            transaction.on_commit(hook, robust=True)
            transaction.on_commit(lambda: print("the next hook runs"))
        print(f"{name}: no error")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
PYTHON
diff output - <<'SEEN'
the next hook runs
a lambda: no error
a partial: AttributeError: 'functools.partial' object has no attribute '__qualname__'
SEEN
