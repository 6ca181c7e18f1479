"""The pages of Registers."""

from django.urls import path

from .views import correcting, editing, founding, imports, ledger, paper, register

app_name = "registers"
urlpatterns = [
    path("new/", founding.found, name="found"),
    path("import/", imports.import_register, name="import"),
    path("forms/", paper.blank, name="blank"),
    path("notices/dismiss/", correcting.dismiss, name="dismiss_notices"),
    path("<uuid:pk>/", register.detail, name="detail"),
    path("<uuid:pk>/print/", paper.printed, name="print"),
    path("<uuid:pk>/founding/", founding.founding_page, name="founding"),
    path("<uuid:pk>/edit/", editing.edit, name="edit"),
    path("<uuid:pk>/correct/", correcting.correct, name="correct"),
    path("<uuid:pk>/correct/<int:position>/take-back/", correcting.take_back, name="take_back"),
    path("<uuid:pk>/ledger/", ledger.ledger, name="ledger"),
    path("<uuid:pk>/past/", ledger.on_day, name="on_day"),
    path("<uuid:pk>/difference/", ledger.difference, name="difference"),
    path("<uuid:pk>/supply/", register.supply, name="supply"),
    path("<uuid:pk>/list/", ledger.as_list, name="list"),
    path("<uuid:pk>/list/<slug:which>/", ledger.as_file, name="list_file"),
    path("<uuid:pk>/dossiers/<int:key>/", register.dossier, name="dossier"),
    path("<uuid:pk>/dossiers/<int:key>/picture/", register.dossier_picture, name="dossier_picture"),
    path("<uuid:pk>/pictures/<uuid:picture>/<slug:size>/", register.picture, name="picture"),
]
