from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = gettext_lazy("Events")

    def ready(self) -> None:
        """Register the hooks with which accounts learn about events."""
        from accounts.services.closing import before_deletion, before_merging
        from members.services.invitations import join_after_login_with

        from .models import Invitation
        from .services.leaders import join
        from .services.people import leave_all, move_everything

        before_deletion(leave_all)
        before_merging(move_everything)
        join_after_login_with(Invitation, join)
