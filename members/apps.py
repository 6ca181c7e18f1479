from django.apps import AppConfig


class MembersConfig(AppConfig):
    name = "members"

    def ready(self) -> None:
        """Let people join by the invitation they followed as soon as they have signed in."""
        from django.contrib.auth.signals import user_logged_in

        from .invitation_session import join_after_login

        user_logged_in.connect(join_after_login, dispatch_uid="members.invitation_session")
