"""What a campaign's file may cost: little memory and time, whatever it holds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest

from campaign.archive.parts.reading import CONTENT, schema
from ops.paths import BASE_DIR
from tests.campaign.archive.files import content_of, file_of
from tests.campaign.factories import in_play, make_table, planned

pytestmark = pytest.mark.django_db

HALF_A_GIGABYTE = 1 << 29
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
import django
django.setup()
from campaign.archive.parts import reading
from rules.core.violations import RuleViolation
for name in sys.argv[1:]:
    try:
        with open(name, "rb") as file:
            reading.read(file)
    except RuleViolation as refusal:
        print(" ".join(violation.text for violation in refusal.violations))
"""


@pytest.fixture(scope="module")
def honest(django_db_setup, django_db_blocker) -> dict[str, Any]:
    """What stands in a file that is as it should be; its campaign is not here."""
    from django.db import transaction

    from catalogue.snapshot import forget

    with django_db_blocker.unblock(), transaction.atomic():
        forget()
        table = make_table()
        in_play(planned(table))
        content = content_of(file_of(table.campaign))
        transaction.set_rollback(True)
    return content


def read_with_little(files: list[bytes], folder: Path) -> list[str]:
    """What is said to each file by a process that has half a gigabyte, and 20 seconds for all of them."""
    paths = [folder / str(number) for number in range(len(files))]
    for path, file in zip(paths, files, strict=True):
        path.write_bytes(file)
    done = subprocess.run(
        [sys.executable, "-c", READ.format(bytes=HALF_A_GIGABYTE, seconds=20), *map(str, paths)],
        capture_output=True, text=True, cwd=BASE_DIR, env=os.environ, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def changed(content: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> bytes:
    """A file with other content, packed loosely."""
    content, out = json.loads(json.dumps(content)), BytesIO()
    change(content)
    with ZipFile(out, "w", ZIP_STORED) as archive:
        archive.writestr(CONTENT, json.dumps(content))
    return out.getvalue()


def side_of(content: dict[str, Any]) -> dict[str, Any]:
    side: dict[str, Any] = content["battles"][0]["sides"][0]
    return side


def effects_of(content: dict[str, Any]) -> list[Any]:
    effects: list[Any] = content["registers"][0]["ledger"][0]["effects"]
    return effects


#: What is changed in the file, and where a fault is found.
FULL_OF_FAULTS: Sequence[tuple[Callable[[dict[str, Any]], Any], str]] = (
    (lambda c: c.update(events=[7] * 300_000), "events: "),
    (lambda c: c["registers"][0].update(ledger=[{}] * 300_000), "registers.0.ledger: "),
    (lambda c: effects_of(c)[0].update(why=["a", {str(n): n for n in range(150_000)}]), "registers.0.ledger.0."),
    (lambda c: effects_of(c)[0].update(old=[[{}] * 1000] * 300, why=7), "registers.0.ledger.0.effects.0.why: "),
    (lambda c: effects_of(c).extend([{"kind": 1}] * 150_000), "registers.0.ledger.0.effects: "),
    (lambda c: side_of(c).update(tally={"defeated": [7] * 300_000}), "battles.0.sides.0.tally"),
    (lambda c: side_of(c)["report"].update(asks={str(n): "x" for n in range(150_000)}), "battles.0.sides.0.report"),
    (lambda c: c["battles"][0].update(campaign_rules={str(n): {} for n in range(150_000)}), "battles.0.campaign_rules"),
)  # fmt: skip


def test_a_file_full_of_faults_takes_little_memory(honest: dict[str, Any], tmp_path: Path) -> None:
    """The first fault is told, and the others are never built: they would take gigabytes."""
    files = [changed(honest, change) for change, _ in FULL_OF_FAULTS]
    sentences = read_with_little(files, tmp_path)
    assert [sentence[: len(place)] for sentence, (_, place) in zip(sentences, FULL_OF_FAULTS, strict=True)] == [
        place for _, place in FULL_OF_FAULTS
    ]


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All parts of a schema, each with the way to it."""
    if isinstance(schema, dict):
        yield path, schema
        for name, part in schema.items():
            yield from parts(part, f"{path}/{name}")
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from parts(part, f"{path}/{number}")


def kinds_of(part: dict[str, Any]) -> list[str]:
    found: str | list[str] = part.get("type", [])
    return [found] if isinstance(found, str) else found


def test_everything_in_the_schema_has_a_bound() -> None:
    def is_bounded(part: dict[str, Any], kind: str) -> bool:
        by = {
            "array": part.get("maxItems"),
            "string": part.get("maxLength") or part.get("pattern"),
            "object": part.get("maxProperties") or part.get("additionalProperties") is False,
        }
        return bool(by.get(kind, True)) or part.get("$ref") == "#/$defs/value"

    endless = [(path, kind) for path, part in parts(schema()) for kind in kinds_of(part) if not is_bounded(part, kind)]
    assert endless == []


def test_no_alternatives_of_many_values() -> None:
    """Of `anyOf` every fault of every alternative is built, however many there are."""
    wide = [
        path
        for path, part in parts(schema())
        for each in part.get("anyOf", ())
        if {"properties", "additionalProperties", "items", "prefixItems"} & set(each)
        or each.get("$ref", "").rpartition("/")[2] not in ("", "id", "key", "moment", "person", "slug")
    ]
    assert wide == []
