from django.apps import AppConfig


class AchievementsConfig(AppConfig):
    name = "campaign.achievements"
