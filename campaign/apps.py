from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Let members see the Registers of their campaign."""
        from .access import contribute

        contribute()
