"""Judge calls: call, take, rule, appeal (E2, E3)."""

from collections.abc import Callable

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from members.models import Role
from rules.core.violations import refuse
from tournaments.access import check_impartial, check_not_ejected
from tournaments.models import Entry, Event, Game, JudgeCall, LogKind, Round
from tournaments.queries.rounds import game_now, not_under_way
from tournaments.roles import role_word
from tournaments.services.locks import lock_event, lock_judged, lock_led
from tournaments.services.log import log_line
from tournaments.services.notifications import notify_of_call, notify_of_judge

State = JudgeCall.State
OPEN = (State.WAITING, State.TAKEN)


@transaction.atomic
def call_judge(*, actor: User | None, entry: Entry, game: Game, question: str = "") -> JudgeCall:
    """Call a judge to a game as one of its players, and return the call (E3). While a call of this game is open,
    calling again returns that one. Refuses players of other games and games of rounds that are not under way.
    """
    event = lock_event(entry.event)
    check_not_ejected(entry)
    game = game_now(game)
    if entry.pk not in (game.first_id, game.second_id):
        raise refuse("E3", gettext("You do not play in this game."))
    return _call(event, game, entry, question, actor)


@transaction.atomic
def call_to_table(*, actor: User, event: Event, table: int, question: str = "") -> JudgeCall:
    """Call a judge to a table as a leader (E3); return the call, or the open one. Refuses a table without a game."""
    locked = lock_led(actor, event)
    playing = Game.objects.filter(round__event=locked, round__state=Round.State.PUBLISHED, table=table)
    if (game := playing.exclude(second=None).select_related("round").first()) is None:
        raise refuse("E3", gettext("Nobody plays at table %(number)s.") % {"number": table}, "table")
    return _call(locked, game, None, question, actor)


def _call(event: Event, game: Game, entry: Entry | None, question: str, actor: User | None) -> JudgeCall:
    if game.round.state != Round.State.PUBLISHED or event.state != Event.State.RUNNING:
        raise not_under_way("E3")
    if there := game.judge_calls.filter(state__in=OPEN).first():
        return there
    call = JudgeCall.objects.create(
        event=event, game=game, table=game.table, round_number=game.round.number, caller=entry,
        question=question.strip(),
    )  # fmt: skip
    notify_of_call(call, actor.pk if actor else None)
    return call


@transaction.atomic
def take_call(*, actor: User, call: JudgeCall) -> JudgeCall:
    """Take a call as a leader, so that the others know and the players see that a judge is coming. Taking it again
    changes nothing. Refuses a call that another judge has taken, one that is ruled, and one of the leader's own game
    (E2).
    """
    call = _locked_call(actor, call)
    if call.state == State.TAKEN and call.judge_id == actor.pk:
        return call
    if call.state == State.TAKEN:
        raise refuse("E3", gettext("%(judge)s has taken this call.") % {"judge": call.judge})
    if call.state != State.WAITING:
        raise refuse("E3", gettext("This call is settled already."))
    update(call, state=State.TAKEN, judge=actor, taken_at=now())
    notify_of_judge(call)
    return call


@transaction.atomic
def rule_call(*, actor: User, call: JudgeCall, ruling: str, question: str = "") -> JudgeCall:
    """Rule on a call. A ruling stands, even if it is found wrong later; only an appeal changes it (E3). `question`
    replaces what was asked unless it is empty. Ruling the same again changes nothing. Refuses a ruling without a text,
    one on a call that is ruled, and a leader who plays in this game (E2).
    """
    call = _locked_call(actor, call)
    ruling, question = ruling.strip(), question.strip()
    if call.state not in OPEN:
        if call.judge_id == actor.pk and call.ruling == ruling:
            return call
        raise refuse("E3", gettext("This call is ruled. The ruling stands, and only an appeal can change it."))
    if not ruling:
        raise refuse("E3", gettext("Enter the ruling."), "ruling")
    update(call, state=State.RULED, judge=actor, ruling=ruling, ruled_at=now(), question=question or call.question)
    log_line(actor, call.event, LogKind.RULED, round=call.round_number, table=call.table)
    return call


@transaction.atomic
def appeal(*, actor: User | None, entry: Entry, call: JudgeCall) -> JudgeCall:
    """Appeal a ruling to the head judge as one of the two players (E3). Appealing again changes nothing. Refuses
    players of other games, a call without a ruling, a second appeal, a ruling of the head judge, and an appeal after
    the round.
    """
    event = lock_event(entry.event)
    check_not_ejected(entry)
    call = _call_now(call, event)
    game, head = call.game, role_word(event.rule_set, Role.HEAD_JUDGE)
    if game is None or entry.pk not in (game.first_id, game.second_id):
        raise refuse("E3", gettext("You do not play in this game."))
    if call.state == State.APPEALED:
        return call
    if call.state == State.OVER:
        raise refuse("E3", gettext("The %(head)s has decided. This ruling is final.") % {"head": head})
    if call.state != State.RULED:
        raise refuse("E3", gettext("There is no ruling to appeal yet."))
    if is_final(call):
        raise refuse("E3", gettext("The %(head)s made this ruling. It is final.") % {"head": head})
    if game.round.state != Round.State.PUBLISHED:
        raise refuse("E3", gettext("This round is over, and the ruling stands."))
    update(call, state=State.APPEALED, appealed_by=entry)
    return call


@transaction.atomic
def rule_appeal(*, actor: User, call: JudgeCall, overrule: bool, ruling: str = "") -> JudgeCall:
    """Decide on an appeal as the head judge or an organizer: uphold the ruling, or overrule it with a new one (E3).
    Deciding the same again changes nothing. Refuses other judges, a call that is not appealed, who made the ruling or
    plays in the game (E2), and overruling without a text.
    """
    call = _locked_call(actor, call, lock_judged)
    ruling = ruling.strip()
    if call.state == State.OVER:
        if (call.appeal_judge_id, call.overruled, call.appeal_ruling) == (actor.pk, overrule, ruling):
            return call
        raise refuse("E3", gettext("This appeal is decided. The ruling is final."))
    if call.state != State.APPEALED:
        raise refuse("E3", gettext("Nobody has appealed this ruling."))
    if call.judge_id == actor.pk:
        head = role_word(call.event.rule_set, Role.HEAD_JUDGE)
        raise refuse("E3", gettext("The appeal is against your own ruling. The %(head)s decides it.") % {"head": head})
    if overrule and not ruling:
        raise refuse("E3", gettext("Enter the new ruling."), "ruling")
    update(call, state=State.OVER, overruled=overrule, appeal_ruling=ruling, appeal_judge=actor, appeal_ruled_at=now())
    log_line(
        actor, call.event, LogKind.RULED, round=call.round_number, table=call.table, appeal=True, overruled=overrule
    )
    return call


def is_final(call: JudgeCall) -> bool:
    """Return whether the head judge made this ruling: the event's head judge, or an organizer if there is none (E1)."""
    if call.judge_id is None:
        return False
    roles = dict(call.event.memberships.values_list("user", "role"))
    highest = Role.HEAD_JUDGE if Role.HEAD_JUDGE in roles.values() else Role.ORGANIZER
    return roles.get(call.judge_id) == highest


def _locked_call(actor: User, call: JudgeCall, lock: Callable[[User, Event], Event] = lock_led) -> JudgeCall:
    """Lock the event of a call for a leader who does not play in the game, nor called or appealed without one (E2)."""
    event = lock(actor, call.event)
    call = _call_now(call, event)
    players = (call.game.first, call.game.second) if call.game else (call.caller, call.appealed_by)
    check_impartial(actor, event, players)
    return call


def _call_now(call: JudgeCall, event: Event) -> JudgeCall:
    parts = ("game__first", "game__second", "game__round", "caller", "judge", "appealed_by")
    call = JudgeCall.objects.select_related(*parts).get(pk=call.pk)
    call.event = event
    if call.game:
        call.game.round.event = event
    return call
