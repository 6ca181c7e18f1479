"""Upload and download of cards as CSV in the admin, with django-import-export.

The columns are those of the files in fixtures/catalogue (`rules.catalogue.file_schemas`), and the same readers read
the cells. A file needs the column slug and those that change; cards that it lacks stay as they are. The library saves
one model instance at a time. Here it only collects them: `upload_cards` then writes all of them at once, as loading
the files does, so that the preview and the import run the same service and the preview can count Registers.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from import_export.admin import ImportExportMixin
from import_export.fields import Field
from import_export.formats.base_formats import CSV
from import_export.forms import ConfirmImportForm
from import_export.instance_loaders import CachedInstanceLoader
from import_export.resources import ModelResource
from import_export.results import Result
from import_export.tmp_storages import CacheStorage
from import_export.widgets import Widget
from unfold.contrib.import_export.forms import ExportForm, ImportForm

from rules.catalogue.csv_fields import Reader
from rules.catalogue.csv_fields import slug as read_slug
from rules.catalogue.file_schemas import CSV_FILES

from .models import MODELS, Card
from .rows import field_names
from .services.load import UploadReport, upload_cards


class UploadGone(Exception):
    """The file of a preview is no longer kept: it was imported, or it has expired."""


class UploadStorage(CacheStorage):
    """Keeps a file from its preview to its import, which may reach another machine."""

    def read(self) -> str:
        """Return the file. Raises UploadGone."""
        data: str | None = super().read()
        if data is None:
            raise UploadGone
        return data


class CellWidget(Widget):
    """A cell as the files of the catalogue write it."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Return the value of a cell. Raises ValueError with a sentence."""
        read = self.reader("" if value is None else str(value))
        return list(read) if isinstance(read, tuple) else read

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        """Return the cell for a value."""
        if isinstance(value, bool):
            return str(value).lower()
        return "|".join(value) if isinstance(value, list) else "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Change:
    """A changed column of a card, with its cells; the card is new if `before` is None."""

    card: str
    column: str = ""
    before: str | None = None
    after: str = ""


class CardResult(Result):
    """The result of an upload, with the changes and the report of the service."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: Sequence[Change] = ()
        self.report: UploadReport | None = None

    @property
    def faults(self) -> list[str]:
        """A sentence for everything that is wrong with the file."""
        found = [str(each.error) for each in self.base_errors]
        found += [f"Row {number}: {each.error}" for number, errors in self.row_errors() for each in errors]
        return found + [
            f"Row {row.number}, {column}: {text}"
            for row in self.invalid_rows
            for column, texts in row.error_dict.items()
            for text in texts
        ]


class CardResource(ModelResource):
    """The cards of one kind. `resource_for` makes a subclass for each."""

    kind = ""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.changed: list[Card] = []
        self.changes: list[Change] = []

    @classmethod
    def get_result_class(cls) -> type[CardResult]:
        """Return the class of the result."""
        return CardResult

    def before_import_row(self, row: Any, **kwargs: Any) -> None:
        """Refuse a slug that no card can have. Its column takes any text, because that is read to find the cards."""
        read_slug(row["slug"])

    def after_init_instance(self, instance: Card, new: bool, row: Any, **kwargs: Any) -> None:
        """Refuse a new card with missing columns: most likely its slug is misspelled."""
        if new and {field.column_name for field in self.get_import_fields()} - row.keys():
            raise ValueError(f"There is no card with the slug “{row['slug']}”. A new card needs all columns.")

    def skip_row(self, instance: Card, original: Card, row: Any, import_validation_errors: Any = None) -> bool:
        """Return whether nothing changes. Note the changes of other rows."""
        if super().skip_row(instance, original, row, import_validation_errors):
            return True
        new = instance._state.adding
        self.changes += [
            Change(str(instance), field.column_name, field.export(original), field.export(instance))
            for field in ([] if new else self.get_import_fields())
            if field.export(original) != field.export(instance)
        ] or [Change(str(instance))]
        return False

    def save_instance(self, instance: Card, is_create: bool, row: Any, **kwargs: Any) -> None:
        """Keep the card for `after_import`."""
        self.changed.append(instance)

    def after_import(self, dataset: Any, result: CardResult, **kwargs: Any) -> None:
        """Write all cards, unless a row was refused. The library rolls a preview back."""
        if not (result.has_errors() or result.has_validation_errors()):
            actor = kwargs["user"].get_username()
            result.changes = self.changes
            result.report = upload_cards(actor=actor, kind=self.kind, cards=self.changed)


def resource_for(kind: str) -> type[CardResource]:
    """Return the resource for cards of a kind (`MODELS`), with the columns of its file that the database has."""
    model, columns = MODELS[kind], CSV_FILES[kind][1].required
    names = [name for name in columns if name in field_names(model)]
    options = {
        "model": model,
        "fields": names,
        "import_id_fields": ["slug"],
        "instance_loader_class": CachedInstanceLoader,
        "clean_model_instances": True,
        "skip_unchanged": True,
        "report_skipped": False,
        "use_transactions": True,
    }
    readers = {**columns, "slug": str}
    fields = {name: Field(name, name, CellWidget(readers[name])) for name in names}
    return type(f"{model.__name__}Resource", (CardResource,), {
        "kind": kind, **fields, "Meta": type("Meta", (), options),
    })  # fmt: skip


class ConfirmCsvForm(ConfirmImportForm):
    """Confirms a preview. There is one format and one resource, so each has the number 0."""

    format = forms.ChoiceField(choices=[("0", "CSV")], widget=forms.HiddenInput)
    resource = forms.ChoiceField(choices=[("0", "")], required=False, widget=forms.HiddenInput)


class CsvUploadMixin(ImportExportMixin):
    """The buttons that upload and download the cards of `kind` as CSV."""

    kind = ""
    import_form_class = ImportForm
    confirm_form_class = ConfirmCsvForm
    export_form_class = ExportForm
    import_template_name = "admin/catalogue/import.html"
    export_template_name = "admin/catalogue/export.html"
    formats = [CSV]
    tmp_storage_class = UploadStorage

    def get_resource_classes(self, request: HttpRequest) -> list[type[CardResource]]:
        """Return the resource of the kind."""
        return [resource_for(self.kind)]

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may add and change cards of this kind."""
        return bool(self.has_add_permission(request) and self.has_change_permission(request))

    def has_export_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may see cards of this kind."""
        return bool(self.has_view_permission(request))

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Import the file of a preview; ask for it again if it is no longer kept, or if no preview sends this."""
        confirmed = request.method != "POST" or self.create_confirm_form(request).is_valid()
        with suppress(UploadGone):
            if confirmed:
                return super().process_import(request, **kwargs)
        messages.error(
            request, "This file was imported already or has expired. If changes are missing, upload it again."
        )
        return redirect("admin:{}_{}_import".format(*self.get_model_info()))

    def export_action(self, request: HttpRequest) -> HttpResponse:
        """Export the cards; without the filters of the address if these are unknown, as the list does."""
        try:
            return super().export_action(request)
        except IncorrectLookupParameters:
            return redirect(request.path)

    def add_success_message(self, result: CardResult, request: HttpRequest) -> None:
        """Say how many cards were changed, and how many Registers are over their Combat Potential now."""
        if result.report:
            cards, over = result.report
            changed = f"Cards changed: {len(cards.changed)}, added: {len(cards.added)}."
            messages.success(request, f"{changed} Registers now over their Combat Potential: {len(over)}.")
