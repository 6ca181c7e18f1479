"""URLs of events, registration, entries, leaders and invitations."""

from django.urls import URLPattern, path

from tournaments.views import entries, events, leaders

urlpatterns: list[URLPattern] = [
    path("events/", events.events, name="events"),
    path("events/new/", events.new, name="new"),
    path("events/join/<str:token>/", leaders.join, name="join"),
    path("events/<uuid:pk>/", events.detail, name="detail"),
    path("events/<uuid:pk>/settings/", events.settings, name="settings"),
    path("events/<uuid:pk>/state/", events.state, name="state"),
    path("events/<uuid:pk>/register/", entries.register, name="register"),
    path("events/<uuid:pk>/withdraw/", entries.withdraw, name="withdraw"),
    path("events/<uuid:pk>/players/manage/", entries.entries, name="entries"),
    path("events/<uuid:pk>/players/add/", entries.add_entries, name="add_entries"),
    path("events/<uuid:pk>/players/import/", entries.import_players, name="import_players"),
    path("events/<uuid:pk>/players/links/", entries.personal_links, name="personal_links"),
    path("events/<uuid:pk>/players/<int:number>/manage/", entries.entry, name="entry"),
    path("events/<uuid:pk>/players/<int:number>/claim/", entries.claim, name="claim"),
    path("events/<uuid:pk>/leaders/", leaders.leaders, name="leaders"),
    path("events/<uuid:pk>/leaders/add/", leaders.add_leader, name="add_leader"),
    path("events/<uuid:pk>/leaders/leave/", leaders.leave, name="leave"),
    path("events/<uuid:pk>/leaders/<int:user>/", leaders.leader, name="leader"),
    path("events/<uuid:pk>/invitations/", leaders.invite, name="invite"),
    path("events/<uuid:pk>/invitations/<uuid:invitation>/", leaders.invitation, name="invitation"),
    path("events/<uuid:pk>/invitations/<uuid:invitation>/revoke/", leaders.revoke, name="revoke"),
]
