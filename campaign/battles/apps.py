from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "campaign.battles"

    def ready(self) -> None:
        """Register what Registers need to know of battles: their names, and which corrections they forbid."""
        from registers.battles import name_battles
        from registers.services.corrections import also_ask, also_tell

        from .queries.battles import battle_names
        from .receivers import ask_anew, hindrances

        name_battles(battle_names)
        also_ask(hindrances)
        also_tell(ask_anew)
