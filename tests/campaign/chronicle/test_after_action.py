"""The after-action report, as a page and as a picture."""

from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.chronicle.narrative import after_action
from campaign.chronicle.narrative.after_action import Gain
from campaign.chronicle.services import stories
from core.pdf import PdfRefused
from tests.campaign.battles.closing import closed
from tests.campaign.battles.stepping import client_of
from tests.campaign.first_blood import begin
from tests.html import html_of
from tests.registers.views.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought(book):
    return begin()


def over(fought) -> Battle:
    closed(fought)
    return Battle.objects.select_related("campaign").prefetch_related(SIDES).get(pk=fought.battle.pk)


def test_what_each_side_won_and_lost(fought):
    blue, red = after_action.report_of(over(fought)).sides
    assert (blue.hero, blue.foe, blue.won, red.hero, red.won) == (
        "Grim Hounds", "Dune Wardens", True, "X-34 Landspeeder", False,
    )  # fmt: skip
    assert (blue.story.ranks, blue.story.commendations) == ((("Grim Hounds", 1),), (("Grim Hounds", "Resilient"),))
    assert red.story.fallen == ("Rebel Troopers (no. 2)",)
    assert blue.gains == [Gain("Keep Them in Line", 2), Gain("SP", 3), Gain("XP", 17)]
    assert blue.names == [
        ("Hero of the day", "Grim Hounds"), ("Promoted", "Grim Hounds (VR 1)"), ("Medals", "Grim Hounds: Resilient"),
        ("Agendas", "Keep Them in Line +2"),
    ]  # fmt: skip


def test_the_page_before_and_after_the_battle_is_closed(fought):
    client, there = client_of(fought.ada), reverse("chronicle:after_action", args=[fought.battle.pk])
    assert client.get(there).url == fought.battle.get_absolute_url()
    assert client.get(f"/battles/{fought.battle.pk}/after-action.png").status_code == 404
    over(fought)
    text = " ".join(text_of(client.get(there)).split())
    for expected in (
        "After-action report",
        "Hero of the day Grim Hounds Named Most Feared Rival by Dune Wardens",
        "+3 SP",
    ):
        assert expected in text, expected


def drawn(monkeypatch) -> list[str]:
    """The documents that were drawn from here on, instead of their pictures."""
    documents: list[str] = []

    def to_png(html: str, **size: int) -> bytes:
        documents.append(html)
        return b"picture"

    after_action._picture.cache_clear()
    monkeypatch.setattr(after_action, "to_png", to_png)
    return documents


def test_the_picture_is_drawn_once_and_names_no_player(fought, client, monkeypatch):
    documents, battle = drawn(monkeypatch), over(fought)
    link = stories.open_chronicle(actor=fought.ada_organizes(), campaign=battle.campaign)
    public = reverse("chronicle:public_after_action", args=[link.token, battle.pk])
    answers = [client_of(fought.ben).get(f"/battles/{battle.pk}/after-action.png"), client.get(public)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(200, b"picture")] * 2
    [document] = documents
    assert "Grim Hounds" in document
    assert [name for name in ("ada", "ben", "@") if f">{name}" in document or f" {name} " in document] == []
    assert public in html_of(client.get(reverse("chronicle:public_entry", args=[link.token, battle.pk])))
    stories.close_chronicle(actor=fought.ada, campaign=battle.campaign)
    assert client.get(public).status_code == 404


def test_a_picture_that_cannot_be_drawn_now(fought, monkeypatch):
    drawn(monkeypatch)
    battle = over(fought)

    def busy(html: str, **size: int) -> bytes:
        raise PdfRefused("Another PDF is being made.", again=30)

    monkeypatch.setattr(after_action, "to_png", busy)
    answer = client_of(fought.ada).get(f"/battles/{battle.pk}/after-action.png")
    assert (answer.status_code, answer["Retry-After"], answer.content) == (503, "30", b"Another PDF is being made.")


@pytest.mark.nightly
def test_the_picture_has_the_size_that_messengers_want(fought):
    picture = Image.open(BytesIO(after_action.picture_of(over(fought), width=1200, height=630)))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
