from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "campaign.archive"

    def ready(self) -> None:
        """Let nightly files follow when two accounts are merged."""
        from accounts.services.closing import before_merging

        from .models import NightlyFile

        before_merging(lambda gone, into: NightlyFile.objects.filter(set_by=gone).update(set_by=into))
