from django.apps import AppConfig


class ChronicleConfig(AppConfig):
    name = "campaign.chronicle"
