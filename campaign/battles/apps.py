from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "campaign.battles"

    def ready(self) -> None:
        """Let corrections of Registers reach the sequences that are running."""
        from campaign.battles.services.corrections import reset_open_questions
        from registers.campaign_side import registers_corrected

        registers_corrected.connect(reset_open_questions, dispatch_uid="battles.open_questions")
