"""Whatever is posted to the page of an import: it answers, and it keeps nothing that its player did not
found, and nothing above the caps of the rules."""

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.django import TestCase

from catalogue.snapshot import card_index, rulebook
from registers.imports.form import digest
from registers.ledger.verification import differences
from registers.models import Register
from registers.projection import state_of
from rules.register.building import combat_potential_left
from rules.register.veterans import maximum_veteran_rank
from tests.registers.factories import make_player
from tests.registers.views.importing import look
from tests.registers.views.reading import text_of
from tests.thoroughness import examples

WORDS = st.sampled_from(["units", "name", "upgrades", "Stormtroopers", "armyFaction", "empire", "registers", "format"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=5),
    max_leaves=20,
)
HEADED = st.lists(
    st.text(max_size=40) | st.sampled_from(["Stormtroopers (44)", " - Vigilance (9)", "2× AT-RT (3)", "Commands:"]),
    max_size=12,
).map(lambda lines: "\n".join(["x", "10/600", *lines]))
LINKS = st.text("abcAZ019,:+0", max_size=60).map(lambda items: f"https://legionhq2.com/list/empire/{items}")
TEXTS = st.text(max_size=200) | VALUES.map(json.dumps) | HEADED | LINKS
PLACES = st.integers(-1, 30).map(str)
FIELDS = st.dictionaries(
    st.sampled_from(["line-", "name-", "keyword-"]).flatmap(lambda word: PLACES.map(lambda place: word + place))
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

    @settings(max_examples=examples(10, 150), deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=TEXTS, fields=FIELDS, keep=st.lists(PLACES, max_size=5))
    def test_never_a_fault_and_nothing_kept(self, text, fields, keep):
        assert card_index()
        client = Client()
        client.force_login(self.player)
        answer = client.post(reverse("registers:import"), {**fields, "text": text, "read": digest(text), "keep": keep})
        assert (answer.status_code in (200, 422), Register.objects.count()) == (True, 0)


NUMBERS = st.sampled_from([None, -1, 0, 3, 5, 13, 26, 60, 599, 600, 900, 10_000, "9", "many"])
UNIT = st.fixed_dictionaries(
    {"unitName": st.sampled_from(["Stormtroopers", "Snowtroopers", "Imperial Officer", "Xyzzy"])},
    optional={
        "dossierName": st.sampled_from(["", "Red Six"]),
        "experience": NUMBERS,
        "veteranRank": NUMBERS,
        "commendations": st.sampled_from(["Resilient", "Resilient, Resilient", "Born to Lead", "Advanced Drill"]),
        "setbacks": st.sampled_from(["Battle-Shaken, Battle-Shaken", "Downtrodden x2", "Flat Footed"]),
        "upgrades": st.sampled_from(["DLT-19 Stormtrooper", "Offensive Push, Vigilance", "Nonsense"]),
    },
)
REGISTER = st.fixed_dictionaries(
    {"name": st.just("Ashen Patrol"), "faction": st.just("Empire"), "dossiers": st.lists(UNIT, min_size=1, max_size=4)},
    optional={
        "combatPotential": NUMBERS,
        "supplyPoints": NUMBERS,
        "reputation": NUMBERS,
        "storyArc": st.sampled_from(["Bring Peace to the Galaxy", "Nowhere"]),
        "strategicAssets": st.sampled_from(["Medevac", "Medevac, Medevac", "Request Assistance x2"]),
        "agendas": st.lists(
            st.fixed_dictionaries(
                {"name": st.sampled_from(["Keep Them in Line", "Midnight Strikes"]), "progression": NUMBERS}
            ),
            max_size=2,
        ),
    },
)


@pytest.mark.usefixtures("book")
class TestARegisterKeptElsewhere(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        """One player for all of it."""
        cls.player = make_player("ada")

    @settings(max_examples=examples(6, 60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=REGISTER)
    def test_what_is_taken_over_is_the_sum_of_its_ledger_and_within_the_caps(self, data):
        text = json.dumps({"format": "legion-tod-register", "version": 1, "registers": [data]})
        client = Client()
        client.force_login(self.player)
        address, key = reverse("registers:import"), str(uuid4())
        client.post(address, {"text": text, "register": key})
        answer = client.post(
            address, {"text": text, "register": key, "read": digest(text), "do": "create", "register_name": "x"}
        )
        register = Register.objects.filter(pk=key).first()
        assert answer.status_code == (302 if register else 422)
        if register is None:
            return
        assert list(differences(register)) == []
        state = state_of(register)
        assert combat_potential_left(rulebook(), state) >= 0
        for dossier in state.dossiers.values():
            assert dossier.veteran_rank <= maximum_veteran_rank(rulebook(), dossier)
            assert len(dossier.commendations) + dossier.owed == dossier.veteran_rank
            assert dossier.setbacks.count("battle-shaken") <= 1
        assert all(state.assets.count(slug) <= rulebook().assets[slug].per_sequence for slug in state.assets)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste a list or its link."),
        ("hello", "This list format is unknown"),
        ("A\0B", "This text contains control characters."),
        ('{"units": ' + "[" * 5000, "This JSON is nested too deeply."),
        ('{"units": ' + "[" * 20 + "]" * 20 + "}", "This JSON is nested too deeply."),
        ('{"units": {"a": 1}}', "This JSON does not contain units."),
        ('{"units": [], "units": []}', "This JSON contains the same key twice"),
        ('{"units": [{"name": "\\u0000"}]}', "This text contains control characters."),
        ("x\n" * 501, "Up to 500 lines can be read."),
        ("x" * 1_000_001, "Up to 1 MB can be read."),
        ("https://legionhq2.com/list/17", "This short link does not contain the list."),
        ("https://tabletopadmiral.com/listbuilder/Empire/p03", "Links of Tabletop Admiral cannot be read."),
    ],
)
def test_hostile_texts_get_a_sentence(signed_in, book, text, sentence):
    answer = look(signed_in, text)
    assert (answer.status_code, Register.objects.count()) == (422, 0)
    assert sentence in text_of(answer)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe\x00list", "This file is not text. Choose a text or JSON file."),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xb5\x9c", "This file is not text. Choose a text or JSON file."),
        (b"x" * 10_000_000, "Up to 1 MB can be read."),
    ],
)
def test_hostile_files_get_a_sentence(signed_in, book, data, sentence):
    answer = look(signed_in, "", file=SimpleUploadedFile("list.json", data))
    assert (answer.status_code, Register.objects.count()) == (422, 0)
    assert sentence in text_of(answer)


def test_a_body_of_ten_megabytes(signed_in, book):
    answer = look(signed_in, "x" * 10_000_000)
    assert (answer.status_code, Register.objects.count()) == (413, 0)
    assert "a list has up to 1 MB" in text_of(answer)
