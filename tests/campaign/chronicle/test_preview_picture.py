"""The picture that messengers show next to the public link."""

from io import BytesIO

import pytest
from PIL import Image

from campaign.battles.models import Battle
from campaign.battles.services.contenders import Contender
from campaign.chronicle.narrative.after_action import SHAPES, picture_png
from campaign.chronicle.narrative.book import LEADING, preview_html
from campaign.models import Campaign
from core import pdf
from core.pdf import laid_out
from registers.models import Register
from tests.campaign.factories import enlisted, planned
from tests.campaign.fights import over
from tests.html import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def html(table) -> str:
    """The document of a campaign whose only battle is closed."""
    battle = planned(table)
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)
    Register.objects.filter(pk=table.bravo.pk).update(reputation=2, faction="rebel", name="Tom & Jerry")
    return flat(preview_html(table.campaign))


def test_it_names_the_campaign_and_its_leaders(table, html):
    assert f'<h1 class="card-picture__title">{table.campaign.name}</h1>' in html
    assert "The chronicle of 1 battle" in html
    one, other = html.split('card-picture__leader"')[1:]
    assert ("rebel" in one, "Reputation 2" in one, "Tom &amp; Jerry" in one) == (True, True, True)
    assert ("empire" in other, "Reputation 0" in other, "Ashen Patrol" in other) == (True, True, True)


def test_so_many_leaders_at_most(table):
    more = [enlisted(table.campaign, table.ada, "Ashen Patrol") for _ in range(LEADING - 1)]
    for register in (table.alpha, *more):
        over(table, blue=Contender(register_id=register.pk))
    assert preview_html(table.campaign).count('class="card-picture__register"') == LEADING


def test_letters_without_a_font_are_left_out(table, monkeypatch):
    """The server refuses a document that has them, and messengers remember that there was no picture."""
    monkeypatch.setattr(pdf, "_has_font", lambda letter: not 0x4E00 <= letter <= 0x9FFF)
    over(table)
    Campaign.objects.filter(pk=table.campaign.pk).update(name="Жуки of Ľubo 漢字 Ωmega 🎲")
    Register.objects.filter(pk=table.alpha.pk).update(name="漢 Patrol 字")
    table.campaign.refresh_from_db()
    html = flat(preview_html(table.campaign))
    assert "Жуки of Ľubo  Ωmega 🎲</h1>" in html
    assert '<p class="card-picture__register"> Patrol </p>' in html


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["Outer Rim Winter", "W" * 80, "W " * 40, "The long campaign between two winters"])
def test_it_has_the_size_that_messengers_want(table, html, name):
    html = html.replace(table.campaign.name, name)
    assert len(laid_out(html).pages) == 1
    picture = Image.open(BytesIO(picture_png(html, *SHAPES["wide"])))
    assert (picture.format, picture.size) == ("PNG", SHAPES["wide"])
