"""What is made of a posted form, sound or not."""

from django.http import QueryDict

from lists.formats.parsed import LineKind, ParsedLine
from registers.imports.form import ListForm
from registers.imports.judging import ListDecisions

UNIT = ParsedLine(
    read="Stormtroopers", kind=LineKind.UNIT, candidates=("stormtroopers", "stormtroopers-heavy-response-unit")
)


def test_a_form():
    post = QueryDict(
        "line-3=stormtroopers&line-4=-&offered=1,2,5&keep=1&keep=5&name-1=Sorne&keyword-6=Aim 1"
        "&faction=empire&paragon=1&register_name=Ashen+Patrol"
    )
    assert ListForm(post).decisions() == ListDecisions(
        meant={3: "stormtroopers", 4: "-"},
        offered=frozenset({1, 2, 5}),
        ticked=frozenset({1, 5}),
        names={1: "Sorne"},
        keywords={6: "Aim 1"},
        faction="empire",
        paragon=1,
        register_name="Ashen Patrol",
    )


def test_a_garbled_form():
    post = QueryDict("line-x=a&line-=b&line-99999=c&offered=,-1,²,&keep=&paragon=first&name-1e3=x")
    assert ListForm(post).decisions() == ListDecisions()


def test_ticks():
    words = ListDecisions(offered=frozenset({1, 2}), ticked=frozenset({2, 3}))
    assert [words.tick(place) for place in (1, 2, 3)] == [False, True, None]


def test_only_a_candidate_can_be_meant():
    words = ListDecisions(meant={0: "stormtroopers", 1: "rebel-troopers", 2: "-"})
    assert [words.card_of(place, UNIT) for place in (0, 1, 2, 3)] == ["stormtroopers", "", "", ""]
    assert [words.left_out(place) for place in (0, 2)] == [False, True]
    sure = ParsedLine(read="Stormtroopers", kind=LineKind.UNIT, card="stormtroopers")
    assert words.card_of(1, sure) == "stormtroopers"
