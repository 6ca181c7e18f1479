"""Where things lie, and which Musterbook this is; readable before the settings are."""

import os
import tomllib
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# What the app keeps on its own disk: the embedded PostgreSQL, the secret key, what `ops.serve` remembers.
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").absolute()

# What the tables of the embedded PostgreSQL were prepared from, beside them: whoever moves them away moves it too.
PREPARED = DATA_DIR / "postgres" / "prepared"

# Where `collectstatic` puts the files that browsers load, under names that carry a hash of their content.
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / ".static").absolute()


def version() -> str:
    """The version that `pyproject.toml` names."""
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
