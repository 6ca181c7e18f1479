from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Count tries in one place, and send whoever wants into the admin through our own sign-in, with its limits and
        its second factor."""
        from allauth.account.decorators import secure_admin_login
        from django.contrib import admin
        from django.contrib.auth.signals import user_logged_in

        from . import limits
        from .staying import signs_in

        limits.counted_here()
        # In the place of Django's receiver, which writes a statement of its own, whichever of the two comes first.
        user_logged_in.disconnect(dispatch_uid="update_last_login")
        user_logged_in.connect(signs_in, dispatch_uid="update_last_login")
        admin.site.login = secure_admin_login(admin.site.login)
