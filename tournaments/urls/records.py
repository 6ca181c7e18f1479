"""URLs of players' pages, statistics, export, import, feed and leagues."""

from django.urls import URLPattern, path

from tournaments.views import display, exchange, leagues, results, standings

urlpatterns: list[URLPattern] = [
    path("events/history/", results.history, name="history"),
    path("events/import/", exchange.import_event, name="import_event"),
    path("events/import/<uuid:file>/", exchange.review_import, name="review_import"),
    path("events/schema.json", exchange.exchange_schema, name="exchange_schema"),
    path("events/check_event.py", exchange.check_event, name="check_event"),
    path("events/<uuid:pk>/export.json", exchange.export, name="export"),
    path("events/<uuid:pk>/export/<str:table>.csv", exchange.export_csv, name="export_csv"),
    path("events/<uuid:pk>/feed/", display.feed, name="feed"),
    path("events/<uuid:pk>/statistics/", standings.statistics, name="statistics"),
    path("events/<uuid:pk>/players/<int:number>/", results.record, name="record"),
    path("events/<uuid:pk>/players/<int:number>/card.svg", display.share_card, name="share_card"),
    path("events/<uuid:pk>/players/<int:number>/card.png", display.share_picture, name="share_picture"),
    path("events/<uuid:pk>/players/<int:number>/forget/", results.forget, name="forget"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", leagues.new_league, name="new_league"),
    path("leagues/<uuid:league>/", leagues.league, name="league"),
    path("leagues/<uuid:league>/edit/", leagues.edit_league, name="edit_league"),
    path("leagues/<uuid:league>/attach/", leagues.attach, name="attach_event"),
    path("leagues/<uuid:league>/detach/", leagues.detach, name="detach_event"),
]
