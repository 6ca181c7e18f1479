"""Views that start and end the demo of a visitor without an account, and lead to an invitation."""

from contextlib import suppress

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.adapters import check_limit, too_often
from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.models import Campaign
from campaign.scenarios import sandbox
from core.form_errors import form_page, refusals_as_messages
from core.form_fields import pressed_button
from core.qr import qr_svg
from core.ui.reachable import address_for_others
from dashboard.forms import InvitationLinkForm

#: What the signatures of links to a demo are for.
SECOND_PHONE, KEEP = "second phone of a demo", "keep a demo"


@login_not_required
@never_cache
def demo(request: HttpRequest) -> HttpResponse:
    """Start the demo: create a sandbox, sign the visitor in as its guest, and lead to the Post-Battle Sequence. Guests
    get a link that shows a friend the other side, and so do their friends.
    """
    if request.method != "POST" and request.user.is_authenticated and request.user.guest_until:
        guest = Campaign.objects.get(memberships__user=request.user).guest_id
        path = reverse("dashboard:second_phone", args=[signing.dumps(guest, salt=SECOND_PHONE)])
        link = address_for_others(request, path)
        return render(request, "dashboard/show_a_friend.html", {"link": link, "qr": qr_svg(link)})
    return _start(request) if request.method == "POST" and not request.user.is_authenticated else redirect("home")


@login_not_required
@never_cache
def second_phone(request: HttpRequest, token: str) -> HttpResponse:
    """Show a friend a visitor's demo as the other side of the table sees it, until the demo ends."""
    if request.user.is_authenticated:
        messages.info(request, _("You are signed in. Open this link in a private window to follow the demo."))
        return redirect("home")
    if (guest := _guest_of(request, token, SECOND_PHONE)) is None:
        return redirect("home")
    if request.method != "POST":
        return render(request, "dashboard/second_phone.html", {"guest": guest})
    with suppress(Campaign.DoesNotExist):  # the demo has ended meanwhile
        friend = sandbox.friend_of(guest)
        messages.info(request, _("This is what the other side sees: the dice of Ashen Patrol fall on your phone, too."))
        return _sign_in(request, friend, Battle.objects.filter(campaign__guest=guest).latest("number"))
    return redirect("home")


def _guest_of(request: HttpRequest, token: str, salt: str) -> User | None:
    """Return the guest of the running demo that a link was signed for; if it is over, say so and return None."""
    guest = None
    with suppress(signing.BadSignature):
        running = User.objects.filter(guest_until__gt=timezone.now()).exclude(last_login=None)
        guest = running.filter(pk=signing.loads(token, salt=salt)).first()
    if guest is None:
        messages.error(request, _("This demo is over. You can start your own."))
    return guest


@never_cache
def keep(request: HttpRequest, token: str) -> HttpResponse:
    """Give the campaign of a demo to the user, who played it before they had an account."""
    with suppress(signing.BadSignature):
        if User.objects.filter(pk=signing.loads(token, salt=KEEP), merged_into=request.user).exists():
            messages.success(request, _("The campaign of the demo is yours now. Invite your club under People."))
            return redirect("home")
    if (guest := _guest_of(request, token, KEEP)) is None:
        return redirect("home")
    if request.method == "POST":
        if campaign := sandbox.keep_sandbox(actor=request.user, guest=guest):
            messages.success(request, _("The campaign of the demo is yours now. Invite your club under People."))
        return redirect(campaign or "home")
    context = {"guest": guest, "battle": Battle.objects.filter(campaign__guest=guest).latest("number")}
    return render(request, "dashboard/keep_demo.html", context)


def _start(request: HttpRequest) -> HttpResponse:
    check_limit(request, "demo")
    with refusals_as_messages(request):
        battle = sandbox.start_sandbox()
        messages.info(request, _("You won a battle as Ashen Patrol. Now resolve the ten steps."))
        return _sign_in(request, battle.campaign.guest, battle)
    return redirect("home")


def _sign_in(request: HttpRequest, guest: User, battle: Battle) -> HttpResponse:
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(guest.guest_until)
    return redirect("battles:sequence_side", pk=battle.pk, colour=Side.BLUE)


@login_not_required
@never_cache
def leave(request: HttpRequest) -> HttpResponse:
    """Sign a guest out. Lead to the sign-up if they want an account, which may keep their sandbox; else delete it. A
    friend neither keeps nor deletes it. Lead to another battle if they want to play again.
    """
    if request.method == "POST" and request.user.is_authenticated and request.user.guest_until:
        guest, is_friend = request.user, not Campaign.objects.filter(guest=request.user).exists()
        logout(request)
        button = pressed_button(request.POST, "sign_up", "again")
        if button == "sign_up":
            own = reverse("dashboard:keep_demo", args=[signing.dumps(guest.pk, salt=KEEP)])
            return redirect(reverse("account_signup") + ("" if is_friend else f"?next={own}"))
        if not is_friend:
            sandbox.delete_sandbox(guest)
        if button == "again":
            return _start(request)
        messages.success(request, _("You left the demo.") if is_friend else _("The demo is deleted."))
    return redirect("home")


@login_not_required
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """Ask for the link or code of an invitation, and lead to its page."""
    check_limit(request, "join", counts=False)
    form = InvitationLinkForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return redirect(form.cleaned_data["invitation"])
    if form.is_bound:
        too_often(request, "join")
    return form_page(request, "dashboard/invitation.html", {"form": form}, refused=form.is_bound)
