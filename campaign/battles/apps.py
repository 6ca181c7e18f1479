from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "campaign.battles"

    def ready(self) -> None:
        """Register the hooks that give Registers the names of battles and the corrections that battles forbid."""
        from campaign.battles.receivers import hindrances, reset_open_questions
        from registers.battle_names import name_battles
        from registers.services.corrections import register_check, register_listener

        from .queries.battles import battle_names

        name_battles(battle_names)
        register_check(hindrances)
        register_listener(reset_open_questions)
