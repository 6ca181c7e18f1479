"""Painted units: who marks them, and where they are shown."""

import pytest
from django.urls import reverse

from registers.data_export import registers_of
from registers.models import Dossier
from registers.painting.services import painted_keys, set_painted
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.registers.factories import make_player, make_register

MARK = 'aria-label="Painted"'


@pytest.fixture
def register(book):
    return make_register(make_player("ada"))


def test_only_who_may_change_the_register_and_only_its_units(register):
    with pytest.raises(RuleViolation):
        set_painted(actor=make_player("eve"), register_id=register.pk, key="2", painted=True)
    with pytest.raises(Dossier.DoesNotExist):
        set_painted(actor=register.owner, register_id=register.pk, key="9", painted=True)
    assert painted_keys(register) == frozenset()


def test_one_tap_on_the_dossier_shows_the_brush_everywhere(client, register):
    client.force_login(register.owner)
    page = reverse("registers:dossier", args=[register.pk, 2])
    sheet = reverse("registers:detail", args=[register.pk])
    assert (MARK in html_of(client.get(sheet)), "Mark as painted" in html_of(client.get(page))) == (False, True)
    for _ in range(2):
        assert client.post(reverse("registers:painted", args=[register.pk, 2]), {"do": "paint"}).url == page
    assert html_of(client.get(sheet)).count(MARK) == 1
    assert "Mark as unpainted" in html_of(client.get(page))
    [own] = registers_of(register.owner)["own"]
    assert [each["key"] for each in own["painted"]] == ["2"]
    client.post(reverse("registers:painted", args=[register.pk, 2]), {"do": "unpaint"})
    assert painted_keys(register) == frozenset()
    assert client.post(reverse("registers:painted", args=[register.pk, 9]), {"do": "paint"}).status_code == 404
