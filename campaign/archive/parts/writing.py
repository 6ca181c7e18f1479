"""Write a campaign's file part by part, so that memory stays small however long the campaign is."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import timezone
from django.utils.text import slugify

from campaign.archive.parts import (
    arcs,
    battles,
    campaign,
    chronicle,
    people,
    pictures,
    registers,
    schedule,
    star_map,
    teams,
)
from campaign.archive.parts.reading import CAMPAIGN_FILE, CONTENT, ENDING
from campaign.archive.parts.scope import Scope, moment
from campaign.models import Campaign
from core.db.snapshot import read_snapshot
from ops.paths import VERSION


@read_snapshot()
def write(of: Campaign, out: IO[bytes]) -> None:
    """Write the file of a campaign to `out`, from one snapshot of the database."""
    scope = Scope(Campaign.objects.select_related("picture").get(pk=of.pk))
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        info = ZipInfo(CONTENT)
        info.compress_type = ZIP_DEFLATED
        with archive.open(info, "w") as content:
            for text in _json(_parts(scope)):
                content.write(text.encode())
        pictures.put_files(scope, archive)


def _parts(scope: Scope) -> dict[str, Any]:
    """Return the parts in writing order: people and pictures come after all parts that name them."""
    return {
        "format": CAMPAIGN_FILE.name,
        "version": CAMPAIGN_FILE.version,
        "made_at": moment(timezone.now()),
        "made_by": f"Musterbook {VERSION}",
        "campaign": campaign.written(scope),
        "story_arcs": arcs.written(scope),
        "registers": registers.written(scope),
        "battles": battles.written(scope),
        "teams": teams.written(scope),
        "systems": star_map.written(scope),
        **schedule.written(scope),
        **chronicle.written(scope),
        "pictures": pictures.written(scope),
        "people": people.written(scope),
    }


def file_name(of: Campaign, day: str) -> str:
    """Return the file name for a campaign's file of this day."""
    return f"{slugify(of.name)[:60] or 'campaign'}-{day}{ENDING}"


def _json(parts: Mapping[str, Any]) -> Iterator[str]:
    before = "{"
    for name, part in parts.items():
        yield f"{before}\n{json.dumps(name)}: "
        yield from _listed(part) if isinstance(part, Iterator) else [json.dumps(part, ensure_ascii=False)]
        before = ","
    yield "\n}\n"


def _listed(items: Iterator[Any]) -> Iterator[str]:
    before = "["
    for item in items:
        yield f"{before}\n{json.dumps(item, ensure_ascii=False)}"
        before = ","
    yield "[]" if before == "[" else "\n]"
