"""`cached_include` renders the same values once, and never gives one reader what was rendered of other values."""

from dataclasses import dataclass

import pytest
from cachetools import LRUCache
from django.template import Context, Engine, TemplateSyntaxError
from django.template.base import Template
from django.utils import translation
from django.utils.safestring import mark_safe

from core.templatetags import cached_include

TEMPLATES = {
    "part.html": "{% load i18n %}{{ thing }} {% get_current_language as now %}{{ now }}{{ csrf_token }}",
    "page.html": "{% load cached_include %}{% cached_include 'part.html' with thing=thing only %}",
    "open.html": "{% load cached_include %}{% cached_include 'part.html' with thing=thing %}",
    "plain.html": "{% include 'part.html' with thing=thing only %}",
}


@pytest.fixture(autouse=True)
def _empty():
    cached_include.forget()
    yield
    cached_include.forget()


@pytest.fixture
def rendered(monkeypatch) -> list[str]:
    """The names of the templates that were rendered."""
    names: list[str] = []
    render = Template.render

    def noted(self, context):
        names.append(self.name)
        return render(self, context)

    monkeypatch.setattr(Template, "render", noted)
    return names


def engine(*, debug: bool = False) -> Engine:
    libraries = {"i18n": "django.templatetags.i18n", "cached_include": "core.templatetags.cached_include"}
    loaders = [("django.template.loaders.locmem.Loader", TEMPLATES)]
    return Engine(loaders=loaders, libraries=libraries, debug=debug)


ENGINE = engine()


def page(name: str = "page.html", on: Engine = ENGINE, **values) -> str:
    return on.get_template(name).render(Context(values))


def test_equal_values_are_rendered_once(rendered):
    words = ["a & b"], ["".join(["a &", " b"])]
    assert len({page(thing=each) for each in words}) == 1
    assert rendered.count("part.html") == 1


@dataclass(frozen=True)
class Card:
    name: object


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<b>", mark_safe("<b>")),
        (1, True),
        (1, "1"),
        (["a", "b"], ["ab"]),
        ([["a"], "b"], ["a", ["b"]]),
        ({"a": None}, {"a": ""}),
        (Card("a"), Card(["a"])),
    ],
)
def test_other_values_are_rendered_as_what_they_are(one, other, rendered):
    for each in (one, other):
        assert page(thing=each) == page("plain.html", thing=each)
    assert rendered.count("part.html") == 4


def test_each_language_has_its_own(rendered):
    with translation.override("de"):
        assert page(thing=1) == "1 de"
    assert page(thing=1) == "1 en"


def test_what_is_developed_is_rendered_each_time(rendered):
    developed = engine(debug=True)
    for _ in range(2):
        page(thing=1, on=developed)
    assert rendered.count("part.html") == 2


def test_the_key_must_say_everything():
    assert "hush" not in page(thing=1, csrf_token="hush")
    with pytest.raises(TemplateSyntaxError):
        page("open.html", thing=1)


def test_the_cache_has_an_end(monkeypatch):
    monkeypatch.setattr(cached_include, "_rendered", LRUCache(20, getsizeof=len))
    for number in range(9):
        page(thing=number)
    assert cached_include._rendered.currsize == 20
