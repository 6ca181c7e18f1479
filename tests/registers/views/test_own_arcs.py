"""Story Arcs that are not printed, in founding."""

from catalogue.snapshot import forget
from registers.models import Register
from tests.catalogue.factories import add_arc
from tests.registers.views.building import address, post
from tests.registers.views.reading import text_of
from tests.rules.arcs.arcs import printed, spoiled


def test_only_those_taken_in_can_be_chosen(signed_in, empty):
    """R10."""
    for slug in ("ours", "theirs"):
        add_arc(actor="ada", arc=spoiled(printed("a-pirates-life"), "name", f"Arc of {slug}"), slug=slug)
    forget()
    empty.adopted_arcs = ["ours"]
    empty.save()
    page = text_of(signed_in.get(address(empty, "?stage=arc")))
    assert ("Arc of ours" in page, "Arc of theirs" in page) == (True, False)
    answer = post(signed_in, empty, "?stage=arc", do="arc", story_arc="theirs")
    assert (answer.status_code, "Choose a Story Arc from the list." in text_of(answer)) == (422, True)
    post(signed_in, empty, "?stage=arc", do="arc", story_arc="ours")
    assert Register.objects.get(pk=empty.pk).story_arc_id == "ours"
