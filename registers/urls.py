"""The pages of Registers."""

from django.urls import path

from .views import (
    correcting,
    dossier,
    editing,
    founding,
    imports,
    ledger,
    lists,
    notices,
    paper,
    past,
    pictures,
    register,
    supply,
)

app_name = "registers"
urlpatterns = [
    path("new/", founding.found, name="found"),
    path("import/", imports.import_register, name="import"),
    path("forms/", paper.blank, name="blank"),
    path("notices/dismiss/", notices.dismiss, name="dismiss_notices"),
    path("<uuid:pk>/", register.detail, name="detail"),
    path("<uuid:pk>/print/", paper.printed, name="print"),
    path("<uuid:pk>/founding/", founding.founding_page, name="founding"),
    path("<uuid:pk>/edit/", editing.edit, name="edit"),
    path("<uuid:pk>/correct/", correcting.correct, name="correct"),
    path("<uuid:pk>/correct/<int:position>/take-back/", correcting.take_back, name="take_back"),
    path("<uuid:pk>/ledger/", ledger.ledger, name="ledger"),
    path("<uuid:pk>/past/", past.on_day, name="on_day"),
    path("<uuid:pk>/difference/", past.difference, name="difference"),
    path("<uuid:pk>/supply/", supply.supply, name="supply"),
    path("<uuid:pk>/list/", lists.as_list, name="list"),
    path("<uuid:pk>/list/<slug:which>/", lists.as_file, name="list_file"),
    path("<uuid:pk>/dossiers/<int:key>/", dossier.dossier, name="dossier"),
    path("<uuid:pk>/dossiers/<int:key>/picture/", pictures.dossier_picture, name="dossier_picture"),
    path("<uuid:pk>/pictures/<uuid:picture>/<slug:size>/", pictures.picture, name="picture"),
]
