"""The picture that messengers show next to the public link."""

from io import BytesIO

import pytest
from PIL import Image

from campaign.battles.models import Battle
from campaign.chronicle.narrative.after_action import SHAPES, drawn
from campaign.chronicle.narrative.book import LEADING, preview_html
from core.pdf import laid_out
from registers.models import Register
from tests.campaign.factories import planned
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
    assert html.count("card-picture__register") <= LEADING


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["Outer Rim Winter", "W" * 80, "W " * 40, "The long campaign between two winters"])
def test_it_has_the_size_that_messengers_want(table, html, name):
    html = html.replace(table.campaign.name, name)
    assert len(laid_out(html).pages) == 1
    picture = Image.open(BytesIO(drawn(html, *SHAPES["wide"])))
    assert (picture.format, picture.size) == ("PNG", SHAPES["wide"])
