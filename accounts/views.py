"""The account page, and pages that allauth does not have. templates/allauth gives allauth's pages our layout."""

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.forms import SignupForm
from allauth.core import ratelimit
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from requests import RequestException

from .forms import DeleteForm
from .queries import data_of, profile_of
from .services.closing import DeletionRefused, delete_account


class SignupView(allauth.SignupView):
    """Sign-up, which handles the same name sent twice at once."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Create the account. Refuses a name that was taken since the form was checked."""
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().error_messages["username_taken"])
            return self.form_invalid(form)


@login_not_required
def openid_connect_login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Lead to a provider of OpenID Connect, or say that it does not answer, which allauth does only on the way back."""
    try:
        return openid_connect.login(request, provider_id)
    except RequestException as error:
        return render_authentication_error(request, provider_id, exception=error)


@require_safe
def profile(request: HttpRequest) -> HttpResponse:
    """Show how a user signs in and can be reached, with links to change each."""
    return render(request, "accounts/profile.html", {"profile": profile_of(request.user)})


@require_safe
@never_cache
def download(request: HttpRequest) -> HttpResponse:
    """Return all personal data of the user as a JSON file."""
    name = f"musterbook-{request.user.get_username()}.json"
    return JsonResponse(
        data_of(request.user),
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )


@reauthentication_required(enabled=lambda request: not request.user.has_usable_password())
def delete(request: HttpRequest) -> HttpResponse:
    """Explain and perform account deletion by password. Without one, a passkey or code is asked for first."""
    if limited := ratelimit.consume_or_429(request, action="reauthenticate", user=request.user):
        return limited
    form = DeleteForm(request.POST if request.method == "POST" else None, user=request.user)
    if not form.is_valid() or not _deleted(request, form):
        return render(request, "accounts/delete.html", {"form": form}, status=422 if form.is_bound else 200)
    logout(request)
    messages.success(request, _("Your account is deleted. Thank you for playing."))
    return redirect("account_login")


def _deleted(request: HttpRequest, form: DeleteForm) -> bool:
    """Delete the account. If others still need its owner, show that on the form."""
    try:
        delete_account(actor=request.user, user=request.user)
    except DeletionRefused as refusal:
        form.add_error(None, str(refusal))
    return form.is_valid()
