"""Merge two accounts of one person: who may, what moves, and the locks it takes."""

from collections import Counter
from collections.abc import Collection, Iterator

from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User, has_right
from accounts.services.closing import merge_accounts, merge_preview
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.queries.battles import battles_under_way
from campaign.battles.state_machine import OVER
from campaign.chronicle.models import ShareLink, Story
from campaign.models import ActivityKind, Admission, Campaign, Invitation, Membership, Webhook
from campaign.services.activity import log_activities
from lists.models import ArmyList
from members.models import Role
from registers.ledger import session
from registers.models import Register
from registers.services import editing
from rules.core.violations import Violation, raise_if_any
from uploads.models import Picture

#: Rows that give rights to the person they name. Ledgers, activity logs and draws keep the old account.
FOLLOW = (
    (Side, "acting_user"),
    (Battle, "reported_by"),
    (Invitation, "created_by"),
    (Story, "author"),
    (ShareLink, "made_by"),
    (Webhook, "set_by"),
    (Picture, "sent_by"),
)
HIGHEST_FIRST = (Role.ORGANIZER, Role.PLAYER, Role.VIEWER)


@transaction.atomic
def merge_people(*, actor: User, gone: User, into: User, reason: str) -> None:
    """Merge two accounts of one person. The campaigns of `gone` show it in their activity logs, and the admin history
    of both accounts has the reason. Merging the same accounts again changes nothing. Raises PermissionDenied unless the
    actor may change accounts, and refuses what `merge_violations` names.
    """
    if not has_right(actor, "accounts.change_user"):
        raise PermissionDenied
    campaigns = lock_campaigns(gone, into)
    people = User.objects.select_for_update(no_key=True).filter(pk__in=(gone.pk, into.pk)).order_by("pk")
    now = {person.pk: person for person in people}  # locked: somebody else may merge the two the other way round
    gone, into = now[gone.pk], now[into.pk]
    if gone.merged_into_id == into.pk:
        return
    raise_if_any(merge_violations(actor, gone, into))
    facts = {"name": gone.get_username(), "user": into.pk}
    theirs = set(gone.campaign_memberships.values_list("campaign", flat=True))
    concerned = [each for each in campaigns if each.pk in theirs]
    log_activities(actor=actor, kind=ActivityKind.MERGED, lines=((each, facts) for each in concerned))
    LogEntry.objects.log_actions(
        actor.pk, [gone, into], CHANGE, f"Merged {gone} (#{gone.pk}) into {into} (#{into.pk}): {reason}"
    )
    merge_accounts(actor=actor, gone=gone, into=into)


def merge_violations(actor: User, gone: User, into: User) -> Iterator[Violation]:
    """Yield why `actor` cannot merge `gone` into `into` now. Players must not see the Command Hand of an opponent
    (R24), nor come to play against themselves, so nobody merges an account with a battle that is not over.
    """
    if gone.merged_into_id or into.merged_into_id:
        text = gettext("One of these accounts has been merged already. Choose two that are still in use.")
        yield Violation("", text, "into")
        return
    if gone == into or not into.is_active:
        yield Violation("", gettext("Choose an account that somebody signs in with."), "into")
        return
    if gone == actor:
        yield Violation("", gettext("You are using this account. Merge the other one into it."), "into")
    if gone.is_staff:
        yield Violation("", gettext("%(user)s is staff. Staff accounts cannot be merged.") % {"user": gone}, "into")
    if battles_under_way(gone).exists():
        text = gettext("%(user)s is in a battle. Finish the battle first.") % {"user": gone}
        yield Violation("R24", text, "into")


def lock_campaigns(gone: User, into: User, *more: Campaign) -> list[Campaign]:
    """Lock the campaigns that the two are in or have Registers in, and `more`, in primary-key order."""
    theirs = Q(memberships__user__in=(gone, into)) | Q(enlistments__register__owner=gone)
    keys = Campaign.everything.filter(theirs | Q(pk__in=[each.pk for each in more])).values("pk")
    return list(Campaign.everything.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True))


def move_everything(gone: User, into: User) -> None:
    """Give everything of `gone` to `into`. Locks the campaigns of both, their battles, and then the Registers.
    `accounts.services.closing` calls this for every merge.
    """
    campaigns = lock_campaigns(gone, into)
    # Unfinished answers wait in battles that are not over or are being amended.
    waiting = ~Q(status__in=OVER) | Q(pk__in=Amendment.objects.values("battle"))
    battles = Battle.objects.filter(waiting, campaign__in=campaigns).order_by("pk").select_for_update()
    keys = [battle.pk for battle in battles]
    registers = session.lock_registers(Register.objects.filter(owner=gone))
    editing.change_owner(registers=registers, owner=into)
    _move_answers(Side.objects.filter(battle__in=keys), ("answers",), gone, into)
    _move_answers(Amendment.objects.filter(battle__in=keys), ("decisions", "kept"), gone, into)
    _move_memberships(gone, into)
    # Nobody else may take a place that somebody has already.
    Invitation.objects.filter(placeholder=gone, revoked_at=None, admissions=None).update(revoked_at=timezone.now())
    used = Admission.objects.filter(user=into).values("invitation")
    Admission.objects.filter(user=gone).exclude(invitation__in=used).update(user=into)
    for model, name in FOLLOW:
        model._default_manager.filter(**{name: gone}).update(**{name: into})


def what_moves(people: Collection[User]) -> dict[int, list[str]]:
    """Return for each person, by primary key, what another account would get from theirs, in words."""
    accounts = User.objects.filter(pk__in=[each.pk for each in people])
    entries = Counter(Story.objects.filter(author__in=people).values_list("author", flat=True))
    army_lists = Counter(ArmyList.objects.filter(owner__in=people).values_list("owner", flat=True))
    acting = Counter(Side.objects.filter(acting_user__in=people, open=True).values_list("acting_user", flat=True))
    return {
        person.pk: [
            *(f"The Register {each}" for each in person.registers.all()),
            *(f"The role in {each.campaign}: {each.get_role_display()}" for each in person.campaign_memberships.all()),
            f"Chronicle entries: {entries[person.pk]}",
            f"Army lists: {army_lists[person.pk]}",
            f"Sides of battles they act for: {acting[person.pk]}",
            *merge_preview(person),
        ]
        for person in accounts.prefetch_related("registers", "campaign_memberships__campaign")
    }


def _move_answers(rows: QuerySet[Side] | QuerySet[Amendment], fields: tuple[str, ...], gone: User, into: User) -> None:
    """Name `into` in answers that are not in a ledger yet: their step will be recorded under that name."""
    for row in rows:
        theirs = [item for field in fields for item in getattr(row, field) if item.get("by") == gone.pk]
        for item in theirs:
            item["by"] = into.pk
        if theirs:
            row.save(update_fields=fields)


def _move_memberships(gone: User, into: User) -> None:
    own = {each.campaign_id: each for each in into.campaign_memberships.all()}
    moved, twice = [], []
    for each in gone.campaign_memberships.all():
        if there := own.get(each.campaign_id):
            there.role = min(there.role, each.role, key=HIGHEST_FIRST.index)
            twice.append(each.pk)
        else:
            each.user = into
            moved.append(each)
    Membership.objects.bulk_update(own.values(), ["role"])
    Membership.objects.bulk_update(moved, ["user"])
    Membership.objects.filter(pk__in=twice).delete()
