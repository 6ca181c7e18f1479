"""A Register on paper, and forms to fill in by hand."""

from dataclasses import replace
from datetime import date
from io import BytesIO
from uuid import UUID

import pytest
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from pypdf import PdfReader

from core import own_process, pdf
from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide
from registers.models import EntryType, Register
from registers.print.paper_sizes import A4, LETTER
from registers.print.preview import on_paper
from registers.print.showpiece import showpiece
from registers.projection import state_of
from registers.services import editing
from rules.register.effects import CommendationAwarded, CommendationOwed, ExperienceGained, SetbackGained
from tests.campaign.factories import happen
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.ledgers import append, lock
from tests.registers.views.reading import queries_of, text_of
from tests.uploads.photos import photo

BLANK = "/registers/forms/"


@pytest.fixture
def url(founded: Register) -> str:
    return reverse("registers:print", args=[founded.pk])


def pages_of(answer) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(answer.content)).pages]


def printed(client, url: str, **query):
    return client.get(url, query).context["printed"]


class TestARegister:
    def test_the_fields_of_the_printed_form_in_its_order(self, signed_in, url):
        text = text_of(signed_in.get(url))
        words = (
            "Ashen Patrol Bring Peace to the Galaxy Player: ada",
            "Reputation 0 Supply Points 5 Combat Potential 600 Combat Potential Spent",
            "Strategic Assets Agendas Persons of Interest",
            "Captain Sorne Imperial Officer, Ruthless Efficiency Commander · Paragon 0 Experience · Veteran Rank 0",
            "Setbacks Upgrades Unit",
        )
        places = [text.find(each) for each in words]
        assert -1 not in places
        assert places == sorted(places)

    def test_a_pdf_has_the_same_pages(self, signed_in, url):
        leaves = printed(signed_in, url).pages
        answer = signed_in.get(url, {"as": "pdf"})
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"] == 'inline; filename="ashen-patrol-a4.pdf"'
        pages = pages_of(answer)
        assert len(pages) == len(leaves)
        assert "Captain Sorne" in pages[0]

    @pytest.mark.parametrize("paper", [A4, LETTER])
    def test_the_size_of_the_paper(self, signed_in, url, paper):
        [page] = PdfReader(BytesIO(signed_in.get(url, {"as": "pdf", "paper": paper.slug}).content)).pages
        points = [float(length) * 25.4 / 72 for length in (page.mediabox.width, page.mediabox.height)]
        assert points == pytest.approx([paper.width, paper.height], abs=0.1)

    def test_chosen_dossiers(self, signed_in, url):
        text = text_of(signed_in.get(url, {"only": ["1"]})).split("Page 1")[-1]
        one = printed(signed_in, url, only=["1"])
        assert "Captain Sorne" in text
        assert [(len(leaf.banners), len(leaf.faces)) for leaf in one.pages] == [(0, 1)]
        assert [tick["value"] for tick in one.ticks if tick["checked"]] == ["1"]
        assert [(len(leaf.banners), len(leaf.faces)) for leaf in printed(signed_in, url, only="register").pages] == [
            (1, 0)
        ]

    @pytest.mark.parametrize("query", [{}, {"only": "99"}, {"what": "?", "size": "?", "paper": "?"}])
    def test_all_of_it_where_nothing_known_is_asked_for(self, signed_in, url, query):
        shown = printed(signed_in, url, **query)
        assert [(leaf.card_format.slug, len(leaf.banners), len(leaf.faces)) for leaf in shown.pages] == [
            ("forms-3", 1, 4)
        ]
        assert shown.paper == A4

    @pytest.mark.parametrize("size", ["small", "large"])
    def test_cards_say_what_holds_for_a_unit(self, signed_in, url, founded, book, size):
        happen(
            founded,
            SetbackGained(unit="2", setback="battle-shaken", rule="R36"),
            CommendationOwed(unit="2", rule="R15"),
            CommendationAwarded(unit="2", commendation="resilient", rule="R15"),
        )
        text = text_of(signed_in.get(url, {"what": "cards", "size": size}))
        for card in (book.setbacks["battle-shaken"], book.commendations["resilient"]):
            assert f"{card.name}." in text
            assert "".join(card.effect.split()) in "".join(text.split())
        [leaf] = printed(signed_in, url, what="cards", size=size).pages
        assert (leaf.card_format.slug, len(leaf.faces)) == (size, 4)

    def test_the_cards_of_its_story_arc(self, signed_in, url, book):
        [leaf] = printed(signed_in, url, what="arc").pages
        arc = book.story_arcs["bring-peace-to-the-galaxy"]
        names = {arc.name, *(agenda.name for agenda in arc.agendas), arc.turning_point.name}
        titles = {" ".join(line[0].text for line in part.head[0].lines) for part in leaf.faces}
        assert titles == names

    def test_one_that_is_being_founded(self, signed_in, empty):
        url = reverse("registers:print", args=[empty.pk])
        assert len(printed(signed_in, url).pages) == 1
        assert printed(signed_in, url, what="arc").pages == []
        for asked in ({"what": "arc"}, {"what": "arc", "as": "pdf"}):
            assert "Nothing to print yet. Add a unit first." in text_of(signed_in.get(url, asked))

    def test_its_page_leads_here(self, signed_in, founded, url):
        assert url in html_of(signed_in.get(reverse("registers:detail", args=[founded.pk])))

    def test_a_pdf_is_asked_for_with_what_is_chosen_on_the_page(self, signed_in, url):
        page = html_of(signed_in.get(url, {"what": "cards"}))
        form = page[page.index(f'<form class="stack" method="get" action="{url}"') :].split("</form>")[0]
        assert form.count('<button class="button" name="as" value="pdf">PDF</button>') == 1
        assert "as=pdf" not in page

    def test_nobody_elses(self, client, other, url):
        client.force_login(other)
        assert [client.get(url, query).status_code for query in ({}, {"as": "pdf"})] == [404, 404]

    def test_as_many_queries_for_many_units(self, signed_in, player):
        few, many = (make_register(player, name=name, units=units) for name, units in (("A", 2), ("B", 5)))
        asked = [queries_of(signed_in, reverse("registers:print", args=[each.pk])) for each in (few, many)]
        assert asked[0] == asked[1]


class TestShowpiece:
    """The A5 page of one unit."""

    @pytest.fixture
    def page(self, founded):
        return reverse("registers:showpiece", args=[founded.pk, 2])

    def test_what_a_unit_has_earned(self, signed_in, founded, page, book, monkeypatch):
        names = {str(UUID(int=7)): BattleName("Battle 7", day=date(2026, 3, 5))}
        monkeypatch.setattr(campaign_side, "campaigns", CampaignSide(battle_names=lambda ids: names))
        effects = (
            ExperienceGained(unit="2", amount=6, rule="R39"),
            SetbackGained(unit="2", setback="battle-shaken", rule="R36"),
            CommendationOwed(unit="2", rule="R15"),
            CommendationAwarded(unit="2", commendation="resilient", rule="R15"),
        )
        with transaction.atomic():
            [locked] = lock(founded.pk)
            append(register=locked, actor=locked.owner, act=EntryType.STEP, effects=effects, battle=str(UUID(int=7)))
        founded.dossiers.filter(key="2").update(biography="They held the *bridge*.")
        answer = signed_in.get(page)
        read = PdfReader(BytesIO(answer.content)).pages
        size = [float(length) * 25.4 / 72 for length in (read[0].mediabox.width, read[0].mediabox.height)]
        assert size == pytest.approx([148, 210], abs=0.1)
        front, back = ("".join(each.split()) for each in pages_of(answer))
        for words in (
            "Stormtroopers",
            "6 Experience · Veteran Rank 0",
            "Battles played 1 Setbacks survived 1",
            f"Resilient. {book.commendations['resilient'].effect[:20]}",
        ):
            assert "".join(words.split()) in front, words
        for words in ("Stormtroopers", "They held the bridge.", "Battle 7 5 Mar 2026 6 Resilient; Battle-Shaken"):
            assert "".join(words.split()) in back, words

    def test_with_many_honors_the_front_has_the_commendations_and_the_back_the_setbacks(self, founded, book):
        held, suffered = sorted(book.commendations)[:6], sorted(book.setbacks)[:4]
        editing.set_portrait(actor=founded.owner, register=founded, key="2", sent=photo(size=(40, 60)), alt="The squad")
        state = state_of(founded)
        unit = replace(state.dossiers["2"], commendations=held, setbacks=suffered, name="W" * 80)
        names = [[cards[slug].name for slug in slugs] for cards, slugs in (
            (book.commendations, held), (book.setbacks, suffered))]  # fmt: skip
        drawn = showpiece(
            book, replace(state, dossiers={"2": unit}), "2", register="Ashen Patrol", campaign="", entries=[], names={},
            picture=on_paper(founded, founded.dossiers.get(key="2").picture), biography="",
        )  # fmt: skip
        document = pdf.laid_out(render_to_string("registers/print/showpiece.html", {"unit": drawn}))
        front, back = PdfReader(BytesIO(document.write_pdf())).pages
        texts = ["".join(each.extract_text().split()) for each in (front, back)]
        found = [[["".join(name.split()) in text for name in group] for group in names] for text in texts]
        assert found == [[[True] * 6, [False] * 4], [[False] * 6, [True] * 4]]
        assert "W" * 80 in texts[1]

    def test_long_names_of_register_and_campaign_leave_two_pages(self, founded, book):
        state = state_of(founded)
        upgrades, held = sorted(book.upgrades)[:1], sorted(book.commendations)[:1]
        unit = replace(state.dossiers["2"], commendations=held, upgrades=upgrades)
        long = {"register": "The Longest Name " * 4, "campaign": "The Longest Name " * 4}
        drawn = showpiece(
            book, replace(state, dossiers={"2": unit}), "2", **long, entries=[], names={}, picture=None, biography="",
        )  # fmt: skip
        document = pdf.laid_out(render_to_string("registers/print/showpiece.html", {"unit": drawn}))
        assert (drawn.has_space, len(document.pages)) == (False, 2)

    def test_many_honors_and_no_photo_leave_two_pages(self, founded, book):
        state = state_of(founded)
        held = sorted(book.commendations, key=lambda slug: -len(book.commendations[slug].effect))[:6]
        upgrades, setbacks = sorted(book.upgrades, key=len)[-4:], sorted(book.setbacks)[:4]
        unit = replace(state.dossiers["2"], commendations=held, upgrades=upgrades, setbacks=setbacks)
        drawn = showpiece(
            book, replace(state, dossiers={"2": unit}), "2", register="The Longest Name " * 4, campaign="Winter",
            entries=[], names={}, picture=None, biography="",
        )  # fmt: skip
        document = pdf.laid_out(render_to_string("registers/print/showpiece.html", {"unit": drawn}))
        assert (drawn.crowded, len(document.pages)) == (True, 2)

    def test_both_pages_link_to_it(self, signed_in, founded, url, page):
        dossier = reverse("registers:dossier", args=[founded.pk, 2])
        assert [page in html_of(signed_in.get(each)) for each in (dossier, url)] == [True, True]

    def test_nobody_elses_and_no_unknown_unit(self, signed_in, client, other, founded, page):
        assert signed_in.get(reverse("registers:showpiece", args=[founded.pk, 99])).status_code == 404
        client.force_login(other)
        assert client.get(page).status_code == 404

    def test_without_the_libraries_it_is_a_page_to_print(self, signed_in, page, monkeypatch):
        def missing(*args, **words):
            raise pdf.PdfUnavailable("libpango-1.0-0")

        monkeypatch.setattr(pdf, "to_pdf", missing)
        answer = signed_in.get(page)
        assert answer.status_code == 503
        assert "because the library libpango-1.0-0 is missing" in text_of(answer)


class TestPictures:
    def test_a_portrait_is_on_sheet_card_and_in_the_pdf(self, signed_in, founded, url):
        editing.set_portrait(actor=founded.owner, register=founded, key="2", sent=photo(), alt="The squad")
        picture = founded.dossiers.get(key="2").picture
        address = reverse("registers:photo", args=[founded.pk, picture.pk, "medium"])
        for what in ("forms", "cards"):
            assert html_of(signed_in.get(url, {"what": what})).count(f'src="{address}"') == 1
            read = PdfReader(BytesIO(signed_in.get(url, {"what": what, "as": "pdf"}).content))
            assert sum(len(page.images) for page in read.pages) == 1


class TestBlankForms:
    def test_they_do_not_lead_to_themselves(self, signed_in, url):
        assert [html_of(signed_in.get(each)).count(f'<p class="small"><a href="{BLANK}"')
                for each in (BLANK, url)] == [0, 1]  # fmt: skip

    def test_sheets(self, signed_in):
        pages = pages_of(signed_in.get(BLANK, {"as": "pdf"}))
        assert len(pages) == 2
        assert "Combat Potential Spent" in pages[0]
        assert (pages[0].count("Unit Name"), pages[1].count("Unit Name")) == (4, 6)

    def test_boxes_that_say_nothing_are_passed_over_aloud(self, signed_in):
        page = html_of(signed_in.get(BLANK))
        assert (page.count('aria-label=""'), page.count('class="ticks" aria-hidden="true"')) == (0, 3)

    def test_cards(self, signed_in):
        for size, number in (("small", 9), ("large", 4)):
            [leaf] = printed(signed_in, BLANK, what="cards", size=size).pages
            assert len(leaf.faces) == number

    def test_the_cards_of_a_printed_story_arc(self, signed_in, book):
        offered = printed(signed_in, BLANK).choices[0]
        printed_arcs = [slug for slug, arc in book.story_arcs.items() if not arc.own]
        assert [value for value, *_ in offered.options] == ["forms", "cards", *printed_arcs]
        shown = printed(signed_in, BLANK, what="the-weekend-war")
        assert shown.name == book.story_arcs["the-weekend-war"].name


class TestAtOnceAndTooOften:
    def test_while_another_one_is_made_the_page_says_so(self, signed_in, url, monkeypatch):
        monkeypatch.setattr(pdf, "WAIT", 0)
        with own_process._queue("pdf", 0):
            answer = signed_in.get(url, {"as": "pdf"})
        text = text_of(answer)
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        assert "Another PDF is being created. Try again in half a minute, or print from the browser." in text
        assert "Captain Sorne Imperial Officer" in text

    def test_pdfs_are_counted_and_pages_are_not(self, signed_in, url, settings):
        settings.ACCOUNT_RATE_LIMITS = {"print": "1/h/user"}
        asked = [{}, {"as": "pdf"}, {"as": "pdf"}, {}]
        assert [signed_in.get(url, query).status_code for query in asked] == [200, 200, 429, 200]
        assert signed_in.get(BLANK, {"as": "pdf"}).status_code == 429


class TestWithoutTheLibraries:
    @pytest.fixture(autouse=True)
    def lacking(self, monkeypatch):
        def import_module(name: str):
            raise OSError("cannot load library 'libpango-1.0-0': no such file")

        pdf._weasyprint.cache_clear()
        monkeypatch.setattr(pdf, "import_module", import_module)
        yield
        pdf._weasyprint.cache_clear()

    def test_the_page_says_which_is_missing_and_is_printed_all_the_same(self, signed_in, url):
        answer = signed_in.get(url)
        assert answer.status_code == 200
        text = text_of(answer)
        assert "because the library libpango-1.0-0 is missing" in text
        assert "Captain Sorne Imperial Officer" in text
        assert 'name="as"' not in html_of(answer)

    def test_an_old_link_to_a_pdf_gives_the_page(self, signed_in, url):
        answer = signed_in.get(url, {"as": "pdf"})
        assert answer.status_code == 503
        assert "because the library libpango-1.0-0 is missing" in text_of(answer)
