"""The form in which a piece is written, looked at first, changed and withdrawn."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.models import Battle, Writing
from campaign.services import writings
from tests.campaign.factories import planned
from tests.registers.views.reading import text_of


@pytest.fixture
def as_ada(client, table):
    client.force_login(table.ada)
    return client


def of_campaign(table) -> str:
    return reverse("campaign:write", args=[table.campaign.pk])


WORDS = {"title": "The ridge", "text": "*Snow*, and <script>alert(1)</script>", "byline": "A."}


def test_a_piece_of_a_battle_is_read_there(as_ada, table):
    battle = planned(table)
    address = reverse("campaign:write_of_battle", args=[battle.pk])
    answer = as_ada.post(address, {**WORDS, "writing": uuid4()})
    assert (answer.status_code, answer["Location"]) == (302, reverse("campaign:tale", args=[battle.pk]))
    page = as_ada.get(answer["Location"]).content.decode()
    assert "<em>Snow</em>, and &lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_piece_of_the_campaign_is_read_in_the_saga(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "writing": uuid4()}, follow=True)
    assert answer.redirect_chain == [(reverse("campaign:chronicle", args=[table.campaign.pk]), 302)]
    assert "The ridge" in text_of(answer)


def test_looking_at_it_first_keeps_it_in_the_form_and_nowhere_else(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "writing": uuid4(), "do": "preview"})
    page = answer.content.decode()
    assert (answer.status_code, "<em>Snow</em>" in page, 'value="The ridge"' in page) == (200, True, True)
    assert "*Snow*, and &lt;script&gt;" in page
    assert not Writing.objects.exists()


def test_what_is_refused_is_not_lost(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "title": "t" * 121, "writing": uuid4()})
    said = text_of(answer)
    assert (answer.status_code, "This has 121 letters, 120 at most." in said) == (422, True)
    assert "*Snow*, and" in said


def test_a_double_tap_makes_one(as_ada, table):
    form = {**WORDS, "writing": uuid4()}
    for _ in range(2):
        assert as_ada.post(of_campaign(table), form).status_code == 302
    assert Writing.objects.count() == 1


def test_nothing_is_written_of_a_battle_that_was_called_off(as_ada, table):
    battle = planned(table)
    Battle.objects.update(status=Battle.Status.CANCELLED)
    assert as_ada.get(reverse("campaign:write_of_battle", args=[battle.pk])).status_code == 404


class TestChanging:
    @pytest.fixture
    def piece(self, table):
        return writings.write(actor=table.ada, campaign=table.campaign, title="The ridge", text="Snow.")

    def test_it_stands_in_its_form(self, as_ada, piece):
        page = as_ada.get(reverse("campaign:writing", args=[piece.pk])).content.decode()
        assert ('value="The ridge"' in page, "Snow.</textarea>" in page) == (True, True)

    def test_other_words(self, as_ada, piece):
        address = reverse("campaign:writing", args=[piece.pk])
        assert as_ada.post(address, {"title": "Ice", "text": "Ice.", "version": 1}).status_code == 302
        late = as_ada.post(address, {"title": "Fog", "text": "Fog.", "version": 1})
        assert (late.status_code, "changed meanwhile" in text_of(late)) == (422, True)
        assert 'value="Fog"' in late.content.decode()
        piece.refresh_from_db()
        assert (piece.title, piece.text) == ("Ice", "Ice.")

    def test_withdrawn_it_is_nowhere(self, as_ada, piece, table):
        address = reverse("campaign:withdraw", args=[piece.pk])
        assert as_ada.post(address, follow=True).status_code == 200
        assert as_ada.post(address).status_code == 404
        assert as_ada.get(reverse("campaign:writing", args=[piece.pk])).status_code == 404
        assert "The ridge" not in text_of(as_ada.get(reverse("campaign:chronicle", args=[table.campaign.pk])))
