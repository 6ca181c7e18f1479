"""What the page of an undo says: what happens, what is lost, and what stays."""

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from core.sentences import sentences_of
from tournaments.models import Entry, Event, Game, Round
from tournaments.pages.results import result_sentence
from tournaments.queries.rounds import corrections_since, draft_lines, hand_changes, has_bracket_begun, is_replaceable
from tournaments.queries.undo import Target, Undoable, is_given_up


@dataclass(frozen=True, slots=True)
class UndoPage:
    """An undo before it is done: what happens (`text`), what is lost, what stays, and the number of its rule."""

    target: Target
    title: str
    text: str
    rule: str
    lost: tuple[str, ...]
    stays: tuple[str, ...]


SAID = sentences_of(__file__)


def title_of(act: Undoable, number: int = 0) -> str:
    """Return the title of an undo of the event or of a round, which is also its button."""
    return gettext(SAID[act]["title"]) % {"number": number}


def undo_page(target: Target) -> UndoPage:
    """Return what an undo does, in a few queries."""
    subject, act = target.subject, target.act
    match act:
        case Undoable.START | Undoable.CANCEL | Undoable.FINISH:
            title, words = title_of(act), _of_event(target)
        case Undoable.RESULT:
            first, second = subject.pair
            title = gettext(SAID[act]["title"]) % {"first": first.name, "second": second.name}
            words = _of_result(subject)
        case Undoable.DROP | Undoable.DECLINE | Undoable.EJECT:
            title = gettext(SAID[act]["title"]) % {"player": subject.name}
            words = _of_player(target, subject)
        case _:
            title, words = title_of(act, subject.number), _of_round(act, subject)
    text, lost, stays = words
    return UndoPage(target, title, text, SAID[act].get("rule", ""), tuple(lost), tuple(filter(None, stays)))


_Words = tuple[str, list[str], list[str]]


def _of_event(target: Target) -> _Words:
    event = target.event
    results = gettext("All results, the standings and the log.")
    state = {"state": Event.State(target.after).label}
    match target.act:
        case Undoable.START:
            text = gettext(
                "Everybody who plays is checked in again, and the army lists can be changed until you start again. The "
                "event is “%(state)s” again."
            )
            lost = [gettext("The draft of round 1.")] if event.round_set.exists() else []
            stays = gettext("The players, their lists, and their tickets: the seed gives the same ones again.")
            return text % state, lost, [stays]
        case Undoable.CANCEL:
            return gettext("The event is “%(state)s” again.") % state, [], [results]
    lost = [
        gettext(
            "The secret of the seed: it was public until now. Anyone who kept it can compute the draw of a round that "
            "you have yet to draw."
        )
    ]
    if event.hands_published:
        lost.append(gettext("The publication of command hands and battle cards, until you finish the event again."))
    return (
        gettext("The event runs again. You can enter results, and undo the closing of its last round."),
        lost,
        [results],
    )


def _of_round(act: Undoable, found: Round) -> _Words:
    event, number = found.event, {"number": found.number}
    pairs = gettext("The pairings and tables.")
    match act:
        case Undoable.PUBLISH:
            text = gettext("The pairings of round %(number)s become a draft again that only leaders see.") % number
            late = found.unpaired_losses.count()
            lost = [
                ngettext(
                    "The pairings, as drawn: %(number)s player who has come since is paired now.",
                    "The pairings, as drawn: %(number)s players who have come since are paired now.",
                    late,
                )
                % {"number": late}
            ]
            if late:
                return text, lost, []
            if corrections_since(event, found):
                text += " " + gettext("They are drawn again from the corrected results.")
                return (
                    text,
                    [gettext("The pairings, where they differ.")],
                    [gettext("What was chosen by hand, as far as it fits.")],
                )
            return text, [], [pairs]
        case Undoable.CLOCK:
            text = gettext("Round %(number)s waits for its start again.") % number
            return text, [], [pairs, gettext("The minutes: they are the same when you start the clock again.")]
        case Undoable.CLOSE:
            text = gettext("Round %(number)s is under way again. Players and leaders can change its results.") % number
            stays = gettext("The results of round %(number)s and its clock.") % number
            return text, _lost_draft(event, found.number + 1), [stays]
    text = gettext("The bracket is deleted, and everybody who was cut plays again.")
    lost = [gettext("The pairings of the bracket’s first round, and its tables.")]
    if declined := ", ".join(entry.name for entry in event.entries.filter(state=Entry.State.CUT, replaceable=False)):
        lost.append(gettext("Who has declined: %(players)s advance again with the next cut.") % {"players": declined})
    return text, lost, [gettext("All results of the Swiss rounds and the standings.")]


def _lost_draft(event: Event, number: int) -> list[str]:
    """Return what is lost with the draft of a round."""
    if not event.round_set.filter(number=number).exists():
        return []
    lost = [gettext("The draft of round %(number)s.") % {"number": number}]
    if changes := len(hand_changes(draft_lines(event, number))):
        text = ngettext("%(number)s change made in it by hand.", "%(number)s changes made in it by hand.", changes)
        lost.append(text % {"number": changes})
    return lost


def _of_result(game: Game) -> _Words:
    text = gettext("The game counts as not played. Its players can report a result again, and leaders can enter one.")
    lost = [result_sentence(game)]
    if game.dispute:
        lost.append(gettext("What was said in the dispute."))
    return text, lost, [gettext("All other games, and the clock.")]


def _of_player(target: Target, entry: Entry) -> _Words:
    event, places = target.event, {"player": entry.name}
    results = gettext("All results of %(player)s.") % places
    if target.after != Entry.State.PLAYING:
        state = {"player": entry.name, "state": Entry.State(target.after).label}
        return gettext("%(player)s is “%(state)s” again.") % state, [], [results, _warnings(entry)]
    if event.state != Event.State.RUNNING:
        return gettext("%(player)s is in the event again.") % places, [], [results, _warnings(entry)]
    if not has_bracket_begun(event):
        text = gettext("%(player)s plays again, with an unpaired loss for each round missed.") % places
        return text, _drawn_again(event), [results, _warnings(entry)]
    text = gettext("%(player)s plays on in the bracket.") % places
    if is_replaceable(event):
        lost = [
            gettext("The place of whoever entered last, if somebody entered instead."),
            gettext("The pairings of the bracket’s first round become a draft, unless they stay the same."),
        ]
        return text, lost, [results]
    last = event.round_set.exclude(state=Round.State.DRAFT).order_by("number").last()
    lost = []
    for game in last.games.select_related("round", "first", "second") if last else ():
        if entry.pk in (game.first_id, game.second_id) and is_given_up(event, game, entry):
            words = {"table": game.table, "opponent": game.opponent_of(entry)}
            lost.append(gettext("The win of %(opponent)s at table %(table)s: the game is open again.") % words)
    return text, [*lost, *_drawn_again(event)], [results]


def _drawn_again(event: Event) -> list[str]:
    draft = event.round_set.filter(state=Round.State.DRAFT).first()
    return [gettext("The draft of round %(number)s: it is drawn again.") % {"number": draft.number}] if draft else []


def _warnings(entry: Entry) -> str:
    text = ngettext("%(number)s warning.", "%(number)s warnings.", entry.warnings)
    return text % {"number": entry.warnings} if entry.warnings else ""
