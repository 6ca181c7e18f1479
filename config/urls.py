"""Every address of the site, by app. The campaign's home page is the root."""

from django.contrib import admin
from django.urls import include, path

from campaign.views.home import home
from campaign.views.rulings import rules

urlpatterns = [
    path("", home, name="home"),
    path("rules/", rules, name="rules"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("cards/", include("catalogue.urls")),
    path("registers/", include("registers.urls")),
    path("", include("campaign.urls")),
]

handler400 = "config.refused.bad_request"
