"""The English catalogue: that every text is in it, once, and that it can be translated."""

from __future__ import annotations

import ast
import os
import re
import shutil
from pathlib import Path

import pytest
from babel.messages import Catalog, Message

from ops import translation_catalogue
from ops.paths import BASE_DIR
from tests.languages.pseudo import OURS, PLACES, catalogue

COMMITTED = OURS / "en/LC_MESSAGES/django.po"


@pytest.fixture(scope="module")
def english() -> Catalog:
    return catalogue(OURS)


def forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def messages(english: Catalog) -> list[Message]:
    return [message for message in english if message.id]


@pytest.fixture
def gettext_tools() -> None:
    """The tools of GNU gettext. Without them a test is skipped, or fails where it must run."""
    if shutil.which("xgettext") and shutil.which("msgen"):
        return
    if os.environ.get("CI") == "true" or os.environ.get("MUSTERBOOK_BROWSER") == "required":
        pytest.fail("The catalogue must be compared here, and there is no gettext.")
    pytest.skip("There is no gettext: MUSTERBOOK_BROWSER=required makes this a failure.")


@pytest.mark.usefixtures("gettext_tools")
def test_it_holds_every_text_there_is(settings, tmp_path: Path, monkeypatch) -> None:
    """If this fails: `make texts`."""
    # From a copy: while it is written, every template has a Python file beside it, which other tests would read.
    for room in [BASE_DIR / "templates", *(path.parent for path in BASE_DIR.glob("*/__init__.py"))]:
        shutil.copytree(room, tmp_path / room.name, ignore=shutil.ignore_patterns("__pycache__"))
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LOCALE_PATHS[0].mkdir()
    monkeypatch.chdir(tmp_path)
    assert translation_catalogue.write().read_text() == COMMITTED.read_text()


def test_no_text_hides_in_an_f_string() -> None:
    """xgettext does not look into one: such a text would be in no catalogue, and nobody would notice."""
    rooms = [path.parent for path in BASE_DIR.glob("*/__init__.py") if path.parent.name not in ("tests", "bench")]
    sources = [path for room in rooms for path in room.rglob("*.py")]
    assert len(sources) > 200
    hidden = [
        f"{path.relative_to(BASE_DIR)}:{call.lineno}"
        for path in sources
        for string in ast.walk(ast.parse(path.read_text()))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if isinstance(call.func, ast.Name) and (call.func.id == "_" or call.func.id.endswith("gettext"))
    ]
    assert hidden == []


def test_nothing_is_open(english: Catalog) -> None:
    assert english.obsolete == {}
    assert [message.id for message in messages(english) if message.fuzzy or not all(forms(message.string))] == []


def test_it_translates_nothing(english: Catalog) -> None:
    assert [message.id for message in messages(english) if forms(message.id) != forms(message.string)] == []


def test_every_plural_has_both_forms(english: Catalog) -> None:
    plurals = [forms(message.string) for message in messages(english) if message.pluralizable]
    assert len(plurals) > 50
    assert [translation for translation in plurals if len(translation) != 2 or not all(translation)] == []


def test_both_forms_of_a_plural_have_the_same_places(english: Catalog) -> None:
    """A singular may do without its number: msgfmt refuses a language in which it says more than the plural."""
    wrong = []
    for message in messages(english):
        if message.pluralizable:
            one, many = (set(PLACES.findall(form)) for form in forms(message.id))
            if not one <= many or many - one > NUMBERS:
                wrong.append(message.id)
    assert wrong == []


NUMBERS = {"{number}", "%(n)d", "%(number)s", "%(counter)s", "%(count)s"}


def test_places_have_names(english: Catalog) -> None:
    """A translator must be able to move them."""
    nameless = re.compile(r"\{\}|(?<!%)%[sd]")
    found = [form for message in messages(english) for form in forms(message.id) if nameless.search(form)]
    assert found == []


def test_the_hand_is_the_same_everywhere(english: Catalog) -> None:
    """No three dots for an ellipsis, no double blanks, no hyphen for a dash or a minus."""
    careless = re.compile(r"\.\.\.|(?<=\S)  +(?=\S)|(?<=\w) - (?=\w)|\bdon't\b")
    sentences = [form for message in messages(english) for form in forms(message.id) if message.id]
    assert [form for form in sentences if careless.search(form)] == []
