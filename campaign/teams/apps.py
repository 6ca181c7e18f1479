from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "campaign.teams"
