"""Paths and the version of Musterbook, available before the settings are loaded."""

import os
import tomllib
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# The app's data on its own disk: the embedded PostgreSQL, the secret key, the state of `ops.serve`.
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").absolute()

# The state from which the tables of the embedded PostgreSQL were prepared. It is next to them, so that moving them
# moves it too.
PREPARED = DATA_DIR / "postgres" / "prepared"

# Output of `collectstatic`: the files that browsers load, with a hash of their content in their names.
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / ".static").absolute()


#: The version of Musterbook, as `pyproject.toml` has it. docs/upgrading.md says what it promises.
VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
