"""Queue what a battle tells Discord and its players, and cancel it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from campaign.battles.access import fighters_of
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import both_ways, side_to_choose, when_text
from campaign.battles.queries.discord_message import text_of_notification
from campaign.models import Notification, Subject, Webhook
from campaign.models.activity import Action
from notifications.models import Kind
from notifications.services import delivery, people

#: The kind of a webhook (`Webhook.KINDS`) that each message needs; one about a closed battle needs none of its own.
NEEDS = {Subject.PLANNED: "planned", Subject.CONFIRM: "confirmations"}


def after_action(*, actor: User | None, battle: Battle, act: Action, facts: Mapping[str, Any]) -> None:
    """Queue what an action on a locked battle tells Discord and its players, in the same transaction. `facts` are
    those of the activity log. The demo tells nobody anything.
    """
    if battle.campaign.guest_id:
        return
    match act:
        case Action.PLAN:
            notify_webhook(battle, Subject.PLANNED)
            _notify_players(actor, battle, Kind.PLANNED, gettext("Battle planned"), _plan(battle), "planned")
        case Action.REPLAN if {"date", "time", "place"} & set(facts.get("after", ())):
            key = f"plan {battle.plan_version}"
            _notify_players(actor, battle, Kind.PLANNED, gettext("Battle moved"), _plan(battle), key)
        case Action.CANCEL:
            text = str(facts.get("reason") or "") or gettext("Both Registers stay as they were.")
            _notify_players(actor, battle, Kind.PLANNED, gettext("Battle canceled"), text, "canceled")
        case Action.REPORT:
            _notify_of_report(actor, battle)
        case Action.CONFIRM | Action.SETTLE:
            text = gettext("The report is confirmed. Continue with the Post-Battle Sequence.")
            _notify_players(actor, battle, Kind.TURN, gettext("Your turn"), text, f"sequence {battle.version}")
        case Action.DISPUTE:
            _notify_of_dispute(actor, battle, str(facts.get("reason", "")))
        case Action.CHOOSE_ARMY | Action.CHOOSE_AGENDA:
            _notify_of_agenda(actor, battle)


def notify_of_step(actor: User, battle: Battle, side: Side) -> None:
    """Notify the player of a side that waited for the other one, and can continue now."""
    if battle.campaign.guest_id or side.register is None:
        return
    text = gettext("Your opponent is done. Continue at step %(step)s of the Post-Battle Sequence.") % {
        "step": side.step
    }
    key = f"step {side.pk} {side.step} {side.turn}"
    _notify_players(actor, battle, Kind.TURN, gettext("Your turn"), text, key, only=side.register.owner_id)


def cancel_notification_of(battle: Battle) -> None:
    """Settle the waiting notifications of a battle that no longer counts, so that they are never sent."""
    Notification.objects.filter(battle=battle, status=Notification.Status.WAITING).update(
        status=Notification.Status.NOTHING, error="", settled_at=timezone.now()
    )


def deliver(model: str, pk: UUID | str) -> None:
    """Send the waiting notification of this model with this primary key."""
    delivery.deliver(model, pk, _webhook_of, text_of_notification)


def _webhook_of(notification: Notification) -> Webhook | None:
    """Return the webhook that a notification goes to, if the campaign has one that is on."""
    return Webhook.objects.filter(campaign=notification.campaign_id, off_at__isnull=True).first()


def notify_webhook(battle: Battle, about: Subject, version: int = 0) -> None:
    """Queue a notification about a locked battle, in the same transaction, if the campaign's webhook wants it. One that
    is still waiting is queued again each time the battle closes: the earlier job may have found it reopened.
    """
    wanted = {NEEDS[about]: True} if about in NEEDS else {}
    if not Webhook.objects.filter(campaign=battle.campaign_id, off_at=None, **wanted).exists():
        return
    notification, _ = Notification.objects.get_or_create(
        battle=battle, about=about, version=version, defaults={"campaign_id": battle.campaign_id}
    )
    if notification.status == Notification.Status.WAITING:
        delivery.queue(notification)


def _notify_of_report(actor: User | None, battle: Battle) -> None:
    reporter = battle.reported_by_id
    if not fighters_of(battle) - {None, reporter}:  # nobody has to confirm it
        return
    notify_webhook(battle, Subject.CONFIRM, battle.version)
    name = battle.reported_by.get_username() if battle.reported_by else gettext("Somebody")
    text = gettext("%(player)s reported the battle. Confirm the report, or say what is wrong.") % {"player": name}
    title = gettext("Report to confirm")
    _notify_players(actor, battle, Kind.CONFIRM, title, text, f"report {battle.version}", but=reporter)


def _notify_of_dispute(actor: User | None, battle: Battle, reason: str) -> None:
    text = gettext("Your report is disputed: %(reason)s") % {"reason": reason}
    title, reporter = gettext("Your turn"), battle.reported_by_id
    _notify_players(actor, battle, Kind.TURN, title, text, f"dispute {battle.version}", only=reporter)


def _notify_of_agenda(actor: User | None, battle: Battle) -> None:
    """Notify the player whose side has to choose its Agenda now, if they did not do this themselves."""
    sides = list(battle.sides.all())
    due = side_to_choose(sides) if battle.status == Battle.Status.READY else None
    if due is None or due.register is None:
        return
    title, text = gettext("Your turn"), gettext("Choose the Agenda of %(side)s.") % {"side": due.name}
    key = f"agenda {due.pk} {due.version}"
    _notify_players(actor, battle, Kind.TURN, title, text, key, only=due.register.owner_id)


def _notify_players(
    actor: User | None,
    battle: Battle,
    kind: Kind,
    what: str,
    text: str,
    key: str,
    *,
    but: int | None = None,
    only: int | None = None,
) -> None:
    """Notify the players of a battle, except the actor and the one with the key `but`, or `only` one of them."""
    left_out = (but, actor and actor.pk)
    users = [pk for pk in fighters_of(battle) if pk and pk not in left_out and only in (None, pk)]
    if not users:
        return
    (blue, red), _ = both_ways(battle)
    title = gettext("%(what)s: %(blue)s against %(red)s") % {"what": what, "blue": blue.name, "red": red.name}
    where = gettext("%(battle)s of %(campaign)s") % {"battle": battle, "campaign": battle.campaign}
    body = f"{text}\n{where}"
    people.notify(users, kind, title, body, battle.get_absolute_url(), f"{key} {battle.pk}")


def _plan(battle: Battle) -> str:
    place = gettext(", %(place)s") % {"place": battle.place} if battle.place else ""
    size = ngettext("%(number)s point", "%(number)s points", battle.size) % {"number": battle.size}
    return f"{when_text(battle)}{place}, {size}."
