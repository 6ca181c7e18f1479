"""Judge calls, rulings, appeals and warnings (E2–E4)."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from rules.core.violations import RuleViolation
from tests.tournaments.table_world import entry, game_of, paired_event, won
from tournaments.models import Entry, Event, Game, JudgeCall, LogLine, Round
from tournaments.services import entries, judging
from tournaments.services.results import dispute_result, report_result

pytestmark = pytest.mark.django_db
WAITING, TAKEN, RULED, APPEALED, OVER = JudgeCall.State


@pytest.fixture
def world():
    """An event with the organizer olga, the head judge hana and the judge rita."""
    olga, event = paired_event()
    people = {"olga": olga}
    for name, role in (("hana", "head_judge"), ("rita", "judge")):
        people[name] = User.objects.create_user(name)
        event.memberships.create(user=people[name], role=role)
    return event, people


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def called(event, name="Asha"):
    return judging.call_judge(actor=None, entry=entry(event, name), game=game_of(event, "Asha"), question=" Range? ")


def refused(act, **words):
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return str(caught.value)


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_from_the_call_to_the_appeal(world):
    """E3: what is recorded, and that everything can arrive twice."""
    event, people = world
    call = called(event)
    assert called(event, "Ben") == call
    for _ in range(2):
        judging.take_call(actor=people["rita"], call=call)
    assert refused(judging.take_call, actor=people["hana"], call=call) == "rita has taken this call. (E3)"
    assert refused(judging.appeal, actor=None, entry=entry(event, "Ben"), call=call) == (
        "There is no ruling to appeal yet. (E3)"
    )
    assert refused(judging.rule_call, actor=people["rita"], call=call, ruling=" ") == "Enter the ruling. (E3)"
    for _ in range(2):
        judging.rule_call(actor=people["rita"], call=call, ruling=" In range. ")
    text = "This call is ruled. The ruling stands, and only an appeal can change it. (E3)"
    assert refused(judging.rule_call, actor=people["rita"], call=call, ruling="Out of range.") == text
    assert refused(judging.rule_appeal, actor=people["hana"], call=call, overrule=False) == (
        "Nobody has appealed this ruling. (E3)"
    )
    for _ in range(2):
        judging.appeal(actor=None, entry=entry(event, "Ben"), call=call)
    assert refused(judging.rule_appeal, actor=people["rita"], call=call, overrule=False) == (
        "Only the Head Consular or an organizer can do this."
    )
    assert refused(judging.rule_appeal, actor=people["hana"], call=call, overrule=True) == "Enter the new ruling. (E3)"
    for _ in range(2):
        judging.rule_appeal(actor=people["hana"], call=call, overrule=True, ruling="Out of range.")
    assert refused(judging.rule_appeal, actor=people["olga"], call=call, overrule=False) == (
        "This appeal is decided. The ruling is final. (E3)"
    )
    assert refused(judging.appeal, actor=None, entry=entry(event, "Ben"), call=call) == (
        "The Head Consular has decided. This ruling is final. (E3)"
    )
    call.refresh_from_db()
    facts = (call.table, call.round_number, str(call.caller), call.question, str(call.judge), call.ruling, call.state)
    assert facts == (1, 1, "Asha", "Range?", "rita", "In range.", OVER)
    appeal = (str(call.appealed_by), call.overruled, call.appeal_ruling, str(call.appeal_judge))
    assert appeal == ("Ben", True, "Out of range.", "hana")
    lines = LogLine.objects.filter(kind="ruled").order_by("pk").values_list("facts", flat=True)
    assert list(lines) == [
        {"round": 1, "table": 1}, {"round": 1, "table": 1, "appeal": True, "overruled": True},
    ]  # fmt: skip
    assert called(event) != call


def test_who_cannot_call_and_appeal(world):
    event, people = world
    words = {"actor": None, "entry": entry(event, "Cleo")}
    assert refused(judging.call_judge, **words, game=game_of(event, "Asha")) == "You do not play in this game. (E3)"
    assert refused(judging.call_to_table, actor=people["rita"], event=event, table=9) == (
        "Nobody plays at table 9. (E3)"
    )
    call = called(event)
    judging.rule_call(actor=people["hana"], call=call, ruling="Yes.")
    assert refused(judging.appeal, **words, call=call) == "You do not play in this game. (E3)"
    final = "The Head Consular made this ruling. It is final. (E3)"
    assert refused(judging.appeal, actor=None, entry=entry(event, "Asha"), call=call) == final
    event.memberships.filter(user=people["hana"]).delete()
    JudgeCall.objects.update(judge=people["olga"])
    assert refused(judging.appeal, actor=None, entry=entry(event, "Asha"), call=call) == final
    JudgeCall.objects.update(judge=people["rita"])
    Round.objects.update(state=Round.State.CLOSED)
    assert refused(judging.appeal, actor=None, entry=entry(event, "Asha"), call=call) == (
        "This round is over, and the ruling stands. (E3)"
    )
    assert refused(called, event=event) == "This round is not under way. (E3)"


def test_a_leader_does_not_judge_an_own_game_or_ruling(world):
    """E2."""
    event, people = world
    call = called(event)
    Entry.objects.filter(pk=entry(event, "Ben").pk).update(user=people["rita"])
    own = "You play in this game. Ask another leader to decide it. (E2)"
    assert refused(judging.take_call, actor=people["rita"], call=call) == own
    assert refused(judging.rule_call, actor=people["rita"], call=call, ruling="Mine.") == own
    warned = {"actor": people["rita"], "entry": entry(event, "Ben"), "reason": "Rude"}
    assert refused(entries.warn, **warned) == own
    judging.rule_call(actor=people["olga"], call=call, ruling="Yes.")
    judging.appeal(actor=None, entry=entry(event, "Asha"), call=call)
    text = "The appeal is against your own ruling. The Head Consular decides it. (E3)"
    assert refused(judging.rule_appeal, actor=people["olga"], call=call, overrule=False) == text


def test_the_head_judge_rules_on_a_game_of_two_leaders(world):
    """E2."""
    event, people = world
    sam = User.objects.create_user("sam")
    event.memberships.create(user=sam, role="judge")
    for name, user in (("Asha", people["olga"]), ("Ben", people["rita"])):
        Entry.objects.filter(pk=entry(event, name).pk).update(user=user)
    call = called(event)
    text = "Two leaders play this game. Ask the Head Consular to decide it. (E2)"
    assert refused(judging.rule_call, actor=sam, call=call, ruling="Yes.") == text
    assert judging.rule_call(actor=people["hana"], call=call, ruling="Yes.").state == RULED


def test_the_desk_shows_what_waits_and_polls_cheaply(world):
    event, people = world
    address = reverse("tournaments:judges", args=[event.pk])
    rita = signed_in(people["rita"])
    assert signed_in(User.objects.create_user("mallory")).get(address).status_code == 404
    assert "Nothing to decide" in text_of(rita.get(address))
    called(event)
    game = game_of(event, "Asha")
    report_result(actor=None, entry=entry(event, "Asha"), game=game, result=won(event, "Asha"), version=0)
    dispute_result(actor=None, entry=entry(event, "Ben"), game=game, version=1, text="I had 6 tokens.")
    page = rita.get(address)
    for words in ("Asha – Ben", "Range?", "Take call", "Disputed results", "I had 6 tokens."):
        assert words in text_of(page)
    tag = f'"{page.context["version"]}"'
    headers = {"X-Poll": "true", "If-None-Match": tag}
    assert rita.get(address, headers=headers).status_code == 304
    rita.post(reverse("tournaments:call", args=[event.pk, JudgeCall.objects.get().pk]), {"do": "take"})
    news = rita.get(address, headers=headers)
    assert news.status_code == 200
    assert "Take call" not in text_of(news)
    assert "<h1" not in text_of(news)


def test_as_many_statements_for_three_calls_as_for_one(world):
    event, people = world
    rita = signed_in(people["rita"])
    address = reverse("tournaments:judges", args=[event.pk])

    def statements():
        with CaptureQueriesContext(connection) as queries:
            rita.get(address)
        return len(queries)

    judging.rule_call(actor=people["rita"], call=called(event), ruling="1")
    called(event)
    game = game_of(event, "Asha")
    report_result(actor=None, entry=entry(event, "Asha"), game=game, result=won(event, "Asha"), version=0)
    dispute_result(actor=None, entry=entry(event, "Ben"), game=game, version=1, text="No")
    before = statements()
    judging.call_to_table(actor=people["rita"], event=event, table=2)
    Game.objects.filter(first__name="Cleo").update(
        state="disputed", how="victory", winner=entry(event, "Dov"), reported_by=entry(event, "Dov")
    )
    for number in range(2, 4):
        judging.rule_call(actor=people["rita"], call=JudgeCall.objects.get(table=1, state=WAITING), ruling=str(number))
        called(event)
    assert statements() == before <= 15


def test_ruling_and_appeal_on_the_page(world):
    event, people = world
    call = called(event)
    address = reverse("tournaments:call", args=[event.pk, call.pk])
    rita, hana = signed_in(people["rita"]), signed_in(people["hana"])
    assert rita.get(address).status_code == 200
    empty = rita.post(address, {"do": "rule", "question": "Range?", "ruling": ""})
    assert empty.status_code == 422
    assert "Enter the ruling." in text_of(empty)
    for _ in range(2):
        assert rita.post(address, {"do": "rule", "question": "Range?", "ruling": "In range."}).status_code == 302
    judging.appeal(actor=None, entry=entry(event, "Ben"), call=call)
    assert "The Head Consular decides" in text_of(rita.get(address))
    missing = hana.post(address, {"do": "decide", "ruling": ""})
    assert missing.status_code == 422
    assert "Uphold the ruling or overrule it." in text_of(missing)
    assert hana.post(address, {"do": "decide", "decision": "uphold", "ruling": ""}).status_code == 302
    call.refresh_from_db()
    assert (call.state, call.overruled, call.ruling) == (OVER, False, "In range.")
    assert hana.get(reverse("tournaments:call", args=[event.pk, 10**12])).status_code == 404


def test_a_leader_records_a_call_at_a_table(world):
    event, people = world
    rita, address = signed_in(people["rita"]), reverse("tournaments:call_judge", args=[event.pk])
    wrong = rita.post(address, {"table": 9, "question": "Noise"})
    assert wrong.status_code == 422
    assert "Nobody plays at table 9." in text_of(wrong)
    assert "Noise" in text_of(wrong)
    rita.post(address, {"table": 2, "question": "Noise"})
    call = JudgeCall.objects.get()
    assert (call.table, call.caller, call.question, str(call.game.first)) == (2, None, "Noise", "Cleo")


def test_a_call_in_the_bracket_names_its_round(world):
    event, people = world
    call = called(event)
    judging.rule_call(actor=people["rita"], call=call, ruling="Yes")
    Event.objects.update(cut=4, table_names=f"{call.table} Stream")
    Round.objects.update(stage=Round.Stage.BRACKET)
    rita = signed_in(people["rita"])
    assert "Stream · Semifinals, called at" in text_of(rita.get(reverse("tournaments:call", args=[event.pk, call.pk])))
    assert "Semifinals · Asha" in text_of(rita.get(reverse("tournaments:judges", args=[event.pk])))


def test_the_third_warning_proposes_ejection(world):
    """E4: a form sent twice is one warning, and a person decides."""
    event, people = world
    rita, address = signed_in(people["rita"]), reverse("tournaments:warn", args=[event.pk, 1])
    assert rita.post(address, {"warnings": 0, "reason": " "}).status_code == 422
    for number in range(3):
        assert "Eject this player?" not in text_of(rita.get(address))
        for _ in range(2):
            assert rita.post(address, {"warnings": number, "reason": f"Slow play {number}"}).status_code == 302
    page = text_of(rita.get(address))
    assert "Asha has 3 warnings." in page
    assert "Slow play 2" in page
    asha = entry(event, "Asha")
    assert (asha.warnings, asha.state) == (3, Entry.State.PLAYING)
    lines = LogLine.objects.filter(kind="warned").order_by("pk").values_list("reason", "facts")
    assert list(lines) == [(f"Slow play {number}", {"entry": 1}) for number in range(3)]


def test_forms_drawn_by_includes_have_a_token(world):
    """A form of an included template is accepted where the check against forged requests is on, as on a site."""
    event, people = world
    call = called(event)
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["rita"])
    page = text_of(client.get(reverse("tournaments:judges", args=[event.pk])))
    form = page.split(f'action="{reverse("tournaments:call", args=[event.pk, call.pk])}"', 1)[1].split("</form>", 1)[0]
    token = form.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]
    client.post(reverse("tournaments:call", args=[event.pk, call.pk]), {"do": "take", "csrfmiddlewaretoken": token})
    assert JudgeCall.objects.values_list("state", "judge__username").get() == (TAKEN, "rita")


def test_the_tables_of_the_round_by_their_state(world):
    """The mark says a state in sign and word, not by colour alone."""
    event, people = world
    called(event)
    Game.objects.filter(table=2).update(state=Game.State.CONFIRMED)
    page = text_of(signed_in(people["rita"]).get(reverse("tournaments:judges", args=[event.pk])))
    tables = re.findall(r'id="table-(\d+)".*?</span> (\d+) <b>(.)</b> ?<span class="visually-hidden">([^<]+)<', page)
    assert tables == [("1", "1", "!", "judge call"), ("2", "2", "✓", "confirmed")]


def test_a_call_without_its_game_is_not_ruled_by_who_called(world):
    """E2, E3: the pairings were undone. The pages say so."""
    event, people = world
    call = called(event)
    Entry.objects.filter(pk=call.caller_id).update(user=people["rita"])
    Game.objects.filter(pk=call.game_id).delete()
    text = "You play in this game. Ask another leader to decide it. (E2)"
    assert refused(judging.rule_call, actor=people["rita"], call=call, ruling="In range.") == text

    def shown(name, *arguments):
        page = text_of(signed_in(people["rita"]).get(reverse(f"tournaments:{name}", args=[event.pk, *arguments])))
        return ("You play in this game." in page, page.count("Pairings undone"))

    assert (shown("judges"), shown("call", call.pk)) == ((True, 1), (True, 1))
    judging.rule_call(actor=people["hana"], call=call, ruling="In range.")
    assert (shown("judges"), shown("call", call.pk)) == ((False, 1), (True, 2))
