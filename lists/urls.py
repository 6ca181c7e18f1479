"""URLs of army lists: the builder of armies by the core rules."""

from django.urls import path

from lists.views import builder, files

app_name = "lists"
urlpatterns = [
    path("army-lists/", builder.lists, name="lists"),
    path("army-lists/new/", builder.new, name="new"),
    path("army-lists/read/", files.read_list, name="read_list"),
    path("army-lists/import/", files.import_list, name="import_list"),
    path("army-lists/<uuid:pk>/", builder.army, name="army"),
    path("army-lists/<uuid:pk>/units/<int:place>/", builder.unit, name="unit"),
    path("army-lists/<uuid:pk>/delete/", builder.delete, name="delete"),
    path("army-lists/<uuid:pk>/export/", files.export, name="export"),
    path("army-lists/<uuid:pk>/export/<slug:which>/", files.export_file, name="export_file"),
    path("army-lists/<uuid:pk>/print/", files.print_list, name="print_list"),
]
