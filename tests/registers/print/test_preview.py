"""What can be chosen about a page that is to be printed."""

from django.http import QueryDict

from registers.print.paper_sizes import A4, LARGE, LETTER, SMALL
from registers.print.preview import Choice, choice, format_choice, paper_choice

OPTIONS = [("one", "One", ""), ("two", "Two", "the second")]


def test_the_first_option_unless_the_address_names_another():
    for query, current in (("", "one"), ("n=two", "two"), ("n=three", "one")):
        assert choice(QueryDict(query), "n", "Number", OPTIONS) == Choice("n", "Number", OPTIONS, current)


def test_options_as_the_component_takes_them():
    asked = choice(QueryDict("n=two"), "n", "Number", OPTIONS)
    assert asked.as_options() == [
        {"value": "one", "label": "One", "note": "", "checked": False},
        {"value": "two", "label": "Two", "note": "the second", "checked": True},
    ]


def test_paper_and_cards():
    assert [paper_choice(QueryDict(query))[1] for query in ("", "paper=letter")] == [A4, LETTER]
    assert [format_choice(QueryDict(query))[1] for query in ("", "size=large")] == [SMALL, LARGE]
