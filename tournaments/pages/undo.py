"""What the page of an undo says: what happens, what is lost, and what stays."""

from core.sentences import said
from rules.core.translation import sentences_of
from rules.core.values import Value
from tournaments.models import Entry, Event, Game, Round
from tournaments.pages.results import result_sentence
from tournaments.queries import rounds
from tournaments.queries.entries import places_free
from tournaments.queries.undo import Target, Undoable, is_given_up


class UndoPage(Value):
    """An undo before it is done: what happens (`text`), what is lost, what stays, and the number of its rule."""

    target: Target
    title: str
    text: str
    rule: str
    lost: tuple[str, ...]
    stays: tuple[str, ...]


SAID = sentences_of(__file__)


def title_of(act: Undoable, number: int = 0, column: int = 0) -> str:
    """Return the title of an undo of the event or of a round, which is also its button. `column`: the games of the
    round in a bracket.
    """
    return said(SAID[act]["title"], {"round": rounds.round_in_text(number, column)})


def undo_page(target: Target) -> UndoPage:
    """Return what an undo does, in a few queries."""
    subject, act = target.subject, target.act
    match act:
        case Undoable.START | Undoable.CANCEL | Undoable.FINISH:
            title, words = title_of(act), _of_event(target)
        case Undoable.RESULT:
            first, second = subject.pair
            title = said(SAID[act]["title"], {"first": first.name, "second": second.name})
            words = _of_result(subject)
        case Undoable.DROP | Undoable.DECLINE | Undoable.EJECT:
            title, words = said(SAID[act]["title"], {"player": subject.name}), _of_player(target, subject)
        case _:
            column = rounds.column_of(subject)
            title, words = title_of(act, subject.number, column), _of_round(act, subject)
            if act == Undoable.PUBLISH and rounds.corrections_since(subject.event, subject):
                title = said(SAID[act]["again"], {"round": rounds.round_in_text(subject.number, column)})
    text, lost, stays = words
    return UndoPage(target, title, text, SAID[act].get("rule", ""), tuple(lost), tuple(filter(None, stays)))


_Words = tuple[str, list[str], list[str]]


def _of_event(target: Target) -> _Words:
    event, own, results = target.event, SAID[target.act], said(SAID["any"]["results"], {})
    text = said(own["text"], {"state": Event.State(target.after).label})
    match target.act:
        case Undoable.START:
            return text, [said(own["draft"], {})] if event.round_set.exists() else [], [said(own["stays"], {})]
        case Undoable.CANCEL:
            return text, [], [results]
    return text, [said(own[name], {}) for name in ("seed", *(("hands",) if event.hands_published else ()))], [results]


def _of_round(act: Undoable, found: Round) -> _Words:
    event, own, pairs = found.event, SAID[act], said(SAID["any"]["pairs"], {})
    words = {"round": rounds.round_in_text(found.number, rounds.column_of(found))}
    text = said(own["text"], words)
    match act:
        case Undoable.PUBLISH:
            if late := found.unpaired_losses.count():
                return text, [said(own["late"], {"late": late}, late)], []
            if rounds.corrections_since(event, found):
                text += " " + said(own["corrected"], {})
                return text, [said(own["differ"], {})], [said(own["by_hand"], {})]
            return text, [], [pairs]
        case Undoable.CLOCK:
            return text, [], [pairs, said(own["minutes"], {})]
        case Undoable.CLOSE:
            lost = []
            if draft := event.round_set.filter(number=found.number + 1).first():
                changes = len(rounds.hand_changes(rounds.draft_lines(event, draft.number)))
                lost = [said(own["draft"], {"next": rounds.round_in_text(draft.number, rounds.column_of(draft))})]
                lost += [said(own["changes"], {"changes": changes}, changes)] if changes else []
            return text, lost, [said(own["stays"], words)]
    lost = [said(own["lost"], {})]
    if declined := ", ".join(entry.name for entry in event.entries.filter(state=Entry.State.CUT, replaceable=False)):
        lost.append(said(own["declined"], {"players": declined}))
    return text, lost, [said(own["stays"], {})]


def _of_result(game: Game) -> _Words:
    own = SAID[Undoable.RESULT]
    lost = [result_sentence(game), *([said(own["dispute"], {})] if game.dispute else [])]
    return said(own["text"], {}), lost, [said(own["stays"], {})]


def _of_player(target: Target, entry: Entry) -> _Words:
    event, own, warnings = target.event, SAID["player"], entry.warnings
    words = {"player": entry.name, "state": Entry.State(target.after).label, "warnings": warnings}
    results = said(own["stays"], words)
    stays = [results, said(own["warnings"], words, warnings) if warnings else ""]
    draft = event.round_set.filter(state=Round.State.DRAFT).first()
    again = (
        [said(own["draft"], {"round": rounds.round_in_text(draft.number, rounds.column_of(draft))})] if draft else []
    )
    if target.after != Entry.State.PLAYING:
        is_full = target.after == Entry.State.WAITING and places_free(event) == 0
        return said(own["full" if is_full else "as_before"], words), [], stays
    if event.state != Event.State.RUNNING:
        return said(own["back"], words), [], stays
    if not rounds.has_bracket_begun(event):
        return said(own["plays_again"], words), again, stays
    text = said(own["in_bracket"], words)
    if rounds.is_replaceable(event):
        return text, [said(own["place"], {}), said(own["first_round"], {})], [results]
    last = event.round_set.exclude(state=Round.State.DRAFT).order_by("number").last()
    lost = [
        said(own["win"], {"table": game.table, "opponent": game.opponent_of(entry)})
        for game in (last.games.select_related("round", "first", "second") if last else ())
        if entry.pk in (game.first_id, game.second_id) and is_given_up(event, game, entry)
    ]
    return text, [*lost, *again], [results]
