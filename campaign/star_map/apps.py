from django.apps import AppConfig


class StarMapConfig(AppConfig):
    name = "campaign.star_map"
