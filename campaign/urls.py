"""The addresses of the campaign; its home page stands in `config.urls`, under the name that all rooms know."""

from django.urls import URLPattern, path

from .views import (
    battles,
    campaigns,
    from_list,
    imports,
    invitations,
    lists,
    people,
    reports,
    sequence,
    terms,
    webhook,
)

app_name = "campaign"
urlpatterns: list[URLPattern] = [
    path("campaigns/new/", campaigns.new, name="new"),
    path("campaigns/<uuid:pk>/", campaigns.detail, name="detail"),
    path("campaigns/<uuid:pk>/terms/", terms.terms, name="terms"),
    path("campaigns/<uuid:pk>/people/", people.people, name="people"),
    path("campaigns/<uuid:pk>/people/add/", people.add_member, name="add_member"),
    path("campaigns/<uuid:pk>/people/leave/", people.leave, name="leave"),
    path("campaigns/<uuid:pk>/people/<int:user>/", people.person, name="person"),
    path("campaigns/<uuid:pk>/invitations/", invitations.invite, name="invite"),
    path("campaigns/<uuid:pk>/invitations/<uuid:invitation>/", invitations.invitation, name="invitation"),
    path("campaigns/<uuid:pk>/invitations/<uuid:invitation>/revoke/", invitations.revoke, name="revoke"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("campaigns/<uuid:pk>/registers/", campaigns.found_register, name="found_register"),
    path("campaigns/<uuid:pk>/registers/import/", imports.import_register, name="import_register"),
    path("campaigns/<uuid:pk>/registers/<uuid:register>/", campaigns.enlist, name="enlist"),
    path("campaigns/<uuid:pk>/webhook/", webhook.webhook, name="webhook"),
    path("campaigns/<uuid:pk>/webhook/test/", webhook.send_trial, name="webhook_test"),
    path("campaigns/<uuid:pk>/webhook/remove/", webhook.remove, name="webhook_remove"),
    path("campaigns/<uuid:pk>/battles/new/", battles.plan, name="plan"),
    path("battles/<uuid:pk>/", battles.detail, name="battle"),
    path("battles/<uuid:pk>/poll/", battles.poll, name="poll"),
    path("battles/<uuid:pk>/call-off/", battles.call_off, name="call_off"),
    path("battles/<uuid:pk>/report/", reports.report, name="report"),
    path("battles/<uuid:pk>/confirm/", reports.confirm, name="confirm"),
    path("battles/<uuid:pk>/sequence/", sequence.own_sequence, name="sequence"),
    path("battles/<uuid:pk>/sequence/<str:colour>/", sequence.sequence_page, name="sequence_side"),
    path("battles/<uuid:pk>/sequence/<str:colour>/poll/", sequence.poll, name="sequence_poll"),
    path("battles/<uuid:pk>/sequence/<str:colour>/take-back/", sequence.take_back, name="sequence_take_back"),
    path("sides/<int:pk>/list/", lists.as_list, name="side_list"),
    path("sides/<int:pk>/list/<slug:which>/", lists.as_file, name="side_list_file"),
    path("sides/<int:pk>/muster/list/", from_list.muster_from_list, name="muster_from_list"),
    path("sides/<int:pk>/muster/", battles.muster, name="muster"),
]
