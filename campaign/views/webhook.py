"""The webhook of a campaign, of Discord or signed: organizers set it, send a test, and remove it."""

from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from campaign import access
from campaign.forms import WebhookForm
from campaign.models import Campaign, Notification, Webhook
from campaign.services import webhooks
from core.form_errors import form_page, refusals_as_messages, refusals_on
from core.ui.crumbs import crumbs_of
from rules.core.translation import sentences_of

SHOWN = 5
_WHY = sentences_of(__file__)["why"]
#: The errors of a receiver that no longer knows the webhook.
_GONE = ("401", "403", "404", "410")


class SendTestForm(forms.Form):
    """`notification` is the primary key of a test, so that a form sent twice sends one."""

    notification = forms.UUIDField()


@never_cache
@sensitive_post_parameters("address")
def webhook(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Set the webhook and what is sent to it."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    if request.method != "POST":
        return _page(request, campaign)
    form = WebhookForm(request.POST, campaign=campaign)
    if form.is_valid():
        with refusals_on(form):
            webhooks.set_webhook(
                actor=request.user,
                campaign=campaign,
                address=form.cleaned_data["address"],
                kinds=form.cleaned_data["kinds"],
                site=request.build_absolute_uri("/").rstrip("/"),
            )
            messages.success(request, gettext("Webhook saved. Send a test message to check it."))
            return redirect("campaign:webhook", pk=pk)
        form.keep_address()
    return _page(request, campaign, form)


@require_POST
def send_test(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Queue a test message."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    form = SendTestForm(request.POST)
    notification = form.cleaned_data["notification"] if form.is_valid() else uuid4()
    with refusals_as_messages(request):
        webhooks.send_test(actor=request.user, campaign=campaign, notification_id=notification)
        messages.success(request, gettext("Test message queued. See the result under Latest messages."))
    return redirect(f"{reverse('campaign:webhook', args=[pk])}#latest-messages")  # two screens down on a phone


@require_POST
def remove(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remove the webhook."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    webhooks.remove_webhook(actor=request.user, campaign=campaign)
    messages.success(request, gettext("Webhook removed. Musterbook no longer posts there."))
    return redirect("campaign:webhook", pk=pk)


def _page(request: HttpRequest, campaign: Campaign, form: WebhookForm | None = None) -> HttpResponse:
    found = Webhook.objects.select_related("set_by").filter(campaign=campaign).first()
    # A reminder names people in front of everybody, so organizers choose that themselves.
    kinds = found.kinds if found else set(Webhook.KINDS) - {"reminders"}
    latest = list(campaign.notifications.select_related("battle")[:SHOWN])
    receiver = gettext("The receiver") if found and found.is_signed else "Discord"
    context = {
        "campaign": campaign,
        "webhook": found,
        "receiver": receiver,
        "signing_key": webhooks.signing_key(found) if found else "",
        "origins": settings.SIGNED_WEBHOOK_ORIGINS,
        "form": form or WebhookForm(campaign=campaign, initial={"kinds": list(kinds)}),
        "notifications": [
            {"notification": notification, "why": _why(notification, receiver)} for notification in latest
        ],
        # The page asks for the answer to a test until it has come.
        "waits": any(each.is_waiting_test for each in latest),
        "test_id": uuid4(),
        "example": webhooks.EXAMPLE,
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "campaign/webhook.html", context)


def _why(notification: Notification, receiver: str) -> str:
    """Return why a message has not arrived, and what to do, in words."""
    error = notification.error
    if not error:
        return ""
    text = _WHY["gone"] if error in _GONE else _WHY.get(error) or _WHY.get(error[0], _WHY["other"])
    why = gettext(text) % {"receiver": receiver, "number": error}
    if notification.status == Notification.Status.WAITING:
        why += " " + gettext("Musterbook keeps trying for six hours.")
    return why
