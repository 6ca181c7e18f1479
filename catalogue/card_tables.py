"""Tables of cards in the admin: read with a preview, then imported; and downloaded.

The columns are those of the files in fixtures/catalogue (`rules.catalogue.file_schemas`), and the same readers read
the cells. A table needs a column that names the cards and those that change; cards that it lacks stay as they are. The
preview runs the same service as the import and rolls it back, so that it can count Registers.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from core.form_fields import posted, pressed_button
from core.names import folded
from core.table_forms import ColumnsForm, TableForm, remembered_columns
from core.tables import NO, WORDS, YES, Fields, Row, csv_of, heading_key
from rules.catalogue.csv_fields import Reader, flag_cell, number_cell, optional_number_cell, slug
from rules.catalogue.file_schemas import CSV_FILES
from rules.core.values import Value
from rules.core.violations import RuleViolation

from .models import MODELS, Card, CatalogueState
from .rows import field_names
from .services.load import UploadReport, upload_cards

#: Behind the points of a card.
_AROUND_NUMBER = re.compile(r"(?i)(?<=[0-9])(?:[.,]0+)?(?:\s*(?:pts?|points?|punkte|puntos|punti|pkt|p)\.?)?\*?$")
#: Sentences about constraints of the database, by how their names end.
CONSTRAINTS = {
    "own_source_id": "Two cards have the same Legion HQ ID.",
    "unique_is_limit_one": "A unique upgrade has the army limit 1, and no other upgrade has it.",
}


class Change(Value):
    """A changed column of a card, with its cells; the card is new if `before` is None."""

    card: str
    column: str = ""
    before: str | None = None
    after: str = ""


@dataclass(slots=True)
class CardTable:
    """What a table changes, with a sentence for everything that is wrong with it; `report` is that of the service."""

    columns: ColumnsForm
    cards: list[Card] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    report: UploadReport | None = None


def fields_of(kind: str) -> Fields:
    """Return what the columns of cards of a kind (`MODELS`) may hold: the columns of its file."""
    names = [name for name in CSV_FILES[kind][1].required if name in field_names(MODELS[kind])]
    labels = {name: capfirst(str(MODELS[kind]._meta.get_field(name).verbose_name)) for name in names}
    headings = {heading_key(text): name for name in names for text in (name, labels[name])}
    headings |= dict.fromkeys(WORDS["card"].split(), "name")
    return Fields(labels, ("name", "points") if "points" in names else ("name",), ("slug", "name"), headings)


def cell_of(value: Any) -> str:
    """Return the cell for a value, as the files of the catalogue write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "|".join(value) if isinstance(value, list) else "" if value is None else str(value)


def spreadsheet_cell(value: Any) -> str | int | bool:
    """Return the cell for a value in a download: numbers and truths as such."""
    text = cell_of(value)
    return value if isinstance(value, bool) else int(text) if re.fullmatch("0|[1-9][0-9]{0,5}", text) else text


def read_cards(kind: str, columns: ColumnsForm) -> CardTable:
    """Return what the rows of a table change in the cards of a kind. The columns must be valid."""
    table = CardTable(columns)
    found = _Cards(kind)
    chosen = {*columns.chosen()} - {""}
    table.faults += [
        "No column changes anything. Choose what the columns hold, for example “Points”."
    ] * (not chosen - _identity(chosen))  # fmt: skip
    seen: dict[str, int] = {}
    for row in () if table.faults else columns.data_rows:
        try:
            card = found.card(dict.fromkeys(chosen, "") | columns.cells_of(row))
            if card.slug in seen:
                raise ValueError(f"{card} is in row {seen[card.slug]}, too. Remove one of the two rows.")
            seen[card.slug] = row.number
            _change(table, row, card, {name: found.readers[name] for name in chosen - _identity(chosen)})
        except ValueError as error:
            table.faults.append(f"Row {row.number}: {error}")
    return table


def _identity(chosen: set[str]) -> set[str]:
    """Return the columns that name the card, and thus do not change it."""
    return {"slug"} if "slug" in chosen else {"name", "title"}


class _Cards:
    """The cards of a kind by their slugs and all their names."""

    def __init__(self, kind: str) -> None:
        self.model, self.readers = MODELS[kind], CSV_FILES[kind][1].required
        self.by_slug = {card.slug: card for card in self.model._default_manager.all()}
        self.by_name: dict[str, list[Card]] = {}
        for card in self.by_slug.values():
            others = (getattr(card, name, "") for name in ("short_name", "tts_name"))
            for name in {heading_key(each) for each in (card.slug, card.name, str(card), *others) if each}:
                self.by_name.setdefault(name, []).append(card)

    def card(self, cells: dict[str, str]) -> Card:
        """Return the card that a row names. Raises ValueError with a sentence."""
        if "slug" in cells:
            return self.by_slug.get(cells["slug"]) or self.new(cells)
        if not (name := cells["name"]):
            raise ValueError("the name of the card is missing.")
        cards = self.by_name.get(heading_key(name), [])
        cards = [card for card in cards if not card.retired] or cards
        for column in ("title", "faction", "rank", "type"):  # the columns next to the name decide between namesakes
            if len(cards) > 1 and cells.get(column):
                cards = [card for card in cards if folded(str(getattr(card, column))) == folded(cells[column])] or cards
        if len(cards) > 1:  # of namesakes, the one without a title
            cards = [card for card in cards if heading_key(str(card)) == heading_key(name)] or cards
        if not cards:
            keys = get_close_matches(heading_key(name), self.by_name, 3, 0.7)
            near = " or ".join(dict.fromkeys(str(self.by_name[key][0]) for key in keys))
            raise ValueError(f"no card is called “{name}”.{f' Did you mean {near}?' if near else ''}")
        if len(cards) > 1:
            each = "; ".join(f"{card} ({card.slug})" for card in cards)
            raise ValueError(f"{len(cards)} cards are called “{name}”: {each}. Add a column with the key.")
        return cards[0]

    def new(self, cells: dict[str, str]) -> Card:
        """Return a card that is not there yet. Refuses one with missing columns: most likely its slug is misspelled."""
        try:
            slug(cells["slug"])
        except ValueError:
            raise ValueError(f"“{cells['slug']}” is no key: small letters, digits and single hyphens.") from None
        wanted = {name for name in self.readers if name in field_names(self.model)}
        if missing := sorted(wanted - cells.keys()):
            raise ValueError(
                f"there is no card with the key “{cells['slug']}”. Correct it, or, for a new card, add the columns "
                f"{', '.join(missing)}."
            )
        return self.model(slug=cells["slug"])


def _change(table: CardTable, row: Row, card: Card, readers: Mapping[str, Reader]) -> None:
    """Set the values of a row on a card, and note what changes. Faults name their column."""
    labels = table.columns.table_fields.labels
    cells = dict.fromkeys(readers, "") | table.columns.cells_of(row)
    new, changes = card._state.adding, []
    for column in (name for name in labels if name in readers):
        before = cell_of(getattr(card, column)) if not new else ""
        try:
            read = readers[column](_plain(cells[column], readers[column]))
        except ValueError as error:
            said = str(error).replace("'", "") if cells[column] else "the cell is empty"
            table.faults.append(f"Row {row.number}, {labels[column]}: {said}.")
            continue
        setattr(card, column, list(read) if isinstance(read, tuple) else read)
        if (after := cell_of(getattr(card, column))) != before and not new:
            changes.append(Change(str(card), str(labels[column]), before, after))
    if new or changes:
        table.faults += _invalid(row, card, labels)
        table.cards.append(card)
        table.changes += changes or [Change(str(card))]


def _plain(cell: str, reader: Any) -> str:
    """Return a cell as the readers take it: 90.00 and 90 pts as 90, WAHR as true, Special Forces as special-forces."""
    if reader in (number_cell, optional_number_cell):
        return _AROUND_NUMBER.sub("", cell)
    word = heading_key(cell)
    if reader is flag_cell and word in YES | NO:
        return "true" if word in YES else "false"
    for each in (cell, "-".join(cell.lower().split())):
        with suppress(ValueError):
            reader(each)
            return each
    return cell


def _invalid(row: Row, card: Card, labels: Any) -> Iterator[str]:
    try:
        card.clean_fields(exclude=["slug"])
        card.clean()
    except ValidationError as error:
        for column, texts in error.message_dict.items():
            yield f"Row {row.number}, {labels.get(column, column)}: {' '.join(texts)}"


class CardTablesMixin:
    """The buttons that upload and download the cards of `kind` as a table."""

    kind = ""
    change_list_template = "admin/catalogue/change_list.html"

    def get_urls(self) -> list[Any]:
        """Return the addresses of the admin, with those of tables."""
        views = {"import": self.import_table, "export": require_safe(self.export_table)}
        return [
            *(
                path(f"{name}/", self.admin_site.admin_view(view), name=f"catalogue_{self.opts.model_name}_{name}")
                for name, view in views.items()
            ),
            *super().get_urls(),
        ]

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may add and change cards of this kind."""
        return bool(self.has_add_permission(request) and self.has_change_permission(request))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list with the buttons that the user may press."""
        context = {"has_import_permission": self.has_import_permission(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def export_table(self, request: HttpRequest) -> HttpResponse:
        """Download the cards of the list, all of them if the filters of the address are unknown."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            cards = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return redirect(request.path)
        names = tuple(fields_of(self.kind).labels)
        rows = ([getattr(card, name) for name in names] for card in cards)
        text = csv_of([names, *(map(spreadsheet_cell, row) for row in rows)])
        headers = {"Content-Disposition": f'attachment; filename="{CSV_FILES[self.kind][0]}"'}
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)

    def import_table(self, request: HttpRequest) -> HttpResponse:
        """Show what a table changes and what is wrong with it; then import all of it or nothing."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        form = TableForm(posted(request), request.FILES or None)
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Import cards", "form": form}
        if form.is_valid():
            saves = bool(pressed_button(request.POST, "import"))
            try:
                table = self._read(request, form, saves=saves)
                if table.report and saves and not table.columns.has_changed_table:
                    return self._say_imported(request, table)
                context["table"] = table
            except RuleViolation as refusal:
                context["refusals"] = refusal.violations
        context["labels"] = fields_of(self.kind).labels.values()
        refused = request.method == "POST" and not (context.get("table") and context["table"].report)
        return TemplateResponse(request, "admin/catalogue/import.html", context, status=422 if refused else 200)

    def _read(self, request: HttpRequest, form: TableForm, *, saves: bool) -> CardTable:
        """Return what a table does; with `saves`, do it."""
        columns = form.columns(fields_of(self.kind), remembered_columns(request.session, self.kind))
        if not columns.is_valid():
            return CardTable(columns, faults=list(columns.non_field_errors()))
        actor = request.user.get_username()
        with transaction.atomic():
            CatalogueState.objects.select_for_update().first()  # cards stay as they are from here on
            table = read_cards(self.kind, columns)
            if table.faults:
                return table
            try:
                with transaction.atomic():
                    table.report = upload_cards(actor=actor, kind=self.kind, cards=table.cards)
            except IntegrityError as error:
                broken = str(getattr(error.__cause__, "diag", None) and error.__cause__.diag.constraint_name)
                said = (text for end, text in CONSTRAINTS.items() if broken.endswith(end))
                table.faults.append(next(said, "These values do not fit together."))
            if not saves or columns.has_changed_table:
                transaction.set_rollback(True)
        return table

    def _say_imported(self, request: HttpRequest, table: CardTable) -> HttpResponse:
        """Say how many cards were changed, and how many Registers are over their Combat Potential now."""
        table.columns.remember(request.session, self.kind)
        cards, over = table.report
        changed = f"Cards changed: {len(cards.changed)}, added: {len(cards.added)}."
        messages.success(request, f"{changed} Registers now over their Combat Potential: {len(over)}.")
        return redirect(reverse(f"admin:catalogue_{self.opts.model_name}_changelist"))
