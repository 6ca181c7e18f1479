"""Keeping pictures, replacing and removing them, and cleaning up."""

import os
import time
from datetime import timedelta
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command
from django.http import Http404
from django.utils import timezone

from campaign.models import Campaign
from rules.core.violations import RuleViolation
from tests.registers.factories import make_player
from tests.uploads.photos import photo
from uploads.images import drawn
from uploads.models import Picture, picture_answer
from uploads.services import pictures

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return make_player("ada")


@pytest.fixture(autouse=True)
def place(settings, tmp_path) -> Path:
    """An empty shelf."""
    where = tmp_path / "uploads"
    settings.STORAGES = {
        **settings.STORAGES,
        "uploads": {**settings.STORAGES["uploads"], "OPTIONS": {
            **settings.STORAGES["uploads"]["OPTIONS"], "location": where
        }},
    }  # fmt: skip
    return where


def kept(ada, **words) -> Picture:
    return pictures.keep(actor=ada, **{"drawn": drawn(photo()), "alt": "The ridge", **words})


def files(place: Path) -> set[str]:
    return {str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()}


def test_files_of_no_name_that_only_we_read(ada, place):
    picture = kept(ada, alt="  The\nridge\x07 ")
    assert (picture.alt, picture.width, picture.height) == ("The ridge", 60, 40)
    assert files(place) == {f"{picture.stem}/{size}.jpg" for size in ("full", "medium", "small")}
    assert {oct(file.stat().st_mode & 0o777) for file in place.rglob("*.jpg")} == {"0o600"}
    assert oct((place / picture.stem).stat().st_mode & 0o777) == "0o700"
    assert len(picture.stem) == 22


def refused(ada, **words) -> str:
    with pytest.raises(RuleViolation) as refusal:
        kept(ada, **words)
    return " ".join(violation.text for violation in refusal.value.violations)


def test_a_form_that_comes_twice_keeps_one(ada, place):
    key = uuid4()
    assert kept(ada, picture_id=key) == kept(ada, picture_id=key)
    assert len(files(place)) == 3


def test_it_does_not_come_as_another_one(ada):
    key = uuid4()
    kept(ada, picture_id=key)
    sentence = "This form already sent a picture. To send another one, choose the file again."
    for other in ({"drawn": drawn(photo("PNG", mode="L"))}, {"alt": "The valley"}):
        assert refused(ada, picture_id=key, **other) == sentence
    assert Picture.objects.get().alt == "The ridge"


def test_the_key_of_what_stands_elsewhere(ada):
    picture = kept(ada)
    Campaign.objects.create(name="Outer Rim Winter", picture=picture)
    sentence = "This picture is already used somewhere else. Choose the file again."
    assert refused(ada, picture_id=picture.pk) == sentence


def test_the_key_of_somebody_elses(ada):
    picture = kept(ada)
    with pytest.raises(RuleViolation):
        kept(make_player("ben"), picture_id=picture.pk)


@pytest.mark.parametrize(
    ("alt", "expected"),
    [
        (" \n", "Describe the picture in a few words, for people who cannot see it."),
        ("a" * 201, "Use up to 200 characters. You typed 201."),
    ],
)
def test_it_is_described(ada, alt, expected):
    with pytest.raises(RuleViolation) as refusal:
        kept(ada, alt=alt)
    assert [(violation.about, violation.text) for violation in refusal.value.violations] == [("alt", expected)]
    assert not Picture.objects.exists()


class TestGoing:
    def test_files_go_when_it_is_certain(self, ada, place, django_capture_on_commit_callbacks):
        picture = kept(ada)
        with django_capture_on_commit_callbacks() as callbacks:
            for _ in range(2):
                pictures.remove(picture=picture)
        assert (Picture.objects.exists(), len(files(place))) == (False, 3)
        for callback in callbacks:
            callback()
        assert list(place.iterdir()) == []

    def test_another_one_in_its_place(self, ada, place, django_capture_on_commit_callbacks):
        campaign = Campaign.objects.create(name="Outer Rim Winter")
        key = uuid4()
        words = {"actor": ada, "on": campaign, "drawn": drawn(photo()), "alt": "The ridge"}
        with django_capture_on_commit_callbacks(execute=True):
            pictures.show(**words)
            second = pictures.show(**words, picture_id=key)
            assert pictures.show(**words, picture_id=key) == second
        campaign.refresh_from_db()
        assert (campaign.picture, Picture.objects.get()) == (second, second)
        assert {name.split("/")[0] for name in files(place)} == {second.stem}
        with django_capture_on_commit_callbacks(execute=True):
            pictures.take_off(on=campaign)
        assert (Campaign.objects.get().picture, files(place)) == (None, set())


class TestCleaning:
    def test_what_belongs_to_nothing_goes_and_the_rest_stays(self, ada, place, django_capture_on_commit_callbacks):
        shown = kept(ada)
        Campaign.objects.create(name="Outer Rim Winter", picture=shown)
        kept(ada)
        Picture.objects.update(sent_at=timezone.now() - timedelta(hours=2))
        young = kept(ada)
        for name in ("stray", "young-stray"):
            (place / name).mkdir()
            (place / name / "full.jpg").write_bytes(b"x")
        old = time.time() - 7200
        os.utime(place / "stray" / "full.jpg", (old, old))
        out = StringIO()
        with django_capture_on_commit_callbacks(execute=True):
            call_command("clean_uploads", stdout=out)
        assert (
            out.getvalue()
            == "Deleted: 1 unused pictures, 1 files without a picture, 0 files of interrupted requests.\n"
        )
        assert set(Picture.objects.all()) == {shown, young}
        assert {each.name for each in place.iterdir()} == {shown.stem, young.stem, "young-stray"}

    @pytest.mark.parametrize("shown", [0, 1])
    def test_files_of_another_database_stay(self, ada, place, caplog, shown):
        """An empty database, or one that names fewer than half of the stored files, at the old place."""
        for _ in range(shown):
            Campaign.objects.create(name="Outer Rim Winter", picture=kept(ada))
        old = time.time() - 7200
        for number in range(1 + shown):
            (place / f"theirs-{number}").mkdir(parents=True)
            (place / f"theirs-{number}" / "full.jpg").write_bytes(b"x")
            os.utime(place / f"theirs-{number}" / "full.jpg", (old, old))
        assert pictures.clean() == (0, 0)
        assert len(list(place.iterdir())) == 1 + 2 * shown
        assert [record.getMessage() for record in caplog.records] == [
            f"{1 + shown} of {1 + 2 * shown} stored pictures are unknown to this database. None was deleted."
        ]

    def test_in_a_bucket(self, ada, settings, monkeypatch, django_capture_on_commit_callbacks):
        """A storage without directories, as S3: kept, handed out, cleaned."""
        settings.STORAGES = settings.STORAGES | {"uploads": {"BACKEND": "tests.uploads.bucket.Bucket"}}
        bucket = storages["uploads"]
        assert pictures.clean() == (0, 0)
        shown, removed = kept(ada), kept(ada)
        Campaign.objects.create(name="Outer Rim Winter", picture=shown)
        bucket.save("stray/full.jpg", ContentFile(b"x"))
        assert picture_answer(shown, "small").content == bucket.open(shown.file("small")).read()
        with django_capture_on_commit_callbacks(execute=True):
            pictures.remove(picture=removed)
        monkeypatch.setattr(pictures, "UNUSED_PICTURE", timedelta(seconds=-1))
        with django_capture_on_commit_callbacks(execute=True):
            assert pictures.clean() == (0, 1)
        assert [name for name in (*shown.files, *removed.files, "stray/full.jpg") if bucket.exists(name)] == [
            *shown.files
        ]

    def test_nothing_was_ever_sent(self):
        assert pictures.clean() == (0, 0)


class TestHandingOut:
    def test_as_a_picture_and_nothing_else(self, ada, place):
        picture = kept(ada)
        answer = picture_answer(picture, "small")
        assert answer.content == (place / picture.file("small")).read_bytes()
        names = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Security-Policy",
                 "X-Content-Type-Options")  # fmt: skip
        assert {name: answer[name] for name in names} == {
            "Content-Type": "image/jpeg",
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        }

    def test_no_other_size_and_no_file_that_is_gone(self, ada, place):
        picture = kept(ada)
        with pytest.raises(Http404):
            picture_answer(picture, "../secret-key")
        (place / picture.file("full")).unlink()
        with pytest.raises(Http404):
            picture_answer(picture, "full")
