"""The dice of a battle over HTTP: what is promised, what fell, a word of one's own, and the file."""

import json
from typing import Any

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse

from campaign.battles.models import Battle, DiceSeed, Side
from campaign.battles.services import fair_dice
from campaign.battles.services.sequence import TABLE
from tests.campaign.battles.amending import undo_amendment
from tests.campaign.battles.closing import closed
from tests.campaign.battles.rolling import by_the_app, rolled
from tests.campaign.battles.stepping import client_of
from tests.campaign.first_blood import Fought
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


def address(fought: Fought, name: str = "battles:dice") -> str:
    return reverse(name, args=[fought.battle.pk])


@pytest.fixture
def ada(fought: Fought) -> Client:
    return client_of(fought.ada)


def say(client: Client, fought: Fought, colour: str, word: str) -> Any:
    return client.post(reverse("battles:dice_word", args=[fought.side(colour).pk]), {"word": word})


# --- The page ------------------------------------------------------------------------------------------------


def test_what_is_drawn_typed_and_undone_stands_beside_what_it_was_for(fought, ada):
    text = text_of(ada.get(address(rolled(fought))))
    seed = fought.battle.dice_seeds.get()
    assert "order tokens: corps, heavy typed in blue/1/1/tokens" in text
    assert "supplies typed in blue/3/1/supply" in text
    assert "supplies rolled and undone draw 1, red/3/1/supply , ben," in text
    assert "supplies draw 2, first rolled as draw 1, red/3/1/supply , ben," in text
    assert "cannot be reckoned" not in text
    assert (seed.commitment in text, "shown when the battle closes" in text) == (True, True)


def test_the_seed_and_the_check_stand_there_once_the_battle_is_over(fought, ada):
    rolled(fought)
    secret = bytes(fought.battle.dice_seeds.get().secret).hex()
    check = f'data-dice="{address(fought, "battles:dice_file")}"'
    for shown in (False, True):
        page = html_of(ada.get(address(fought)))
        assert (secret in page, check in page, "js/dice.js" in page) == (shown, shown, shown)
        fair_dice.reveal(fought.battle)


def test_what_is_promised_for_a_battle_that_is_over_says_when_it_is_shown(fought, ada):
    closed(fought)
    undo_amendment(fought, "step", step=4)
    text = text_of(ada.get(address(fought)))
    assert "shown when the open amendment is applied or dropped" in text
    assert fought.battle.dice_seeds.last().commitment in text


def test_dice_whose_seed_is_not_known_here_are_named(fought, ada):
    rolled(fought)
    side = fought.red
    Side.objects.filter(pk=side.pk).update(answers=[{"answer": None, "source": "app", "by": fought.ben.pk}])
    assert "Some dice of this battle cannot be checked" in text_of(ada.get(address(fought)))


def test_without_any_dice(fought, ada):
    assert "No dice yet" in text_of(ada.get(address(fought)))
    Battle.objects.update(status=Battle.Status.CANCELLED)
    text = text_of(ada.get(address(fought)))
    assert ("No dice yet" in text, "No dice The app rolled no dice in this battle." in text) == (
        False, True,
    )  # fmt: skip


@pytest.mark.parametrize("reveal", [False, True])
def test_where_all_dice_fell_at_the_table_nothing_is_to_be_reckoned(fought, ada, reveal):
    fought.answer("blue", ["corps", "heavy"], TABLE)
    fought.answer("blue", "3")
    fought.answer("blue", {"supply": ["block"]}, TABLE)
    if reveal:
        fair_dice.reveal(fought.battle)
    page = ada.get(address(fought))
    assert "Players rolled all of these dice at the table, so there is nothing to check." in text_of(page)
    assert "data-dice" not in html_of(page)
    by_the_app(fought, "red")
    assert "rolled all of these dice" not in text_of(ada.get(address(fought)))


def test_nothing_is_reckoned_in_the_browser_of_draws_whose_own_seed_is_secret(fought, ada):
    rolled(fought)
    spare = fought.battle.dice_seeds.get()
    shown = {"secret": spare.secret, "revealed_at": spare.made_at}
    DiceSeed.objects.create(battle=fought.battle, number=2, commitment=spare.commitment, **shown)
    assert "data-dice" not in html_of(ada.get(address(fought)))


def test_the_same_queries_for_few_dice_and_for_many(fought, ada):
    few = queries_of(ada, address(fought))
    assert queries_of(ada, address(rolled(fought))) == few


def test_the_file_is_what_the_script_takes(fought, ada):
    response = ada.get(address(rolled(fought), "battles:dice_file"))
    text = json.loads(response.content)
    assert response["Content-Disposition"] == 'attachment; filename="dice-of-battle-1.json"'
    assert (text["format"], text["battle"], text["seeds"][0]["seed"]) == (
        "musterbook dice 1", str(fought.battle.pk), None,
    )  # fmt: skip
    assert [(draw["label"], draw["undone"]) for draw in text["draws"][:2]] == [
        ("red/3/1/supply", True), ("red/3/1/supply", False),
    ]  # fmt: skip
    assert text["typed"][1] == {"label": "blue/3/1/supply", "die": "red_defense", "faces": ["block"]}


# --- Words ---------------------------------------------------------------------------------------------------


def test_a_word_is_seen_by_both_and_each_changes_their_own(fought, ada):
    ben, page = client_of(fought.ben), fought.battle.get_absolute_url()
    assert say(ada, fought, "blue", " sand  and <ash>").headers["Location"] == f"{page}#dice"
    assert say(ben, fought, "blue", "mine").status_code == 404
    for client, own, other in ((ada, "word-blue", "word-red"), (ben, "word-red", "word-blue")):
        html = html_of(client.get(page))
        assert "sand and &lt;ash&gt;" in html
        assert (f'id="{own}"' in html, f'id="{other}"' in html) == (True, False)


def test_a_word_that_is_refused_stays_in_its_field(fought, ada):
    response = say(ada, fought, "blue", "x" * 81)
    html = html_of(response)
    assert response.status_code == 422
    assert f'value="{"x" * 81}"' in html
    assert "Use up to 80 characters." in html
    assert '<details class="fold sheet" id="dice" open>' in " ".join(html.split())


def test_no_word_is_asked_for_once_the_app_has_rolled(fought, ada):
    rolled(fought)
    html = html_of(ada.get(fought.battle.get_absolute_url()))
    assert 'name="word"' not in html
    response = say(ada, fought, "blue", "late")
    assert (response.status_code, "the word can no longer change" in text_of(response)) == (422, True)


def test_a_battle_planned_before_dice_were_sealed_says_so(fought, ada):
    with pgtrigger.ignore("battles.DiceSeed:kept"):
        fought.battle.dice_seeds.all().delete()
    for name in ("battles:detail", "battles:dice"):
        page = text_of(ada.get(address(fought, name)))
        assert "The app fixes one before its first roll" in page
