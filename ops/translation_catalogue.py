"""Writes the English catalogue of all texts anew: `make texts`. Needs the tools of GNU gettext.

English stands in code and templates, so this catalogue translates nothing and the site runs without it. It is where
a translator begins (docs/languages.md), and by it the tests know every text there is.
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
#: gettext's own head names the hour, so that no two would be the same.
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
    """Where the English catalogue lies."""
    return Path(settings.LOCALE_PATHS[0], LANGUAGE, "LC_MESSAGES", "django.po")


def write() -> Path:
    """Write the catalogue, every text with itself as its translation. The working directory is the project's."""
    place = catalogue()
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    call_command(
        "makemessages",
        locale=[LANGUAGE],
        add_location="file",
        ignore_patterns=["tests", "bench"],
        symlinks=True,  # a test looks at the rooms from outside
        verbosity=0,
    )
    subprocess.run(["msgen", "--output-file", place, place], check=True)  # noqa: S607 - wherever it is
    _, _, texts = place.read_text().partition("\n\n")
    place.write_text(f"{HEAD}\n{texts}")
    return place


if __name__ == "__main__":  # pragma: no cover - `make texts`
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(f"{write()}\n")
