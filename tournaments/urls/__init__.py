"""URLs of events, by area. On screen the app is called Events."""

from django.urls import URLPattern

from tournaments.urls import army_lists, console, display, judging, player, records, registration

app_name = "tournaments"
urlpatterns: list[URLPattern] = [
    *registration.urlpatterns,
    *army_lists.urlpatterns,
    *console.urlpatterns,
    *player.urlpatterns,
    *judging.urlpatterns,
    *display.urlpatterns,
    *records.urlpatterns,
]
