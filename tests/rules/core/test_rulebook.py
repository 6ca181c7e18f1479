"""Tables of the rulebook."""

from dataclasses import replace

from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import MOST_COPIES, Rulebook


def test_faces_of_the_setback_die(book: Rulebook) -> None:
    """R36; the critical is the arc's own."""
    assert book.setback_by_face == {"hit": "battle-fatigue", "blank": "battle-shaken", "surge": "downtrodden"}


def test_faces_of_the_trait_die(book: Rulebook) -> None:
    """R37; the critical is the arc's own."""
    assert book.trait_by_face == {"hit": "captious-command", "blank": "unsure", "surge": "tunnel-vision"}


def test_every_arc_has_three_agendas(book: Rulebook) -> None:
    assert len(book.agendas) == 3 * len(book.story_arcs) == 21
    assert book.agendas["daring-defense"].story_arc == "peacekeeping-mission"


def test_arcs_that_are_not_printed_are_offered_where_they_were_taken_in(book: Rulebook) -> None:
    """R10, R49."""
    arcs = {slug: replace(book.story_arcs["the-weekend-war"], slug=slug, own=True) for slug in ("ours", "theirs")}
    everywhere = replace(book, story_arcs={**book.story_arcs, **arcs})
    assert list(everywhere.arcs_offered) == list(book.story_arcs)
    assert list(replace(everywhere, adopted_arcs=frozenset({"ours"})).arcs_offered) == [*book.story_arcs, "ours"]


def test_a_book_under_other_terms(book: Rulebook) -> None:
    """Equal campaign rules give one rulebook object, so that nothing is computed twice."""
    campaign_rules = CampaignRules(unreleased=True)
    other = book.under(campaign_rules)
    assert other == replace(book, campaign_rules=campaign_rules)
    assert other.house is book.house
    assert book.under(CampaignRules(unreleased=True)) is other
    assert book.under(CampaignRules()) is book
    assert other.under(CampaignRules()) == book


def test_copies_are_kept_up_to_a_number(book: Rulebook) -> None:
    fresh = replace(book)
    first = fresh.under(CampaignRules(length=1))
    books = [fresh.under(CampaignRules(length=length)) for length in range(1, MOST_COPIES + 1)]
    assert books[0] is first
    fresh.under(CampaignRules(length=MOST_COPIES + 1))
    assert fresh.under(CampaignRules(length=1)) is not first
