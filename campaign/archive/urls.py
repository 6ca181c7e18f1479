"""URLs of exporting and importing a campaign."""

from django.urls import URLPattern, path

from campaign.archive import views

app_name = "archive"
urlpatterns: list[URLPattern] = [
    path("campaigns/new/template/", views.new_from_template, name="template"),
    path("campaigns/import/", views.import_campaign, name="import"),
    path("campaigns/import/<uuid:file>/", views.review, name="review"),
    path("campaigns/<uuid:pk>/file/", views.export, name="export"),
    path("campaigns/<uuid:pk>/file/download/", views.download, name="download"),
    path("campaigns/<uuid:pk>/file/<slug:day>/", views.nightly_file, name="nightly_file"),
]
