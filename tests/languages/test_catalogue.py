"""All texts in English: that tools find every one, and that it can be translated."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog, Message

from ops.paths import BASE_DIR
from ops.translation_catalogue import source_folders
from tests.languages.pseudo import PLACES


def forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def messages(english: Catalog) -> list[Message]:
    return [message for message in english if message.id]


@pytest.fixture(scope="module")
def sources() -> dict[Path, ast.Module]:
    found = [path for folder in source_folders() for path in folder.rglob("*.py")]
    assert len(found) > 200
    return {path.relative_to(BASE_DIR): ast.parse(path.read_text()) for path in found}


#: Which arguments of a function are texts.
TEXTS = {"pgettext": slice(1, 2), "ngettext": slice(2), "ngettext_lazy": slice(2)}


def marked(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls of gettext and its like with a text that is written out."""
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)):
            continue
        if isinstance(call.func, ast.Name) and (call.func.id == "_" or "gettext" in call.func.id):
            yield call


def test_every_text_of_the_code_is_found(english: Catalog, sources) -> None:
    known = {form for message in messages(english) for form in forms(message.id)}
    texts = {
        (str(path), argument.value)
        for path, tree in sources.items()
        for call in marked(tree)
        for argument in call.args[TEXTS.get(ast.unparse(call.func), slice(1))]
        if isinstance(argument, ast.Constant)
    }
    assert len(texts) > 2000
    assert [(path, text) for path, text in sorted(texts) if text not in known] == []


def test_texts_of_templates_are_found(english: Catalog) -> None:
    templates = {place for message in messages(english) for place, _ in message.locations if place.endswith(".html")}
    assert len(templates) > 100


def test_no_text_hides_in_an_f_string(sources) -> None:
    """xgettext does not look into one: such a text would be in no catalogue, and nobody would notice."""
    hidden = [
        f"{path}:{call.lineno}"
        for path, tree in sources.items()
        for string in ast.walk(tree)
        if isinstance(string, ast.JoinedStr)
        for call in marked(string)
    ]
    assert hidden == []


def test_every_plural_has_both_forms(english: Catalog) -> None:
    plurals = [forms(message.id) for message in messages(english) if message.pluralizable]
    assert len(plurals) > 50
    assert [texts for texts in plurals if len(texts) != 2 or not all(texts)] == []


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


#: A number, filled in, before a noun in the plural: "3 open results", and words in "s" that are no such noun.
COUNTS = r"(?:n|number|count|counted|players|rounds|results|missing|minutes|entries|cards|warnings|left|open)"
MANY_OF = re.compile(
    rf"(?:%\({COUNTS}\)[sd]|\{{{COUNTS}\}})(?:\*\*|</b>)? (?:(?:more|open|new|different) )?(?P<noun>[a-z]+s|people)\b"
)
NO_PLURALS = {"is", "was", "has", "does", "as", "corps", "waits", "stays", "advances", "comes"}
#: Limits and sizes, which are never one: "up to 20 lines", "1 of 3 results", "3–5 pieces".
A_LIMIT = re.compile(
    r"(up to|at most|at least|more than|[01] to|only|of|top|all|For|The|best|as|[–-]) ?(<b>)?$", re.IGNORECASE
)
#: Texts whose number is always two or more, by words in them.
NEVER_ONE = re.compile(
    "Registers with|but its ledger ends|Battle Deck:|clock|This text has|times|draws are correct|can play|"
    "were verified|players are left|players play on|has %\\(warnings|players\\)s players, |systems was created|"
    "of Combat Potential|units escape: |promoted %\\(number\\)s units: "
)


#: A number that was filled in, the noun that it counts, and a verb after it.
COUNTED = re.compile(
    r"(?<!Round )\b\d+ (?:(?:more|other|new|all|reported|disputed|defeated|undefeated|order|event|victory|house|ledger"
    r"|corps|custom|army|organizer|Command|Story|Supply|Agenda) )*(?P<noun>[A-Za-z]+)(?: of the army)?"
    r"(?: (?P<verb>is|was|has|does|are|were|have|do)\b)?"
)
SINGULAR_VERBS, IRREGULAR_PLURALS = {"is", "was", "has", "does"}, {"people", "dice", "are"}
#: What can follow any number: "2 more", "2 to fix", "2 or more units", "2 left".
NO_NOUNS = {"more", "to", "or", "left"}


def test_texts_are_right_with_none_one_and_two(english: Catalog) -> None:
    """Neither "0 result" nor "1 points" nor "2 results is missing"."""
    number_place, wrong, seen = re.compile(rf"%\({COUNTS}\)[sd]|\{{{COUNTS}\}}"), [], 0
    for one, many in (forms(message.id) for message in messages(english) if message.pluralizable):
        for number in (0, 1, 2):
            text = number_place.sub(str(number), one if number == 1 else many)
            for found in () if number == 1 and NEVER_ONE.search(text) else COUNTED.finditer(text):
                noun, seen = found["noun"], seen + 1
                is_plural = noun in IRREGULAR_PLURALS or (noun.endswith("s") and noun not in SINGULAR_VERBS)
                is_wrong = found["verb"] and (found["verb"] in SINGULAR_VERBS) != (number == 1)
                if noun not in NO_NOUNS and (is_wrong or is_plural == (number == 1)):
                    wrong.append(text)
    assert (seen > 300, wrong) == (True, [])


def test_numbers_have_both_forms(english: Catalog) -> None:
    """A text with a number but without two forms has no noun in the plural: "1 results are missing"."""
    singulars = [forms(message.id)[0] for message in messages(english)]
    found = [(text, each) for text in singulars if not NEVER_ONE.search(text) for each in MANY_OF.finditer(text)]
    assert len(found) > 20
    wrong = [
        text for text, each in found if each["noun"] not in NO_PLURALS and not A_LIMIT.search(text[: each.start()])
    ]
    assert wrong == []
