"""The cards in `fixtures/catalogue`, which change with each points update: they are read, and played with."""

import pytest
from django.core.management import call_command

from campaign.battles.models import Battle
from catalogue.services.load import FIXTURES, load_catalogue
from catalogue.snapshot import forget, rulebook
from dashboard.management.commands import demo
from registers.ledger.verification import differences
from registers.models import Register
from rules.catalogue.loader import read_rulebook
from tests.cards import CARDS

pytestmark = pytest.mark.django_db


def test_what_the_tests_play_with_is_whole_or_retired():
    """A slug stays for ever: who takes a card out of the files retires it, and nothing else takes its slug."""
    before, today = read_rulebook(CARDS), read_rulebook(FIXTURES)
    for kind in ("units", "upgrades"):
        known = getattr(before, kind)
        same = {slug: card for slug, card in getattr(today, kind).items() if slug in known}
        assert {slug: card.name for slug, card in same.items()} == {slug: known[slug].name for slug in same}


@pytest.mark.nightly
def test_the_demo_is_played_with_them(cards, monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "DATA_DIR", tmp_path)
    load_catalogue(actor="test", folder=FIXTURES)
    forget()

    call_command("demo")

    assert rulebook() == read_rulebook(FIXTURES)
    assert [battle.status for battle in Battle.objects.order_by("number")] == ["closed"] * 3 + ["sequence"]
    assert [found for register in Register.objects.all() for found in differences(register)] == []
