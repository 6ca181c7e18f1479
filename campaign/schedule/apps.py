from django.apps import AppConfig


class ScheduleConfig(AppConfig):
    name = "campaign.schedule"

    def ready(self) -> None:
        """Register the size that a phase suggests for a battle, and what happens to people's availability."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from campaign.battles.signals import size_suggested

        from .queries import availability_of_person, phase_with_size
        from .services.availability import forget, move_to

        size_suggested.connect(phase_with_size, dispatch_uid="schedule.size")
        also_in_download("availability", availability_of_person)
        before_deletion(forget)
        before_merging(move_to)
