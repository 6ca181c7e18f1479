from django.apps import AppConfig


class ScheduleConfig(AppConfig):
    name = "campaign.schedule"

    def ready(self) -> None:
        """Register the size that a phase suggests for a battle, and what happens to people's availability."""
        from accounts.hooks import REGISTERED, Hooks
        from campaign.battles.signals import size_suggested

        from .queries import availability_of_person, phase_with_size
        from .services.availability import forget, move_to

        size_suggested.connect(phase_with_size, dispatch_uid="schedule.size")
        REGISTERED.append(Hooks("availability", download=availability_of_person, deletion=forget, merging=move_to))
