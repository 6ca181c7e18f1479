"""`make texts`: write the English catalogue of all texts again. Needs GNU gettext.

The English texts are in code and templates, so this catalogue translates nothing and the site runs without it.
Translators start from it (docs/languages.md), and the tests read from it which texts exist.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

LANGUAGE = "en"
#: Replaces gettext's own header, whose timestamp would change on every run.
HEAD = r"""# All texts of Musterbook in English, as they stand in code and templates. `make texts` writes this file.
msgid ""
msgstr ""
"Project-Id-Version: Musterbook\n"
"Language: en\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"""


def catalogue() -> Path:
    """Return the path of the English catalogue."""
    return Path(settings.LOCALE_PATHS[0], LANGUAGE, "LC_MESSAGES", "django.po")


def write() -> Path:
    """Write the catalogue, with every text as its own translation. Expects the project as working directory."""
    place = catalogue()
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    call_command(
        "makemessages", locale=[LANGUAGE], add_location="file", ignore_patterns=["tests", "bench"], verbosity=0
    )
    subprocess.run(["msgen", "--output-file", place, place], check=True)  # noqa: S607 - wherever it is
    _, _, texts = place.read_text().partition("\n\n")
    place.write_text(f"{HEAD}\n{texts}")
    return place


if __name__ == "__main__":  # pragma: no cover - `make texts`
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(f"{write()}\n")
