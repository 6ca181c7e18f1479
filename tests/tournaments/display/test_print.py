"""Sheets on paper, as pages and as PDF."""

import pytest

from core.pdf import PdfRefused, PdfUnavailable
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tournaments.services import bracket

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = SmallEvent(GC, ("Ada", "Bo", "Cai", "Dee", "Eli"), rounds=1, cut=2)
    event.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    return event


@pytest.fixture
def printed(monkeypatch):
    """The documents of which a PDF was made."""
    found = []

    def to_pdf(html, **_options):
        found.append(html)
        return b"%PDF-1.7"

    monkeypatch.setattr("core.pdf.to_pdf", to_pdf)
    return found


def words(event, sheet, **query):
    answer = event.client().get(event.page("print", sheet), query)
    assert answer.status_code == 200
    return text_of(answer.content, "</nav>", "</body>")


def test_pairings_on_paper(event):
    assert words(event, "names") == (
        "Winter Conquest Round 1 Player Table Against "
        "Ada 1 Bo Bo 1 Ada Cai 2 Dee Dee 2 Cai Eli – Bye"
    )  # fmt: skip
    event.result("Ada", (620, 410))
    assert words(event, "tables") == (
        "Winter Conquest Round 1 Table Players Result 1 Ada ✓ won Bo 620 – 410 2 Cai Dee – Eli Bye"
    )


def test_result_slips_have_what_is_entered(event):
    """E27, E28: by the rule set."""
    text = words(event, "slips")
    assert text.count("Table") == 2
    assert text.startswith(
        "Table 1 Winter Conquest · Round 1 A · Ada B · Bo □ Winner □ Winner Victory tokens Victory tokens Points "
        "defeated Points defeated □ Victory □ Time □ Draw, not played □ Conceded □ No-show Mission Signature □ I drop "
        "Signature □ I drop"
    )
    other = SmallEvent.__new__(SmallEvent)
    other.__dict__ |= {"organizer": event.organizer, "who": event.who, "event": event.event}
    other.event.rule_set = TR
    other.event.save()
    assert "□ Winner □ Blue player □ Winner □ Blue player" in words(other, "slips")


def test_a_slip_has_few_elements(event, printed):
    """A PDF takes about a millisecond for each, and 150 slips may take 4 s of a processor."""
    event.client().get(event.page("pdf", "slips"))
    assert printed[0].split("<article")[1].count("</") <= 24


def test_standings_and_bracket_on_paper(event):
    assert words(event, "standings") == "There are no standings to print yet. Close the first round."
    assert words(event, "bracket") == "There is no bracket to print yet."
    event.result("Ada", (620, 410))
    event.result("Cai")
    event.close()
    assert words(event, "standings") == (
        "Winter Conquest Standings after round 1 Rank Player Points SoS Defeated Tokens "
        "1 Eli 3 0.000 900 0 2 Ada 3 0.000 620 5 3 Cai 3 0.000 500 5 4 Bo 0 3.000 410 3 5 Dee 0 3.000 300 3"
    )
    bracket.make_cut(**event.both)
    event.publish()
    assert words(event, "bracket") == "Winter Conquest Bracket Final 1 Eli 2 Ada"


def test_a_draft_is_printed_for_leaders_only(event):
    """E24: slips are cut before the pairings are published."""
    event.event.rounds = 2
    event.event.save()
    for winner in ("Ada", "Cai"):
        event.result(winner)
    event.close()
    event.draft(("Ada", "Cai"), ("Bo", "Eli"), bye="Dee")
    page = event.page("print", "slips") + "?round=2"
    assert [event.client(leader=leads).get(page).status_code for leads in (False, True)] == [404, 200]
    assert "Round 1" in words(event, "slips")
    assert event.client().get(event.page("print", "posters")).status_code == 404
    assert event.client().get(event.page("print", "slips") + "?round=x").status_code == 404


def test_the_same_as_pdf(event, printed):
    answer = event.client().get(event.page("pdf", "names"), {"paper": "letter"})
    assert (answer.content, answer["Content-Type"]) == (b"%PDF-1.7", "application/pdf")
    assert answer["Content-Disposition"] == 'inline; filename="winter-conquest-pairings-by-name.pdf"'
    (html,) = printed
    assert 'class="sheets sheets--letter sheets--names"' in html
    assert "<script" not in html
    assert "<nav" not in html
    assert "<h1" not in html


@pytest.mark.parametrize(
    ("trouble", "text", "retry"),
    [
        (PdfUnavailable("libpango"), "This server cannot make PDFs because the library libpango is missing.", None),
        (PdfRefused("Another PDF is being created.", again=30), "Another PDF is being created.", "30"),
    ],
)
def test_without_a_pdf_there_is_the_page(event, monkeypatch, trouble, text, retry):
    def to_pdf(html, **_options):
        raise trouble

    monkeypatch.setattr("core.pdf.to_pdf", to_pdf)
    answer = event.client().get(event.page("pdf", "tables"))
    assert (answer.status_code, answer.get("Retry-After")) == (503, retry)
    assert text in text_of(answer.content, "<header", "</body>")


def test_pdfs_are_limited(event, printed, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "public_print": "1/h/ip", "print": "2/h/user"}
    page = event.page("pdf", "names")
    assert [event.client().get(page).status_code for _ in range(2)] == [200, 429]
    assert [event.client(leader=True).get(page).status_code for _ in range(3)] == [200, 200, 429]
