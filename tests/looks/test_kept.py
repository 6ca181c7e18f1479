"""`include … only` draws the same values once, and never gives one reader what was drawn of other values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import pytest
from cachetools import LRUCache
from django.template import Context, Engine
from django.template.base import Template
from django.utils import translation
from django.utils.functional import lazystr
from django.utils.safestring import mark_safe

from accounts.forms import SignupForm
from accounts.models import User
from looks.templatetags import kept
from looks.templatetags.kept import digest_of

TEMPLATES = {
    "part.html": "{% load i18n %}{{ thing }} {% get_current_language as now %}{{ now }}",
    "page.html": "{% include 'part.html' with thing=thing only %}",
    "open.html": "{% include 'part.html' with thing=thing %}",
    "csrf.html": "{% include 'token.html' only %}",
    "token.html": "{{ csrf_token }}",
}


@pytest.fixture(autouse=True)
def _anew():
    kept.forget()
    yield
    kept.forget()


@pytest.fixture
def drawings(monkeypatch) -> list[str]:
    """The names of the templates that were drawn."""
    drawn: list[str] = []
    draw = Template.render

    def render(self, context):
        drawn.append(self.name)
        return draw(self, context)

    monkeypatch.setattr(Template, "render", render)
    return drawn


def engine(*, debug: bool = False) -> Engine:
    loaders = [("django.template.loaders.locmem.Loader", TEMPLATES)]
    libraries = {"i18n": "django.templatetags.i18n"}
    return Engine(loaders=loaders, libraries=libraries, builtins=["looks.templatetags.kept"], debug=debug)


def said(page: str = "page.html", on: Engine | None = None, **values) -> str:
    return (on or ENGINE).get_template(page).render(Context(values))


ENGINE = engine()


def test_equal_values_are_drawn_once(drawings) -> None:
    assert {said(thing="a & b"), said(thing="a & b")} == {"a &amp; b en"}
    assert drawings == ["page.html", "part.html", "page.html"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<b>", mark_safe("<b>")),
        (1, True),
        (1, "1"),
        (["a", "b"], ["ab"]),
        ([["a"], "b"], ["a", ["b"]]),
        ({"a": None}, {"a": ""}),
        (UUID(int=1), UUID(int=2)),
        (datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),  # noqa: DTZ001
    ],
)
def test_other_values_are_drawn_as_what_they_are(one: object, other: object, drawings) -> None:
    assert len({None, digest_of({"thing": one}), digest_of({"thing": other})}) == 3
    assert said(thing=one) == said("open.html", thing=one)
    assert said(thing=other) == said("open.html", thing=other)
    assert drawings.count("part.html") == 4


def test_other_names_are_other_values() -> None:
    assert digest_of({"spent": 1, "left": 2}) != digest_of({"spent": 2, "left": 1})


def test_each_language_and_each_engine_draws_for_itself(drawings) -> None:
    with translation.override("de"):
        assert said(thing=1) == "1 de"
    assert (said(thing=1), said(thing=1, on=engine())) == ("1 en", "1 en")
    assert drawings.count("part.html") == 3


@dataclass(frozen=True)
class Offer:
    title: object
    why: tuple[str, ...] = ()


@dataclass
class Changing:
    title: str
    lines: list[str] = field(default_factory=list)


def test_frozen_data_classes_are_plain_if_all_in_them_is() -> None:
    digest = digest_of({"offer": Offer("a", ("b",))})
    assert digest
    assert digest == digest_of({"offer": Offer("a", ("b",))})
    assert digest_of({"offer": Offer(Changing("a"))}) is None


def test_a_text_to_be_translated_counts_by_its_words() -> None:
    assert digest_of({"a": lazystr("b")}) == digest_of({"a": lazystr("b")}) != digest_of({"a": lazystr("c")})


def test_equal_values_are_equal_however_often_one_object_stands_in_them() -> None:
    word, again = "".join("hound"), "".join(["ho", "und"])
    assert digest_of({"a": [word, word]}) == digest_of({"a": [word, again]})


@pytest.mark.parametrize(
    "value", [User(username="ada"), SignupForm(), lambda: "now", object(), Changing("a")]
)
def test_what_may_change_or_ask_the_database_is_drawn_each_time(value: object) -> None:
    assert digest_of({"value": value}) is None


def test_a_row_is_drawn_each_time(drawings) -> None:
    ada = User(username="ada")
    before = said(thing=ada)
    ada.username = "ben"
    assert (before, said(thing=ada)) == ("ada en", "ben en")


def test_what_is_not_isolated_and_what_is_developed_is_drawn_each_time(drawings) -> None:
    developed = engine(debug=True)
    for _ in range(2):
        said("open.html", thing=1)
        said(thing=1, on=developed)
    assert drawings.count("part.html") == 4


def test_a_token_of_the_session_does_not_get_in_by_itself() -> None:
    assert said("csrf.html", csrf_token="hush") == ""


def test_there_is_an_end_to_what_is_kept(monkeypatch) -> None:
    monkeypatch.setattr(kept, "_drawn", LRUCache(20, getsizeof=len))
    monkeypatch.setattr(kept, "LONGEST", 12)
    for number in range(9):
        said(thing=number)
    assert kept._drawn.currsize == 20
    said(thing="longer than that")
    assert kept._drawn.currsize == 20
