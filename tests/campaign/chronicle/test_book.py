"""The campaign as a book: what stands in it, on which pages, and with which pictures."""

import re
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate, now
from pypdf import PdfReader

from campaign.battles.models import Battle, Side
from campaign.chronicle import views as view
from campaign.chronicle.access import photos_of
from campaign.chronicle.narrative.book import Book, book_of
from campaign.chronicle.services import stories
from campaign.models import Campaign
from campaign.schedule.models import Phase
from campaign.star_map.queries import star_map_of
from campaign.star_map.services import star_map
from core.pdf import PdfRefused, PdfUnavailable, laid_out, to_pdf
from registers.models import Register
from registers.print.preview import opener
from tests.campaign.battles.closing import closed
from tests.campaign.factories import against_guest, planned
from tests.campaign.fights import over
from tests.html import html_of
from tests.registers.print.drawn import ink_of, is_white
from tests.registers.views.reading import text_of
from tests.uploads.photos import photo
from tests.walking import unprinted

__all__ = ["unprinted"]

LONG = "It snowed. " * 150


def closed_battles(table, number: int) -> list[Battle]:
    """So many closed battles, each with a long piece and a picture."""
    found = []
    for count in range(number):
        battle = against_guest(table, place="The attic")
        Side.objects.filter(battle=battle).update(open=False)
        Battle.objects.filter(pk=battle.pk).update(status="closed", closed_at=now(), winner="blue", notes="Cold.")
        words = {"actor": table.ada, "campaign": table.campaign, "battle": battle}
        stories.write(**words, title=f"Piece {count + 1}", text=f"{LONG}\n\n{'x' * 400}")
        stories.add_battle_photo(
            actor=table.ada, battle=battle, sent=photo(size=(1200, 900 + 9 * count)), alt=f"Picture {count + 1}"
        )  # fmt: skip
        found.append(battle)
    return found


def pages_of(answer) -> list[str]:
    assert answer["Content-Type"] == "application/pdf"
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(answer.content)).pages]


@pytest.fixture
def as_mia(client, table):
    client.force_login(table.mia)
    return client


def test_first_blood(client, fought):
    battle = closed(fought)
    client.force_login(fought.ada)
    answer = client.get(reverse("chronicle:book", args=[battle.campaign.pk]))
    assert answer["Content-Disposition"] == 'inline; filename="first-blood.pdf"'
    cover, *rest = pages_of(answer)
    assert cover.startswith("First Blood The chronicle of 1 battle ")
    text = " ".join(rest)
    assert "Contents" not in text
    for words in (
        "The Registers Ashen Patrol Empire · ada · ",
        "Paragon: Captain Sorne (Imperial Officer, Ruthless Efficiency) Unit XP VR Card and Commendations",
        "Dune Wardens Rebel · ben · ",
        "Battles and stories Ashen Patrol defeated Dune Wardens Battle 1",
        "HERO OF THE DAY",
        "Standings Place Register Reputation Won, drawn, lost Combat Potential 1 Ashen Patrol 0 1–0–0",
        "2 Dune Wardens 0 0–0–1",
        "Roll of honor Unit VR Commendations Ashen Patrol Grim Hounds 1 Resilient",
        "Roll of the fallen Unit Register Fell in Rebel Troopers (no. 2) Dune Wardens Battle 1",
        "The dice ",
    ):
        assert words in text, words


def test_the_history_of_the_map_ends_with_who_holds_it(table):
    """A battle of May that was entered in June took the system from the winner of a later one; a decision by hand has
    the day on which it was made.
    """
    Register.objects.filter(pk=table.bravo.pk).update(faction="rebel")
    organizer, campaign, today = {"actor": table.cora}, table.campaign, localdate()
    system = star_map.save_system(**organizer, campaign=campaign, system_id=uuid4(), name="Talvos", x=30, y=40)
    days = [today - timedelta(days=number) for number in (9, 30)]
    for day, winner in zip(days, ("blue", "red"), strict=True):
        battle = over(table, winner, date=day)
        star_map.fight_for(**organizer, battle=battle, system_id=system.pk)
    words = {"campaign": campaign, "system_id": system.pk, "battle_id": battle.pk}
    star_map.give_system(**organizer, **words, holder="faction:empire")
    assert book_of(campaign, photos_of).turns == [
        (days[0], "The Empire took Talvos."),
        (days[1], "The Rebels took Talvos."),
        (today, "The Empire received Talvos."),
    ]


def test_a_season_by_phases_with_the_pages_that_the_contents_name(as_mia, table):
    battles = closed_battles(table, 4)
    today = localdate()
    for name, first, last in (("Muster", 30, 11), ("War", 10, 0)):
        days = {"first_day": today - timedelta(days=first), "last_day": today - timedelta(days=last)}
        Phase.objects.create(campaign=table.campaign, name=name, note=f"{name} it was.", **days)
    Battle.objects.filter(pk__in=[battles[0].pk, battles[1].pk]).update(date=today - timedelta(days=20))
    star_map.start_map(actor=table.cora, campaign=table.campaign, layout="6")
    [system, *_others] = star_map_of(table.campaign).systems
    star_map.fight_for(actor=table.cora, battle=battles[0], system_id=system.row.pk)
    stories.set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo("PNG"), alt="The yard")
    Register.objects.filter(pk=table.bravo.pk).update(name="W" * 80)
    content = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk])).content
    read = PdfReader(BytesIO(content)).pages
    pages = [" ".join(page.extract_text().split()) for page in read]
    text = " ".join(pages[1:])
    named = re.findall(r"Battle (\d): Ashen Patrol defeated Sal[ .]*(\d+)", pages[1])
    found = {
        (number, str(place))
        for place, page in enumerate(pages, start=1)
        for number in re.findall(r"Battle (\d) · ", page)
    }
    assert [number for number, _ in named] == ["1", "2", "3", "4"]
    assert set(named) == found
    begun = {
        name: next(at for at, page in enumerate(pages, 1) if f"{name} it was." in page) for name in ("Muster", "War")
    }
    assert dict(re.findall(r"(Muster|War)[ .]+(\d+) Battle", pages[1])) == {n: str(at) for n, at in begun.items()}
    assert str(begun["Muster"]) == named[0][1] != named[2][1] == str(begun["War"])
    assert [text.count(words) for words in ("Piece 1", "Picture 4", "The attic", "Cold.", "snowed.")] == [
        1, 1, 4, 4, 600,
    ]  # fmt: skip
    assert "1 Ashen Patrol 0 4–0–0" in text
    assert [text.count(f"System {number}") for number in range(1, 7)] == [3, 1, 1, 1, 1, 1]  # battle, map, history
    assert f"2 {'W' * 80}" in text.replace("W W", "WW")
    first_day = date_format(today - timedelta(days=20), "DATE_FORMAT")
    assert f"History of the map {first_day} The Empire took System 1." in text
    assert len({image.data for page in read for image in page.images}) == 5
    edges = [(0, 0, 23, 297), (187, 0, 210, 297), (0, 0, 210, 13)]  # margins, in millimetres
    assert [page for page in ink_of(content) for edge in edges if not is_white(page, *edge)] == []


def rolls(honored: int, fell: int, *, name: str = "Grim Hounds") -> list[str]:
    """The pages behind the cover of a book in which so many were honored, and fell."""
    book = Book(
        campaign=Campaign(name="First Blood"),
        honors=[
            {
                "key": "1", "register": "Ashen Patrol", "unit": f"{name} (no. {n})", "veteran_rank": 1,
                "commendations": ["Resilient"],
            }
            for n in range(honored)
        ],
        fallen=[{"register": "Dune Wardens", "unit": f"Rebels (no. {n})", "battle": 7} for n in range(fell)],
    )  # fmt: skip
    pdf = to_pdf(render_to_string("chronicle/book.html", {"book": book}))
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages][1:]


def test_a_long_name_breaks_no_head_of_a_roll():
    [page] = rolls(1, 1, name="W" * 80)
    assert "Unit VR Commendations Ashen Patrol W" in page
    assert "Unit Register Fell in" in page


def test_letter_and_what_the_campaign_is_about(as_mia, table):
    Campaign.objects.filter(pk=table.campaign.pk).update(about="A hard winter.")
    closed_battles(table, 1)
    answer = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk]), {"paper": "letter"})
    boxes = [page.mediabox for page in PdfReader(BytesIO(answer.content)).pages]
    assert {(round(float(box.width)), round(float(box.height))) for box in boxes} == {(612, 792)}
    assert "About this campaign A hard winter. The Registers" in pages_of(answer)[1]


def test_a5_and_a_cover_with_as_many_names_as_fit(as_mia, table):
    name = "W" * 80
    Register.objects.filter(enlistment__campaign=table.campaign).update(name=name)
    Campaign.objects.filter(pk=table.campaign.pk).update(name="Outer Rim " * 8)
    answer = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk]), {"paper": "a5"})
    page = PdfReader(BytesIO(answer.content)).pages[0]
    assert [round(float(length) * 25.4 / 72) for length in (page.mediabox.width, page.mediabox.height)] == [148, 210]
    book = book_of(table.campaign, photos_of)
    assert (len(book.cast), book.cover_names) == (2, [name, name])
    assert replace(book, cast=[*book.cast] * 8).cover_names == [name] * 3


@pytest.mark.nightly
def test_rolls_share_pages_and_leave_no_row_alone():
    assert len(rolls(8, 8)) == 1
    for honored in range(34, 42):
        pages = rolls(honored, 8)
        rows = [(page.count("Resilient"), page.count("Dune Wardens")) for page in pages]
        assert sum(rows[number][0] for number in range(len(rows))) == honored
        assert {row for row, _ in rows} & {1, 2} == set(), honored
        assert [fell for _, fell in rows if fell] == [8]
        assert len(rows) == 2


def test_words_that_lean_have_wide_letters_and_links_are_black():
    head = '<link rel="stylesheet" href="/static/css/paper/book.css">'
    [page] = laid_out(f'{head}<body class="book"><em>cold</em> <a href="/x">link</a>').pages
    styles = {box.element_tag: box.style for box in page._page_box.descendants()}
    assert styles["em"]["letter_spacing"] > 1
    assert styles["em"]["text_decoration_line"] == "none"
    assert tuple(styles["a"]["color"])[:3] == (0, 0, 0)


def test_as_many_queries_for_one_battle_as_for_three(table):
    closed_battles(table, 1)
    one = queries(table.campaign, entries=1)
    closed_battles(table, 1)
    Battle.objects.filter(pk=planned(table).pk).update(status="closed", closed_at=now(), winner="blue")
    assert queries(table.campaign, entries=3) == one


def queries(campaign: Campaign, *, entries: int) -> int:
    """How many queries the book makes. Now and then one asks whether the catalogue has changed; it counts not."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    with CaptureQueriesContext(connection) as found:
        book = book_of(campaign, photos_of)
        render_to_string("chronicle/book.html", {"book": book})
    assert sum(len(chapter.entries) for chapter in book.chapters) == entries
    return sum("catalogue_cataloguestate" not in query["sql"] for query in found.captured_queries)


def test_pictures_of_this_campaign_and_nothing_else(table):
    closed_battles(table, 1)
    picture = table.ada.pictures.get()
    address = reverse("chronicle:photo", args=[table.campaign.pk, picture.pk, "medium"])
    opened = opener(book_of(table.campaign, photos_of).pictures)
    assert opened(address)[:3] == b"\xff\xd8\xff"
    other = Campaign.objects.create(name="Elsewhere")
    assert [
        opener(book_of(other, photos_of).pictures)(address),
        opened("/rules/"),
        opened(address.replace("medium", "huge")),
        opened(f"/photos/{'-' * 36}/small/"),
    ] == [None] * 4


def test_where_the_system_lacks_a_library_the_page_says_which(as_mia, table, monkeypatch):
    closed_battles(table, 1)

    def missing(*args, **words):
        raise PdfUnavailable("libpango-1.0-0")

    monkeypatch.setattr("core.pdf.to_pdf", missing)
    answer = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk]))
    text = text_of(answer)
    assert answer.status_code == 503
    assert "because the library libpango-1.0-0 is missing. Print this page instead." in text
    assert "Piece 1" in text


def test_while_another_pdf_is_made_it_is_a_page_to_print(as_mia, table, monkeypatch):
    closed_battles(table, 1)

    def busy(*args, **words):
        raise PdfRefused("Another PDF is being created.", again=30)

    monkeypatch.setattr("core.pdf.to_pdf", busy)
    answer = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk]))
    text = text_of(answer)
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "Another PDF is being created." in text
    assert "Piece 1" in text


def test_a_book_that_is_too_long_for_a_pdf_is_a_page_to_print(as_mia, table, monkeypatch):
    closed_battles(table, 1)
    monkeypatch.setattr(view, "MOST_TAGS", 40)
    answer = as_mia.get(reverse("chronicle:book", args=[table.campaign.pk]))
    text = text_of(answer)
    assert (answer.status_code, answer.has_header("Retry-After")) == (503, False)
    assert "This book is too long for a PDF. Print this page instead." in text
    assert "Piece 1" in text


def test_strangers_get_it_without_names_places_and_notes(client, table):
    closed_battles(table, 1)
    stories.set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo("PNG"), alt="The yard")
    days = {"first_day": localdate(), "last_day": localdate()}
    Phase.objects.create(campaign=table.campaign, name="Muster", note="Ask cora at The attic.", **days)
    link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    address = reverse("chronicle:public_book", args=[link.token])
    assert address in html_of(client.get(f"{link.get_absolute_url()}stories/"))
    answer = client.get(address)
    text = " ".join(pages_of(answer))
    assert "Muster" in text
    assert "1 Ashen Patrol 0 1–0–0" in text
    assert "Dune Wardens" not in text  # it has fought no battle yet
    assert "Piece 1" in text
    assert re.findall(r"\b(?:ada|ben|cora|The attic|Cold|Unit XP VR)\b", text) == []
    assert len({image.data for page in PdfReader(BytesIO(answer.content)).pages for image in page.images}) == 2
    assert answer["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    stories.close_chronicle(actor=table.cora, campaign=table.campaign)
    assert client.get(address).status_code == 404
    assert client.get(reverse("chronicle:book", args=[table.campaign.pk])).status_code == 302


@pytest.mark.usefixtures("unprinted")
def test_not_twelve_times_an_hour(client, table, settings):
    settings.ACCOUNT_RATE_LIMITS = {"book": "1/h/user", "public_book": "1/h/ip"}
    link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    address = reverse("chronicle:public_book", args=[link.token])
    assert [client.get(address).status_code for _ in range(2)] == [200, 429]
    client.force_login(table.mia)
    address = reverse("chronicle:book", args=[table.campaign.pk])
    assert [client.get(address).status_code for _ in range(2)] == [200, 429]
