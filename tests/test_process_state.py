"""What a web process keeps in memory between two requests."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.paths import BASE_DIR

APPS = (
    "accounts", "campaign", "catalogue", "core", "dashboard", "lists", "members", "notifications", "ops", "registers",
    "rules", "tournaments", "uploads",
)  # fmt: skip
#: Empty on purpose, and said once: addresses, that an app has none.
NO_STATE = ("urlpatterns",)
KEEPERS = ("Lock", "RLock", "Semaphore", "ContextVar", "local", "defaultdict", "Counter", "dict", "list", "set")
#: What each module keeps in memory, and why it may: no other process would miss it.
KEPT = {
    "accounts/hooks.py": "what apps register at the start",
    "campaign/archive/parts/reading.py": "the schema of a campaign file, which is part of the program",
    "core/admin.py": "how references are shown, which is part of the program",
    "campaign/chronicle/narrative/after_action.py": "pictures: all that they show is in the key",
    "campaign/star_map/layouts.py": "where systems are drawn: their places and names are the key",
    "catalogue/reference/__init__.py": "pages of the reference: the catalogue's stamp is in the key",
    "catalogue/templatetags/reference.py": "drawings: all that they show is in the key",
    "catalogue/reference/passages.py": "what a search looks through: all of it is in the key",
    "catalogue/snapshot.py": "the cards: it asks for the catalogue's stamp every 0.8 s",
    "core/db/prepared.py": "compiled queries: what else than parameters they depend on is in the key",
    "core/json_files.py": "validators of file schemas, which are part of the program",
    "core/names.py": "the order of names: the name is the key",
    "core/own_process.py": "how the thread of a request gives up its turn",
    "core/pdf.py": "WeasyPrint, which is part of the program",
    "core/time_zones.py": "the names of the time zones, which are part of the program",
    "core/templatetags/icons.py": "drawings: all that they show is in the key",
    "core/templatetags/cached_include.py": "parts of pages: all values that they show are in the key",
    "lists/formats/cards.py": "names without case and signs: the name is the key",
    "members/services/invitations.py": "what apps register at the start",
    "ops/monitoring/shared_metrics.py": "the name of the process, which is set when it is forked",
    "registers/campaign_side.py": "what apps register at the start",
    "registers/options/offers.py": "what a search looks through: all of it is in the key; the sentences of keywords",
    "registers/print/typesetting.py": "how wide letters are: the font is part of the program",
    "registers/starters.py": "the starters, which are part of the program",
    "rules/core/translation.py": "the translator, which is set at the start",
    "rules/post_battle/casualty_odds.py": "odds, which never change",
    "tournaments/forms/player.py": "the question of a judge call, empty: the language is the key",
    "tournaments/queries/exchange.py": "the schema of an event file, which is part of the program; a lock",
    "tournaments/views/common.py": "addresses of pages: all that they are made of is in the key",
    "uploads/images.py": "a lock: a process decodes one picture at a time",
}


def keeps(source: str) -> bool:
    """Whether a module keeps something: it caches, changes a global name, or begins with something empty."""
    tree = ast.parse(source)
    return any(_changes(node) for node in ast.walk(tree)) or any(_begins_empty(node) for node in tree.body)


def _changes(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef):
        return any(re.search(r"\b(lru_)?cache\b", ast.unparse(each)) for each in node.decorator_list)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "lru_cache"
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
        ("def f(): return lru_cache(maxsize=1)(g)", True),
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
    for room in APPS:
        for path in sorted(Path(BASE_DIR, room).rglob("*.py")):
            if "migrations" not in path.parts and keeps(path.read_text()):
                yield str(path.relative_to(BASE_DIR))


def test_all_that_a_process_keeps_is_listed_with_the_reason_why_it_may():
    assert sorted(KEPT) == sorted(modules())
