"""Whether a leader may decide: not about their own game or entry, as long as another leader can (E2)."""

from collections.abc import Collection

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from members.models import Role
from rules.core.violations import refuse
from rules.tournaments.leaders import ruling_leaders
from tournaments.models import Entry, Event, Game, Round
from tournaments.queries.leaders import role_word


def check_impartial(
    actor: User, event: Event, players: Collection[Entry | None], roles: Collection[str] = Event.roles
) -> None:
    """Refuse a leader of a locked event who is one of these players: the two of a game, or one whose entry it is about.
    `roles` are the roles that may decide. The others among them do; if both players of a game lead, the head judge
    does. If nobody else may decide, the leader does, and the log shows it (E2).
    """
    playing = {entry.user_id for entry in players if entry and entry.user_id}
    if not playing:
        return
    memberships = event.memberships.filter(role__in=roles, user__is_active=True)
    leaders: dict[int, str] = dict(memberships.values_list("user", "role"))
    ruling = ruling_leaders(leaders, playing)
    if not ruling or actor.pk in ruling:
        return
    if actor.pk in playing:
        own_game = len(players) > 1
        text = gettext("You play in this game. Ask another leader to decide it.")
        raise refuse("E2", text if own_game else gettext("This is your own entry. Ask another leader to decide."))
    if actor.pk in leaders:
        highest = Role.HEAD_JUDGE if Role.HEAD_JUDGE in leaders.values() else Role.ORGANIZER
        head = role_word(event.rule_set, highest)
        raise refuse("E2", gettext("Two leaders play this game. Ask the %(head)s to decide it.") % {"head": head})


def check_impartial_about(actor: User, event: Event, entry: Entry, roles: Collection[str] = Event.roles) -> None:
    """Refuse a leader who decides about their own entry, or about their opponent of the round under way (E2)."""
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=event)
    game = games.filter(round__state=Round.State.PUBLISHED).exclude(second=None).select_related("first", "second")
    found = game.first()
    check_impartial(actor, event, (found.first, found.second) if found else (entry,), roles)
