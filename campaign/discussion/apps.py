from django.apps import AppConfig


class DiscussionConfig(AppConfig):
    name = "campaign.discussion"

    def ready(self) -> None:
        """Register what a person downloads, and what moves when two accounts are merged."""
        from accounts.hooks import REGISTERED, Hooks

        from .personal_data import merge_lines, move_texts, texts_of

        REGISTERED.append(Hooks("discussion", download=texts_of, merging=move_texts, preview=merge_lines))
