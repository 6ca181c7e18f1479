"""Limits for actions that cost much or reveal something, counted by allauth for all workers together."""

from ipaddress import ip_address, ip_network
from math import inf
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import MultipleObjectsReturned
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from core.qr import qr_svg

from .models import User, is_taken
from .names import name_key, normalized


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page with status 429 if the limit for `action` is reached, else None.

    `settings.ACCOUNT_RATE_LIMITS` names the actions. `counts` says whether to count this call as a try. Following a
    link counts as much as sending a form.
    """
    return ratelimit.consume_or_429(request, action=action, dry_run=not counts, limit_get=True)


def check_limit(request: HttpRequest, action: str, *, counts: bool = True) -> None:
    """Answer with the page of `too_often`, and nothing else, if the limit for `action` is reached."""
    if limited := too_often(request, action, counts=counts):
        raise ImmediateHttpResponse(limited)


def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv6 the first 64 bits, since one person has all the rest."""
    try:
        return str(ip_network((address, 64), strict=False)) if ip_address(address).version == 6 else address
    except ValueError:
        return address


log = structlog.get_logger(__name__)

NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


#: What allauth says after it has sent a link.
SENT = "account/messages/email_confirmation_sent.txt"


def can_mail() -> bool:
    """Return whether this site can send mail."""
    return bool(settings.EMAIL_BACKEND != NO_MAIL)


class AccountAdapter(DefaultAccountAdapter):
    """Accounts and their mail."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored. Refuses one that counts as the same as another."""
        name: str = super().clean_username(normalized(username), shallow)
        if not shallow and is_taken(name):
            raise self.validation_error("username_taken")
        return name

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try by address and name together, and by name alone up to a far higher limit.

        allauth's own limit by name would let anybody lock a player out. A try that the first limit refuses does not
        count for the second, or one address could reach it alone.
        """
        name = _name_in(credentials)
        network = network_of(self.get_client_ip(request))
        super().pre_authenticate(request, username=f"{name} from {network}")
        if not ratelimit.consume(request, action="wrong_password", key=name):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the user with these credentials, if any. A correct password does not count as a guess."""
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            ratelimit.clear(request, action="wrong_password", key=_name_in(credentials))
        return user

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address. The lock makes this wait for a deletion of the account, which removes the address."""
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=email_address.user_id)
            there = EmailAddress.objects.filter(pk=email_address.pk).exists()
            return there and super().confirm_email(request, email_address)

    def is_safe_url(self, url: str) -> bool:
        """Return whether an address leads to this site; an invalid one (`http://[`) does not."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *words: Any, **more: Any
    ) -> None:
        """Show one of allauth's messages, but not that a link was sent if this site sends none."""
        if can_mail() or message_template != SENT:
            super().add_message(request, level, message_template, *words, **more)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the mail. Show a message if there is no mail server or it refuses; the request itself still succeeds."""
        if not can_mail():
            messages.error(self.request, _("This site cannot send mail. Ask the administrator for a new password."))
            return
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:
            log.exception("mail could not be sent", template=template_prefix)
            messages.error(self.request, _("The mail could not be sent. Try again later."))


def _name_in(credentials: dict[str, Any]) -> str:
    return name_key(credentials.get("username") or credentials.get("email") or "")


class MFAAdapter(DefaultMFAAdapter):
    """Second factors."""

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """Return the name that the authenticator app shows: the username to sign in with."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as inline SVG: the content security policy allows no data: images."""
        return qr_svg(url)


class NoKeysError(SocialApp.DoesNotExist, Http404):
    """A provider is not set up. Where allauth cannot do without it, the page is missing (404)."""


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Sign-in with Discord, or with a provider of OpenID Connect."""

    def get_app(self, request: HttpRequest, provider: str, client_id: str | None = None) -> SocialApp:
        """Return the keys of a provider: those in the settings, else the last set in the admin.

        Raises NoKeysError if it has none.
        """
        try:
            return super().get_app(request, provider, client_id)
        except MultipleObjectsReturned:
            several = self.list_apps(request, provider, client_id)
            return max(several, key=lambda keys: keys.pk or inf)  # keys in the settings have no primary key
        except SocialApp.DoesNotExist as absent:
            raise NoKeysError(provider) from absent

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> AbstractBaseUser:
        """Take no mail address from a provider: players give one themselves, and confirm it."""
        sociallogin.email_addresses = []
        user: AbstractBaseUser = super().populate_user(request, sociallogin, data | {"email": None})
        return user
