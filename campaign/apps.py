from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Tell the room of the Registers, which knows no campaigns, who else may see its pages, and of battles."""
        from registers.access import also_editable, also_visible
        from registers.battles import name_battles

        from .access import members_see, organisers_edit
        from .queries import battle_names

        also_visible(members_see)
        also_editable(organisers_edit)
        name_battles(battle_names)
