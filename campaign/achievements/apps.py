from django.apps import AppConfig


class AchievementsConfig(AppConfig):
    name = "campaign.achievements"

    def ready(self) -> None:
        """Register the hook with which the page of a Register learns about achievements."""
        from campaign.achievements.queries import achievements_of_register
        from registers.register_links import set_achievements

        set_achievements(achievements_of_register)
