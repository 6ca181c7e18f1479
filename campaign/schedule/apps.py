from django.apps import AppConfig


class ScheduleConfig(AppConfig):
    name = "campaign.schedule"

    def ready(self) -> None:
        """Register the size that a phase suggests for a battle, and what happens to people's availability."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from campaign.battles.default_size import suggest_sizes_with

        from .queries import availability_of_person, suggested_size
        from .services.availability import forget, move_to

        suggest_sizes_with(suggested_size)
        also_in_download("availability", availability_of_person)
        before_deletion(forget)
        before_merging(move_to)
