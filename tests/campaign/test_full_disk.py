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

from campaign.archive.parts.reading import WAITING
from campaign.models import Campaign
from rules.core.violations import RuleViolation
from tests.campaign.factories import address
from tests.html import html_of
from tests.registers.factories import make_player
from tests.uploads.photos import photo
from tournaments.services import exchange
from uploads.handlers import storing
from uploads.models import Picture, shelf

SENTENCE = "The server cannot store files now. Nothing was changed. Please tell the person who runs it."


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
    before = set(Path(shelf().location).rglob("*"))
    monkeypatch.setattr(FileSystemStorage, "_save", full(FileSystemStorage._save))
    answer = send("The valley")
    assert (answer.status_code, SENTENCE in html_of(answer), 'value="The valley"' in html_of(answer)) == (
        422,
        True,
        True,
    )
    assert set(Path(shelf().location).rglob("*")) == before
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
    with pytest.raises(RuleViolation, match=SENTENCE), storing(lambda: None):
        raise failure


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
