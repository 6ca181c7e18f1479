"""A disk that is full, or a folder that cannot be written: a sentence, and nothing is lost or left over."""

import errno
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from boto3.exceptions import S3UploadFailedError
from botocore.exceptions import ClientError, EndpointConnectionError
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.archive.parts.reading import WAITING
from campaign.models import Campaign
from rules.core.violations import RuleViolation
from tests.campaign.factories import address
from tests.html import html_of
from tests.registers.factories import make_player
from tests.uploads.photos import photo
from tournaments.services import exchange
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures
from uploads.storage import refusing_failures

SENTENCE = (
    "The server cannot use its file storage now. Nothing was changed. Try again later, or tell the person who runs it."
)


@pytest.fixture
def arrivals(settings, tmp_path) -> Path:
    settings.ARRIVALS_DIR = tmp_path / "arrivals"
    return settings.ARRIVALS_DIR


def full(begin: Callable[..., Any]) -> Callable[..., Any]:
    """Write the beginning of a file, and fail as a full disk does."""

    def write(*args: Any, **words: Any) -> Any:
        begin(*args, **words)
        raise OSError(errno.ENOSPC, "No space left on device")

    return write


def test_a_picture_that_cannot_be_stored_leaves_the_last_one(table, as_cora, monkeypatch):
    form = address(table, "chronicle:campaign_photo")

    def send(alt: str) -> Any:
        sent = {"file": SimpleUploadedFile("x.jpg", photo()), "alt": alt}
        return as_cora.post(form, sent | {"picture": as_cora.get(form).context["form"].initial["picture"]})

    assert send("The ridge").status_code == 302
    begun, save = list[Path](), FileSystemStorage._save

    def note(self: FileSystemStorage, name: str, content: Any) -> str:
        begun.append(Path(self.path(name)))
        return save(self, name, content)

    monkeypatch.setattr(FileSystemStorage, "_save", full(note))
    answer = send("The valley")
    assert (answer.status_code, SENTENCE in html_of(answer), 'value="The valley"' in html_of(answer)) == (
        422,
        True,
        True,
    )
    assert begun
    assert not any(path.parent.exists() for path in begun)
    assert (Picture.objects.get().alt, Campaign.objects.get().picture.alt) == ("The ridge", "The ridge")


@pytest.mark.parametrize(
    "failure",
    [
        ClientError({"Error": {"Code": "SlowDown", "Message": "Reduce your request rate."}}, "PutObject"),
        EndpointConnectionError(endpoint_url="https://s3.example.org"),
        S3UploadFailedError("Failed to upload"),
    ],
    ids=repr,
)
def test_a_bucket_that_does_not_answer(failure):
    with pytest.raises(RuleViolation, match=SENTENCE), refusing_failures():
        raise failure


def test_what_needs_a_picture_while_the_storage_is_away(table, as_cora, monkeypatch):
    picture = pictures.keep(actor=table.cora, drawn=drawn(photo()), alt="The ridge")
    Campaign.objects.update(picture=picture)

    def away(*_args: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3.example.org")

    monkeypatch.setattr(FileSystemStorage, "open", away)
    shown = as_cora.get(reverse("chronicle:photo", args=[table.campaign.pk, picture.pk, "small"]))
    assert (shown.status_code, shown.text, shown["Retry-After"]) == (503, SENTENCE, "60")
    assert shown["Cache-Control"] == "private, no-store"
    download = reverse("archive:download", args=[table.campaign.pk])
    answers = [as_cora.get(download)]
    monkeypatch.setattr(FileSystemStorage, "exists", away)
    answers.append(as_cora.get(download))
    assert [(each.status_code, SENTENCE in html_of(each)) for each in answers] == [(409, True)] * 2


def test_a_picture_is_removed_while_the_storage_is_away(
    table, as_cora, monkeypatch, django_capture_on_commit_callbacks
):
    picture = pictures.keep(actor=table.cora, drawn=drawn(photo()), alt="The ridge")
    Campaign.objects.update(picture=picture)
    monkeypatch.setattr(FileSystemStorage, "delete", full(lambda *args: None))
    with django_capture_on_commit_callbacks(execute=True):
        answer = as_cora.post(address(table, "chronicle:campaign_photo"), {"do": "remove"})
    assert (answer.status_code, Picture.objects.count()) == (302, 0)


@pytest.mark.django_db
def test_a_campaign_file_that_cannot_be_stored(arrivals, monkeypatch):
    ada = make_player("ada")
    key = WAITING.keep(ada, BytesIO(b"the last one"))
    monkeypatch.setattr("shutil.copyfileobj", full(lambda sent, out: out.write(sent.read(4))))
    with pytest.raises(RuleViolation, match=SENTENCE):
        WAITING.keep(ada, BytesIO(b"another one"))
    assert [each.read_bytes() for each in arrivals.iterdir()] == [b"the last one"]
    assert WAITING.path(ada, key)


@pytest.mark.django_db
def test_an_event_file_that_cannot_be_stored(arrivals, monkeypatch):
    monkeypatch.setattr("shutil.copyfileobj", full(lambda sent, out: out.write(sent.read(4))))
    with pytest.raises(RuleViolation, match=SENTENCE):
        exchange.WAITING.keep(make_player("ada"), BytesIO(b"{}"))
    assert list(arrivals.iterdir()) == []


@pytest.mark.django_db
def test_a_folder_that_cannot_be_made(settings, tmp_path):
    settings.ARRIVALS_DIR = tmp_path / "file" / "arrivals"
    (tmp_path / "file").touch()
    with pytest.raises(RuleViolation, match=SENTENCE):
        exchange.WAITING.keep(make_player("ada"), BytesIO(b"{}"))
