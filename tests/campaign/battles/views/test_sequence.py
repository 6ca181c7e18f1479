"""The page of the sequence, over HTTP."""

import json
import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from bench.speed import A_PAGE, A_POST, counted
from campaign.battles.models import Battle
from campaign.battles.services import sequence
from campaign.models import Membership
from catalogue.snapshot import as_written
from registers import projection
from registers.ledger.verification import differences
from registers.models import Register
from rules.post_battle.dialogue import Choose, Progress, run
from tests.campaign.battles.closing import blue_to_step_5, broken_by_points, closed, red_to_step_5, undo
from tests.campaign.battles.stepping import HTMX, ada, ben, client_of, post, url, words
from tests.campaign.first_blood import Stacked, fall
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

__all__ = ["ada", "ben"]

#: Of which no two are alike.
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


# --- Who ---------------------------------------------------------------------------------------------------------


def test_the_address_of_the_battle_leads_to_ones_own_side(fought, ada, ben):
    there = f"/battles/{fought.battle.pk}/sequence/"
    assert (ada.get(there).url, ben.get(there).url) == (url(fought, "blue"), url(fought, "red"))


@pytest.mark.parametrize(("part", "method"), [("", "post"), ("poll/", "get"), ("undo/", "post")])
def test_nobody_else_acts_for_a_side(fought, part, method):
    member, stranger = (User.objects.create_user(name) for name in ("member", "stranger"))
    Membership.objects.create(campaign=fought.battle.campaign, user=member, role=Membership.Role.PLAYER)
    for user in (member, stranger, fought.ben):
        ask = getattr(client_of(user), method)
        assert ask(url(fought, "blue", part)).status_code == 404
    assert Client().get(url(fought)).status_code == 302


def test_an_organizer_acts_for_either_side(fought):
    organizer = User.objects.create_user("organizer")
    Membership.objects.create(campaign=fought.battle.campaign, user=organizer, role=Membership.Role.ORGANIZER)
    client = client_of(organizer)
    there = f"/battles/{fought.battle.pk}/sequence/"
    assert client.get(f"{there}?side=red").url == url(fought, "red")
    assert client.get(there).url == url(fought, "blue")
    line = html_of(client.get(url(fought, "blue"))).split('id="other-side"')[1].split("</header>")[0]
    assert f'href="{url(fought, "red")}"><span>Answer for them' in line


def test_a_player_may_look_at_the_other_side_and_not_answer_there(fought, ada):
    assert "Answer for them" not in words(ada.get(url(fought, "blue")))
    assert ada.get(url(fought, "red")).status_code == 200


def test_an_organizer_says_first_that_they_answer_for_their_opponent(fought, ada):
    fought.ada_organizes()
    act_for = reverse("battles:act_for", args=[fought.red.pk])
    assert f'href="{act_for}"><span>Answer for them' in html_of(ada.get(url(fought, "blue")))
    assert ada.post(url(fought, "red"), {"turn": 0}).status_code == 404
    assert ada.post(act_for).headers["Location"] == url(fought, "red")
    there = ada.get(url(fought, "red"))
    assert "You are acting for ben ." in text_of(there)
    assert f'href="{url(fought, "blue")}"' in html_of(there)
    assert "Back to your side" in text_of(there)


# --- Looking on ------------------------------------------------------------------------------------------------


@pytest.fixture
def viewer(fought):
    user = User.objects.create_user("viewer")
    Membership.objects.create(campaign=fought.battle.campaign, user=user, role=Membership.Role.VIEWER)
    return client_of(user)


def test_everybody_in_the_campaign_sees_what_the_steps_have_brought(fought, viewer):
    red_to_step_5(fought)
    there = f"/battles/{fought.battle.pk}/sequence/"
    assert viewer.get(there).url == url(fought, "blue")
    assert viewer.get(f"{there}?side=red").url == url(fought, "red")
    text = text_of(viewer.get(url(fought, "red")))
    for expected in ("3 Award Supply Points", "Ashen Patrol step 1, Agendas", "Results of Ashen Patrol"):
        assert expected in text, expected
    assert "Last results" not in text


def test_an_unfinished_step_is_not_told_and_asks_nothing(fought, viewer):
    fought.answer("blue", ["corps", "heavy"])
    html = html_of(viewer.get(url(fought, "blue")))
    assert '<form method="post"' not in html.split("<main")[1]
    assert re.findall('hx-get="([^"]*)"', html.split("<main")[1]) == ["?step=1"]  # what is new, and no question


def test_a_finished_sequence_is_summed_up_for_all(fought, viewer):
    closed(fought)
    assert "Hero of the day" in words(viewer.get(url(fought, "blue")))


def test_looking_on_takes_as_many_queries_early_and_late(fought, viewer):
    first = queries_of(viewer, url(fought, "blue"))
    red_to_step_5(fought)
    blue_to_step_5(fought)
    assert queries_of(viewer, url(fought, "blue")) == first


def test_assets_name_their_price(fought, ada):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    fought.answer("blue", {"3": {"commendation": "resilient", "name": "Grim Hounds"}})
    assert "Medevac 1 SP 2 units were defeated. In step 4 one defeated unit" in text_of(ada.get(url(fought)))
    opened = text_of(ada.get(f"{url(fought)}?request=request-strategic-asset"))
    assert "Combat Drop One unit gains Infiltrate for the game. 1 SP" in opened


@pytest.mark.parametrize("where", ["green/", "blue/nowhere/"])
def test_what_is_not_there(fought, ada, where):
    assert ada.get(f"/battles/{fought.battle.pk}/sequence/{where}").status_code == 404
    assert ada.get(f"/battles/{uuid4()}/sequence/blue/").status_code == 404


def test_before_the_sequence_there_is_only_the_battle(fought, ada):
    Battle.objects.update(status=Battle.Status.REPORTED)
    for where in ("", "blue/"):
        response = ada.get(f"/battles/{fought.battle.pk}/sequence/{where}")
        assert response.url == fought.battle.get_absolute_url()


# --- Answers -----------------------------------------------------------------------------------------------------


def test_htmx_gets_the_page_as_it_is_then(fought, ada, monkeypatch):
    fall(monkeypatch, Stacked("corps", "heavy"))
    response = post(ada, fought, "blue", dice="app")
    assert (response.status_code, fought.blue.answers[0]["source"]) == (200, "app")
    assert "Keep Them in Line: which unit?" in words(response)


def test_htmx_gets_main_and_the_title_alone(fought, ada):
    response = post(ada, fought, "blue", take=["corps", "heavy"])
    html = html_of(response).strip()
    assert html.startswith("<title>1. Progress Agendas, Ashen Patrol · Musterbook</title>")
    assert html.endswith("</main>")
    page = html_of(ada.get(url(fought)))
    answered, shown = (TOKEN.sub("", each.split("<main")[1].split("</main>")[0]) for each in (html, page))
    assert answered.replace(" autofocus", "") == shown  # what is loaded takes nobody's focus along


def test_a_plain_browser_is_sent_back(fought, ada):
    response = ada.post(url(fought), {"turn": 0, "dice": "table", "take": ["corps", "heavy"]})
    assert (response.status_code, response.url) == (302, url(fought))
    assert isinstance(fought.question("blue"), Choose)
    assert fought.blue.answers[0]["source"] == "table"


@pytest.mark.parametrize("turn", ["0", "", "x", "-1", "99"])
def test_an_old_turn_changes_nothing_and_says_so(fought, ada, turn):
    post(ada, fought, "blue", take=["corps", "heavy"])
    response = ada.post(url(fought), {"turn": turn, "take": ["corps", "corps"]}, **HTMX)
    assert "This was already saved. The page is up to date now." in words(response)
    assert [item["answer"] for item in fought.blue.answers] == [["corps", "heavy"]]


def test_one_tap_rolls_the_checks_and_the_setbacks_that_follow(fought, ben, monkeypatch):
    fought.answer("red", {"supply": ["surge"]})
    fall(monkeypatch, Stacked("blank", "hit", "surge", "blank"))
    text = text_of(post(ben, fought, "red", dice="app"))
    answers = sequence.finished_steps(fought.red)[-1].answers
    assert [(item["source"], item.get("follows", False)) for item in answers] == [("app", False), ("app", True)]
    for expected in ("Escaped", "Casualty", "Setback Battle-Shaken: After its Rally step"):
        assert expected in " ".join(text.split()), expected
    undo(fought, "red")
    assert (fought.red.step, fought.red.answers) == (4, [])


HINT = "Enter my own dice Enter the supply die. The Casualty Checks come next."


def test_one_tap_rolls_the_supplies_and_all_that_is_rolled_next(fought, ben, monkeypatch):
    asked = text_of(ben.get(url(fought, "red")))
    for expected in ("Roll for supplies and Casualty Checks.", "Rebel Troopers (no. 2)", "escapes", "Roll all", HINT):
        assert expected in asked, expected
    fall(monkeypatch, Stacked("block", "blank", "hit", "surge", "blank"))
    with counted() as statements:
        shown = text_of(post(ben, fought, "red", dice="app"))
    assert len(statements) <= A_POST
    assert "a block" in shown
    assert "Escaped" in shown
    finished = [[item.get("follows", False) for item in each.answers] for each in sequence.finished_steps(fought.red)]
    assert finished[-2:] == [[False], [True, True]]
    undo(fought, "red")
    assert (fought.red.step, fought.red.answers) == (3, [])


def test_one_tap_ends_the_requests_and_the_edits(fought, ada):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    fought.answer("blue", {"3": {"commendation": "resilient", "name": "Grim Hounds"}})
    assert "Finish without edits" in words(ada.get(url(fought)))
    post(ada, fought, "blue", done="1", no_edits="1")
    assert fought.blue.done
    undo(fought, "blue")
    assert (fought.blue.step, fought.blue.answers) == (7, [])


def test_dice_of_the_table_are_followed_by_no_dice_of_the_app(fought, ben):
    fought.answer("red", {"supply": ["surge"]})
    faces = {f"face:check:{unit}:0": face for unit, face in (("2", "blank"), ("3", "hit"), ("6", "surge"))}
    post(ben, fought, "red", dice="table", **faces)
    assert (fought.red.step, len(fought.red.answers)) == (4, 1)


def test_a_double_tap_counts_once(fought, ada):
    for _ in range(2):
        post(ada, fought, "blue", turn=0, take=["corps", "heavy"])
    assert fought.blue.turn == 1


def test_a_refusal_keeps_what_was_entered(fought, ben):
    fought.answer("red", {"supply": ["surge"]})
    response = post(ben, fought, "red", dice="table", **{"face:check:2:0": "surge"})
    assert response.status_code == 422
    shown = words(response)
    assert 'name="face:check:2:0" value="surge" required checked' in shown
    assert shown.count("Enter the die.") == 2
    assert "§" not in "".join(fought.red.answers)


def test_a_refusal_of_the_rules_stands_on_the_page(fought, ada):
    response = post(ada, fought, "blue", take=["operative", "heavy"])
    assert (response.status_code, fought.blue.turn) == (422, 0)
    assert "Some of these cannot be chosen. Choose from the list." in words(response)


def test_dice_of_the_table_are_not_rolled(fought, ben, monkeypatch):
    fall(monkeypatch, Stacked())
    post(ben, fought, "red", dice="table", **{"face:supply:0": "block"})
    assert fought.red.own_register.supply_points == 8


def test_the_whole_way_without_javascript(fought, ada, ben, monkeypatch):
    """First Blood as its scenario has it, by plain forms alone."""
    fall(
        monkeypatch,
        Stacked("corps", "heavy", "block", "hit", "critical", "blank", "hit",
                "surge", "surge", "blank", "hit", "critical"),
    )  # fmt: skip
    tap = {"dice": "app"}
    aid, add = "request-strategic-asset", {"unit": "snowtroopers", "name": ""}
    for client, colour, data in (
        (ada, "blue", tap), (ada, "blue", {"choice": "3"}), (ada, "blue", tap), (ben, "red", tap),
        (ada, "blue", {"choice": "7"}), (ben, "red", {"choice": "3"}),
        (ada, "blue", {"commendation:3": "resilient", "name:3": "Grim Hounds"}),
        (ada, "blue", {"answer": json.dumps({"request": "active-recruiting"})}),
        (ada, "blue", {"answer": json.dumps({"request": aid, "asset": "medevac"})}),
        (ada, "blue", {"done": "1"}), (ada, "blue", add), (ada, "blue", {"done": "1"}),
        (ben, "red", {"answer": json.dumps({"request": "request-medical-supplies", "unit": "6"})}),
        (ben, "red", {"done": "1", "no_edits": "1"}),
    ):  # fmt: skip
        response = client.post(url(fought, colour), {"turn": fought.side(colour).turn, **data}, follow=True)
        assert response.redirect_chain == [(url(fought, colour), 302)]
    assert Battle.objects.get().status == Battle.Status.CLOSED
    alpha, bravo = (projection.state_of(side.own_register) for side in (fought.blue, fought.red))
    assert (alpha.supply_points, alpha.combat_potential, alpha.assets, alpha.dossiers["3"].name) == (
        6, 750, ("medevac",), "Grim Hounds",
    )  # fmt: skip
    assert (bravo.supply_points, list(bravo.fallen), bravo.dossiers["6"].setbacks) == (6, ["2"], ())
    assert not [found for register in Register.objects.all() for found in differences(register)]
    end = text_of(ada.get(url(fought)))
    assert "Hero of the day" in end
    assert "+ Medevac" in end


def test_editing_keeps_the_shelf_open_and_names_what_is_refused(fought, ada):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for answer in ("7",):
        fought.answer("blue", answer)
    fought.answer("red", "3")
    fought.answer("blue", {"3": {"commendation": "resilient", "name": "Grim Hounds"}})
    fought.answer("blue", None)
    assert 'id="shelf-corps"' in words(ada.get(url(fought)))  # corps units are shown at once
    there = f"{url(fought)}?rank=corps"
    response = ada.post(there, {"turn": fought.blue.turn, "answer": json.dumps({"add": {"unit": "at-st"}})}, **HTMX)
    assert response.status_code == 422
    assert "This costs 145 points" in words(response)
    choosing = words(ada.get(f"{url(fought)}?unit=imperial-officer-ruthless-efficiency"))
    assert "Name (required)" in choosing
    response = ada.post(
        there, {"turn": fought.blue.turn, "answer": json.dumps({"add": {"unit": "snowtroopers"}})}, **HTMX
    )
    assert "Snowtroopers" in words(response)
    assert len(re.findall(r'<details[^>]*class="fold[^>]*\sopen', words(response))) == 1


@pytest.fixture
def dearer(fought, ada):
    broken_by_points(fought)
    with as_written():
        yield


def test_answers_that_no_longer_fit_the_cards_are_asked_again(fought, ada, viewer, dearer):
    assert [each.get(place).status_code for each in (ada, viewer) for place in (url(fought), "/")] == [200] * 4
    page = words(ada.get(url(fought)))
    assert "A card has changed, and your last answers no longer fit." in page
    assert "A card has changed" in html_of(ada.get(f"{url(fought)}poll/?seen=0"))
    asked = re.findall('name="asked" value="([^"]*)"', page)[0]
    edit = {"add": {"unit": "stormtroopers"}}
    # The form may be older than the card, so the first answer only drops the others.
    for status, answers in ((422, []), (200, [edit])):
        response = post(ada, fought, "blue", answer=json.dumps(edit), asked=asked)
        assert (response.status_code, "corrected" in html_of(response)) == (status, False)
        assert [item["answer"] for item in fought.blue.answers] == answers


@pytest.mark.parametrize("step", [7, 8])
def test_what_is_folded_is_there_when_it_is_opened(fought, ada, step):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    fought.answer("blue", {"3": {"commendation": "extra-equipment", "name": "Grim Hounds"}})
    if step == 8:
        fought.answer("blue", None)
    assert fought.blue.step == step
    folds = re.findall(r'<details class="fold" id="([^"]+)"[^>]* hx-get="([^"]+)"', words(ada.get(url(fought))))
    opened = {7: "request=special-training", 8: "fold=names"}[step]
    assert f"?{opened}" in dict(folds).values()
    for name, there in folds:
        page = words(ada.get(f"{url(fought)}{unescape(there)}"))
        [shown] = re.findall(rf'<(form|details)([^>]*) id="{name}"([^>]*)>', page)
        assert "hx-get" not in "".join(shown)
        assert f'id="{name}-name"' in page


# --- Rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("over", [False, True])
def test_each_of_the_ten_steps_leads_to_what_the_rules_say_of_it(fought, ada, viewer, over):
    """To come, done and skipped ones alike, and for those who look on; the question leads to its own besides."""
    if over:
        closed(fought)
    ways = [f"/rules/#step-{number}" for number in range(1, 11)]
    found = [
        re.findall(r'class="rule-ref" href="(/rules/#step-\d+)"', words(client.get(url(fought))))
        for client in (ada, viewer)
    ]
    assert found == [ways if over else [ways[0], *ways], ways]
    rules = html_of(ada.get("/rules/"))
    assert [way for way in ways if f'id="{way.split("#")[1]}"' not in rules] == []


# --- Queries -----------------------------------------------------------------------------------------------------


def test_the_page_takes_the_same_queries_for_any_step(fought, ada):
    first = queries_of(ada, url(fought))
    blue_to_step_5(fought)
    assert queries_of(ada, url(fought)) == first


def test_a_page_takes_few_queries_and_an_answer_that_ends_steps_not_many_more(fought, ada):
    with counted() as statements:
        ada.get(url(fought))
    assert len(statements) <= A_PAGE
    with counted() as statements:
        answered = post(ada, fought, "blue", dice="app")
    assert (answered.status_code, fought.side("blue").turn) == (200, 1)
    # As the dice fall, it ends two steps and changes a few rows.
    assert len(statements) <= A_POST


def test_an_answer_runs_its_step_once(fought, ada, monkeypatch):
    """The page is drawn from what the service returned."""
    runs: list[int] = []

    def counting(*args: Any, **words: Any) -> Progress:
        runs.append(1)
        return run(*args, **words)

    monkeypatch.setattr(sequence, "run", counting)
    with counted() as statements:
        shown = post(ada, fought, "blue", take=["corps", "heavy"])
    assert "Keep Them in Line: which unit?" in words(shown)
    assert (len(runs), len(statements) <= A_POST) == (1, True)
