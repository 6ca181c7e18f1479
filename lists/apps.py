from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "lists"

    def ready(self) -> None:
        """Include army lists in a person's data export, and handle them when an account is deleted or merged."""
        from accounts.hooks import REGISTERED, Hooks
        from lists.services.army_lists import army_lists_of, delete_lists_of, give_lists

        REGISTERED.append(Hooks("army lists", download=army_lists_of, deletion=delete_lists_of, merging=give_lists))
