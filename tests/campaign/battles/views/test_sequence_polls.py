"""The page of the sequence asks by itself whether there is anything new."""

import json
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.battles.models import Battle
from campaign.battles.services.sequence import TABLE
from rules.adjustments.corrections import WantedValue
from rules.core.dice import BLACK_ATTACK
from rules.post_battle.casualties import Reroll
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Choose, ChooseSeveral, Question, Roll
from tests.campaign.battles.closing import (
    SCOUT_AND_T1,
    all_but_the_last,
    blue_to_step_5,
    last,
    red_to_step_5,
    to_step_4,
)
from tests.campaign.battles.fixes import fixed
from tests.campaign.battles.stepping import HTMX, ada, ben, post, url, words
from tests.campaign.first_blood import Fought

__all__ = ["ada", "ben"]


def polled(client: Client, fought: Fought, colour: str, page: Any, **typed: Any) -> Any:
    """What a poll of this page gets, while that is being typed."""
    shown = page.context
    return client.get(
        url(fought, colour, "poll/"),
        {"seen": shown["moment"], **typed},
        headers={"HX-Request": "true", **json.loads(shown["headers"])},
    )


def test_nothing_new_is_304(fought, ada):
    assert polled(ada, fought, "blue", ada.get(url(fought))).status_code == 304


def test_a_poll_without_news_is_cheap(fought, ada):
    page = ada.get(url(fought))
    with CaptureQueriesContext(connection) as queries:
        polled(ada, fought, "blue", page)
    assert len(queries) <= 3  # the session, its user, and the two sides


def test_the_other_sides_move_changes_its_line_alone(fought, ada):
    page = ada.get(url(fought))
    fought.answer("red", {"supply": ["surge"]})
    response = polled(ada, fought, "blue", page)
    assert (response.status_code, "HX-Retarget" in response) == (200, False)
    assert words(response).startswith('<div id="other-side"')
    assert "step 4, Casualties" in words(response)


def test_ones_own_move_in_another_tab_brings_the_page(fought, ada):
    page = ada.get(url(fought))
    fought.answer("blue", ["corps", "heavy"])
    response = polled(ada, fought, "blue", page)
    assert (response["HX-Retarget"], response["HX-Reselect"]) == ("#content", "#content")
    assert "Keep Them in Line: which unit?" in words(response)


def test_a_correction_takes_nothing_away_that_is_being_typed(fought, ada):
    """The question is asked anew, and the form that answers it is an old one."""
    page, typed = ada.get(url(fought)), ["corps", "heavy"]
    was = {"turn": page.context["side"].turn, "asked": page.context["moment"], "take": typed}
    fixed(fought.blue.register, WantedValue("supply_points", 9))
    for answer in (polled(ada, fought, "blue", page, take=typed), ada.post(url(fought), was, **HTMX)):
        assert "This Register was corrected a moment ago" in words(answer)
        assert answer.context["form"]["draws"] == typed
    now = {**was, "turn": answer.context["side"].turn, "asked": answer.context["moment"]}
    assert "Keep Them in Line: which unit?" in words(ada.post(url(fought), now, **HTMX))
    assert "already saved" in words(ada.post(url(fought), now, **HTMX))


def test_what_was_typed_for_another_question_is_forgotten(fought, ada):
    page = ada.get(url(fought))
    fought.answer("blue", ["corps", "heavy"])
    response = polled(ada, fought, "blue", page, take=["heavy", "corps"])
    assert ("put right" in words(response), "draws" in response.context["form"]) == (False, False)


def test_waiting_ends_by_itself(fought, ben):
    red_to_step_5(fought)
    page = ben.get(url(fought, "red"))
    assert "Waiting for Ashen Patrol" in words(page)
    blue_to_step_5(fought)
    response = polled(ben, fought, "red", page)
    assert "Name the Most Feared Rival among the units of Ashen Patrol." in words(response)


# --- The end -----------------------------------------------------------------------------------------------------


def test_a_player_who_is_done_hears_that_both_are(fought, ben):
    """Nothing was corrected: the other player has finished, too."""
    all_but_the_last(fought)
    page = ben.get(url(fought, "red"))
    last(fought)
    response = polled(ben, fought, "red", page)
    assert "Both players are done." in words(response)
    assert "put right" not in words(response)


def test_two_phones_walk_to_the_end_without_a_false_alarm(fought, ada, ben):
    phones = {"blue": ada, "red": ben}
    shown = {colour: client.get(url(fought, colour)) for colour, client in phones.items()}
    heard = ""
    while Battle.objects.get(pk=fought.battle.pk).status == Battle.Status.SEQUENCE:
        for colour, client in phones.items():
            if question := shown[colour].context["page"].question:
                shown[colour] = post(client, fought, colour, **said_to(question))
                assert shown[colour].status_code == 200, words(shown[colour])
            elif "HX-Retarget" in (polled_now := polled(client, fought, colour, shown[colour])):
                shown[colour] = polled_now
            heard += words(shown[colour])
    for colour, client in phones.items():
        if shown[colour].context["battle"].status == Battle.Status.SEQUENCE:  # drawn before the other side finished
            heard += words(polled(client, fought, colour, shown[colour]))
    assert ("Both players are done." in heard, "was corrected" in heard) == (True, False)


def said_to(question: Question) -> dict[str, Any]:
    """A form that answers a question with as little as it takes; no die of it defeats a unit, so nobody is replaced."""
    match question:
        case Roll(pools=pools):
            faces = {
                f"face:{pool.key}:{nth}": "hit" if pool.die == BLACK_ATTACK else "blank"
                for pool in pools
                for nth in range(pool.count)
            }
            return {"dice": "table", **faces}
        case ChooseSeveral(kind="ranks"):
            return {"dice": "app"}
        case Choose(decline=decline, options=options):
            return {"decline": "on"} if decline else {"choice": options[0].value}
        case Award(dues=dues):
            named = {f"name:{due.unit}": f"Squad {due.unit}" for due in dues if due.needs_name}
            return {**named, **{f"commendation:{due.unit}": "skipped" for due in dues}}
        case Reroll():
            return {"keep": "on"}
        case ChooseSeveral(bag=bag, count=count):
            return {"take": [value for value, times in bag.items() for _ in range(times)][:count]}
    return {"done": "on"}


def test_a_closed_battle_is_not_asked_about_any_more(fought, ada):
    Battle.objects.update(status=Battle.Status.CLOSED)
    assert "/poll/" not in words(ada.get(url(fought)))


def test_a_player_who_waits_sees_the_other_sides_dice_as_they_fall(fought, ben):
    red_to_step_5(fought)
    page = ben.get(url(fought, "red"))
    blue_to_step_5(fought)
    news = polled(ben, fought, "red", page)
    assert [(check.name, check.verdict) for check in news.context["theirs"]] == [
        ("Stormtroopers (no. 2)", "escaped"), ("Scout Troopers", "escaped"),
    ]  # fmt: skip
    assert "Casualty Checks of Ashen Patrol" in words(news)
    assert "Casualty Checks of" not in words(ben.get(url(fought, "red")))  # once


def test_those_who_watch_see_the_dice_once(fought, ben):
    to_step_4(fought)
    page = ben.get(url(fought, "blue"))
    assert 'hx-get="?step=4"' in words(page)
    seen = {"headers": {"HX-Request": "true", **json.loads(page.context["headers"])}}
    assert ben.get(f"{url(fought, 'blue')}?step=4", **seen).status_code == 304
    fought.answer("blue", SCOUT_AND_T1, TABLE)
    news = ben.get(f"{url(fought, 'blue')}?step=4", **seen)
    assert [check.verdict for check in news.context["theirs"]] == ["escaped", "escaped"]
    assert ben.get(f"{url(fought, 'blue')}?step=5", **seen).context["theirs"] == []


def test_the_way_to_watch_is_on_the_line_of_the_other_side(fought, ben):
    page = ben.get(url(fought, "red"))
    assert (page.context["other_url"], page.context["other_label"]) == (url(fought, "blue"), "Watch")
