"""The page on which people choose their notifications, their devices, and the link that stops mails."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.adapters import can_mail
from core.form_errors import refusals_as_messages, valid
from core.form_fields import pressed_button
from core.open_page import open_page
from notifications.forms import ChoicesForm, DeviceForm, RemoveDeviceForm
from notifications.models import Kind, Means, PushSubscription
from notifications.services import devices, people
from ops.paths import BASE_DIR

WORKER = BASE_DIR / "static" / "js" / "push-worker.js"
#: Names of browsers and systems, by what their User-Agent says; the first that fits counts.
BROWSERS = (("Edg", "Edge"), ("Firefox|FxiOS", "Firefox"), ("SamsungBrowser", "Samsung Internet"),
            ("Chrome|CriOS", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
           ("Linux", "Linux"))  # fmt: skip


def settings(request: HttpRequest) -> HttpResponse:
    """Show what the user gets, and by which means, and save their choice."""
    if request.method == "POST":
        form = ChoicesForm(request.POST)
        valid(form)
        people.choose(actor=request.user, **form.wanted())
        messages.success(request, _("Notifications saved."))
        return redirect("notifications:settings")
    chosen = {means: list(kinds) for means, kinds in people.choices_of(request.user).items()}
    own, address = list(PushSubscription.objects.filter(user=request.user)), people.address_of(request.user)
    reached = {Means.MAIL: can_mail() and address, Means.PUSH: own}
    closed = [means.value for means in Means if not reached[means]]
    context = {
        "rows": ChoicesForm(initial={**chosen, "closed": closed}).rows(),
        "closed": closed,
        "columns": [_("Mail"), _("Push")],
        "devices": own,
        "address": address,
        "can_mail": can_mail(),
        "public_key": devices.public_key(),
    }
    return render(request, "notifications/settings.html", context)


@require_POST
@sensitive_post_parameters()
def add_device(request: HttpRequest) -> HttpResponse:
    """Store the browser's subscription to push messages."""
    with refusals_as_messages(request):
        sent = valid(DeviceForm(request.POST))
        devices.add_device(actor=request.user, device=_device_name(request), **sent)
        messages.success(request, _("Push is on for this device."))
    return redirect("notifications:settings")


@require_POST
def remove_device(request: HttpRequest) -> HttpResponse:
    """Remove a device of the user."""
    with refusals_as_messages(request):
        devices.remove_device(actor=request.user, pk=valid(RemoveDeviceForm(request.POST))["device"])
        messages.success(request, _("Device removed."))
    return redirect("notifications:settings")


# The mail program of the person posts here without a cookie (RFC 8058): the signed token is what counts.
@csrf_exempt
@login_not_required
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop the mails of a kind, and stop them. Opening the link alone changes nothing."""
    if (found := people.read_stop_token(token)) is None:
        raise Http404("No such link")
    person, kind = found
    stopped = request.method == "POST"
    everything = stopped and pressed_button(request.POST, "all") == "all"
    if stopped:
        people.stop_mails(actor=person, kinds=Kind.values if everything else [kind])
    context = {"kind": Kind(kind).label, "stopped": stopped, "everything": everything}
    return render(request, "notifications/stop.html", context)


@open_page
def push_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker that shows push messages, at an address that limits its scope to this page."""
    return HttpResponse(
        WORKER.read_text("utf-8"), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


def _device_name(request: HttpRequest) -> str:
    """Return what a person calls their device, such as "Chrome, Android"."""
    agent = request.headers.get("User-Agent", "")
    names = (next((name for mark, name in known if re.search(mark, agent)), "") for known in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names)) or _("Browser")
