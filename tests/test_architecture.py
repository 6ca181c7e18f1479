"""Imports that import-linter cannot check."""

import ast
import re
import sys
from collections import Counter

from ops.paths import BASE_DIR
from tests.imports import imported_by


def test_the_rules_import_nothing_but_the_standard_library_and_a_matching():
    files = {path: set(imported_by(path)) for path in (BASE_DIR / "rules").rglob("*.py")}
    names = set().union(*files.values())

    assert "dataclasses" in names
    assert names - set(sys.stdlib_module_names) - {"rules"} == {"rustworkx"}
    assert {path.parent.name for path, imported in files.items() if "rustworkx" in imported} == {"tournaments"}


#: Why an import may stand inside a function. It says so on its line: `# lazy: rare`.
REASONS = {
    "rare": "a large library that few requests or commands need",
    "optional": "a package that may not be installed",
    "setup": "it needs a Django that is set up, and this module is imported before that",
    "cycle": "the two modules need each other, and Django decides where both are",
}
SOURCE = (
    "accounts", "campaign", "catalogue", "config", "core", "dashboard", "lists", "members", "notifications", "ops",
    "registers", "rules", "tournaments", "uploads",
)  # fmt: skip


#: To parse a file takes long, and most of them have no such import.
INDENTED = re.compile(r"^\s+(import|from)\b|: (import|from)\b", re.MULTILINE)


def imports_in_functions(path):
    """Yield the imports inside functions of a source file, without those of `AppConfig.ready`."""
    for function in ast.walk(ast.parse(path.read_text())):
        is_function = isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and (function.name, path.name) != ("ready", "apps.py"):
            yield from (node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom))


def test_imports_inside_functions_have_a_reason():
    found, unexplained = set(), set()
    for path in (path for app in SOURCE for path in (BASE_DIR / app).rglob("*.py") if "migrations" not in path.parts):
        text = path.read_text()
        lines = text.splitlines()
        for node in imports_in_functions(path) if INDENTED.search(text) else ():
            reason = lines[node.lineno - 1].partition("# lazy: ")[2]
            found.add(reason)
            if reason not in REASONS:
                unexplained.add(f"{path.relative_to(BASE_DIR)}:{node.lineno}")

    assert "setup" in found
    assert not unexplained


#: Functions whose first text is shown to people.
SAY = ("gettext", "gettext_lazy", "gettext_noop", "_")


def sentences_of(path):
    """Yield the whole sentences that a source file may show to people."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAY and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant) and " " in text.value and text.value.endswith((".", "!")):
                yield text.value


def test_a_violation_is_said_once():  # law 4
    """A form, a service and a reader of files that find the same fault share its `Fault`."""
    packages = ("rules", "registers", "catalogue", "lists", "campaign/battles")
    said = Counter(each for name in packages for path in (BASE_DIR / name).rglob("*.py") for each in sentences_of(path))

    assert len(said) > 500
    assert {sentence for sentence, times in said.items() if times > 1} == set()


#: The name of a module of tests, or of a function of one, but where it is defined.
NAMED = re.compile(r"(?<!def )\btest_")


def test_helpers_of_tests_are_not_in_test_modules():
    """No module imports from a module of tests: what two share is in a module of its own, or in a conftest."""
    importing = [
        f"{path.relative_to(BASE_DIR)}:{node.lineno}"
        for folder in ("tests", "bench")
        for path in (BASE_DIR / folder).rglob("*.py")
        if NAMED.search(path.read_text())  # to parse them all takes long
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom | ast.Import)
        for name in (getattr(node, "module", None) or "", *(each.name for each in node.names))
        if name.startswith(("tests.", "test_")) and name.rpartition(".")[2].startswith("test_")
    ]
    assert importing == []
