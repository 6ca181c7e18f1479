from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "campaign.battles"

    def ready(self) -> None:
        """Register the hooks that give Registers the names of battles and the corrections that battles forbid."""
        from campaign.battles.receivers import hindrances, reset_open_questions
        from registers.battle_names import name_battles
        from registers.services.corrections import add_correction_check, add_correction_listener

        from .queries.battles import battle_names

        name_battles(battle_names)
        add_correction_check(hindrances)
        add_correction_listener(reset_open_questions)
