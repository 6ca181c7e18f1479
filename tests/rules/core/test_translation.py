"""The language in which the rules speak: English without a translator, another one where one is installed."""

import ast
import json
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest

import rules
from rules.core.translation import LEDGER_SENTENCES, gettext, gettext_noop, kept, ngettext, speak, translated
from rules.register.effects import Noted, SupplyPointsGained, from_data, to_data


class Loud:
    """A language in which everything is said loudly, and names above all."""

    def gettext(self, message: str) -> str:
        return message.replace("}", "}!") + "!"

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return f"{plural}!"


@pytest.fixture
def loud() -> Iterator[None]:
    before = speak(Loud())
    yield
    speak(before)


def test_without_a_translator_the_rules_speak_english() -> None:
    before = speak(NullTranslations())
    sentences = [
        gettext("no Aid Request"),
        gettext("{unit} has no such die.", unit="Hounds"),
        gettext_noop("let go"),
        ngettext("Enter {number} die.", "Enter {number} dice.", 1),
        ngettext("{who}: which {number} Setback goes?", "{who}: which {number} Setbacks go?", 2, who="Hounds"),
    ]
    speak(before)
    assert sentences == [
        "no Aid Request",
        "Hounds has no such die.",
        "let go",
        "Enter 1 die.",
        "Hounds: which 2 Setbacks go?",
    ]


def test_a_brace_in_a_name_is_a_brace() -> None:
    assert gettext("{unit} has no such die.", unit="{unit}") == "{unit} has no such die."
    assert gettext("no place {here}") == "no place {here}"


@pytest.mark.usefixtures("loud")
def test_a_translator_is_asked_for_each_sentence() -> None:
    assert gettext("{unit} has no such die.", unit="Hounds") == "Hounds! has no such die.!"
    assert ngettext("Enter {number} die.", "Enter {number} dice.", 1) == "Enter 1 dice.!"
    assert gettext_noop("let go") == "let go"


@pytest.mark.usefixtures("loud")
@pytest.mark.parametrize(
    ("why", "in_the_book", "read"),
    [
        (gettext_noop("took part"), "took part", "took part!"),
        (
            kept("{setback} a second time: casualty", setback="Trauma"),
            ["{setback} a second time: casualty", {"setback": "Trauma"}],
            "Trauma! a second time: casualty!",
        ),
        # As it was kept before the sentence was: found in no catalogue, it stays what it is.
        ("Trauma a second time: {c}", "Trauma a second time: {c}", "Trauma a second time: {c}!!"),
        (kept("{arc} ended", arc="{braces}"), ["{arc} ended", {"arc": "{braces}"}], "{braces}! ended!"),
    ],
)
def test_the_ledger_keeps_english_and_is_read_in_the_language_of_the_reader(
    why: str, in_the_book: object, read: str
) -> None:
    data = json.loads(json.dumps(to_data(SupplyPointsGained(amount=1, rule="R30", why=why))))
    assert data == {"kind": "SupplyPointsGained", "rule": "R30", "amount": 1, "why": in_the_book}
    again = from_data(data)
    assert again == SupplyPointsGained(amount=1, rule="R30", why=why)
    assert to_data(again) == data
    assert translated(again.why) == read


@pytest.mark.usefixtures("loud")
def test_an_effect_without_an_occasion_says_nothing() -> None:
    assert to_data(Noted(rule="R34")) == {"kind": "Noted", "rule": "R34"}
    assert translated("") == ""


@pytest.mark.parametrize(
    ("why", "read"),
    [
        (["{x:>1500000000}", {"x": "a"}], "{x:>1500000000}"),
        (["{x.__class__}", {"x": "a"}], "{x.__class__}"),
        (["{x[0]}{}{0}{", {"x": "a", "0": "b"}], "{x[0]}{}{0}{"),
        (["{message} {sentence}", {"message": "hi", "sentence": "ho"}], "hi ho"),
        (["{self} of {missing}", {"self": 7}], "7 of {missing}"),
        (["", {"x": "a"}], ""),
        (["{x}"], ""),
        ([["{x}"], {"x": "a"}], ""),
        (["{x}", "a"], ""),
        ({"x": "a"}, ""),
        (None, ""),
        (7, ""),
    ],
)
def test_whatever_a_stored_row_says_is_shown_as_text(why: object, read: str) -> None:
    """Rows may have come in somebody else's file before those were checked as they are today."""
    assert translated(from_data({"kind": "Noted", "rule": "R1", "why": why}).why) == read


def test_a_line_never_grows_beyond_what_its_placeholders_hold() -> None:
    many = from_data({"kind": "Noted", "rule": "R1", "why": ["{x}" * 10_000, {"x": "a" * 10_000}]})
    assert len(translated(many.why)) < 3 * 10_000 + 10_000


def sentences_kept() -> list[ast.expr]:
    """What the rules hand to `kept`, as it stands in their source."""
    calls = (
        node
        for path in Path(rules.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "kept"
    )
    return [call.args[0] for call in calls]


def test_every_sentence_that_the_rules_keep_is_registered() -> None:
    """`gettext_noop("…")`, as the catalogue of texts wants it: then it is known before it is said."""
    found = {
        node.args[0].value
        for node in sentences_kept()
        if isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant)
    }
    assert found <= LEDGER_SENTENCES
    assert len(found) == len({ast.dump(node) for node in sentences_kept()}) > 5


def test_another_sentence_is_not_kept() -> None:
    for sentence in ("{unit} has won the lottery", "{arc} ended and {unit} cried"):
        with pytest.raises(ValueError, match="no sentence of the ledger"):
            kept(sentence, unit="Hounds")
    with pytest.raises(ValueError, match="no sentence of the ledger"):
        kept("{arc} ended", unit="Hounds")
