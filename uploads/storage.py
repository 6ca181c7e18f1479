"""Where photos that people send are stored: a directory of this machine, or an S3 bucket that machines share."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext

from rules.core.violations import refuse

log = logging.getLogger(__name__)

#: Parameters allowed after the `?` of UPLOADS_URL, as django-storages names them.
QUERY = ("endpoint_url", "region_name", "addressing_style")


def upload_storage(url: str, directory: Path) -> dict[str, Any]:
    """Return the STORAGES entry for UPLOADS_URL: an S3 bucket, or `directory` if it is empty.

    The URL is `s3://bucket/folder?endpoint_url=https://…&region_name=…`; only the bucket is required. boto3 finds the
    credentials itself, usually in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The bucket stays private: photos are
    served by views that ask who may see them. Raises ImproperlyConfigured for any other URL.
    """
    if not url:
        return {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": directory, "file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
        }
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    if parts.scheme != "s3" or not parts.netloc or "@" in parts.netloc or not query.keys() <= set(QUERY):
        raise ImproperlyConfigured(
            f"UPLOADS_URL must look like s3://bucket/folder, followed by any of {', '.join(QUERY)} as in "
            "?region_name=eu-central-1. Credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    from botocore.config import Config  # lazy: optional

    # Seconds. With boto3's defaults, a bucket that does not answer would hold a request for minutes.
    style = {"addressing_style": query.pop("addressing_style", None)}
    client = Config(connect_timeout=2, read_timeout=10, retries={"total_max_attempts": 2}, s3=style)
    own = {"bucket_name": parts.netloc, "location": unquote(parts.path).strip("/"), "client_config": client}
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": own | query}


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of a storage that cannot be reached, read or written."""
    boto, transfer = sys.modules.get("botocore.exceptions"), sys.modules.get("boto3.exceptions")
    if boto and transfer:  # only where photos lie in S3
        return OSError, boto.BotoCoreError, boto.ClientError, transfer.Boto3Error
    return (OSError,)


@contextmanager
def refusing_failures(undo: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Refuse what needs a file on a full disk, without the right to read or write it, or without an answer of S3, once
    `undo` has deleted the parts of what could not be stored.
    """
    try:
        yield
    except failures() as error:
        log.error("cannot use the storage of files: %s", error)
        with suppress(*failures()):
            undo()
        sentence = gettext(
            "The server cannot use its file storage now. Nothing was changed. Try again later, or tell the person who "
            "runs it."
        )
        raise refuse("", sentence, "file") from error
