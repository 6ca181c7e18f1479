"""Walls of the house that import-linter cannot name."""

import ast
import re
import sys
import tomllib

from config.paths import BASE_DIR


def imported_by(path):
    """Return the top-level names that a source file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


def test_the_rules_import_nothing_but_the_standard_library():
    names = {name for path in (BASE_DIR / "rules").rglob("*.py") for name in imported_by(path)}

    assert "dataclasses" in names
    assert names - set(sys.stdlib_module_names) - {"rules"} == set()


def test_the_drawing_shows_the_floors_that_the_linter_holds():
    """From the top down, rooms of one floor beside each other."""
    [layers] = [
        contract["layers"]
        for contract in tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["tool"]["importlinter"][
            "contracts"
        ]
        if contract["type"] == "layers"
    ]
    drawn = (BASE_DIR / "docs" / "images" / "house.svg").read_text()
    rooms = drawn[drawn.index('id="rooms"') : drawn.index("room side")]
    floors: dict[int, list[str]] = {}
    for height, name in re.findall(r'class="name" x="\d+" y="(\d+)">(\w+)', rooms):
        floors.setdefault(int(height), []).append(name)
    assert [" | ".join(names) for _height, names in sorted(floors.items())] == layers
