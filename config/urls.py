"""Every address of the site, by app. The campaign's home page is the root."""

from django.contrib import admin
from django.urls import include, path

from campaign.views.home import home, rules, rules_sheet

urlpatterns = [
    path("", home, name="home"),
    path("rules/", rules, name="rules"),
    path("rules/print/", rules_sheet, name="rules_sheet"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("registers/", include("registers.urls")),
    path("", include("looks.urls")),
    path("", include("campaign.urls")),
]

handler400 = "config.error_pages.bad_request"
handler500 = "config.unreachable.server_error"
