from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "lists"

    def ready(self) -> None:
        """Include army lists in a person's data export, and handle them when an account is deleted or merged."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from lists.services.army_lists import army_lists_of, delete_lists_of, give_lists

        also_in_download("army lists", army_lists_of)
        before_deletion(delete_lists_of)
        before_merging(give_lists)
