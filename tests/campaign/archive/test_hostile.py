"""Files that mean harm, or were harmed: each is refused with a sentence, and nothing has changed."""

import json
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.archive.parts import reading
from campaign.chronicle.services.stories import set_campaign_photo
from campaign.models import Campaign
from campaign.services import campaigns
from members.services import membership
from registers.models import LedgerEntry
from rules.core.violations import RuleViolation
from tests import tables
from tests.campaign.archive.files import brought, content_of, elsewhere, file_of, pictures_of, zipped
from tests.campaign.battles.rolling import revealed
from tests.campaign.first_blood import begin
from tests.uploads.photos import SVG, bomb, photo


@pytest.fixture(scope="module")
def honest(django_db_setup, django_db_blocker):
    """A file that is as it should be, made once; its campaign is not here."""
    from django.db import transaction

    from catalogue.snapshot import forget
    from tests.campaign.factories import in_play, make_table, planned

    with django_db_blocker.unblock(), transaction.atomic():
        forget()
        table = make_table()
        in_play(planned(table))
        set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo(), alt="The ridge")
        file = file_of(table.campaign)
        transaction.set_rollback(True)
    return file


@pytest.fixture
def olga(book):
    from tests.registers.factories import make_player

    return make_player("olga")


@pytest.fixture
def refusal_of(olga) -> Callable[[bytes], str]:
    """What is refusal_of to a file, after which there is as much as before."""

    def refused(file: bytes) -> str:
        before = tables.sizes()
        with pytest.raises(RuleViolation) as refusal:
            brought(olga, file)
        assert tables.sizes() == before
        return " ".join(violation.text for violation in refusal.value.violations)

    return refused


def changed(file: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The file with other content."""
    content = content_of(file)
    change(content)
    return zipped(content, **pictures_of(file))


def test_the_honest_one_comes(honest, olga):
    assert brought(olga, honest) == Campaign.objects.get()


class TestZip:
    def test_cut_short_anywhere(self, honest, refusal_of):
        for share in (0, 0.1, 0.5, 0.9, 0.99):
            assert refusal_of(honest[: int(len(honest) * share)]).startswith("This is not a complete campaign file")

    def test_no_zip(self, refusal_of):
        assert refusal_of(b"Dear diary") == "This is not a complete campaign file. Download it again."

    def test_a_byte_that_was_changed(self, honest, refusal_of):
        middle = bytearray(honest)
        middle[len(honest) // 3] ^= 0xFF
        assert refusal_of(bytes(middle)) == "campaign.json is damaged. Export the campaign again."

    def test_a_bomb(self, refusal_of):
        sentence = "This zip file is compressed too much to be a campaign file and was not opened."
        assert refusal_of(zipped(b" " * 30_000_000)) == sentence

    def test_a_large_one_that_is_packed_loosely(self, refusal_of, monkeypatch):
        monkeypatch.setattr(reading, "MOST_TEXT", 1000)
        assert refusal_of(zipped(uuid4().hex * 40)) == "campaign.json is larger than 0 MB unpacked and was not opened."

    def test_a_bomb_of_members(self, refusal_of):
        out = BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("campaign.json", "{}")
            for number in range(reading.MOST_PICTURES + 1):
                archive.writestr(f"pictures/{number}.jpg", b"")
        assert refusal_of(out.getvalue()) == "This zip file contains more than 2001 files."

    def test_one_that_says_it_has_few_members(self, honest, refusal_of):
        end = honest.rfind(b"PK\5\6")
        lying = bytearray(honest)
        struct.pack_into("<I", lying, end + 12, 2**31)
        assert refusal_of(bytes(lying)) == "This zip file contains more than 2001 files."

    def test_of_the_larger_kind(self, honest, refusal_of):
        end = honest.rfind(b"PK\5\6")
        assert refusal_of(honest[:end] + b"PK\6\7" + bytes(16) + honest[end:]).startswith(
            "This is not a complete campaign file"
        )

    @pytest.mark.parametrize(
        "name", ["../../etc/passwd", "/etc/passwd", "pictures/../../x.jpg", "C:\\x", "campaign.js"]
    )
    def test_a_path_that_leads_elsewhere(self, honest, refusal_of, name):
        out = BytesIO(honest)
        with zipfile.ZipFile(out, "a") as archive:
            archive.writestr(name, "x")
        assert refusal_of(out.getvalue()).startswith("This file contains “")

    def test_two_of_one_name(self, honest, refusal_of):
        out = BytesIO(honest)
        with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(out, "a") as archive:
            archive.writestr("campaign.json", "{}")
        assert refusal_of(out.getvalue()) == "This zip file contains the same name twice."

    def test_without_its_content(self, refusal_of):
        out = BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("pictures/x.jpg", "x")
        assert refusal_of(out.getvalue()) == "This is not a campaign file: campaign.json is missing."

    def test_too_large(self, honest, refusal_of, monkeypatch):
        monkeypatch.setattr(reading, "MOST_BYTES", len(honest) - 1)
        assert refusal_of(honest) == "The file is too large. Choose one of up to 0 MB."


class TestText:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (b"[" * 900_000, "This JSON is nested too deeply."),
            (b'{"a":' * 900_000, "This JSON is nested too deeply."),
            (b"[" + b"[]," * 1_600_000 + b"1]", "This file has more values than Musterbook reads."),
            (b'{"format": NaN}', "This file is not valid JSON: NaN is not a number"),
            (b'{"format": -Infinity}', "This file is not valid JSON: -Infinity is not a number"),
            (b'{"format": 1e999}', "This file is not valid JSON: 1e999 is not a number"),
            (b"[" + b"9" * 5000 + b"]", "This file is not valid JSON: Exceeds the limit (4300 digits)"),
            (b'{"format": "\xff"}', "This file is not valid JSON: 'utf-8' codec can't decode byte 0xff"),
            (b"", "This file is not valid JSON: Expecting value"),
            (b"[]", "This is not a campaign exported from Musterbook."),
            (b'{"format": "diary"}', "This is not a campaign exported from Musterbook."),
        ],
        ids=["lists", "objects", "values", "nan", "infinity", "large", "digits", "letters", "empty", "list", "other"],
    )  # fmt: skip
    def test_no_json_of_ours(self, refusal_of, text, sentence, monkeypatch):
        monkeypatch.setattr(reading, "MOST_COMPRESSED", 10_000)
        assert refusal_of(zipped(text)).startswith(sentence)

    def test_of_a_newer_version(self, honest, refusal_of):
        later = changed(honest, lambda content: content.update(version=2, news=[]))
        assert refusal_of(later) == "This file has version 2; this site reads version 1. Update the site first."

    @pytest.mark.parametrize("letter", ["\0", "\ud800"])
    @pytest.mark.parametrize("field", ["about", "star_map"])  # a text, and what is none
    def test_letters_that_are_none(self, honest, refusal_of, field, letter):
        other = changed(honest, lambda content: content["campaign"].update({field: f"Snow{letter}"}))
        assert refusal_of(other) == "This file has a text with an invalid character."

    def test_numbers_without_bounds(self, honest, refusal_of):
        def large(content: dict[str, Any]) -> None:
            content["events"][0]["facts"]["size"] = 10**30

        assert refusal_of(changed(honest, large)) == "This file has a number that is too large."

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda c: c["campaign"].update(name=7), 'campaign.name: 7 is not of type "string"'),
            (lambda c: c["campaign"].update(name="x" * 81), "campaign.name: "),
            (lambda c: c.pop("people"), 'campaign.json: "people" is a required property'),
            (lambda c: c.update(more=1), "campaign.json: Additional properties are not allowed"),
            (lambda c: c["registers"][0].update(id="../x"), "registers.0.id: "),
            (lambda c: c["battles"][0].update(number=10**12), "battles.0.number: 1000000000000 is greater"),
            (lambda c: c["battles"][0].update(status="ready"), "battles.0.status: "),
            (lambda c: c["battles"][0].update(sides=[]), "battles.0.sides: "),
            (lambda c: c["registers"][0]["ledger"][0].update(act="conjure"), "registers.0.ledger.0.act: "),
        ],
    )  # fmt: skip
    def test_what_the_schema_does_not_allow(self, honest, refusal_of, change, sentence):
        assert refusal_of(changed(honest, change)).startswith(sentence)


def rewritten(register: dict[str, Any]) -> None:
    """Give a ledger that was changed digests that fit."""
    from tests.campaign.archive.digests import digest_of

    before = ""
    for entry in register["ledger"]:
        before = entry["digest"] = digest_of(entry, before, register["id"])
    register["digest"] = before


def with_effects(change: Callable[[list[Any]], Any], number: int = 1) -> Callable[[dict[str, Any]], None]:
    """Change the effects of an entry, with digests that fit."""

    def act(content: dict[str, Any]) -> None:
        change(content["registers"][0]["ledger"][number - 1]["effects"])
        rewritten(content["registers"][0])

    return act


class TestLedger:
    def test_a_number_that_was_changed(self, honest, refusal_of):
        def richer(content: dict[str, Any]) -> None:
            content["registers"][1]["ledger"][0]["effects"][0]["supply_points"] = 50

        register = content_of(honest)["registers"][1]["id"]
        sentence = "the digest does not match. Somebody has changed this entry or an earlier one."
        assert refusal_of(changed(honest, richer)) == f"Register {register}, entry 1: {sentence}"

    def test_an_entry_that_is_missing(self, honest, refusal_of):
        assert "entry 2: it is numbered 3." in refusal_of(
            changed(honest, lambda content: content["registers"][0]["ledger"].pop(1))
        )
        assert refusal_of(changed(honest, lambda content: content["registers"][0]["ledger"].pop())).endswith(
            "the last entries are missing."
        )

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (
                lambda e: e.append({"kind": "Miracle", "rule": "R1"}),
                "unknown kind of effect: “Miracle”",
            ),
            (lambda e: e[0].update(supply_points="5"), "its effect RegisterOpened has invalid values"),
            (lambda e: e[0].update(supply_points=True), "its effect RegisterOpened has invalid values"),
            (lambda e: e[0].update(colour="red"), "its effect RegisterOpened has invalid values"),
            *(
                (lambda e, why=why: e[0].update(why=why), "RegisterOpened has invalid values (why)")
                for why in (
                    ["{a.b}", {"a": "x"}],
                    ["{x:>1500000000}", {"x": "a"}],
                    ["{x.__class__}", {"x": "a"}],
                    ["{message}", {"message": "hi"}],
                    ["{unit} has won the lottery", {"unit": "Hounds"}],
                    ["{arc} ended", {"arc": "A", "message": "hi"}],
                )
            ),
            (lambda e: e[0].update(supply_points=-9), "This campaign file is invalid"),
            (lambda e: e.append({"kind": "UnitFell", "rule": "R35", "unit": "99"}), "the ledger cannot be replayed"),
            (
                lambda e: e.append({"kind": "UnitAdded", "rule": "R3", "unit": "90", "card": "space-wizard"}),
                "The card “space-wizard” (unit) is missing from this site’s catalogue.",
            ),
        ],
    )  # fmt: skip
    def test_effects_that_cannot_be(self, honest, refusal_of, change, sentence):
        assert sentence in refusal_of(changed(honest, with_effects(change)))

    def test_what_no_ledger_page_could_show(self, honest, refusal_of):
        rolled = {"kind": "DiceRolled", "rule": "R31", "die": "red_defense", "faces": ["block"]}

        def act(content: dict[str, Any]) -> None:
            content["registers"][0]["ledger"][1].update(effects=[rolled], answers=[7], rolled_by_hand=[0])
            content["registers"][0]["ledger"][2:] = []
            rewritten(content["registers"][0])

        assert "This campaign file is invalid" in refusal_of(changed(honest, act))

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"undoes": 2}, "it undoes an entry that does not exist."),
            ({"undoes": 1, "place": 2}, "it is in the wrong place."),
            ({"place": 9}, "it is in the wrong place."),
            ({"act": "undo", "effects": []}, "it undoes an entry that does not exist."),
        ],
    )
    def test_places_that_cannot_be(self, honest, refusal_of, change, sentence):
        def act(content: dict[str, Any]) -> None:
            content["registers"][0]["ledger"][1].update(change)
            rewritten(content["registers"][0])

        assert sentence in refusal_of(changed(honest, act))


@pytest.mark.parametrize("why", [["{x:>150000}", {"x": "a"}], ["{message}{x.__class__}", {"message": "hi"}]])
def test_a_ledger_page_shows_whatever_is_stored(honest, olga, client, why):
    register = brought(olga, honest).registers.first()
    register.owner = olga
    register.save()
    effects = [{"kind": "Noted", "rule": "R35", "why": why}]
    LedgerEntry.objects.create(register=register, position=99, place=99, act="edit", effects=effects)
    client.force_login(olga)
    page = client.get(reverse("registers:ledger", args=[register.pk]))
    assert (page.status_code, len(page.content) < 100_000, "x" in page.text) == (200, True, True)
    assert "class &#x27;" not in page.text


class TestParts:
    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda c: c["registers"][0].update(owner=999_999), "Person 999999 is missing from people."),
            (lambda c: c["people"].append(c["people"][0]), "Two items in people have the same id."),
            (lambda c: c["battles"][0]["sides"][0].update(register=str(uuid4())), "is missing from registers."),
            (lambda c: c["events"][-1].update(battle=str(uuid4())), "is missing from battles."),
            (lambda c: c["campaign"].update(picture=str(uuid4())), "is missing from pictures."),
            (lambda c: c["events"][0].update(kind="miracle"), "kind of log line: “miracle”."),
            (lambda c: c["events"][-1].update(facts={}), "This campaign file is invalid"),
            (
                lambda c: c["battles"][0].update(date="2026-02-31"),
                "The file contains a date that is not valid, or not between 2000 and 2100.",
            ),
            (
                lambda c: c["battles"][0].update(date="9999-12-31"),
                "The file contains a date that is not valid, or not between 2000 and 2100.",
            ),
            (lambda c: c["campaign"].update(campaign_rules={"cheating": True}), "Invalid campaign rules"),
            (lambda c: c["battles"][0]["sides"][0].update(open=True, colour="red"), "This campaign file is invalid"),
            (lambda c: c["battles"][0]["sides"][0]["army"].update(agenda="x"), "The card “x” (agenda) is missing from"),
        ],
    )  # fmt: skip
    def test_that_do_not_fit(self, honest, refusal_of, change, sentence):
        assert sentence in refusal_of(changed(honest, change))


class TestDice:
    def test_that_do_not_follow_from_their_seed(self, book, refusal_of):
        with elsewhere():
            file = file_of(revealed(begin()).battle.campaign)
        sentence = "Battle 1: the dice do not match their seed. Somebody has changed them."

        def luckier(content: dict[str, Any]) -> None:
            draw = content["battles"][0]["dice"][0]["draws"][0]
            draw["faces"] = ["surge" if face == "block" else "block" for face in draw["faces"]]

        def promised(content: dict[str, Any]) -> None:
            content["battles"][0]["dice"][0]["commitment"] = "0" * 64

        assert refusal_of(changed(file, luckier)) == sentence
        assert refusal_of(changed(file, promised)) == sentence


class TestPictures:
    def with_picture(self, honest: bytes, picture: bytes) -> bytes:
        [key] = pictures_of(honest)
        return zipped(json.dumps(content_of(honest)), **{key: picture})

    @pytest.mark.parametrize("picture", [SVG, b"Dear diary", photo()[:300], bomb(30_000, 30_000)])
    def test_that_are_none(self, honest, refusal_of, picture):
        sentences = (
            "This picture cannot be read", "This picture is damaged", "This picture has too many pixels",
        )  # fmt: skip
        assert refusal_of(self.with_picture(honest, picture)).startswith(sentences)

    def test_that_are_missing(self, honest, refusal_of):
        assert refusal_of(zipped(content_of(honest))).endswith("is missing from the file.")

    def test_that_nobody_speaks_of(self, honest, refusal_of):
        more = zipped(content_of(honest), **pictures_of(honest), **{str(uuid4()): photo()})
        assert refusal_of(more).startswith("This file contains “pictures/")


class TestAgain:
    def test_what_is_here_is_not_brought_twice(self, honest, olga, refusal_of):
        key = uuid4()
        first = brought(olga, honest, key=key)
        assert brought(olga, honest, key=key) == first
        assert refusal_of(honest) == "This campaign already exists here. Import it as a copy, or cancel."
        copy = brought(olga, honest, key=key, as_copy=True)
        assert copy == first
        assert brought(olga, honest, as_copy=True) != first

    def test_nobody_is_put_into_it_unasked(self, honest, olga):
        """Not even somebody with whom one shares a campaign."""
        from tests.registers.factories import make_player

        friend = make_player("ada")
        membership.add_member(actor=olga, group=campaigns.create_campaign(actor=olga, name="Ours"), username="ada")
        with pytest.raises(RuleViolation, match="Choose only yourself"):
            brought(olga, honest, {"ada": friend})
        with pytest.raises(RuleViolation, match="Choose only one person"):
            brought(olga, honest, {"ada": olga, "ben": olga})
