"""Tables of the rulebook."""

from dataclasses import replace

from rules.core.campaign_rules import CampaignRules
from rules.core.dice import RED_DEFENSE
from rules.core.reward_effects import RollDice
from rules.core.rulebook import MOST_COPIES, Rulebook

from ..build import house


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


def test_numbers_of_cards_that_a_campaign_sets(book: Rulebook) -> None:
    """R52: the VR of a Commendation and the progressions of an Agenda, and nothing else of any card."""
    other = house(book, failure_is_not_an_option="3", protect_your_allies="5")
    card, agenda = book.commendations["failure-is-not-an-option"], book.agendas["protect-your-allies"]
    asks = replace(card, requires=replace(card.requires, veteran_rank=3))
    assert other.commendations == {**book.commendations, card.slug: asks}
    assert other.agendas == {**book.agendas, agenda.slug: replace(agenda, progressions_to_complete=5)}
    assert (card.requires.veteran_rank, agenda.progressions_to_complete) == (4, 3)
    assert other.under(CampaignRules()) == book
    without = replace(book, commendations={}, story_arcs={})
    assert house(without, failure_is_not_an_option="3", protect_your_allies="5").commendations == {}


def test_loss_rewards_that_count_surges(book: Rulebook) -> None:
    """R52: of the printed arcs; custom ones say what they count."""
    own = replace(book.story_arcs["the-weekend-war"], slug="ours", own=True)
    both = replace(book, story_arcs={**book.story_arcs, "ours": own})
    other = house(both, loss_reward_dice="surge")
    faces = {
        slug: [
            face
            for clause in arc.turning_point.defeat
            if isinstance(clause, RollDice) and clause.die == RED_DEFENSE
            for face, _ in clause.per_face
        ]
        for slug, arc in other.story_arcs.items()
    }
    printed = {slug: ["surge"] for slug in book.story_arcs if slug != "a-pirates-life"}  # which rolls no such dice
    assert faces == {**printed, "a-pirates-life": [], "ours": ["block"]}
    assert other.under(CampaignRules()) == both


def test_copies_are_kept_up_to_a_number(book: Rulebook) -> None:
    fresh = replace(book)
    first = fresh.under(CampaignRules(length=1))
    books = [fresh.under(CampaignRules(length=length)) for length in range(1, MOST_COPIES + 1)]
    assert books[0] is first
    fresh.under(CampaignRules(length=MOST_COPIES + 1))
    assert fresh.under(CampaignRules(length=1)) is not first
