"""Where the house differs from what allauth does by itself."""

from collections.abc import Iterable
from math import inf
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import MultipleObjectsReturned
from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from config.together import Changes

from .models import User
from .qr import qr_svg

log = structlog.get_logger(__name__)

NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


class AccountAdapter(DefaultAccountAdapter):
    """Accounts, and the mail about them."""

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Keep a new account. It has no second factor, so nobody asks for one."""
        user.factors = frozenset()
        return super().save_user(request, user, form, commit=commit)

    def get_login_stages(self) -> list[str]:
        """The stages of signing in, one of them ours."""
        ours = {"allauth.account.stages.EmailVerificationStage": "accounts.stages.EmailVerificationStage"}
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """An address counts from now on. The one before goes first (allauth would ask for it four times), and is told.

        Whoever closes the account meanwhile waits, or is waited for.
        """
        with transaction.atomic():
            user = User.objects.select_for_update(no_key=True).get(pk=email_address.user_id)
            email_address.user = user
            others = EmailAddress.objects.filter(user=user).exclude(pk=email_address.pk)
            if old := others.first():
                together = Changes()
                together.remove(EmailConfirmation.objects.filter(email_address__in=others))
                together.remove(others)
                together.write()
            if not super().confirm_email(
                request, email_address
            ):  # somebody else has it by now: all is as it was
                transaction.set_rollback(True)
                return False
        if old:
            both = {"from_email": old.email, "to_email": email_address.email}
            self.send_notification_mail("account/email/email_changed", user, context=both, email=old.email)
        return True

    def is_safe_url(self, url: str) -> bool:
        """Whether an address leads to this site; what is none (`http://[`) leads nowhere."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it; say so where no server is, or when it refuses. What somebody was doing is not lost for that."""
        if settings.EMAIL_BACKEND == NO_MAIL:
            messages.error(
                self.request,
                _("This site sends no mail. Whoever looks after it can give you a new password."),
            )
            return
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:
            log.exception("mail could not be sent", template=template_prefix)
            messages.error(self.request, _("The mail could not be sent. Try it again later."))


class MFAAdapter(DefaultMFAAdapter):
    """The second factor."""

    def is_mfa_enabled(
        self, user: AbstractBaseUser | AnonymousUser, types: Iterable[str] | None = None
    ) -> bool:
        """As allauth's, which asks anew for each kind; its pages ask for up to seven."""
        if not isinstance(user, User):
            return False
        if not hasattr(user, "factors"):
            user.factors = frozenset(
                Authenticator.objects.filter(user_id=user.pk).values_list("type", flat=True)
            )
        return bool(user.factors if types is None else user.factors.intersection(types))

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """Return the name that the authenticator app shows: the one to sign in with."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as an element: the content security policy allows no data: images."""
        return qr_svg(url)


class NoKeysError(SocialApp.DoesNotExist, Http404):
    """Discord is not set up: allauth knows how to do without it, and where it does not the page is not there."""


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Signing in by Discord."""

    def list_apps(
        self, request: HttpRequest | None, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """As allauth's; a request asks once."""
        if request is None:  # a command
            return super().list_apps(request, provider, client_id)
        known: dict[tuple[str | None, str | None], list[SocialApp]]
        known = request.__dict__.setdefault("social_apps", {})
        if (provider, client_id) not in known:
            known[provider, client_id] = super().list_apps(request, provider, client_id)
        return known[provider, client_id]

    def get_app(self, request: HttpRequest, provider: str, client_id: str | None = None) -> SocialApp:
        """Return the keys of a provider: of several those of the settings, else the last that the admin was given.
        Raises NoKeysError when it has none."""
        try:
            return super().get_app(request, provider, client_id)
        except MultipleObjectsReturned:
            several = self.list_apps(request, provider, client_id)
            return max(several, key=lambda keys: keys.pk or inf)  # those of the settings are no row
        except SocialApp.DoesNotExist as absent:
            raise NoKeysError(provider) from absent
