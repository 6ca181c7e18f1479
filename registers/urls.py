"""The pages of Registers."""

from django.urls import path

from registers.views import building, corrections, editing, imports, ledger, print as printing, registers

app_name = "registers"
urlpatterns = [
    path("new/", building.new, name="new"),
    path("import/", imports.import_register, name="import"),
    path("forms/", printing.blank, name="blank"),
    path("notices/dismiss/", corrections.dismiss, name="dismiss_notices"),
    path("<uuid:pk>/", registers.detail, name="detail"),
    path("<uuid:pk>/print/", printing.printed, name="print"),
    path("<uuid:pk>/building/", building.building_page, name="building"),
    path("<uuid:pk>/delete/", building.delete, name="delete"),
    path("<uuid:pk>/edit/", editing.edit, name="edit"),
    path("<uuid:pk>/correct/", corrections.correct, name="correct"),
    path("<uuid:pk>/correct/<int:position>/undo/", corrections.undo, name="undo"),
    path("<uuid:pk>/ledger/", ledger.ledger, name="ledger"),
    path("<uuid:pk>/past/", ledger.on_day, name="on_day"),
    path("<uuid:pk>/difference/", ledger.difference, name="difference"),
    path("<uuid:pk>/supply/", registers.supply, name="supply"),
    path("<uuid:pk>/list/", ledger.as_list, name="list"),
    path("<uuid:pk>/list/<slug:which>/", ledger.as_file, name="list_file"),
    path("<uuid:pk>/dossiers/<int:key>/", registers.dossier, name="dossier"),
    path("<uuid:pk>/dossiers/<int:key>/painted/", editing.painted, name="painted"),
    path("<uuid:pk>/dossiers/<int:key>/print/", printing.showpiece_page, name="showpiece"),
    path("<uuid:pk>/dossiers/<int:key>/photo/", registers.dossier_picture, name="dossier_photo"),
    path("<uuid:pk>/photos/<uuid:picture>/<slug:size>/", registers.photo, name="photo"),
]
