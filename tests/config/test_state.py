"""What a web process keeps between two requests: all of it stands in docs/scaling.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.paths import BASE_DIR

ROOMS = ("accounts", "campaign", "catalogue", "config", "formats", "looks", "registers", "rules", "uploads")
#: Empty on purpose, and said once: addresses, that an app has none.
NO_STATE = ("urlpatterns",)
KEEPERS = (
    "Lock",
    "RLock",
    "Semaphore",
    "ContextVar",
    "local",
    "defaultdict",
    "Counter",
    "dict",
    "list",
    "set",
)


def keeps(source: str) -> bool:
    """Whether a module keeps something: it caches, changes a global name, or begins with something empty."""
    tree = ast.parse(source)
    return any(_changes(node) for node in ast.walk(tree)) or any(_begins_empty(node) for node in tree.body)


def _changes(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef):
        return any(re.search(r"\b(lru_)?cache\b", ast.unparse(each)) for each in node.decorator_list)
    return isinstance(node, ast.Global)


def _begins_empty(node: ast.AST) -> bool:
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return False
    if ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0]) in NO_STATE:
        return False
    match node.value:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=made, args=[] | [ast.Constant()]):
            return ast.unparse(made).removeprefix("threading.") in KEEPERS
    return False


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@cache\ndef f(): pass", True),
        ("@functools.lru_cache(maxsize=1)\ndef f(): pass", True),
        ("@never_cache\ndef f(): pass", False),
        ("def f():\n    global x\n    x = 1", True),
        ("known: dict[str, str] = {}", True),
        ("known = []", True),
        ("lock = threading.Lock()", True),
        ("reading = ContextVar('reading')", True),
        ("urlpatterns = []", False),
        ("names = {'a': 1}\ndef f():\n    found = {}", False),
    ],
)
def test_what_counts_as_keeping(source, found):
    assert keeps(source) is found


def modules() -> Iterator[str]:
    for room in ROOMS:
        for path in sorted(Path(BASE_DIR, room).rglob("*.py")):
            if "migrations" not in path.parts and keeps(path.read_text()):
                yield str(path.relative_to(BASE_DIR))


def test_all_that_a_process_keeps_is_told_with_the_reason_why_it_may():
    said = (BASE_DIR / "docs" / "scaling.md").read_text()
    table = said[said.index("| module | keeps |") : said.index("## Several web nodes")]
    assert sorted(re.findall(r"`([\w/]+\.py)`", table)) == sorted(modules())
