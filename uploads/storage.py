"""Where photos that people send are stored: a directory of this machine, or an S3 bucket that machines share."""

import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

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
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": parts.netloc, "location": unquote(parts.path).strip("/"), **query},
    }


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of a storage that cannot be reached, read or written."""
    boto, transfer = sys.modules.get("botocore.exceptions"), sys.modules.get("boto3.exceptions")
    if boto and transfer:  # only where photos lie in S3
        return OSError, boto.BotoCoreError, boto.ClientError, transfer.Boto3Error
    return (OSError,)
