"""The bracket: the cut, and who leaves it or returns to it, inside the services of entries and undo (E38–E42)."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from rules.core.violations import refuse
from rules.tournaments.bracket import fitting_cuts
from rules.tournaments.results import Ending
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.models.entry import LEFT
from tournaments.queries.events import FEWEST_TO_PLAY
from tournaments.queries.history import history_of
from tournaments.queries.rounds import has_bracket_begun, is_replaceable
from tournaments.queries.undo import is_given_up
from tournaments.services.locks import lock_organized
from tournaments.services.log import log_line
from tournaments.services.pairing import active_for_bracket, bracket_seeds, create_bracket, draw_again, redraw
from tournaments.services.rounds import clear_result


@transaction.atomic
def make_cut(*, actor: User, event: Event, with_byes: bool | None = None) -> Round:
    """Make the cut: the best active players advance to a seeded bracket, whose first round becomes a draft (E38, E39).
    Making it again changes nothing.

    If fewer are left than the cut takes, a person chooses: `with_byes` all of them advance, the best with a bye, or
    without as many as fill a smaller bracket. Refuses an event that is not running, a cut before the Swiss rounds are
    closed, too few players without that choice, and fewer than two.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if bracket := history.of_stage(Round.Stage.BRACKET):
        return bracket[0]
    if locked.state != Event.State.RUNNING:
        raise refuse("E38", gettext("This event is not running."))
    if history.current or not history.rounds or len(history.rounds) < locked.rounds:
        raise refuse("E38", gettext("Close all Swiss rounds first."))
    active, cut = len(active_for_bracket(history)), locked.cut
    if active >= cut:
        return create_bracket(actor, history)
    if active < FEWEST_TO_PLAY:
        raise refuse("E38", gettext("Fewer than two players are left. Finish the event instead."))
    if with_byes is None:
        text = gettext("%(number)s players are left for a cut to the top %(cut)s. Choose a smaller cut, or byes.")
        raise refuse("E38", text % {"number": active, "cut": cut})
    update(locked, cut=fitting_cuts(active)[with_byes])
    return create_bracket(actor, history, cut=[cut, locked.cut])


def drop_from_bracket(event: Event, entry: Entry) -> None:
    """Let a player who has left leave the draft or the bracket of a locked event. A player who is not in the last round
    changes nothing in it, for example one who was cut.

    A draft is drawn again. Before a bracket game is played the next in the standings enters last (E38). After that the
    open game is won by the opponent (E41).
    """
    history = history_of(event)
    last = history.rounds[-1] if history.rounds else None
    games = last.games.all() if last else ()
    own = next((game for game in games if entry.pk in (game.first_id, game.second_id)), None)
    if last is None or own is None:
        return
    if last.state == Round.State.DRAFT or is_replaceable(event):
        draw_again(history, last, {"because": "left", "entries": [entry.number]})
    elif has_bracket_begun(event) and own.state == Game.State.OPEN and own.second:
        _leave_game(last, own, entry)


def _leave_game(current: Round, game: Game, entry: Entry) -> None:
    opponent = game.opponent_of(entry)
    game.how, game.by, game.winner, game.state = Ending.NO_SHOW, entry, opponent, Game.State.CONFIRMED
    game.reported_by, game.reported_at, game.version = None, timezone.now(), game.version + 1
    game.save()
    log_line(
        None, current.event, LogKind.DECIDED, round=current.number, game=game.place,
        players=[each.number for each in game.pair], left=entry.number, version=game.version,
    )  # fmt: skip


def return_to_bracket(event: Event, entry: Entry) -> None:
    """Let a player who has left play on in the bracket of a locked event, as far as `return_violation` allows: the
    opposite of `drop_from_bracket`.

    Before a bracket game is played the seeds are those with the player (E38). After that a game that was given to the
    opponent is open again, and a draft is drawn again (E41).
    """
    history = history_of(event)
    if is_replaceable(event):
        first = history.of_stage(Round.Stage.BRACKET)[0]
        seeded = {each.key for game in first.games.all() for each in (game.first, game.second) if each}
        if seeded != set(filter(None, bracket_seeds(history))):
            draw_again(history, first, {"because": "came", "entries": [entry.number]})
        return
    for game in history.published.rounds[-1].games.all():
        if entry.pk in (game.first_id, game.second_id) and is_given_up(event, game, entry):
            clear_result(game)
            opponent = game.opponent_of(entry)
            if opponent and opponent.state in LEFT:
                _leave_game(game.round, game, opponent)
    redraw(event=event, because="came", entries=[entry.number])


def undo_cut(actor: User, first: Round, reason: str) -> None:
    """Delete the bracket, whose first round is given, before a game of it is played: everybody who was cut plays again,
    also who has declined a place (E38). A cut that was made smaller is as large as before.
    """
    event = first.event
    made = event.log.filter(kind=LogKind.CUT, facts__has_key="cut").first()
    if made and made.facts["cut"][1] == event.cut:
        update(event, cut=made.facts["cut"][0])
    declined = list(event.entries.filter(state=Entry.State.CUT, replaceable=False).values_list("number", flat=True))
    first.delete()
    event.entries.filter(state=Entry.State.CUT).update(state=Entry.State.PLAYING)
    event.entries.filter(replaceable=False).update(replaceable=True)
    log_line(actor, event, LogKind.UNDONE, reason=reason, act="cut", round=first.number, declined=declined)
