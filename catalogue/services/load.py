"""Write cards to the database: the files of a catalogue, custom Story Arcs, and uploads with what they lead to."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.dispatch import Signal

from catalogue.models import MODELS, Card, CatalogueState, StoryArc
from catalogue.rows import OWN_FIELDS, acting, field_names, instance, plain, stored_rows
from catalogue.snapshot import forget
from rules.arcs.custom_arcs import Arc, named
from rules.catalogue.file_schemas import CSV_FILES, STORY_ARC_FILE, TABLES_FILE
from rules.catalogue.loader import read_arc, read_catalogue
from rules.core.values import Value

#: The catalogue that comes with the project.
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "catalogue"

FILES = (*(file for file, _ in CSV_FILES.values()), STORY_ARC_FILE, TABLES_FILE)


class KindReport(Value):
    """Changes of one kind by a load: slugs added, changed, retired, and returned from retirement."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()


class LoadReport(Value):
    """The result of a load; `untouched` if these files were already loaded and were not read again."""

    edition: str
    kinds: Mapping[str, KindReport]
    untouched: bool = False


def load_catalogue(*, actor: str, folder: Path, again: bool = False) -> LoadReport:
    """Load the cards of the files in `folder` into the database.

    The points history names `actor`. Files that were loaded last are not read again, so that corrections made in the
    admin stay, unless `again` is set. A card that the files lack is retired, never deleted (R2). Raises
    `rules.catalogue.loader.CatalogueErrors` with everything that is wrong with the files, and changes nothing then.
    """
    files_hash = _hash(folder)
    if not again and CatalogueState.objects.filter(files_hash=files_hash).exists():
        return LoadReport(CatalogueState.objects.get().edition, {}, untouched=True)
    catalogue = read_catalogue(folder)
    with transaction.atomic():
        acting(actor)
        custom_arcs = set(StoryArc.objects.filter(own=True).values_list("slug", flat=True))
        kinds = {kind: _load_kind(MODELS[kind], catalogue.cards[kind], custom_arcs) for kind in MODELS}
        CatalogueState.objects.update(stamp=uuid4(), edition=catalogue.edition, files_hash=files_hash)
        transaction.on_commit(forget)
    return LoadReport(catalogue.edition, kinds)


def _hash(folder: Path) -> str:
    """Return a hash of the files and of the columns they fill: after a migration the files are read again."""
    found = hashlib.sha256(repr([field_names(model) for model in MODELS.values()]).encode())
    for file in FILES:
        path = folder / file
        found.update(file.encode() + (path.read_bytes() if path.is_file() else b""))
    return found.hexdigest()


def _load_kind(model: type[Card], cards: Iterable[Mapping[str, Any]], custom_arcs: Collection[str]) -> KindReport:
    wanted = {card["slug"]: plain(card) for card in cards}
    # No file has the cards of custom Story Arcs, so no load retires them.
    rows = (row for row in stored_rows(model) if not {row["slug"], row.get("story_arc")} & {*custom_arcs})
    stored = {row["slug"]: row for row in rows}
    live = {slug for slug, row in stored.items() if not row["retired"]}
    changed = {slug for slug in live & wanted.keys() if not wanted[slug].items() <= stored[slug].items()}
    report = KindReport(
        added=tuple(slug for slug in wanted if slug not in stored),
        changed=tuple(slug for slug in wanted if slug in changed),
        retired=tuple(sorted(live - wanted.keys())),
        restored=tuple(slug for slug in wanted if slug in stored.keys() - live),
    )
    positions = {slug: position for position, slug in enumerate(wanted)}
    moved = {slug for slug in live & wanted.keys() if stored[slug]["position"] != positions[slug]}
    write = [slug for slug in wanted if slug in moved or slug in {*report.added, *changed, *report.restored}]
    cards_to_write = [instance(model, {**wanted[slug], "position": positions[slug]}) for slug in write]
    _write(model, cards_to_write, retire={*report.retired, *changed})
    return report


def _write(model: type[Card], cards: Collection[Card], *, retire: Collection[str]) -> None:
    """Insert or replace cards of one kind, after retiring these slugs.

    Changed cards are retired for a moment, too: two live cards cannot share a source id or a face, but two cards may
    swap them.
    """
    model._default_manager.filter(slug__in=retire).update(retired=True)
    if cards:
        model._default_manager.bulk_create(
            cards,
            update_conflicts=True,
            unique_fields=["slug"],
            update_fields=[name for name in (*OWN_FIELDS, *field_names(model)) if name != "slug"],
        )


@transaction.atomic
def save_cards(*, actor: str, kind: str, cards: Sequence[Card]) -> KindReport:
    """Add or change these cards of one kind (`MODELS`), which the caller has validated. Other cards stay as they are.

    The points history names `actor`. New cards come after all others. Returns the slugs that were added and changed.
    """
    acting(actor)
    model = MODELS[kind]
    there = set(model._default_manager.filter(slug__in=[card.slug for card in cards]).values_list("slug", flat=True))
    last = model._default_manager.aggregate(last=Max("position"))["last"] or 0
    new = [card for card in cards if card.slug not in there]
    for number, card in enumerate(new, 1):
        card.position = last + number
    _write(model, cards, retire=there)
    transaction.on_commit(forget)
    return KindReport(
        added=tuple(card.slug for card in new), changed=tuple(card.slug for card in cards if card.slug in there)
    )


#: Position after everything printed.
POSITION = 10_000


def add_arcs(*, actor: str, arcs: Mapping[str, Arc]) -> None:
    """Add finished arcs by their slugs, each with the cards of its parts, in the running transaction.

    The points history names `actor`. An arc that already exists stays as it is. Callers check the arcs first
    (`rules.arcs.custom_arcs.arc_violations`); raises ValueError for an arc that cannot be read.
    """
    acting(actor)
    there = set(StoryArc.objects.filter(slug__in=arcs).values_list("slug", flat=True))
    cards: dict[str, list[Card]] = {}
    for slug, arc in arcs.items():
        if slug not in there:
            for kind, rows in _arc_rows(slug, arc).items():
                cards.setdefault(kind, []).extend(instance(MODELS[kind], row) for row in rows)
    for kind, each in cards.items():
        MODELS[kind]._default_manager.bulk_create(each)
    transaction.on_commit(forget)


def _arc_rows(slug: str, arc: Arc) -> dict[str, list[dict[str, Any]]]:
    own = {"story_arc": {"own": True}}
    return {
        kind: [{**card, **own.get(kind, {}), "position": POSITION + number} for number, card in enumerate(cards)]
        for kind, cards in read_arc(named(arc, slug)).items()
    }


#: Receivers return the names of everything whose cards cost more than it may spend, by key.
limits_asked = Signal()


class UploadReport(NamedTuple):
    """The result of an upload: the cards added and changed, and the names of what it pushes over its limit."""

    cards: KindReport
    over: tuple[str, ...]


@transaction.atomic
def upload_cards(*, actor: str, kind: str, cards: Sequence[Card]) -> UploadReport:
    """Save cards of one kind (`save_cards`), and return what it did. A preview rolls the transaction back."""
    before = _over()
    report = save_cards(actor=actor, kind=kind, cards=cards)
    over = sorted(name for key, name in _over().items() if key not in before)
    return UploadReport(report, tuple(over))


def _over() -> dict[object, str]:
    answers: list[tuple[Any, Any]] = limits_asked.send(sender=None)
    return {key: name for _app, names in answers for key, name in names.items()}
