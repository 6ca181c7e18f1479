"""Results of games: players report, confirm and dispute them, leaders enter and correct them (E27–E31)."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from members.roles import is_organizer
from rules.core.violations import RuleViolation, raise_if_any, refuse
from rules.tournaments.bracket import decided_by
from rules.tournaments.results import Ending, Result, is_correctable, result_violations
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import check_impartial, check_not_ejected
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.queries.exchange import result_content
from tournaments.queries.history import History, army_points, history_of, result_of
from tournaments.queries.leaders import roles_of
from tournaments.queries.rounds import game_now, not_under_way
from tournaments.roles import judge_word
from tournaments.services.locks import lock_event, lock_led
from tournaments.services.log import log_line
from tournaments.services.notifications import notify_of_report
from tournaments.services.pairing import redraw
from tournaments.services.rounds import clear_result

# --- Leaders ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def save_result(
    *,
    actor: User,
    game: Game,
    result: Result,
    version: int | None = None,
    mission: str | None = None,
    phase: str | None = None,
    correct: bool = False,
    reason: str = "",
) -> Game:
    """Save the result of a game as a leader: it is confirmed at once (E28). With `correct` also once its round is
    closed, which may need a `reason` (E31). The same one again changes nothing. The log says so if a leader decides a
    dispute, replaces or corrects a result, or enters that of their own game because no other leader can (E2).

    `version` is the `Game.version` that the leader saw. `mission` and `phase` stay as they are if they are None.
    Refuses a result that cannot be (E27, E28, E30, E40), a bye, a game that was changed since, one that another leader
    rules (E2), a round that is not under way, and a correction that E31 does not allow or that was not meant as one.
    """
    lock_led(actor, game.round.event)
    game = game_now(game)
    mission, phase = game.mission if mission is None else mission, game.phase if phase is None else phase
    if is_saved(game, result, mission, phase):
        return game
    if version not in (None, game.version):
        raise refuse("E28", gettext("Somebody entered a result of this game a moment ago. Compare it with yours."))
    if not is_saved(game, result, game.mission, game.phase):
        check_impartial(actor, game.round.event, (game.first, game.second))
        if game.round.state == Round.State.CLOSED and correct:
            _correct(actor, game, result, reason.strip())
        else:
            _enter(actor, game, result)
    update(game, mission=mission, phase=phase)
    return game


def is_saved(game: Game, result: Result, mission: str, phase: str) -> bool:
    """Return whether a game has exactly this confirmed result."""
    is_confirmed = game.state == Game.State.CONFIRMED and game.second is not None
    return is_confirmed and (result_of(game), game.mission, game.phase) == (result, mission, phase)


@transaction.atomic
def confirm_reported(*, actor: User, event: Event, versions: Mapping[int, int]) -> tuple[int, int]:
    """Confirm as a leader what one player reported in the round under way, in every game of `versions`: its `version`
    as it was shown, by its place. Return how many are confirmed now, and how many the leader may not decide (E2). Left
    alone are disputed games, and those that were confirmed or changed since they were shown (E28).
    """
    locked = lock_led(actor, event)
    games = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED, state=Game.State.REPORTED)
    shown = [each for each in games.select_related("first", "second") if versions.get(each.place) == each.version]
    leaders, ruled = set(roles_of(locked)), []
    for game in shown:
        try:
            if leaders & {entry.user_id for entry in game.pair}:
                check_impartial(actor, locked, game.pair)
        except RuleViolation:
            continue
        game.state, game.version, game.reported_by = Game.State.CONFIRMED, game.version + 1, None
        ruled.append(game)
    Game.objects.bulk_update(ruled, ["state", "version", "reported_by"])
    return len(ruled), len(shown) - len(ruled)


def no_show(*, actor: User, entry: Entry, number: int) -> Game:
    """Enter that a player did not appear for their game of round `number` (E30). The player stays in the event: a
    person decides on a drop (E25). Doing it again changes nothing. Refuses a player without a game, and a game that has
    a result.
    """
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=entry.event, round__number=number)
    game = games.exclude(second=None).select_related("round__event", "first", "second").first()
    if game is None:
        raise refuse("E30", gettext("%(player)s has no game in this round.") % {"player": entry.name})
    if game.state == Game.State.CONFIRMED:
        if game.how == Ending.NO_SHOW and game.by_id == entry.pk:
            return game
        raise refuse("E30", gettext("This game has a result. Correct it on its page."))
    first, second = game.pair
    result = Result(how=Ending.NO_SHOW, by=entry.key, winner=(second if first.pk == entry.pk else first).key)
    return save_result(actor=actor, game=game, result=result, version=game.version)


def _enter(actor: User, game: Game, result: Result) -> None:
    if game.round.state == Round.State.CLOSED:
        text = gettext("This round is closed. Correct the result instead.")
        raise refuse("E31", text)
    if game.round.state != Round.State.PUBLISHED:
        raise not_under_way("E28")
    _check(game, result)
    before, was = _as_facts(game), game.state
    _store(game, result)
    is_own = actor.pk in {entry.user_id for entry in game.pair}
    if is_own or was == Game.State.DISPUTED or (was != Game.State.OPEN and before != _as_facts(game)):
        _record_change(actor, LogKind.DECIDED, game, before)


def _correct(actor: User, game: Game, result: Result, reason: str) -> None:
    """Correct the result of a closed round (E31). Without a `reason` only inside the correction window, with one at any
    time, as an organizer's override. Pairings that are published stay: a bracket game can only be given to the other
    player before its winner was paired again. A draft that follows is drawn again from the new result.
    """
    event = game.round.event
    history = history_of(event)
    if not is_correctable(RuleSet(event.rule_set), game.round.number, history.last_closed):
        if not reason:
            text = gettext("This result stands, because later rounds are closed. An override needs a reason.")
            raise refuse("E31", text, "reason")
        if not is_organizer(actor, event):
            raise refuse("E31", gettext("This result stands. Only an organizer can override it."))
    _check(game, result)
    first, second = game.pair
    pair, in_bracket = (first.key, second.key), game.round.stage == Round.Stage.BRACKET
    advances_again = in_bracket and decided_by(pair, result_of(game)) == decided_by(pair, result)
    if in_bracket and not advances_again:
        _check_not_paired_again(history, game)
    before = _as_facts(game)
    _store(game, result)
    _record_change(actor, LogKind.CORRECTED, game, before, reason)
    if not advances_again:
        redraw(event=event, because="result", corrected=[game.round.number])


def _check_not_paired_again(history: History, game: Game) -> None:
    """Refuse another winner of a bracket game once its winner was paired again: that pairing stays (E31)."""
    for later in history.rounds:
        if later.number > game.round.number and later.state != Round.State.DRAFT:
            text = gettext(
                "The next round is already paired with the winner of this game, and that pairing stays. Correct only "
                "the figures, or undo its publishing before it starts."
            )
            raise refuse("E31", text, "winner")


def undo_result(actor: User, game: Game, reason: str) -> None:
    """Delete the result of a game of a locked event, so that it is not played (E28). Refuses a leader who plays in the
    game (E2).
    """
    check_impartial(actor, game.round.event, game.pair)
    facts: dict[str, object] = {"players": [entry.number for entry in game.pair]}
    if game.state == Game.State.CONFIRMED:
        facts["before"] = _as_facts(game)
    clear_result(game)
    log_line(
        actor, game.round.event, LogKind.UNDONE, reason=reason, act="result", round=game.round.number, game=game.place,
        **facts,
    )  # fmt: skip


# --- Players ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def report_result(
    *, actor: User | None, entry: Entry, game: Game, result: Result, version: int, mission: str = "", phase: str = ""
) -> Game:
    """Report the result of a game as one of its two players, and return the game (E28).

    The other player confirms it. If both report at the same time, two equal results are confirmed, and two different
    ones are disputed: the first stays, and a judge decides. Players may change their own report until it is confirmed.
    `version` is that of the game when the form was drawn. Reporting the same again changes nothing. Refuses players of
    other games, a game that is disputed or confirmed with another result, a round that is not under way, an old form
    for a report of one's own, and a result that cannot be (E27, E28, E30, E40).
    """
    game = _own_game(entry, game)
    is_opponents = game.state == Game.State.REPORTED and game.reported_by_id != entry.pk
    if game.how and result_of(game) == result:
        return _confirm(game) if is_opponents else game
    _check_open(game)
    _check(game, result)
    if is_opponents:
        return _dispute(actor, entry, game, _other_report(game, result))
    _check_version(game, version)
    game.mission, game.phase = mission, phase
    _store(game, result, reported_by=entry)
    notify_of_report(game, entry)
    return game


@transaction.atomic
def confirm_result(*, entry: Entry, game: Game, version: int) -> Game:
    """Confirm a reported result as the other player (E28). Confirming again changes nothing. Refuses the player who
    reported it, a report that was changed since, and a disputed result. A leader confirms with `save_result`.
    """
    game = _own_game(entry, game)
    if game.state == Game.State.CONFIRMED:
        return game
    _check_undisputed(game)
    _check_reported(entry, game, version, own=gettext("Your opponent confirms this result, or a leader."))
    return _confirm(game)


@transaction.atomic
def dispute_result(*, actor: User | None, entry: Entry, game: Game, version: int, text: str) -> Game:
    """Dispute the opponent's report; a judge decides (E28). `text` says what is wrong with it, and only leaders read
    it. Disputing again changes nothing. Refuses a dispute without a text, of one's own report, of an old report, and
    of a confirmed result.
    """
    game = _own_game(entry, game)
    if game.state == Game.State.DISPUTED:
        return game
    _check_open(game)
    _check_reported(entry, game, version, own=gettext("You reported this result. Change your report."))
    if not text.strip():
        raise refuse("E28", gettext("Say what is wrong with the result."), "text")
    return _dispute(actor, entry, game, text.strip())


@transaction.atomic
def withdraw_dispute(*, actor: User | None, entry: Entry, game: Game, version: int) -> Game:
    """Withdraw one's own dispute: the opponent's report can be confirmed again, or disputed (E28). A game that is not
    disputed stays as it is, so that withdrawing again changes nothing. Refuses the player who reported the result, and
    a dispute that was changed since.
    """
    game = _own_game(entry, game)
    if game.state != Game.State.DISPUTED:
        return game
    if game.reported_by_id == entry.pk:
        raise refuse("E28", gettext("Your opponent disputed this result. Only they can withdraw the dispute."))
    _check_version(game, version)
    update(game, state=Game.State.REPORTED, dispute="", version=game.version + 1)
    log_line(
        actor, game.round.event, LogKind.DISPUTED, round=game.round.number, table=game.table,
        players=[each.number for each in game.pair], entry=entry.number, withdrawn=True,
    )  # fmt: skip
    return game


def _own_game(entry: Entry, game: Game) -> Game:
    """Lock the event of a player's game, and return the game as it is now."""
    lock_event(game.round.event)
    check_not_ejected(entry)
    game = game_now(game)
    if entry.pk not in (game.first_id, game.second_id):
        raise refuse("E28", gettext("You do not play in this game."))
    _check_two(game)
    return game


def _check_open(game: Game) -> None:
    """Refuse to change a result outside its round, and one that is decided or that a judge decides."""
    if game.round.event.state != Event.State.RUNNING or game.round.state != Round.State.PUBLISHED:
        raise not_under_way("E28")
    if game.state == Game.State.CONFIRMED:
        raise refuse(
            "E28",
            gettext("This result is confirmed. Call a %(judge)s if it is wrong.")
            % {"judge": judge_word(game.round.event)},
        )
    _check_undisputed(game)


def _check_undisputed(game: Game) -> None:
    if game.state == Game.State.DISPUTED:
        raise refuse(
            "E28", gettext("This result is disputed. A %(judge)s decides it.") % {"judge": judge_word(game.round.event)}
        )


def _check_reported(entry: Entry, game: Game, version: int, *, own: str) -> None:
    """Refuse what needs the opponent's report, as the page showed it; `own` is said about the player's own report."""
    if game.state == Game.State.OPEN:
        raise refuse("E28", gettext("No result has been reported yet. Report it."))
    if game.reported_by_id == entry.pk:
        raise refuse("E28", own)
    _check_version(game, version)


def _check_version(game: Game, version: int) -> None:
    if game.version != version:
        raise refuse("E28", gettext("This result was changed a moment ago. Check it again."))


def _confirm(game: Game) -> Game:
    update(game, state=Game.State.CONFIRMED, version=game.version + 1)
    return game


def _dispute(actor: User | None, entry: Entry, game: Game, text: str) -> Game:
    update(game, state=Game.State.DISPUTED, dispute=text, version=game.version + 1)
    log_line(
        actor, game.round.event, LogKind.DISPUTED, round=game.round.number, table=game.table,
        players=[each.number for each in game.pair], entry=entry.number,
    )  # fmt: skip
    return game


def _other_report(game: Game, result: Result) -> str:
    """Return a second, different report as the text of the dispute."""
    names = {each.key: each.name for each in game.pair}
    return gettext("The other report: winner %(winner)s; points defeated %(points)s; victory tokens %(tokens)s.") % {
        "winner": names.get(result.winner, "–"),
        "points": "{} : {}".format(*result.points),
        "tokens": "{} : {}".format(*result.tokens),
    }


# --- Both -------------------------------------------------------------------------------------------------------------


def _check_two(game: Game) -> None:
    if not game.first or not game.second:
        raise refuse("E20", gettext("A bye has no result to enter."))


def _check(game: Game, result: Result) -> None:
    """Refuse a result that cannot be (E27, E28, E30, E40)."""
    _check_two(game)
    first, second = game.pair
    in_bracket, armies = game.round.stage == Round.Stage.BRACKET, army_points(game.pair)
    rules = game.round.event.rules
    raise_if_any(result_violations(rules, (first.key, second.key), result, armies, in_bracket=in_bracket))


def _store(game: Game, result: Result, reported_by: Entry | None = None) -> None:
    """Write a result: reported by a player, or confirmed by a leader."""
    entries: dict[str, Entry | None] = {entry.key: entry for entry in game.pair}
    game.how, game.agreed = result.how, result.agreed
    game.winner, game.by = entries.get(result.winner), entries.get(result.by)
    game.blue, game.roll = entries.get(result.blue), entries.get(result.roll)
    game.first_points, game.second_points = result.points
    game.first_tokens, game.second_tokens = result.tokens
    game.state = Game.State.REPORTED if reported_by else Game.State.CONFIRMED
    game.reported_by, game.dispute = reported_by, ""
    game.reported_at = timezone.now() if reported_by else game.reported_at
    game.version += 1
    game.save()


def _record_change(actor: User, kind: LogKind, game: Game, before: dict[str, object], reason: str = "") -> None:
    log_line(
        actor, game.round.event, kind, reason=reason, round=game.round.number, game=game.place, before=before,
        after=_as_facts(game),
    )  # fmt: skip


def _as_facts(game: Game) -> dict[str, object]:
    numbers = {entry.pk: entry.number for entry in (game.first, game.second) if entry}
    return {**result_content(game, numbers), "players": list(numbers.values())}
