"""The pages on which an organizer undoes or corrects what others have built upon."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from campaign.battles.models import Amendment
from campaign.battles.services.replay.decisions import given
from campaign.battles.services.sequence import finished_steps
from registers.services.corrections import correct
from rules.adjustments.awards import Gift
from rules.adjustments.corrections import WantedValue
from rules.register.effects import UnitNamed
from tests.campaign.battles.amending import awarded, balanced, corrected, decide, states, undo_amendment
from tests.campaign.battles.closing import closed
from tests.campaign.battles.stepping import client_of, post
from tests.campaign.factories import happen
from tests.campaign.first_blood import Fought, Stacked, fall
from tests.html import html_of
from tests.registers.views.reading import text_of


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed; ada organizes."""
    closed(fought)
    fought.ada_organizes()
    return fought


@pytest.fixture
def ada(over) -> Client:
    client = Client()
    client.force_login(over.ada)
    return client


@pytest.fixture
def ben(over) -> Client:
    client = Client()
    client.force_login(over.ben)
    return client


def path(over: Fought, part: str = "amend") -> str:
    return f"/battles/{over.battle.pk}/{part}/"


def text(response) -> str:
    return html_of(response)


def test_organizers_are_led_there_and_nobody_else(over, ada, ben):
    battle = over.battle.get_absolute_url()
    assert path(over) in text(ada.get(battle))
    assert path(over) not in text(ben.get(battle))
    amendment = undo_amendment(over, "step", step=3)
    for address in (path(over), path(over, "report/correct"), amendment.get_absolute_url()):
        assert (ada.get(address).status_code, ben.get(address).status_code) == (200, 404)


def test_before_the_sequence_there_is_nothing_to_undo(over, ada):
    over.battle.status = "reported"
    over.battle.save()
    for part in ("amend", "report/correct"):
        assert ada.get(path(over, part)).headers["Location"] == over.battle.get_absolute_url()


def asked(shown: str) -> str:
    """The halt of which the form on the page is."""
    return shown.split('name="halt" value="')[1].split('"')[0]


def test_what_is_asked_anew_needs_a_reason(over, ada):
    response = ada.post(path(over), {"what": "step:blue:3", "reason": " "})
    assert (response.status_code, Amendment.objects.count()) == (422, 0)
    assert "Enter a reason." in text(response)
    assert 'value="step:blue:3" checked' in text(response)
    response = ada.post(path(over), {"what": "step:blue:3", "reason": "A wrong tap."})
    amendment = Amendment.objects.get()
    assert response.headers["Location"] == amendment.get_absolute_url()
    assert (amendment.what, amendment.colour, amendment.wanted, amendment.reason) == (
        "step", "blue", {"step": 3, "given": given(over.blue, finished_steps(over.blue), {"step": 3})}, "A wrong tap.",
    )  # fmt: skip
    assert amendment.get_absolute_url() in text(ada.get(path(over)))


def test_a_step_that_the_app_rolled_in_the_tap_before_can_be_undone(fought, monkeypatch):
    fall(monkeypatch, Stacked("block", "blank", "hit", "surge", "blank"))
    post(client_of(fought.ben), fought, "red", dice="app")
    fought.ada_organizes()
    shown = text_of(client_of(fought.ada).get(path(fought)))
    assert "Undo answers of Dune Wardens: Last answer" in shown
    assert "4 Determine Casualties" in shown
    assert undo_amendment(fought, "step", "red", step=4).wanted["step"] == 4


def test_requests_are_finished_without_a_word_on_edits(over, ada):
    """No tap of an amendment ends step 8 too."""
    amendment = undo_amendment(over, "step", step=7)
    shown = text_of(ada.get(amendment.get_absolute_url()))
    assert ("Finish requests" in shown, "Finish without edits" in shown) == (True, False)


def test_what_is_refused_loses_nothing(over, ada):
    response = ada.post(path(over), {"what": "step:green:3", "reason": "A wrong tap."})
    assert (response.status_code, "There is nothing to undo in this sequence" in text(response)) == (422, True)
    assert "A wrong tap." in text(response)
    assert ada.post(path(over), {"what": "all", "reason": "So."}).status_code == 422


def test_it_stops_at_a_question_and_goes_on_to_the_end(over, ada):
    amendment = undo_amendment(over, "step", step=3)
    page = amendment.get_absolute_url()
    shown = text(ada.get(page))
    assert "Answer this question for Ashen Patrol." in shown
    assert 'name="face:supply:0"' in shown
    assert "Casualty Checks" not in shown
    halt = asked(shown)
    refused = ada.post(page, {"turn": 0, "halt": halt, "dice": "table"})
    assert (refused.status_code, "Enter the die." in text(refused)) == (422, True)
    answered = {"turn": 0, "halt": halt, "dice": "table", "face:supply:0": "blank"}
    for _ in range(2):  # the second comes from an old form
        assert ada.post(page, answered).headers["Location"] == page
    amendment.refresh_from_db()
    assert len(amendment.decisions) == 1
    shown = text(ada.get(page))
    assert "1 Register changes." in shown
    assert '<td>Supply Points</td><td class="soft">8</td><td><b>7</b></td>' in shown
    digest = shown.split('name="digest" value="')[1].split('"')[0]
    refused = ada.post(page, {"act": "apply", "digest": "another"})
    assert (refused.status_code, "This changed while you were looking" in text(refused)) == (422, True)
    before = states(over)["blue"].supply_points
    for _ in range(2):
        assert ada.post(page, {"act": "apply", "digest": digest}).status_code == 302
    assert (before, states(over)["blue"].supply_points, balanced()) == (8, 7, True)
    assert ada.get(page).headers["Location"] == over.battle.get_absolute_url()
    assert "A step of Ashen Patrol was undone" in text(ada.get(over.battle.get_absolute_url()))


def test_the_dice_of_the_app_are_drawn_once(over, ada):
    amendment = undo_amendment(over, "step", step=3)
    page = amendment.get_absolute_url()
    posted = {"turn": 0, "halt": asked(text(ada.get(page))), "dice": "app"}
    for _ in range(2):
        ada.post(page, posted)
    amendment.refresh_from_db()
    [decision] = amendment.decisions
    [draw] = over.battle.draws.filter(step=3, colour="blue").order_by("-number")[:1]
    assert (decision["answer"], decision["source"], decision["draws"]) == (draw.faces, "app", [draw.number])


def test_it_asks_and_says_what_the_ledger_has(over, ada):
    """Nothing sounds done; the question comes with what was answered then."""
    shown = text_of(ada.get(undo_amendment(over, "step", step=4).get_absolute_url()))
    assert "Undo a step of Ashen Patrol? A wrong tap." in shown
    assert "Nothing has changed yet. All changes below are applied together, or none." in shown
    entry = over.blue.own_register.entries.get(step=4, act="step")
    then = shown[shown.index("Original entry") : shown.index("Answer this question for")]
    assert f"No. {entry.position} · " in then
    assert "step of the Post-Battle Sequence" in then
    assert "Casualty" in then


def test_the_report_names_its_units_while_a_question_is_open(over, ada):
    shown = text_of(ada.get(corrected(over, blue={"defeated": ["2", "4", "5"]}).get_absolute_url()))
    assert "Answer this question for " in shown
    names = "Scout Troopers, Stormtroopers Scout Troopers, Snowtroopers, Stormtroopers"
    assert f"Ashen Patrol: Defeated {names} Edit" in shown


def test_an_open_one_is_seen_from_everywhere(over, ada, ben):
    open_one = corrected(over, blue={"defeated": ["5"]})
    battle = over.battle.get_absolute_url()
    for address in (battle, path(over), path(over, "report/correct"), "/"):
        assert open_one.get_absolute_url() in text(ada.get(address))
    for address in (battle, "/"):
        assert open_one.get_absolute_url() not in text(ben.get(address))
    refused = ada.post(path(over, "report/correct"), REPORT | {"blue-tokens": 2, "reason": "So."})
    assert "Another amendment of this battle is open" in text(refused)
    assert open_one.get_absolute_url() in text(refused)
    ada.post(open_one.get_absolute_url(), {"act": "drop"})
    for address in (battle, "/"):
        assert open_one.get_absolute_url() not in text(ada.get(address))


def test_what_changes_nothing_is_not_done(over, ada):
    """A report as it was changes nothing; what was noted of it changes no Register, and is done."""
    page = corrected(over).get_absolute_url()
    shown = text(ada.get(page))
    assert ("No changes." in shown, "Apply changes" in shown) == (True, False)
    Amendment.objects.update(wanted=Amendment.objects.get().wanted | {"notes": "Cold."})
    shown = text(ada.get(page))
    assert ("No Register changes." in shown, "Apply changes" in shown) == (True, True)


def test_to_annul_is_for_good(over, ada):
    shown = text_of(ada.get(undo_amendment(over, "annul", colour="").get_absolute_url()))
    assert "Void Battle 1?" in shown
    assert "A void battle can never be restored." in shown


def test_units_are_called_as_on_the_page_of_the_battle(over, ada):
    """By their names of that day, on both."""

    def named() -> list[tuple[bool, bool]]:
        pages = [text(ada.get(page)) for page in (over.battle.get_absolute_url(), path(over, "report/correct"))]
        return [("Stormtroopers (no. 3)" in page, "Ice Hounds" in page) for page in pages]

    assert named() == [(True, False)] * 2
    happen(over.blue.own_register, UnitNamed(unit="3", name="Ice Hounds", rule="R9"))
    assert named() == [(True, False)] * 2


def test_whose_part_of_an_award_is_left_out_is_said(over, ada):
    awarded(over, Gift(experience=3, units=("3", "4")))
    amendment = corrected(over, blue={"defeated": ["2", "4", "5"]})
    decide(over, amendment, {"check:4": ["surge"]}, "table")
    shown = text_of(ada.get(amendment.get_absolute_url()))
    assert "You can leave out what Snowtroopers gained by it. The rest stays. Leave it out" in shown


def test_dropping_it_changes_nothing(over, ada):
    before, amendment = states(over), corrected(over, blue={"defeated": ["5"]})
    assert ada.post(amendment.get_absolute_url(), {"act": "drop"}).status_code == 302
    amendment.refresh_from_db()
    assert (amendment.state, states(over)) == ("dropped", before)


def test_an_edit_that_cannot_be_any_more_is_left_out(over, ada):
    """The one decision that it stops at says so, and a form that comes twice leaves out one thing."""
    amendment = undo_amendment(over, "step", step=3)
    page = amendment.get_absolute_url()
    posted = {"act": "leave_out", "turn": 0, "halt": asked(text(ada.get(page)))}
    response = ada.post(page, posted)
    assert (response.status_code, "This cannot be left out." in text(response)) == (422, True)


REPORT = {
    "version": 1, "winner": "blue", "blue-shown": "1", "red-shown": "1", "blue-fell": ["5"],
    "blue-held": ["3", "1"], "blue-tokens": 3, "red-fell": ["2", "3", "6"], "red-held": ["4"], "red-tokens": 1,
}  # fmt: skip


def ticked(response) -> list[tuple[str, str]]:
    return re.findall(r'<input type="checkbox" name="(\S+)" value="(\S+)" checked', text(response))


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_refused_correction_keeps_the_whole_form(over, ada, headers):
    refused = ada.post(path(over, "report/correct"), REPORT, headers=headers)
    assert (refused.status_code, "Enter a reason." in text(refused)) == (422, True)
    assert ticked(refused) == [
        ("blue-held", "1"), ("blue-held", "3"), ("blue-fell", "5"),
        ("red-fell", "2"), ("red-fell", "3"), ("red-held", "4"), ("red-fell", "6"),
    ]  # fmt: skip
    assert '<div class="report-sides" id="sides">' in text(refused)  # out of band it would leave the form
    part = ada.post(path(over, "report/correct"), REPORT | {"reckon": "sides"}, headers=headers)
    assert ('id="sides" hx-swap-oob="true">' in text(part)) is bool(headers)


def test_a_form_that_lacks_the_units_is_refused_and_does_not_say_none(over, ada):
    for lacking in ("blue", "red"):
        posted = {key: value for key, value in REPORT.items() if not key.startswith(lacking)}
        refused = ada.post(path(over, "report/correct"), posted | {"reason": "So."})
        assert (refused.status_code, "This form is incomplete." in text(refused)) == (422, True)
        stands = over.side(lacking).report
        for name, keys in (("fell", stands["defeated"]), ("held", stands["contesting"])):
            assert {value for at, value in ticked(refused) if at == f"{lacking}-{name}"} == set(keys)
    assert Amendment.objects.count() == 0


def test_the_report_is_corrected_on_its_own_form(over, ada):
    address = path(over, "report/correct")
    page = text(ada.get(address))
    assert "Correct the report" in page
    refused = ada.post(address, REPORT)
    assert (refused.status_code, "Enter a reason." in text(refused)) == (422, True)
    wrong = ada.post(address, REPORT | {"red-conceded": "on", "winner": "red", "reason": "So."})
    assert (wrong.status_code, "conceded, so the other side won" in text(wrong)) == (422, True)
    assert ada.post(address, REPORT | {"reckon": "1"}).status_code == 200
    response = ada.post(address, REPORT | {"reason": "The troopers stood."})
    amendment = Amendment.objects.get()
    assert response.headers["Location"] == amendment.get_absolute_url()
    assert "1 Register changes." in text(ada.get(amendment.get_absolute_url()))


def test_an_answer_to_another_question_than_the_one_shown_is_refused(over, ada):
    page = undo_amendment(over, "step", step=3).get_absolute_url()
    for posted in ({"dice": "table", "face:supply:0": "blank"}, {"act": "leave_out"}):
        response = ada.post(page, posted | {"turn": 0, "halt": "another"})
        assert (response.status_code, "This changed while you were looking." in text(response)) == (422, True)
    assert Amendment.objects.get().decisions == []


def controls(response) -> list[str]:
    """All controls of the report's form, with what stands in them; not those of the reason and the token."""
    form = text(response).split('id="report"')[1].split("</form>")[0]
    found = re.findall(r"<(?:input|select|option|textarea)\b[^>]*>", form)
    return [each for each in found if not re.search("csrf|id_reason", each)]


def test_from_what_it_comes_to_back_to_the_form_as_it_was_sent(over, ada):
    form = path(over, "report/correct")
    sent = REPORT | {"winner": "red", "red-vp": "3", "mission": "Ambush", "notes": "Late."}
    amendment = Amendment.objects.get(pk=ada.post(form, sent | {"reason": "Told wrong."})["Location"].split("/")[-2])
    assert "Edit corrected report" in text(ada.get(amendment.get_absolute_url()))
    back = ada.post(amendment.get_absolute_url(), {"act": "change"})
    assert back["Location"] == f"{form}?again={amendment.pk}"
    filled, as_sent = ada.get(back["Location"]), ada.post(form, sent)
    assert controls(filled) == controls(as_sent)
    assert 'value="Told wrong."' in text(filled)
    assert "Late.</textarea>" in text(filled)
    assert ada.post(form, sent | {"reason": "So."}).status_code == 302
    assert Amendment.objects.get(state=Amendment.State.OPEN).wanted == amendment.wanted


def test_only_a_report_goes_back_to_its_form_and_only_its_own_battle_s(over, ada):
    amendment = undo_amendment(over, "step", step=3)
    assert "Change the report" not in text(ada.get(amendment.get_absolute_url()))
    for again in (amendment.pk, "x", "\x00", uuid4()):
        form = ada.get(path(over, "report/correct"), {"again": again})
        assert (form.status_code, "A wrong tap." in text(form)) == (200, False)


def test_values_of_a_correction_are_chosen_one_by_one(over, ada):
    """Without JavaScript: radio buttons, an error for each value without a choice, and a way back."""
    blue = over.blue.own_register
    before = states(over)["blue"].dossiers["4"].experience
    correct(
        actor=over.ada, register_id=blue.pk, position=blue.position, reason="The sheet says so.", override=True,
        wishes=[WantedValue("experience", before + 2, unit="4"), WantedValue("supply_points", 20)],
    )  # fmt: skip
    amendment = corrected(over, blue={"in_game_experience": {"4": 1}})
    page = amendment.get_absolute_url()
    response = ada.get(page)
    shown, words = text(response), text_of(response)
    assert f"Snowtroopers: XP would be {before + 1} here, not {before}." in words
    for option in (
        f"Keep {before + 2}", f"Keep the difference (+2): {before + 3}", f"Leave out the correction: {before + 1}"
    ):  # fmt: skip
        assert option in words
    assert "would not be there" not in words
    form = {"act": "resolve", "turn": 0, "halt": asked(shown)}
    refused = ada.post(page, form)
    assert (refused.status_code, "Choose what to do with this value." in text(refused)) == (422, True)
    for _twice in range(2):
        assert ada.post(page, {**form, "value-4.experience": "difference"}).headers["Location"] == page
    amendment.refresh_from_db()
    assert len(amendment.decisions) == 1
    shown = text_of(ada.get(page))
    assert f"corrected from {before + 1} to {before + 3} (difference kept after an amendment)" in shown
    assert ada.post(page, {"act": "undo", "turn": 1}).headers["Location"] == page
    assert "Keep the difference" in text(ada.get(page))


def test_a_choice_is_shown_again_when_another_one_is_missing(over, ada):
    blue = over.blue.own_register
    correct(
        actor=over.ada, register_id=blue.pk, position=blue.position, reason="The sheet says so.", override=True,
        wishes=[WantedValue("experience", 3, unit=key) for key in ("3", "4")],
    )  # fmt: skip
    amendment = corrected(over, blue={"in_game_experience": {"3": 1, "4": 1}})
    page = amendment.get_absolute_url()
    form = {"act": "resolve", "turn": 0, "halt": asked(text(ada.get(page))), "value-4.experience": "keep"}
    refused = ada.post(page, form)
    assert refused.status_code == 422
    assert text(refused).count("Choose what to do with this value.") == 1
    assert re.search(r'name="value-4.experience" value="keep" checked', text(refused))
