"""UPLOADS_URL: where photos are stored."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage.handler import StorageHandler

from uploads.storage import upload_storage

HERE = Path("/var/lib/musterbook/uploads")


def test_a_directory_that_only_the_site_reads():
    assert upload_storage("", HERE)["OPTIONS"] == {
        "location": HERE,
        "file_permissions_mode": 0o600,
        "directory_permissions_mode": 0o700,
    }


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("s3://photos", {"bucket_name": "photos", "location": ""}),
        (
            "s3://photos/club/17/?endpoint_url=https://s3.example.org&region_name=eu-1",
            {
                "bucket_name": "photos",
                "location": "club/17",
                "endpoint_url": "https://s3.example.org",
                "region_name": "eu-1",
            },
        ),
    ],
)
def test_a_private_bucket(url, options):
    entry = upload_storage(url, HERE)
    client = entry["OPTIONS"].pop("client_config")
    assert (client.connect_timeout, client.read_timeout, client.retries) == (2, 10, {"total_max_attempts": 2})
    assert (entry["OPTIONS"], client.s3) == (options, {"addressing_style": None})
    storage = StorageHandler({"uploads": entry})["uploads"]
    assert {name: getattr(storage, name) for name in options} == options
    assert (storage.default_acl, storage.querystring_auth) == (None, True)


def test_how_a_bucket_is_addressed():
    options = upload_storage("s3://photos?addressing_style=path", HERE)["OPTIONS"]
    assert options.pop("client_config").s3 == {"addressing_style": "path"}
    assert options == {"bucket_name": "photos", "location": ""}


@pytest.mark.parametrize(
    "url", ["photos", "https://photos", "s3://", "s3://key:secret@photos", "s3://photos?default_acl=public-read"]
)
def test_anything_else_is_refused(url):
    with pytest.raises(ImproperlyConfigured, match="UPLOADS_URL must look like s3://bucket/folder"):
        upload_storage(url, HERE)
