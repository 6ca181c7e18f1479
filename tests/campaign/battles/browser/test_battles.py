"""The pages of the campaign on a phone: they reckon while one taps, fit, and are legible to everyone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from campaign.battles.services import army, reports
from tests.campaign.factories import Table, army_chosen, enlisted, hold, in_play, make_table, planned, reported, side_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


@pytest.mark.nightly
def test_what_is_refused_of_a_choice_goes_once_another_is_made(phone, table):
    enlisted(table.campaign, table.ben, "Strays")  # a single opponent is chosen already
    page = phone(table.ada)
    page.goto(reverse("battles:plan", args=[table.campaign.pk]))
    page.get_by_role("button", name="Create battle").tap()
    refused = page.get_by_text("Choose an opponent.")
    expect(refused).to_be_visible()
    page.locator(".choice__option", has_text="Dune Wardens").tap()
    expect(refused).to_have_count(0)


@pytest.mark.nightly
def test_mustering_reckons_while_one_taps(phone, table):
    hold(table.alpha, "request-assistance")
    battle = planned(table)
    page = phone(table.ada)
    page.goto(reverse("battles:army", args=[side_of(battle, "blue").pk]))
    tally = page.locator("#tally")
    expect(tally).to_contain_text("Army: 3 units")
    page.get_by_text("Stormtroopers (no. 2)").tap()
    expect(tally).to_contain_text("Army: 2 units")
    expect(tally).to_contain_text("97 of 600")
    page.get_by_text("Request Assistance").tap()
    expect(tally).to_contain_text("Choose what Request Assistance brings, or untick it.")
    page.get_by_label("Unit", exact=True).select_option("bossk-trandoshan-terror")
    expect(tally).to_contain_text("202 of 600")
    page.get_by_label("Gear").select_option("ascension-cables")
    expect(tally).to_contain_text("206 of 600")
    page.get_by_role("button", name="Save army").tap()
    page.wait_for_url(f"**{battle.get_absolute_url()}")
    page.locator("summary", has_text="Armies, date, dice and activity").tap()
    page.locator("summary", has_text="units").first.tap()
    expect(page.get_by_text("Bossk, Trandoshan Terror")).to_be_visible()


def test_a_report_reckons_while_one_taps_and_switches_agendas(phone, table):
    hold(table.alpha, "contingency-plan")
    blue = {"agenda": "gather-intelligence", "assets": ("contingency-plan",)}
    battle = in_play(planned(table), blue=blue)
    page = phone(table.ada)
    page.goto(reverse("battles:report", args=[battle.pk]))
    page.get_by_label("Stormtroopers (no. 2) was defeated").first.check()
    outcome, more = page.locator("#outcome-blue"), page.locator("[data-step=up]")
    tokens = page.locator("[data-stepper]", has=page.get_by_label("Tokens", exact=True))
    for _ in range(3):
        tokens.locator(more).tap()
    expect(outcome).to_contain_text("→ progresses 1 time")
    page.get_by_text("Keep Them in Line").tap()
    expect(page.locator(".agenda h3")).to_contain_text("Keep Them in Line")
    expect(page.locator("#outcome-blue")).to_contain_text("→ progresses 2 times")
    expect(page.get_by_label("Stormtroopers (no. 2) was defeated").first).to_be_checked()
    page.get_by_role("button", name="Report battle").tap()
    expect(page.get_by_text("Choose the winner, or Draw.")).to_be_visible()
    expect(page.get_by_label("Stormtroopers (no. 2) was defeated").first).to_be_checked()
    page.get_by_label("Draw").check()
    page.get_by_role("button", name="Report battle").tap()
    page.wait_for_url(f"**{battle.get_absolute_url()}")
    expect(page.get_by_text("Waiting for ben")).to_be_visible()


@pytest.mark.nightly
def test_nothing_that_is_being_written_goes_when_the_other_acts(phone, table):
    """The page is not drawn anew under one's hands."""
    battle = reported(in_play(planned(table)), table.ada)
    page = phone(table.ben)
    page.goto(battle.get_absolute_url())
    page.get_by_role("link", name="Dispute report").tap()
    reason = page.get_by_label("What is wrong?")
    reason.fill("The tower was ours.")
    reported(battle, table.ada)
    expect(page.get_by_text("This page is out of date.")).to_be_visible(timeout=15_000)
    expect(reason).to_have_value("The tower was ours.")


@pytest.mark.nightly
def test_what_the_other_did_appears_by_itself(phone, table):
    battle = planned(table)
    page = phone(table.ada)
    page.goto(battle.get_absolute_url())
    page.get_by_role("link", name="Choose army of Ashen Patrol").tap()
    page.get_by_role("button", name="Select all").tap()
    expect(page.locator("#tally")).to_contain_text("Army: 3 units")
    page.get_by_role("button", name="Save army").tap()
    expect(page.get_by_text("Waiting for Dune Wardens")).to_be_visible()
    in_play(battle)
    expect(page.get_by_role("link", name="Report battle")).to_be_visible(timeout=15_000)


@pytest.mark.nightly
def test_what_falls_is_taken_on_two_phones(phone, table):
    brought = {"agenda": "keep-them-in-line"}
    battle = in_play(planned(table), blue=brought, red=brought)
    url = reverse("battles:table", args=[battle.pk])
    ada, ben = phone(table.ada), phone(table.ben)
    ada.goto(battle.get_absolute_url())
    ben.goto(f"{url}?side=blue")
    fell = {"name": "Stormtroopers (no. 2) was defeated", "exact": True}
    ada.get_by_role("button", **fell).first.tap()
    ada.get_by_role("button", name="Captain Sorne is contesting or holding").first.tap()
    ada.get_by_role("button", name="One token more").first.tap()
    expect(ada.locator("#tokens-blue output")).to_have_text("1")
    for page in (ada, ben):  # his by the poll
        row = page.locator(".table-side").first
        expect(row.get_by_role("button", **fell)).to_have_attribute("aria-pressed", "true", timeout=15_000)
        expect(page.locator("#tokens-blue output")).to_have_text("1")
    ben.get_by_role("button", **fell).first.tap()
    expect(ben.get_by_role("button", **fell).first).to_have_attribute("aria-pressed", "false")
    ada.get_by_text("Captain Sorne").first.tap()
    expect(ada.get_by_text("Upgrades").or_(ada.get_by_text("commander")).first).to_be_visible()
    close = ada.get_by_role("button", name="Close").locator("visible=true")
    expect(close).to_be_focused()
    close.tap()
    ada.get_by_role("link", name="Report battle").tap()
    expect(ada.get_by_label("Captain Sorne was contesting or holding an objective").first).to_be_checked()
    expect(ada.get_by_label("Stormtroopers (no. 2) was defeated").first).not_to_be_checked()
    expect(ada.get_by_label("Tokens", exact=True).first).to_have_value("1")


@pytest.mark.nightly
def test_a_report_is_confirmed_on_one_screen(phone, table):
    battle = in_play(planned(table), blue={"agenda": "keep-them-in-line"})
    facts = {"defeated": ["2"], "contesting": ["1", "3"]}
    reported(battle, table.ada, blue={"agenda": "keep-them-in-line", "tokens": 3, **facts}, red=facts)
    page = phone(table.ben)
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(battle.get_absolute_url())
    rows, bar = page.locator(".report-rows").bounding_box(), page.locator(".action-bar").bounding_box()
    assert rows["y"] + rows["height"] <= bar["y"]
    expect(page.locator(".action-bar .button--primary")).to_have_text("Confirm report")


@pytest.mark.nightly
def test_a_disputed_report_is_settled_by_the_organizer(phone, table):
    battle = reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
    ben = phone(table.ben)
    ben.goto(battle.get_absolute_url())
    ben.get_by_role("link", name="Dispute report").tap()
    expect(ben.get_by_role("button", name="Confirm report")).to_be_hidden()
    ben.get_by_role("button", name="Dispute report").tap()
    expect(ben.get_by_text("Say what is wrong with the report.")).to_be_visible()
    ben.get_by_label("What is wrong?").fill("Red had 6 Victory Points.")
    ben.get_by_role("button", name="Dispute report").tap()
    expect(ben.get_by_role("heading", name="ben disputes the report")).to_be_visible()
    expect(ben.get_by_role("button", name="Confirm report")).to_have_count(0)

    cora = phone(table.cora)
    cora.goto(battle.get_absolute_url())
    expect(cora.locator("blockquote").first).to_have_text("Red had 6 Victory Points.")
    cora.get_by_role("textbox", name="Reason (optional)").fill("I was there.")
    cora.get_by_role("button", name="Accept report").tap()
    expect(cora.get_by_text("in the Post-Battle Sequence", exact=True)).to_be_visible()
    assert cora.evaluate("document.documentElement.scrollWidth") <= 360
    sentences = [line.split(" · ")[-1].split("\n\n") for line in cora.locator(".chronicle__line").all_inner_texts()]
    assert sentences[:2] == [
        ["cora", "Dispute settled by an organizer. The Post-Battle Sequence begins.", "I was there."],
        ["ben", "Report disputed.", "Red had 6 Victory Points."],
    ]
    expect(ben.locator("#question")).to_contain_text("Award Supply Points", timeout=15_000)  # by itself


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_every_page_fits_and_axe_finds_nothing(phone, table, scheme, width):
    hold(table.alpha, "request-assistance", "requisition-special-equipment", "contingency-plan")
    blue = {"agenda": "gather-intelligence", "assets": ("contingency-plan",)}
    battle = planned(table)
    page = phone(table.ada, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    campaign, choose_army = table.campaign.pk, side_of(battle, "blue").pk
    stages = [
        ["/", "/campaigns/new/", f"/campaigns/{campaign}/", f"/campaigns/{campaign}/battles/new/",
         battle.get_absolute_url(), f"/battles/{battle.pk}/plan/", f"/sides/{choose_army}/army/"],
        [battle.get_absolute_url()],
        [f"/battles/{battle.pk}/table/", f"/battles/{battle.pk}/report/", battle.get_absolute_url()],
        ["/", battle.get_absolute_url()],
        [f"/battles/{battle.pk}/report/", battle.get_absolute_url(), f"/campaigns/{campaign}/chronicle/"],
        [battle.get_absolute_url()],
    ]  # fmt: skip
    version = {"battle_id": battle.pk, "version": 1}
    acts = [
        lambda: None,
        lambda: army_chosen(battle, blue=blue),
        lambda: army.begin(actor=table.ada, battle_id=battle.pk),
        lambda: reported(battle, table.ben, blue=blue_facts),
        lambda: reports.dispute(actor=table.ada, reason="It was a draw.", **version),
        lambda: reports.settle(actor=table.cora, **version),
    ]
    blue_facts = {"agenda": "gather-intelligence", "tokens": 3, "defeated": ["2"], "contesting": ["1"]}
    found = []
    for act, addresses in zip(acts, stages, strict=True):
        act()
        for address in addresses:
            page.goto(address)
            found += [(address, v["id"], v["nodes"][0]["html"]) for v in Axe().run(page).response["violations"]]
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                found.append((address, "too wide", ""))
    assert found == []


@pytest.mark.nightly
def test_the_welcome_is_legible_to_everyone(page, live_server, db):
    page.goto("/")
    assert Axe().run(page).response["violations"] == []
