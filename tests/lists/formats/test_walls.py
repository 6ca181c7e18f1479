import sys

from ops.paths import BASE_DIR
from tests.imports import imported_by


def test_the_formats_import_the_rules_and_the_standard_library_alone():
    names = {name for path in (BASE_DIR / "lists" / "formats").rglob("*.py") for name in imported_by(path)}

    assert names - set(sys.stdlib_module_names) == {"lists", "rules"}
