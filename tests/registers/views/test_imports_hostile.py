"""Whatever is posted to the page of an import: it answers, and it keeps nothing that its player did not found."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from catalogue.index import card_index
from registers.imports.reading import digest
from registers.models import Register
from tests.registers.factories import make_player

WORDS = st.sampled_from(
    ["units", "name", "upgrades", "Stormtroopers", "armyFaction", "empire", "registers", "format"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=5)
    ),
    max_leaves=20,
)
HEADED = st.lists(
    st.text(max_size=40)
    | st.sampled_from(["Stormtroopers (44)", " - Vigilance (9)", "2× AT-RT (3)", "Commands:"]),
    max_size=12,
).map(lambda lines: "\n".join(["x", "10/600", *lines]))
LINKS = st.text("abcAZ019,:+0", max_size=60).map(lambda items: f"https://legionhq2.com/list/empire/{items}")
TEXTS = st.text(max_size=200) | VALUES.map(json.dumps) | HEADED | LINKS
PLACES = st.integers(-1, 30).map(str)
FIELDS = st.dictionaries(
    st.sampled_from(["line-", "name-", "keyword-"]).flatmap(
        lambda word: PLACES.map(lambda place: word + place)
    )
    | st.sampled_from(["paragon", "faction", "register", "register_name", "offered"]),
    st.text(max_size=20) | PLACES | st.sampled_from(["stormtroopers", "-", "rebel"]),
    max_size=8,
)


@pytest.mark.usefixtures("book")
class TestFuzz(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        """One player for all of it."""
        cls.player = make_player("ada")

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=TEXTS, fields=FIELDS, keep=st.lists(PLACES, max_size=5))
    def test_never_a_fault_and_nothing_kept(self, text, fields, keep):
        assert card_index()
        client = Client()
        client.force_login(self.player)
        answer = client.post(
            reverse("registers:import"), {**fields, "text": text, "read": digest(text), "keep": keep}
        )
        assert (answer.status_code in (200, 422), Register.objects.count()) == (True, 0)
