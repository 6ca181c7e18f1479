"""URLs of campaigns, their people, invitations, Registers and rules."""

from django.urls import URLPattern, path

from campaign.enlistments import views as registers
from campaign.people import views as people
from campaign.views import campaigns, invitations, lifecycle, webhook

app_name = "campaign"
urlpatterns: list[URLPattern] = [
    path("campaigns/new/", campaigns.new, name="new"),
    path("campaigns/<uuid:pk>/", campaigns.detail, name="detail"),
    path("campaigns/<uuid:pk>/edit/", campaigns.edit, name="edit"),
    path("campaigns/<uuid:pk>/end/", lifecycle.end, name="end"),
    path("campaigns/<uuid:pk>/lifecycle/", lifecycle.lifecycle, name="lifecycle"),
    path("campaigns/<uuid:pk>/delete/", lifecycle.delete, name="delete"),
    path("campaigns/<uuid:pk>/rules/", campaigns.campaign_rules, name="campaign_rules"),
    path("campaigns/<uuid:pk>/people/", people.people, name="people"),
    path("campaigns/<uuid:pk>/people/add/", people.add_member, name="add_member"),
    path("campaigns/<uuid:pk>/people/without-account/", people.add_placeholder, name="add_placeholder"),
    path("campaigns/<uuid:pk>/people/import/", people.import_players, name="import_players"),
    path("campaigns/<uuid:pk>/people/leave/", people.leave, name="leave"),
    path("campaigns/<uuid:pk>/people/<int:user>/", people.person, name="person"),
    path("campaigns/<uuid:pk>/people/<int:user>/registers/", people.new_register, name="new_register_for"),
    path("campaigns/<uuid:pk>/invitations/", invitations.invite, name="invite"),
    path("campaigns/<uuid:pk>/invitations/<uuid:invitation>/", invitations.invitation, name="invitation"),
    path("campaigns/<uuid:pk>/invitations/<uuid:invitation>/revoke/", invitations.revoke, name="revoke"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("campaigns/<uuid:pk>/registers/", campaigns.new_register, name="new_register"),
    path("campaigns/<uuid:pk>/registers/import/", registers.import_register, name="import_register"),
    path("campaigns/<uuid:pk>/registers/<uuid:register>/", campaigns.enlist, name="add_register"),
    path("campaigns/<uuid:pk>/registers/<uuid:register>/consent/", registers.consent, name="consent"),
    path("campaigns/<uuid:pk>/registers/<uuid:register>/give/", registers.give, name="transfer_register"),
    path("campaigns/<uuid:pk>/registers/<uuid:register>/status/", registers.register_status, name="register_status"),
    path("campaigns/<uuid:pk>/award/", registers.award, name="award"),
    path("campaigns/<uuid:pk>/webhook/", webhook.webhook, name="webhook"),
    path("campaigns/<uuid:pk>/webhook/test/", webhook.send_test, name="webhook_test"),
    path("campaigns/<uuid:pk>/webhook/remove/", webhook.remove, name="webhook_remove"),
    path("campaigns/<uuid:pk>/data-check/", campaigns.data_check, name="data_check"),
    path("campaigns/<uuid:pk>/standings/", campaigns.over_time, name="standings"),
    path("campaigns/<uuid:pk>/dice/", campaigns.dice_statistics, name="dice_statistics"),
    path("campaigns/<uuid:pk>/battles/", campaigns.battles, name="battles"),
]
