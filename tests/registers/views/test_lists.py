"""The page of a Register as a list, and its files."""

import pytest
from django.urls import reverse

from catalogue.snapshot import card_index
from lists.formats import detect
from lists.formats.parsed import Format
from lists.formats.plain_army import army_of
from registers.pages.sheet import plain_register
from registers.projection import state_of
from rules.battle.plain_army import PlainArmy, PlainUnit
from tests.registers.factories import make_register
from tests.registers.views.reading import queries_of, text_of


def test_the_page(signed_in, founded):
    page = signed_in.get(reverse("registers:list", args=[founded.pk]))
    assert [found.slug for found in page.context["lists"]] == ["link", "text", "tts"]
    text = text_of(page)
    assert "The units of Ashen Patrol and their upgrades" in text
    assert "without the points that Downtrodden adds. R19" in text


@pytest.mark.parametrize(
    ("which", "kind", "content_type", "name"),
    [
        ("link", Format.LEGION_HQ_LINK, "text/plain; charset=utf-8", "ashen-patrol.txt"),
        ("text", Format.TOURNAMENT_TEXT, "text/plain; charset=utf-8", "ashen-patrol.txt"),
        ("tts", Format.TTS_JSON, "application/json; charset=utf-8", "ashen-patrol.json"),
    ],
)
def test_files_are_read_again(signed_in, founded, which, kind, content_type, name):
    answer = signed_in.get(reverse("registers:list_file", args=[founded.pk, which]))
    assert (answer["Content-Type"], answer["Content-Disposition"]) == (content_type, f'attachment; filename="{name}"')
    parsed = detect.read_file(answer.content, card_index())
    assert (parsed.format, parsed.open) == (kind, ())
    assert army_of(parsed).units == (
        PlainUnit("imperial-officer-ruthless-efficiency"),
        PlainUnit("stormtroopers"),
        PlainUnit("stormtroopers"),
    )


def test_no_such_format(signed_in, founded):
    assert signed_in.get(reverse("registers:list_file", args=[founded.pk, "pdf"])).status_code == 404


def test_nobody_elses(client, other, founded):
    client.force_login(other)
    for name, args in (("list", [founded.pk]), ("list_file", [founded.pk, "tts"])):
        assert client.get(reverse(f"registers:{name}", args=args)).status_code == 404


def test_a_card_without_letters(signed_in, founded, monkeypatch):
    unknown = PlainArmy(faction="empire", units=(PlainUnit("home-made"),))
    monkeypatch.setattr("registers.views.ledger.plain_register", lambda state: unknown)
    assert "This format does not know the card home-made." in text_of(
        signed_in.get(reverse("registers:list", args=[founded.pk]))
    )
    assert signed_in.get(reverse("registers:list_file", args=[founded.pk, "tts"])).status_code == 404


def test_it_reads_as_often_for_many_units(signed_in, player, book):
    addresses = [
        reverse("registers:list", args=[make_register(player, units=n, commissioned=False).pk]) for n in (1, 3)
    ]
    signed_in.get(addresses[0])
    assert len({queries_of(signed_in, address) for address in addresses}) == 1


def test_an_empty_register(signed_in, empty):
    assert plain_register(state_of(empty)).units == ()
    assert signed_in.get(reverse("registers:list", args=[empty.pk])).status_code == 200
