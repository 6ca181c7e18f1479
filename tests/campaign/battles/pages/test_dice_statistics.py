"""How the dice of a campaign fell: counted once each, by kind and source, and what chance says to it."""

from collections import Counter

import pytest
from django.urls import reverse
from django.utils.timezone import now

from campaign.battles.models import Battle, Draw
from campaign.battles.pages import dice_statistics as pictures
from campaign.battles.pages.dice_statistics import DiceSample, fallen
from campaign.battles.services import fair_dice, sequence
from campaign.battles.services.sequence import TABLE
from campaign.chronicle.narrative.book import book_of
from registers.charts.geometry import per_cent
from registers.ledger.typed_dice import typed_rolls
from registers.models import LedgerEntry
from rules.core.dice import DICE, chance_of, spread
from rules.post_battle.dialogue import Pool, Roll
from tests.campaign.battles.closing import undo
from tests.campaign.battles.rolling import by_the_app, rolled
from tests.campaign.battles.stepping import client_of
from tests.campaign.first_blood import Fought
from tests.registers.views.reading import queries_of, text_of
from uploads.models import Picture


def found(fought: Fought) -> dict[tuple[str, bool], dict[str, int]]:
    """Kind and whether typed to how often each face fell."""
    return {
        (one.die, one.typed): {face["face"]: face["count"] for face in one.faces}
        for one in fallen(fought.battle.campaign.battles.all())
    }


def throw(fought: Fought, count: int, ordinal: int) -> Counter[str]:
    """So many black attack dice of blue's, by the app."""
    side = fought.blue
    ask = Roll(rule="R31", text="", pools=(Pool("check:2", "black_attack", count),))
    answer, _ = fair_dice.draw(actor=fought.ada, side=side, question=ask, ordinal=ordinal)
    return Counter(answer["check:2"])


def test_what_was_typed_and_what_the_app_rolled_once_each(fought):
    """Red's supplies were drawn twice and count once; order tokens are no dice."""
    rolled(fought)
    checks = Counter(face for draw in Draw.objects.filter(die="black_attack") for face in draw.faces)
    [supply] = Draw.objects.get(number=2).faces
    assert found(fought) == {
        ("black_attack", False): {face: checks[face] for face in DICE["black_attack"]},
        ("red_defense", False): {face: int(face == supply) for face in DICE["red_defense"]},
        ("red_defense", True): {"block": 1, "surge": 0, "blank": 0},
    }


def test_the_book_counts_the_dice_of_closed_battles_only(fought):
    throw(fought, 40, 1)

    def counted() -> list[int]:
        book = book_of(fought.battle.campaign, lambda _campaign: Picture.objects.none(), public=True)
        return [die.count for die in book.dice]

    assert counted() == []
    Battle.objects.update(status="closed", closed_at=now())
    assert counted() == [40]


def test_a_roll_that_is_made_again_once_its_seed_is_shown_counts_once(fought):
    counts = throw(fought, 40, 1)
    fair_dice.reveal(fought.battle)
    assert throw(fought, 40, 1) == counts
    assert found(fought) == {("black_attack", False): {face: counts[face] for face in DICE["black_attack"]}}


def test_typed_dice_that_were_undone_count_no_more(fought):
    fought.answer("red", {"supply": ["block"]}, TABLE)
    undo(fought, "red")
    fought.answer("red", {"supply": ["surge"]}, TABLE)
    assert found(fought) == {("red_defense", True): {"block": 0, "surge": 1, "blank": 0}}


def test_of_an_entry_no_more_is_read_than_its_dice(fought, monkeypatch):
    fought.answer("red", {"supply": ["block"]}, TABLE)
    read = []
    monkeypatch.setattr(pictures, "typed_rolls", lambda entry: read.append(entry) or typed_rolls(entry))
    assert found(fought) == {("red_defense", True): {"block": 1, "surge": 0, "blank": 0}}
    columns = {field.attname for field in LedgerEntry._meta.concrete_fields}
    assert [set(vars(entry)) & columns for entry in read] == [{"id", "effects", "answers", "rolled_by_hand"}]


def test_few_dice_prove_nothing_and_many_have_their_chance(fought):
    [few] = fallen(fought.battle.campaign.battles.all()) if throw(fought, 39, 1) else []
    assert (few.chance, few.verdict) == (None, "Too few rolls to tell.")
    counts = throw(fought, 400, 1)
    [many] = fallen(fought.battle.campaign.battles.all())
    far = spread("black_attack", counts)
    assert (many.count, many.spread, many.chance) == (400, far, chance_of(far, 3))
    often = round(100 * many.chance)
    assert many.verdict == f"With fair dice, {often or 'fewer than 1'} of 100 campaigns differ this much."


def test_bars_end_where_the_most_is_and_expected_ones_are_marked(fought):
    throw(fought, 400, 1)
    [one] = fallen(fought.battle.campaign.battles.all())
    most = max(max(face["count"], face["expected"]) for face in one.faces)
    assert [(face["width"], face["mark"]) for face in one.faces] == [
        (per_cent(100 * face["count"] / most), per_cent(100 * face["expected"] / most)) for face in one.faces
    ]


@pytest.mark.parametrize(("chance", "often"), [(0.004, "fewer than 1"), (0.43, "43"), (0.999, "100")])
def test_the_verdict_is_in_plain_words(chance, often):
    one = DiceSample(die="red_defense", typed=False, count=99, faces=[], spread=1.0, chance=chance)
    assert one.verdict == f"With fair dice, {often} of 100 campaigns differ this much."


def test_the_page_takes_the_same_queries_however_many_dice(fought):
    ada = client_of(fought.ada)
    page = reverse("campaign:dice_statistics", args=[fought.battle.campaign_id])
    assert "No dice yet" in text_of(ada.get(page))
    by_the_app(fought, "red")
    few = queries_of(ada, page)
    undo(fought, "red")
    fought.answer("red", {"supply": ["block"]}, TABLE)
    while isinstance(fought.question("red"), Roll):
        by_the_app(fought, "red")
    throw(fought, 400, 1)
    assert queries_of(ada, page) == few
    text = text_of(ada.get(page))
    assert "Rolled by the app Black attack" in text
    assert "Rolled at the table Red defense 1 die" in text
    assert sequence.finished_steps(fought.red)
