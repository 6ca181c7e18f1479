from django.apps import AppConfig


class DiscussionConfig(AppConfig):
    name = "campaign.discussion"

    def ready(self) -> None:
        """Register what a person downloads, and what moves when two accounts are merged."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_merging, in_merge_preview

        from .personal_data import merge_lines, move_texts, texts_of

        also_in_download("discussion", texts_of)
        before_merging(move_texts)
        in_merge_preview(merge_lines)
