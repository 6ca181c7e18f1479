from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "campaign.archive"

    def ready(self) -> None:
        """Let nightly files follow when two accounts are merged."""
        from accounts.hooks import REGISTERED, Hooks

        from .models import NightlyFile

        REGISTERED.append(
            Hooks("archive", merging=lambda gone, into: NightlyFile.objects.filter(set_by=gone).update(set_by=into))
        )
