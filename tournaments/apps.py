from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = gettext_lazy("Events")

    def ready(self) -> None:
        """Include events in a person's data export, and handle them when an account is deleted or merged."""
        from accounts.hooks import REGISTERED, Hooks
        from members.services.invitations import join_after_login_with

        from .data_export import events_of
        from .models import Invitation
        from .services.accounts import leave_all, move_everything, what_moves
        from .services.leaders import join

        REGISTERED.append(
            Hooks("events", download=events_of, deletion=leave_all, merging=move_everything, preview=what_moves)
        )
        join_after_login_with(Invitation, join)
