from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "campaign.battles"

    def ready(self) -> None:
        """Register the hooks for Discord messages, the names of battles and the corrections that battles forbid."""
        from campaign.battles.receivers import hindrances, reset_open_questions
        from campaign.models import Notification
        from notifications.services.delivery import Channel, register_channel
        from registers.battle_names import name_battles
        from registers.services.corrections import add_correction_check, add_correction_listener

        from .queries.battles import battle_names
        from .queries.discord_message import text_of_notification
        from .services.notifications import webhook_of

        register_channel(Notification, Channel(webhook_of, text_of_notification))
        name_battles(battle_names)
        add_correction_check(hindrances)
        add_correction_listener(reset_open_questions)
