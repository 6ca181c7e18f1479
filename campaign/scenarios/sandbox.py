"""Sandboxes: what visitors without an account get when they try the demo.

A sandbox is a campaign of one guest account, with a Register and a battle whose Post-Battle Sequence begins. Only
friends of the guest look on, with one account for all of them, and nobody can be invited (`dashboard.guests`). It is
deleted when the guest leaves, or `DEMO` after it was started, unless somebody with an account keeps it. A few are
prepared for the next visitors. Only here is a ledger deleted, though its trigger refuses that.
"""

import secrets
from contextlib import suppress
from datetime import timedelta

import pgtrigger
import structlog
from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from procrastinate.contrib.django import app

from accounts.models import User
from accounts.services.closing import merge_accounts
from campaign.battles.models import Battle
from campaign.lifecycle.services import delete_rows
from campaign.models import Campaign
from campaign.scenarios.battle import begin_sequence
from campaign.scenarios.play import play, read
from core.db.rows import update
from core.retention import DEMO
from core.scenarios import ExpectationFailed, ScenarioError
from members.models import Role
from ops.paths import BASE_DIR
from registers.models import LedgerEntry, Register
from rules.core.violations import RuleViolation, refuse

log = structlog.get_logger(__name__)

SCENARIO = BASE_DIR / "fixtures" / "demo" / "sandbox.json"
#: How many sandboxes wait for visitors, and for how long: the dates in them should not be old.
READY, SHELF_LIFE = 3, timedelta(days=1)
#: The maximum number of sandboxes at the same time.
MOST = 200
#: The name of the account of a guest's friends.
_name_of_friend = "friend of {0.username}".format


@transaction.atomic
def start_sandbox() -> Battle:
    """Give a visitor a guest account with its sandbox: a prepared one if there is any, or else a new one. Queue the job
    that replaces it. Return the battle whose sequence the guest resolves as Blue. Refuses as `prepare_sandbox` does.
    """
    waiting = _prepared().select_for_update(skip_locked=True).order_by("guest_until")
    guest = waiting.first() or prepare_sandbox()
    update(guest, known_as=gettext("Guest"), last_login=timezone.now(), guest_until=timezone.now() + DEMO)
    battle = Battle.objects.select_related("campaign").filter(campaign__guest=guest).latest("number")
    battle.campaign.guest = guest
    app.configure_task("prepare_sandboxes", queueing_lock=f"after {guest.pk}").defer(timestamp=0)
    return battle


def _prepared() -> QuerySet[User]:
    """Return the guests whose sandbox nobody has been given yet."""
    return User.objects.filter(guest_until__gt=timezone.now(), last_login=None)


def prepare_sandboxes() -> None:
    """Keep READY sandboxes, so that a visitor does not wait for the battles of a scenario to be played."""
    with suppress(RuleViolation):  # the visitor is told why
        for _ in range(READY - _prepared().count()):
            prepare_sandbox()


@transaction.atomic
def prepare_sandbox() -> User:
    """Create a guest account with its sandbox, and return the guest. Refuses more than MOST sandboxes at the same time,
    and everything if the scenario does not fit the cards of this site.
    """
    if Campaign.objects.exclude(guest=None).count() >= MOST:
        raise refuse("", gettext("Too many people are trying the demo right now. Try again in an hour."))
    # Nobody can sign up with such a name: it has a blank and a #.
    guest = User(username=f"guest #{secrets.token_hex(16)}", guest_until=timezone.now() + SHELF_LIFE)
    guest.set_unusable_password()
    guest.save(force_insert=True)
    scenario = read(SCENARIO)
    built, *battles, last = scenario["acts"]
    acts = [{**built, "player": guest.username}, *battles]
    campaign = Campaign.objects.create(name=scenario["scenario"], guest=guest)
    try:
        stage = play({**scenario, "acts": acts}, campaign)
        begin_sequence(stage, last)
    except (ExpectationFailed, ScenarioError, RuleViolation) as error:
        log.exception("demo cannot start", scenario=SCENARIO.name)
        raise refuse("", gettext("The demo cannot start right now.")) from error
    return guest


@transaction.atomic
def friend_of(guest: User) -> User:
    """Return the account with which friends of a guest see the demo as the other side does, until it ends."""
    campaign = Campaign.objects.select_for_update().get(guest=guest)
    # Without a password nobody can sign in with it; a guest who never signed in would wait for a visitor.
    facts = {"known_as": gettext("Friend"), "guest_until": guest.guest_until, "last_login": guest.last_login}
    friend, _ = User.objects.get_or_create(username=_name_of_friend(guest), defaults=facts)
    campaign.memberships.get_or_create(user=friend, defaults={"role": Role.VIEWER})
    return friend


@transaction.atomic
def keep_sandbox(*, actor: User, guest: User) -> Campaign | None:
    """Give a demo to `actor`, who organizes its campaign from now on and owns its Register. Return the campaign; None
    if the demo was deleted or kept in the meantime. The guest is merged into the actor: ledgers stay as written.
    """
    if (campaign := Campaign.objects.select_for_update().filter(guest=guest).first()) is None:
        return None
    update(campaign, guest=None)
    User.objects.filter(username=_name_of_friend(guest)).delete()
    merge_accounts(actor=actor, gone=guest, into=actor)
    User.objects.filter(pk=guest.pk).update(guest_until=None)
    campaign.memberships.filter(user=actor).update(role=Role.ORGANIZER)
    return campaign


@transaction.atomic
def delete_sandbox(guest: User) -> None:
    """Delete a guest account with its campaign, Register and friends. Deleting it again changes nothing. Raises
    ValueError for the account of anybody else, and ProtectedError if anything outside the sandbox refers to the guest.
    """
    if guest.guest_until is None:
        raise ValueError(f"{guest.pk} is not a guest")
    # The guest may be answering right now: these locks are taken in the order of the services.
    campaigns = list(Campaign.objects.select_for_update().filter(guest=guest))
    battles = list(Battle.objects.select_for_update(of=("self",)).filter(campaign__in=campaigns).order_by("pk"))
    registers = list(Register.objects.select_for_update(of=("self",)).filter(owner=guest).order_by("pk"))
    delete_rows(campaigns, battles)
    with pgtrigger.ignore("registers.LedgerEntry:append_only"):
        # Entries that undo others refer to them: Django would refuse to delete those, the database deletes all at once.
        LedgerEntry.objects.filter(register__in=registers)._raw_delete("default")
    Register.objects.filter(owner=guest).delete()
    User.objects.filter(username__in=(guest.username, _name_of_friend(guest))).delete()


def delete_expired() -> int:
    """Delete all sandboxes whose time is up, each in a transaction of its own, and return how many."""
    deleted = 0
    for guest in list(User.objects.filter(guest_until__lte=timezone.now()).order_by("pk")):  # friends come later
        try:
            delete_sandbox(guest)
        except ProtectedError:
            log.exception("sandbox could not be deleted", guest=guest.pk)
        else:
            deleted += 1
    return deleted
