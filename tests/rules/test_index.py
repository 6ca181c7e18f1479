"""docs/rules.md is a true index: every ruling has its code and its tests, and they speak of it."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from rules.core.campaign_rules import BY_NAME, SWITCHES

HERE = Path(__file__).parent
RULES = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
RULING = re.compile(r"^#### R(\d+)\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
RULINGS = {int(number): body for number, body in RULING.findall(RULES)}


def references(body: str, kind: str) -> list[str]:
    [line] = re.findall(rf"^{kind}: (.*)$", body, re.MULTILINE)
    return re.findall(r"`([\w.]+)`", line)


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def functions_in(path: Path) -> frozenset[str]:
    return frozenset(node.name for node in ast.parse(source(path)).body if isinstance(node, ast.FunctionDef))


def speaks_of(text: str, number: int) -> bool:
    """Whether a text names a ruling, by itself or in a row like "R31 to R38"."""
    rows = [(int(first), int(last)) for first, last in re.findall(r"R(\d+) to R(\d+)", text)]
    return bool(re.search(rf"\bR{number}\b", text)) or any(first <= number <= last for first, last in rows)


def test_every_ruling_has_its_place_in_order() -> None:
    assert list(RULINGS) == list(range(1, 54))


def test_every_ruling_can_be_reached_from_the_table() -> None:
    links = [(int(text), int(anchor)) for text, anchor in re.findall(r"\[R(\d+)\]\(#r(\d+)\)", RULES)]
    assert {text for text, _ in links} == set(RULINGS)
    assert all(text == anchor for text, anchor in links)


@pytest.mark.parametrize("number", RULINGS)
def test_the_code_of_a_ruling_is_there_and_names_it(number: int) -> None:
    names = references(RULINGS[number], "Code")
    assert names
    for name in names:
        module, function = name.rsplit(".", 1)
        assert callable(getattr(import_module(f"rules.{module}"), function))
    assert any(speaks_of(source(module_file(name)), number) for name in names)


@pytest.mark.parametrize("number", RULINGS)
def test_the_tests_of_a_ruling_are_there_and_name_it(number: int) -> None:
    names = references(RULINGS[number], "Tests")
    assert names
    for name in names:
        module, function = name.rsplit(".", 1)
        path = HERE / f"{module.replace('.', '/')}.py"
        assert function in functions_in(path)
        assert speaks_of(source(path), number)


@pytest.mark.parametrize("section", ["## 7. Numbers for tests", "## 8. Rewards", "## 9. Core rules"])
def test_the_code_and_tests_of_a_section(section: str) -> None:
    body = RULES.split(section)[1].split("\n## ")[0]
    for name in references(body, "Code"):
        module, function = name.rsplit(".", 1)
        assert callable(getattr(import_module(f"rules.{module}"), function))
    for name in references(body, "Tests"):
        module, function = name.rsplit(".", 1)
        assert function in functions_in(HERE / f"{module.replace('.', '/')}.py")


def module_file(name: str) -> Path:
    module, _ = name.rsplit(".", 1)
    return HERE.parents[1] / "rules" / f"{module.replace('.', '/')}.py"


def test_every_reading_names_its_switch_and_every_switch_its_reading() -> None:
    """Under the ruling that the switch names, but for the check of Tunnel Vision: it opens step 4."""
    marked = re.findall(r"\*\*\[reading\]\*\* \(`(\w+)`\)", RULES)
    assert len(marked) == RULES.count("[reading]") - len(["the line that explains the mark"])
    assert sorted(marked) == sorted(BY_NAME)
    places = {name: f"R{number}" for number, body in RULINGS.items() for name in marked if f"(`{name}`)" in body}
    assert {**places, "tunnel_vision_check": "R27"} == {switch.name: switch.rule for switch in SWITCHES}
