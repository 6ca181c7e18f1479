from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Send whoever wants into the admin through our own sign-in, with its limits and its second factor."""
        from allauth.account.decorators import secure_admin_login
        from django.contrib import admin

        admin.site.login = secure_admin_login(admin.site.login)
