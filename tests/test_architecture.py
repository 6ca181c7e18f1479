"""Imports that import-linter cannot check."""

import ast
import sys

from ops.paths import BASE_DIR


def imported_by(path):
    """Return the top-level names that a source file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


def test_the_rules_import_nothing_but_the_standard_library_and_a_matching():
    files = {path: set(imported_by(path)) for path in (BASE_DIR / "rules").rglob("*.py")}
    names = set().union(*files.values())

    assert "dataclasses" in names
    assert names - set(sys.stdlib_module_names) - {"rules"} == {"rustworkx"}
    assert {path.parent.name for path, imported in files.items() if "rustworkx" in imported} == {"tournaments"}
