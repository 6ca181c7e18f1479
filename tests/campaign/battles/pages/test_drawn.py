"""When fields are drawn anew: once something else may be chosen in them, and not because something was chosen."""

from campaign.battles.forms.army import drawn_as


def slot(chosen: str, *offered: str) -> dict[str, object]:
    return {"id": "id_hand-1", "options": [{"value": card, "chosen": card == chosen} for card in offered]}


def test_a_choice_changes_nothing():
    assert drawn_as([slot("", "a", "b")], []) == drawn_as([slot("b", "a", "b")], [])
    assert drawn_as([{"token": "medevac.1", "used": False}]) == drawn_as([{"token": "medevac.1", "used": True}])


def test_another_offer_does(book):
    vader, luke = (
        next(unit for unit in book.units.values() if unit.name == name) for name in ("Darth Vader", "Luke Skywalker")
    )
    words = {
        drawn_as(None),
        drawn_as([slot("", "a", "b")]),
        drawn_as([slot("", "a")]),
        drawn_as([slot("", "a")], []),
        drawn_as({"unit": vader}),
        drawn_as({"unit": luke}),
        drawn_as({"unit": None}),
    }
    assert len(words) == 7
