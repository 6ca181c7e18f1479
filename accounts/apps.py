from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Renew sessions at sign-in, and use our sign-in page for the admin.

        Our page has rate limits and a second factor.
        """
        from allauth.account.decorators import secure_admin_login
        from django.contrib import admin
        from django.contrib.auth.signals import user_logged_in

        from .sessions import renew

        user_logged_in.connect(renew, dispatch_uid="accounts.renew")
        admin.site.login = secure_admin_login(admin.site.login)
