"""Which Musterbook this is."""

import tomllib

from .paths import BASE_DIR


def version() -> str:
    """The version that `pyproject.toml` names."""
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
