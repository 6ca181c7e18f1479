"""URLs of judge calls, warnings and terrain."""

from django.urls import URLPattern, path

from tournaments.views import judging, terrain

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/judges/", judging.judges, name="judges"),
    path("events/<uuid:pk>/judges/call/", judging.call_judge, name="call_judge"),
    path("events/<uuid:pk>/judges/<int:call>/", judging.call, name="call"),
    path("events/<uuid:pk>/players/<int:number>/warn/", judging.warn, name="warn"),
    path("events/<uuid:pk>/terrain/", terrain.terrain, name="terrain"),
    path("events/<uuid:pk>/terrain/<int:table>/", terrain.terrain_table, name="terrain_table"),
    path("events/<uuid:pk>/terrain/print/", terrain.print_terrain, name="print_terrain"),
]
