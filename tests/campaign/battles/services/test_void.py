"""A battle that counts for nobody any more, wherever it was told or counted."""

import pytest
from django.test import Client
from django.urls import reverse

from campaign.battles.pages.comparison import compared
from campaign.battles.pages.register_lines import register_lines
from campaign.chronicle.access import photos_of
from campaign.chronicle.narrative import after_action
from campaign.chronicle.narrative.book import battles_words, book_of, leaders
from campaign.chronicle.narrative.entries import entries, entries_of
from campaign.chronicle.services import stories
from campaign.chronicle.services.stories import add_battle_photo
from campaign.pages.standings_chart import fought as seen_by
from campaign.queries.registers import registers_of
from registers.ledger.verification import differences
from registers.models import Register
from tests.campaign.archive.files import alike, brought, content_of, elsewhere, file_of
from tests.campaign.battles.amending import annulled, fights_a_guest
from tests.campaign.battles.closing import TABLE, closed, red_to_step_5
from tests.campaign.first_blood import Fought, begin
from tests.html import html_of
from tests.registers.factories import make_player
from tests.registers.views.reading import text_of
from tests.uploads.photos import photo


@pytest.fixture
def one_of_two(fought) -> Fought:
    """First Blood, closed, told and written of, and made to count for nobody; and a battle after it that counts."""
    closed(fought)
    campaign, battle = fought.battle.campaign, fought.battle
    stories.write(actor=fought.ada, campaign=campaign, battle=battle, title="The ridge", text="Snow.")
    add_battle_photo(actor=fought.ada, battle=battle, sent=photo(), alt="The valley")
    fights_a_guest(fought, ["1", "2", "3", "4"], [])
    return annulled(fought)


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_it_stands_in_no_count(one_of_two):
    campaign = one_of_two.battle.campaign
    lines = register_lines(registers_of(campaign))
    assert {line.register.name: (line.won, line.drawn, line.lost) for line in lines} == {
        "Ashen Patrol": (1, 0, 0), "Dune Wardens": (0, 0, 0),
    }  # fmt: skip
    seen = seen_by(campaign)
    assert [battle.number for battle in seen.battles] == [2]
    assert [bout.battle.number for bouts in seen.bouts.values() for bout in bouts] == [2]
    both = compared(campaign, one_of_two.blue.own_register, one_of_two.red.own_register)
    assert (both.won, both.drawn, both.lost, both.to_come) == (0, 0, 0, [])


def test_it_is_not_told(one_of_two, monkeypatch):
    campaign = one_of_two.battle.campaign
    assert [entry.battle.number for entry in entries(entries_of(campaign))] == [2]
    assert (battles_words(campaign), len(leaders(campaign))) == ("The chronicle of 1 battle", 1)
    link = stories.open_chronicle(actor=one_of_two.ada_organizes(), campaign=campaign)
    one = reverse("chronicle:public_entry", args=[link.token, one_of_two.battle.pk])
    assert Client().get(one).status_code == 404
    for name in ("chronicle:public_stories", "chronicle:public_feed"):
        text = html_of(Client().get(reverse(name, args=[link.token])))
        assert ("The ridge" in text, "Dune Wardens" in text, "The valley" in text, "Cyd" in text) == (
            False, False, False, True,
        )  # fmt: skip
    assert "Dune Wardens" not in html_of(Client().get(link.get_absolute_url()))
    monkeypatch.setattr(after_action, "picture_png", lambda *_: b"")
    for name in ("chronicle:public_card", "chronicle:public_book"):
        assert Client().get(reverse(name, args=[link.token])).status_code == 200
    book = book_of(campaign, photos_of, public=True)  # that of members has Registers without a battle, too
    told = [each.entry.battle.number for chapter in book.chapters for each in chapter.entries]
    assert (told, len(book.cast)) == ([2], 1)


def test_its_pages_say_so(one_of_two):
    ben, battle = client_of(one_of_two.ben), one_of_two.battle
    shown = text_of(ben.get(battle.get_absolute_url()))
    assert "This battle was canceled. It changed nothing for the Registers." in shown
    assert "It was a rehearsal." in shown
    for name in ("campaign:detail", "campaign:battles"):
        shown = text_of(ben.get(reverse(name, args=[battle.campaign_id])))
        assert "Battle 1, 600 points: canceled" in shown
    for name in ("chronicle:battle_story", "chronicle:battle_photos", "battles:dice", "battles:print"):
        assert ben.get(reverse(name, args=[battle.pk])).status_code == 200
    for register in Register.objects.all():
        for name in ("detail", "ledger", "supply", "print", "list"):
            assert ben.get(reverse(f"registers:{name}", args=[register.pk])).status_code == 200


@pytest.mark.parametrize("in_place", [True, False])
def test_who_stands_at_a_step_of_it_is_led_away(fought, in_place):
    """A page that waits, and forms that were drawn before: there are no steps any more."""
    red_to_step_5(fought)
    turn, there = fought.red.turn, fought.battle.get_absolute_url()
    annulled(fought)
    ben = Client(headers={"HX-Request": "true"} if in_place else {})
    ben.force_login(fought.ben)
    own = reverse("battles:sequence_side", args=[fought.battle.pk, "red"])
    found = [
        ben.get(f"{own}poll/?seen={turn}"), ben.get(own), ben.post(own, {"turn": turn, "answer": "3"}),
        ben.post(f"{own}undo/", {"turn": turn}, follow=not in_place),
    ]  # fmt: skip
    if in_place:
        assert [response["HX-Redirect"] for response in found] == [there] * 4
    else:
        assert [response.headers["Location"] for response in found[:3]] == [there] * 3
        assert found[3].redirect_chain[-1] == (there, 302)


def test_it_goes_to_another_installation_as_it_is(book):
    with elsewhere():
        fought = begin()
        closed(fought, TABLE)
        file = file_of(annulled(fought).battle.campaign)
    before = alike(content_of(file))
    there = brought(make_player("olga"), file)
    after = alike(content_of(file_of(there)))
    [battle] = after["battles"]
    assert (battle["status"], after["battles"], after["registers"]) == (
        "cancelled", before["battles"], before["registers"],
    )  # fmt: skip
    assert not [found for register in Register.objects.all() for found in differences(register)]
