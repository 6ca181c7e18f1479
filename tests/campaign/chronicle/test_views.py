"""The log of a campaign, page by page; the saga and its tales."""

import pytest
from django.urls import reverse
from django.utils.timezone import now

from campaign.battles.models import Battle, Side
from campaign.chronicle.services import stories
from campaign.models import ActivityKind
from campaign.services.activity import log_activity
from tests.campaign.factories import against_guest, in_play, planned, reported
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture
def as_mia(client, table):
    client.force_login(table.mia)
    return client


def address(table) -> str:
    return reverse("chronicle:activity", args=[table.campaign.pk])


def change(table, number: int) -> None:
    for count in range(number):
        log_activity(
            actor=table.cora,
            campaign=table.campaign,
            kind=ActivityKind.CAMPAIGN_RULES,
            name="supply_points",
            before=count,
            after=9,
        )


def test_what_happened_newest_first_and_of_which_battle(as_mia, table):
    reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
    text = text_of(as_mia.get(address(table)))
    sentences = [
        "Battle 1 : Reported: Ashen Patrol won, 7–4.",
        "Battle 1 : The battle begins.",
        "Battle 1 : Dune Wardens chose an army. Both armies are ready.",
        "Battle 1 : Ashen Patrol chose an army.",
        "Battle 1 : Planned: Ashen Patrol against Dune Wardens, 600 points",
    ]
    places = [text.index(words) for words in sentences]
    assert places == sorted(places)


def test_fifty_a_page(as_mia, table):
    planned(table)
    change(table, 50)
    first, second = (text_of(as_mia.get(address(table), {"page": page})) for page in (1, 2))
    assert (first.count("Supply Points:"), "Planned:" in first, "1 / 2 Older" in first) == (50, False, True)
    assert ("Planned:" in second, "Newer 2 / 2" in second) == (True, True)


def test_as_many_queries_for_few_as_for_many(as_mia, table):
    planned(table)
    one = queries_of(as_mia, address(table))
    for other in (table.alpha, table.bravo):
        other.sides.update(open=False)
    reported(in_play(planned(table)), table.ada)
    change(table, 9)
    assert queries_of(as_mia, address(table)) == one


def test_the_page_of_the_campaign_has_the_last_few(as_mia, table):
    planned(table)
    change(table, 5)
    text = text_of(as_mia.get(reverse("campaign:detail", args=[table.campaign.pk])))
    assert (text.count("Supply Points:"), "Planned:" in text) == (5, False)


# --- The saga ----------------------------------------------------------------------------------------------------


def chronicle(table) -> str:
    return reverse("chronicle:index", args=[table.campaign.pk])


def closed_battles(table, number: int) -> None:
    """So many battles against a guest, closed, each with a piece; and a piece of its own for each."""
    for count in range(number):
        battle = against_guest(table)
        Side.objects.filter(battle=battle).update(open=False)
        Battle.objects.filter(pk=battle.pk).update(status="closed", closed_at=now(), winner="blue")
        for about in (battle, None):
            stories.write(actor=table.ada, campaign=table.campaign, battle=about, title=f"Piece {count}", text="Snow.")


def test_nothing_to_tell(as_mia, table):
    reported(in_play(planned(table)), table.ada)
    assert "No stories yet" in text_of(as_mia.get(chronicle(table)))


def test_battles_and_pieces_newest_first(as_mia, table):
    closed_battles(table, 2)
    text = text_of(as_mia.get(chronicle(table)))
    places = [text.index(words) for words in ("Piece 1", "Battle 2", "Piece 0", "Battle 1")]
    assert places == sorted(places)
    assert text.count("Snow.") == 4


def test_ten_entries_a_page(as_mia, table):
    closed_battles(table, 6)
    first, second = (text_of(as_mia.get(chronicle(table), {"page": page})) for page in (1, 2))
    assert (first.count("Battle "), second.count("Battle ")) == (5, 1)


def test_as_many_queries_for_one_entry_as_for_three(as_mia, table):
    closed_battles(table, 1)
    one = queries_of(as_mia, chronicle(table))
    closed_battles(table, 2)
    assert queries_of(as_mia, chronicle(table)) == one


def test_notes_and_place_are_for_the_campaign(as_mia, table):
    closed_battles(table, 1)
    Battle.objects.update(notes="Snow up to the knees", place="The attic")
    for address in (chronicle(table), reverse("chronicle:battle_story", args=[Battle.objects.get().pk])):
        text = text_of(as_mia.get(address))
        assert ("Snow up to the knees" in text, "The attic" in text) == (True, True)


def test_a_battle_that_goes_on_is_not_told(as_mia, table):
    battle = reported(in_play(planned(table)), table.ada)
    stories.write(actor=table.ada, campaign=table.campaign, battle=battle, title="Early", text="Words.")
    text = text_of(as_mia.get(reverse("chronicle:battle_story", args=[battle.pk])))
    assert ("Early" in text, "once both Post-Battle Sequences are over" in text) == (True, True)
    assert "Early" not in text_of(as_mia.get(chronicle(table)))


@pytest.mark.parametrize(("who", "may"), [("mia", False), ("ben", False), ("ada", True), ("cora", True)])
def test_who_is_shown_the_way_to_change_a_piece(client, table, who, may):
    table.campaign.memberships.filter(user=table.mia).update(role="viewer")
    closed_battles(table, 1)
    client.force_login(getattr(table, who))
    assert ("Edit story" in text_of(client.get(chronicle(table)))) is may
    assert ("New entry" in text_of(client.get(chronicle(table)))) is (who != "mia")
