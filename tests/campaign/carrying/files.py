"""Files of campaigns to look at, and to bring."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from campaign.carrying import writing
from campaign.carrying.form import CONTENT
from campaign.models import Campaign


def file_of(campaign: Campaign) -> bytes:
    """The file of a campaign."""
    out = BytesIO()
    writing.write(campaign, out)
    return out.getvalue()


def content_of(file: bytes) -> dict[str, Any]:
    """What stands in a file."""
    with ZipFile(BytesIO(file)) as archive:
        content: dict[str, Any] = json.loads(archive.read(CONTENT))
    return content


def names_in(file: bytes) -> list[str]:
    """The members of a file."""
    with ZipFile(BytesIO(file)) as archive:
        return archive.namelist()
