"""The rules to look things up in, and the sheet of them."""

import gzip
import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from campaign.services.campaigns import change_campaign_rules
from campaign.story_arcs.services import story_arcs
from catalogue.snapshot import forget, rulebook
from rules.core.campaign_rules import SWITCHES, CampaignRules, HouseRules
from tests.catalogue.reference.own_words import paragraphs, repeated
from tests.html import flat, html_of
from tests.registers.views.reading import queries_of, text_of
from tests.rules.arcs.arcs import printed, spoiled

RULES, SHEET = "/rules/", "/rules/print/"


def found(client, question: str) -> list[str]:
    """The anchors of what is shown for a question."""
    page = html_of(client.get(RULES, {"q": question}))
    return re.findall(r'<article class="passage" id="([\w-]+)"', page)


@pytest.mark.django_db
def test_strangers_read_it_too(client):
    page = html_of(client.get(reverse("rules")))
    assert 'id="R18"' in page
    assert "test_founding" not in page
    assert client.get(SHEET).status_code == 200


def test_whoever_plays_by_another_reading_finds_it_at_the_ruling(client, table):
    """Those of other campaigns are nobody's business, and as many campaigns as one likes cost one query."""
    campaign_rules = CampaignRules(length=2, house=HouseRules(draw="neither"))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=None)
    own = "Outer Rim Winter : The owner resolves neither reward. The Story Arc still ends."
    shown = {}
    for who in (table.mia, table.eve):
        client.force_login(who)
        shown[who.username] = text_of(client.get(RULES)).count("Outer Rim Winter")
    assert shown == {"mia": 1, "eve": 0}
    client.force_login(table.mia)
    assert own in text_of(client.get(RULES))
    assert own in text_of(client.get(RULES, {"q": "R29"}))


def test_all_readings_stand_on_one_page_with_what_a_campaign_plays(client, table):
    """R52: everybody reads them; what a campaign plays, only who is in it."""
    campaign_rules = CampaignRules(house=HouseRules(draw="neither"))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=None)
    address = reverse("rules_readings")
    words = [words for switch in SWITCHES for words in (switch.printed, *(each.words for each in switch.readings))]
    text = text_of(client.get(address))
    assert [each for each in words if each not in text] == []
    shown = {}
    for who in (table.mia, table.eve):
        client.force_login(who)
        queries = ({}, {"campaign": table.campaign.pk}, {"campaign": "x"})
        shown[who.username] = [text_of(client.get(address, query)).count("Outer Rim Winter") for query in queries]
    assert shown == {"mia": [1, len(SWITCHES), 1], "eve": [0, 0, 0]}


def test_a_reading_is_named_with_its_switch(client, table):
    text = text_of(client.get(RULES, {"q": "R28"}))
    assert "R28 Daring Defense our reading" in text
    assert "House rule: Daring Defense." in text
    assert "A campaign may play instead: Marked units are protected in every battle with this Agenda." in text


def test_no_query_but_for_the_reader(client, table):
    """A stranger costs none beside the stamp of the catalogue, whatever is asked."""
    assert [queries_of(client, address) for address in (RULES, f"{RULES}?q=setback", SHEET)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("R34", ["R34", "step-4-in-short"]),
        ("medevac", ["table-strategic-assets", "step-4-in-short", "checks"]),
        ("keep them in line", ["arc-bring-peace-to-the-galaxy"]),
        ("step 7", ["step-7-in-short"]),
        ("battle fatigue", ["R36", "table-setbacks"]),
        ("xyzzy", []),
    ],
)
def test_what_is_found(client, table, question, passages):
    assert [anchor for anchor in found(client, question) if anchor in passages or not passages] == passages


def test_what_is_found_is_counted_and_marked(client, table):
    page = client.get(RULES, {"q": "medevac"})
    assert "3 results for “medevac” Show all rules" in text_of(page)
    assert html_of(page).count("<mark>Medevac</mark>") == 4
    assert 'id="R34"' not in html_of(page)


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["setback", "R34", "nothing like it", ""])
def test_htmx_gets_what_it_puts_into_the_page_and_no_more(client, table, question):
    asked = {"q": question}
    whole = html_of(client.get(RULES, asked))
    part = client.get(RULES, asked, headers={"HX-Request": "true", "HX-Target": "found"})
    assert "HX-Target" in part.headers["Vary"]
    title, number, shown = re.fullmatch(
        r'\s*(<title>.*?</title>)(<p id="found-number".*?</p>)(<div .*)', html_of(part)
    ).groups()
    assert (title in whole, number.strip() in whole, shown.strip() in whole) == (True, True, True)
    assert ('id="found-number"' in number, 'id="found"' in shown, "<header" in shown) == (True, True, False)


def test_nothing_found_is_said(client, table):
    text = text_of(client.get(RULES, {"q": "xyzzy"}))
    assert "No results for “xyzzy”. Show all rules" in text
    assert "Try a shorter word" in text


def test_a_question_is_text_and_nothing_else(client, table):
    """It is shown as it was typed, cut at what can be looked for; one without words shows everything."""
    page = html_of(client.get(RULES, {"q": '"><b>x' + "y" * 100}))
    assert 'value="&quot;&gt;&lt;b&gt;x' + "y" * 74 + '"' in page
    assert found(client, "?!") == found(client, "")


def test_an_arc_of_somebody_s_own_is_not_for_strangers(client, table):
    """Nor its Setback, Trait and Commendation: only who takes it in has them."""
    parts = ("setback", "defining_trait", "commendation", "turning_point", "agendas.0")
    draft = {**printed("a-pirates-life"), "name": "Unlit"}
    for part in parts:
        draft = spoiled(draft, f"{part}.name", f"Unlit {part}")
    begun = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Unlit")
    arc = story_arcs.change(actor=table.cora, arc_id=begun.pk, revision=1, draft=draft)
    story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=arc.revision)
    forget()
    assert "Unlit setback" in {setback.name for setback in rulebook().setbacks.values()}
    for address in (RULES, SHEET):
        text = text_of(client.get(address))
        assert "Unlit" not in text


def test_own_words(client, table):
    """No run of eight words is the printed text's."""
    pages = {address: paragraphs(html_of(client.get(address))) for address in (RULES, SHEET)}
    found = {address: [run for text in pages[address] for run in repeated(text)] for address in pages}
    assert found == {RULES: [], SHEET: []}
    assert sum(len(text.split()) for text in pages[RULES]) > 6000


def test_it_is_sent_small(client, table):
    page = client.get(RULES, headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 40_000
    assert 'id="R51"' in gzip.decompress(page.content).decode()


def test_the_sheet_has_every_step_and_table(client, table):
    message = text_of(client.get(SHEET))
    wanted = ("10 Choose New Story Arc", "Medevac", "Battle-Fatigue 1 (hit; adds up)", "Repulsor vehicle", "Expended")
    assert [text for text in wanted if text not in message] == []


def test_one_part_of_the_rules_alone(client, table):
    whole, part = (client.get("/rules/R34/", headers=headers).text for headers in ({}, {"HX-Request": "true"}))
    assert ("<html" in whole, "<html" in part) == (True, False)
    for page in (whole, part):
        assert ('id="R34"' in page, 'id="R35"' in page) == (True, False)
    assert 'id="core-ranks"' in client.get("/rules/core-ranks/").text
    assert 'id="R39"' in client.get("/rules/step-5/").text
    assert client.get("/rules/R99/").status_code == 404


def test_a_number_leads_to_its_ruling():
    link = flat(render_to_string("components/rule.html", {"rule": "R18"})).strip()
    assert link.startswith('<a class="rule-ref" href="/rules/#R18" target="_blank" rel="noopener"')


def test_the_core_rules_are_led_to_as_well():
    link = flat(render_to_string("components/rule.html", {"rule": "Core: Battle Deck"})).strip()
    assert link.startswith('<a class="rule-ref" href="/rules/#core-battle-deck" target="_blank" rel="noopener"')


def test_what_is_no_rule_leads_nowhere():
    html = flat(render_to_string("components/rule.html", {"rule": ""})).strip()
    assert html == '<span class="rule-ref"></span>'
