"""Rounds of an event: structure, drafts, publishing, the bracket and corrections, and two people at once."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from members.models import Role
from rules.core.violations import RuleViolation
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.at_once import at_once
from tests.tournaments.factories import (
    account_entry,
    add_player,
    add_players,
    entry_of,
    finished,
    games_of,
    make_event,
    make_leader,
    organizer,
    played_round,
    player_names,
    published_round,
    started,
)
from tournaments.models import Entry, Event, Game, LogLine, Membership, Round, StructureChoice
from tournaments.queries.events import check_players, proposal, structure_violations
from tournaments.queries.history import history_of
from tournaments.queries.standings import places_of
from tournaments.queries.undo import Undoable
from tournaments.scenarios.play import pair_by_hand
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def who(event: Event) -> dict[str, Any]:
    return {"actor": organizer(), "event": event}


def refused(act: Any, **words: Any) -> str:
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return str(caught.value)


def pairs_of(each: Round) -> list[str]:
    return sorted("".join(sorted(entry.name for entry in game.pair)) for game in games_of(each))


def by_hand(event: Event, *pairs: str, bye: str = "") -> Round:
    found = [(entry_of(event, pair[0]).key, entry_of(event, pair[1]).key) for pair in pairs]
    return pair_by_hand(**who(event), pairs=found, bye=entry_of(event, bye).key if bye else "")


def last_line(event: Event) -> tuple[str, str, dict[str, Any]]:
    line = LogLine.objects.filter(event=event).latest("pk")
    return line.kind, line.reason, line.facts


# --- Structure (E14–E16, E42) -------------------------------------------------------------------------------------


def test_the_first_pairings_settle_the_structure() -> None:
    """E14: who comes late after that changes nothing."""
    event = started(make_event(players=5))
    pairing.draw_round(**who(event))
    event.refresh_from_db()
    assert (event.frozen_players, event.rounds, event.cut) == (None, 0, 0)
    for _ in range(2):
        rounds.publish_round(**who(event))
    add_players(**who(event), names=["F"])
    event.refresh_from_db()
    assert (event.frozen_players, event.rounds, event.cut) == (5, 4, 0)
    facts = LogLine.objects.get(event=event, kind="published").facts
    assert facts == {"round": 1, "players": 5, "rounds": 4, "cut": 0}


@pytest.mark.parametrize(
    ("rule_set", "settings", "players", "found"),
    [
        ("GC", {}, 17, (4, 8)),
        ("GC", {"structure": StructureChoice.FULL_SWISS}, 33, (6, 0)),
        ("GC", {"structure": StructureChoice.CUSTOM, "rounds": 3, "cut": 2}, 33, (3, 2)),
        ("GC", {"structure": StructureChoice.CUSTOM, "cut": 2}, 33, (5, 2)),
        ("TR", {}, 9, (3, 0)),
        ("TR", {"structure": StructureChoice.ADVANCED}, 25, (4, 2)),
        ("TR", {"structure": StructureChoice.ELIMINATION, "rounds": 3}, 9, (0, 0)),
    ],
)
def test_what_a_structure_comes_to(rule_set: str, settings: Any, players: int, found: tuple[int, int]) -> None:
    event = Event(rule_set=rule_set, **settings)
    check_players(event, players)
    there = proposal(event, players)
    assert (there.rounds, there.cut) == found


@pytest.mark.parametrize(
    ("rule_set", "structure", "players", "text"),
    [
        ("GC", StructureChoice.CUSTOM, 3, "An event needs at least 4 players. Check in more players. (E14)"),
        ("TR", StructureChoice.STANDARD, 3, "This structure needs at least 4 players. (E15)"),
        ("TR", StructureChoice.ADVANCED, 8, "This structure needs at least 9 players. (E15)"),
        ("TR", StructureChoice.ELIMINATION, 1, "No game is possible yet. Check in more players. (E15)"),
    ],
)
def test_too_few_players(rule_set: str, structure: str, players: int, text: str) -> None:
    event = Event(rule_set=rule_set, structure=structure, rounds=1)
    assert refused(lambda: check_players(event, players)) == text


def test_structures_belong_to_a_rule_set() -> None:
    def rules_of(rule_set: str) -> list[str]:
        return ["".join(each.rule for each in structure_violations(rule_set, choice)) for choice in StructureChoice]

    assert StructureChoice.values == ["standard", "full_swiss", "advanced", "custom", "elimination"]
    assert (rules_of("GC"), rules_of("TR")) == (["", "", "E14", "", "E14"], ["", "E15", "", "", ""])
    words = {"actor": organizer(), "name": "Winter", "rule_set": RuleSet.GALACTIC_CONQUEST}
    text = "This structure does not belong to the rule set. Choose another one. (E14)"
    assert refused(events.create_event, **words, structure=StructureChoice.ELIMINATION) == text


# --- Drafts (E17–E24) ---------------------------------------------------------------------------------------------


def test_pairs_by_hand_of_players_who_have_left() -> None:
    """E4, E24, E25."""
    event = started(make_event())
    entries.drop(actor=organizer(), entry=entry_of(event, "C"))
    entries.eject(actor=organizer(), entry=entry_of(event, "D"), reason="x")
    assert refused(lambda: by_hand(event, "AC", "BD")) == (
        "C has dropped. Let them rejoin first. (E25) D was ejected and plays no more rounds. (E4) "
        "Pair each active player once, and give who is left the bye. (E24)"
    )
    assert refused(lambda: by_hand(event, "AB", bye="A")) == (
        "Pair each active player once, and give who is left the bye. (E24)"
    )


def test_withdrawn_pairings_without_all_players_are_drawn_again() -> None:
    """E21, E24: who came late is paired, and has no unpaired loss for that round any more."""
    event = started(make_event(rounds=3))
    published_round(event)
    late = add_player(**who(event), name="E")
    assert late.unpaired_losses.count() == 1
    undo(**who(event), act=Undoable.PUBLISH, number=1, reason="E is here")
    draft = event.round_set.get()
    assert (draft.number, draft.games.count(), late.unpaired_losses.count()) == (1, 3, 0)


def names_in(each: Round) -> list[str]:
    found = each.games.values_list("first__name", "second__name")
    return sorted(name for pair in found for name in pair if name)


def test_a_draft_follows_its_players() -> None:
    """E21, E24, E25: it is drawn again, and the log says so."""
    event = started(make_event(players=5, rounds=3))
    pairing.draw_round(**who(event))
    for act, names, because in (
        (lambda: entries.drop(actor=organizer(), entry=entry_of(event, "A")), "BCDE", "left"),
        (lambda: entries.rejoin(actor=organizer(), entry=entry_of(event, "A")), "ABCDE", "back"),
        (lambda: add_players(**who(event), names=["F"]), "ABCDEF", "came"),
        (lambda: entries.eject(actor=organizer(), entry=entry_of(event, "B"), reason="cheats"), "ACDEF", "left"),
    ):
        act()
        assert names_in(event.round_set.get()) == list(names)
        assert LogLine.objects.filter(event=event, kind="drafted").latest("pk").facts["because"] == because
    for name in "ACDE":
        entries.drop(actor=organizer(), entry=entry_of(event, name))
    assert last_line(event)[::2] == ("paired", {"round": 1, "discarded": True})
    assert not event.round_set.exists()
    assert refused(pairing.draw_round, **who(event)).startswith("A round needs at least two players.")


def test_a_page_that_is_out_of_date_never_acts_on_the_next_round() -> None:
    event = started(make_event(rounds=3))
    first = played_round(event)
    each = published_round(event)
    for act in (pairing.draw_round, rounds.publish_round, rounds.close_round):
        assert act(**who(event), number=1) == first
    Round.objects.filter(number=1).update(started_at=NOON, minutes=150)
    assert clock.start_clock(**who(event), now=NOON, number=1) == first
    each.refresh_from_db()
    assert (each.state, each.started_at) == (Round.State.PUBLISHED, None)
    assert refused(rounds.publish_round, **who(event), number=3) == "There are no pairings yet. Draw them first."


# --- The bracket (E38–E43) ----------------------------------------------------------------------------------------


def test_the_next_in_the_standings_enters_when_one_declines() -> None:
    """E38."""
    event = started(make_event(players=6, rounds=1, cut=4))
    words = {"actor": organizer()}
    assert refused(entries.decline_place, **words, entry=entry_of(event, "A")) == "A has no place to decline. (E38)"
    by_hand(event, "AB", "CD", "EF")
    played_round(event)
    order = [standing.player for standing in history_of(event).standings()]
    numbers = [int(key) for key in order]
    bracket.make_cut(**who(event))
    fourth, fifth = (event.entries.get(number=number) for number in numbers[3:5])
    assert refused(entries.decline_place, **words, entry=fifth) == f"{fifth.name} has no place to decline. (E38)"
    for _ in range(2):
        entries.decline_place(**words, entry=fourth)
    fourth.refresh_from_db()
    fifth.refresh_from_db()
    assert (fourth.state, fifth.state) == (Entry.State.CUT, Entry.State.PLAYING)
    entries.drop(**words, entry=fifth)
    seeds = LogLine.objects.filter(kind="cut").order_by("pk").values_list("facts__seeds", flat=True)
    assert list(seeds) == [numbers[:4], [*numbers[:3], numbers[4]], [*numbers[:3], numbers[5]]]
    published_round(event)
    clock.start_clock(**who(event), now=NOON)
    first = event.entries.get(number=numbers[0])
    text = f"The bracket is being played. Drop {first.name} instead. (E41)"
    assert refused(entries.decline_place, **words, entry=first) == text
    entries.drop(**words, entry=first)
    game = event.round_set.get(number=2).games.get(first=first)
    assert (game.state, game.how, game.by, game.winner) == ("confirmed", "no_show", first, game.second)


def test_the_bracket_stays_if_somebody_leaves_who_is_not_in_it() -> None:
    """E4, E38: published pairings stay published."""
    event = started(make_event(players=6, rounds=1, cut=4))
    played_round(event)
    bracket = published_round(event)
    gone = event.entries.filter(state=Entry.State.CUT).first()
    assert gone is not None
    entries.eject(actor=organizer(), entry=gone, reason="x")
    bracket.refresh_from_db()
    assert (bracket.stage, bracket.state) == (Round.Stage.BRACKET, Round.State.PUBLISHED)


def test_dropping_out_of_a_drafted_final_is_a_bye() -> None:
    """E41."""
    event = started(make_event(rounds=1, cut=4))
    played_round(event)
    played_round(event)
    draft = pairing.draw_round(**who(event))
    (game,) = games_of(draft)
    gone, left = game.pair
    entries.drop(actor=organizer(), entry=gone)
    game = event.round_set.get(number=3).games.get()
    assert (game.first, game.second, game.table) == (left, None, 0)
    published_round(event)
    rounds.close_round(**who(event))
    history = history_of(event)
    assert (history.places()[left.key], history.places()[gone.key]) == ("1", "2")


def test_single_elimination_is_drawn_again_for_who_comes_late() -> None:
    """E42: until it is published."""
    event = started(make_event("TR", structure=StructureChoice.ELIMINATION))
    assert pairing.draw_round(**who(event)).games.count() == 2
    add_players(**who(event), names=["E"])
    draft = pairing.draw_round(**who(event))
    assert (draft.stage, draft.games.count(), draft.games.filter(second=None).count()) == ("bracket", 4, 3)
    assert refused(by_hand, event=event, bye="D") == "Pair each active player once, and give who is left the bye. (E42)"
    assert refused(lambda: by_hand(event, "AB", bye="A")) == (
        "Pair each active player once, and give who is left the bye. (E42)"
    )
    draft = by_hand(event, "AB", bye="C")
    assert pairs_of(draft) == ["AB"]
    published_round(event)
    event.refresh_from_db()
    assert (event.frozen_players, event.rounds, event.cut) == (5, 0, 0)
    event = finished(event)
    placed = [(each.place, each.entry.name) for each in places_of(event).all]
    assert ([place for place, _name in placed], placed[0], placed[4]) == (
        ["1", "2", "3-4", "3-4", "5-8"],
        ("1", "A"),
        ("5-8", "B"),
    )


def test_nobody_changes_the_pairs_of_a_bracket() -> None:
    """E39."""
    event = started(make_event(rounds=1, cut=2))
    played_round(event)
    bracket.make_cut(**who(event))
    pairing.draw_round(**who(event))
    (game,) = games_of(event.round_set.get(number=2))
    one, other = game.pair
    stranger = event.entries.exclude(pk__in=[one.pk, other.pk]).first()
    text = "The bracket is fixed: the winners of neighboring games meet. (E39)"
    assert refused(lambda: by_hand(event, one.name + stranger.name)) == text
    by_hand(event, other.name + one.name)
    game.refresh_from_db()
    assert game.first == one


def test_nobody_plays_on_a_table_twice_in_the_bracket_where_that_is_possible() -> None:
    """E22: A and B played at table 1, C and D at table 2, and the seeds pair them again."""
    event = started(make_event(rounds=1, cut=4))
    by_hand(event, "AB", "CD")
    current = rounds.publish_round(**who(event))
    for game, points in zip(games_of(current), ((900, 100), (500, 400)), strict=True):
        won = Result(how=Ending.VICTORY, winner=game.pair[0].key, points=points)
        results.save_result(actor=organizer(), game=game, result=won)
    rounds.close_round(**who(event))
    draft = bracket.make_cut(**who(event))
    assert {"".join(each.name for each in game.pair): game.table for game in games_of(draft)} == {"AB": 2, "CD": 1}


def test_a_fixed_table_counts_in_the_bracket_too() -> None:
    """E22."""
    event = started(make_event(rounds=1, cut=4))
    played_round(event)
    draft = bracket.make_cut(**who(event))
    assert sorted(game.table for game in games_of(draft)) == [1, 2]
    last = games_of(draft)[1].pair[0]
    Entry.objects.filter(pk=last.pk).update(fixed_table=1)
    entries.drop(actor=organizer(), entry=games_of(draft)[0].pair[1])
    draft = event.round_set.get(number=2)
    tables = {entry.pk: game.table for game in draft.games.all() for entry in (game.first, game.second) if entry}
    assert tables[last.pk] == 1


def test_the_winner_of_an_event() -> None:
    """E43: nobody while it runs; of the bracket, or the first of the standings."""
    event = started(make_event(rounds=2))
    played_round(event)
    played_round(event)
    assert places_of(event).winner is None
    event = events.finish(**who(event))
    assert places_of(event).winner == entry_of(event, "A")
    with_cut = finished(make_event(rounds=1, cut=2, name="With a cut"))
    assert places_of(with_cut).winner == entry_of(with_cut, "A")


def test_the_final_of_the_regulations_is_longer() -> None:
    """E26: 210 minutes; all other rounds 150."""
    event = started(make_event("TR", rounds=1, cut=4))
    minutes = []
    for _ in range(3):
        published_round(event)
        minutes.append(clock.start_clock(**who(event), now=NOON).minutes)
        for game in games_of(event.round_set.last()):
            won = Result(how=Ending.SIX_ROUNDS, winner=game.pair[0].key, tokens=(2, 1))
            results.save_result(actor=organizer(), game=game, result=won)
        rounds.close_round(**who(event))
    assert minutes == [150, 150, 210]


# --- Players and results ------------------------------------------------------------------------------------------


def test_who_is_registered_comes_late_by_checking_in() -> None:
    """E6, E21: with an unpaired loss for the round that has begun; the waiting list waits."""
    event = make_event(players=6, rounds=3)
    Entry.objects.filter(name="E").update(state=Entry.State.REGISTERED)
    Entry.objects.filter(name="F").update(state=Entry.State.WAITING)
    event = started(event)
    published_round(event)
    for _ in range(2):
        entries.check_in(**who(event), entries=list(event.entries.all()))
    late = entry_of(event, "E")
    assert (late.state, late.unpaired_losses.count(), late.ticket) == ("playing", 1, event.draw.ticket(late.key))
    assert entry_of(event, "F").state == Entry.State.WAITING
    assert LogLine.objects.filter(kind="entry").count() == 1


def test_dropping_and_rejoining_before_the_start() -> None:
    """E6, E25: the player is registered again; once the event is over nobody rejoins."""
    event = make_event(players=5)
    player = entry_of(event, "A")
    entries.drop(actor=organizer(), entry=player)
    for _ in range(2):
        entries.rejoin(actor=organizer(), entry=player)
    player.refresh_from_db()
    assert (player.state, player.ticket) == (Entry.State.REGISTERED, None)
    entries.drop(actor=organizer(), entry=player)
    Event.objects.update(state=Event.State.FINISHED)
    assert refused(entries.rejoin, actor=organizer(), entry=player) == "This event is over."
    entries.check_in(**who(event), entries=[player])
    player.refresh_from_db()
    assert player.state == Entry.State.DROPPED


def test_a_warning_sent_twice_is_one() -> None:
    """E4."""
    event = make_event()
    words = {"actor": make_leader(event), "entry": entry_of(event, "A"), "reason": "slow play"}
    assert [entries.warn(**words, number=number) for number in (1, 1, 2)] == [1, 1, 2]


def test_the_log_names_what_a_leader_decides() -> None:
    """E28: a result that replaces another one, or settles a dispute; the same one again is no decision."""
    event = started(make_event(rounds=3))
    game = games_of(published_round(event))[0]
    first, second = game.pair
    words = {"actor": make_leader(event), "game": game}
    one, other = (Result(how=Ending.VICTORY, winner=each.key, points=(400, 300)) for each in (first, second))
    for _ in range(2):
        version = results.save_result(**words, result=one).version
    assert (version, LogLine.objects.filter(kind="decided").count()) == (1, 0)
    text = "Somebody entered a result of this game a moment ago. Compare it with yours. (E28)"
    assert refused(results.save_result, **words, result=other, version=0) == text
    results.save_result(**words, result=other, version=1)
    facts = last_line(event)[2]
    assert (facts["before"]["winner"], facts["after"]["winner"]) == (first.number, second.number)
    Game.objects.filter(pk=game.pk).update(state=Game.State.DISPUTED)
    results.save_result(**words, result=other)
    assert LogLine.objects.filter(kind="decided").count() == 2


def test_games_of_leaders_are_ruled_by_the_others() -> None:
    """E2: two leaders who play each other by the head judge; the only leaders there are by themselves."""
    event = make_event("TR", rounds=3)
    judge, other = make_leader(event), make_leader(event, name="jo")
    one, two = account_entry(event, judge), account_entry(event, other)
    event = started(event)
    pairs = [(one.key, two.key), *((entry_of(event, a).key, entry_of(event, b).key) for a, b in ("AB", "CD"))]
    draft = pair_by_hand(**who(event), pairs=pairs)
    rounds.publish_round(**who(event))
    game = games_of(draft)[0]
    words = {"game": game, "result": Result(how=Ending.SIX_ROUNDS, winner=one.key, tokens=(2, 1))}
    text = "You play in this game. Ask another leader to decide it. (E2)"
    assert refused(results.save_result, actor=judge, **words) == text
    text = "Two leaders play this game. Ask the {} to decide it. (E2)"
    assert refused(results.save_result, actor=make_leader(event, name="jim"), **words) == text.format("organizer")
    head, text = make_leader(event, Role.HEAD_JUDGE), text.format("head judge")
    assert refused(results.save_result, actor=organizer(), **words) == text
    results.save_result(actor=head, **words)
    Membership.objects.filter(event=event).exclude(user__in=(judge, other)).delete()
    lost = Result(how=Ending.SIX_ROUNDS, winner=two.key, tokens=(1, 2))
    assert results.save_result(actor=judge, game=game, result=lost).winner == two


def test_a_correction_equals_having_entered_it_right_at_once() -> None:
    """E31."""
    figures = []
    for is_corrected in (True, False):
        event = started(make_event("TR", rounds=2, name=f"Corrected: {is_corrected}"))
        by_hand(event, "AB", "CD")
        first, second = games_of(published_round(event))
        wrong = Result(how=Ending.SIX_ROUNDS, winner="1", tokens=(2, 1))
        right = Result(how=Ending.SIX_ROUNDS, winner="2", tokens=(2, 7), points=(80, 90))
        results.save_result(actor=organizer(), game=first, result=wrong if is_corrected else right)
        other = Result(how=Ending.ALL_DEFEATED, winner="3", tokens=(0, 1))
        results.save_result(actor=organizer(), game=second, result=other)
        rounds.close_round(**who(event))
        if is_corrected:
            results.save_result(correct=True, actor=organizer(), game=first, result=right)
        figures.append({each.player: replace(each, rank=0, ticket=0) for each in history_of(event).standings()})
    assert figures[0] == figures[1]


def test_a_closed_round_takes_corrections_alone() -> None:
    """E31: the same result once more is a second click."""
    event = started(make_event(rounds=3))
    game = games_of(played_round(event))[0]
    second = game.pair[1]
    other = Result(how=Ending.VICTORY, winner=second.key, points=(300, 500), tokens=(3, 5))
    words = {"actor": organizer(), "game": game}
    text = "This round is closed. Correct the result instead. (E31)"
    assert refused(results.save_result, **words, result=other) == text
    pairing.draw_round(**who(event))
    for _ in range(2):
        results.save_result(correct=True, **words, result=other)
    assert results.save_result(**words, result=other).version == 2
    kinds = list(LogLine.objects.filter(event=event).order_by("pk").values_list("kind", "facts__round"))[-3:]
    assert kinds == [("drafted", 2), ("corrected", 1), ("drafted", 2)]
    current = games_of(published_round(event))[0]
    won = Result(how=Ending.VICTORY, winner=current.pair[0].key)
    results.save_result(correct=True, actor=organizer(), game=current, result=won)
    current.refresh_from_db()
    assert (current.state, current.winner) == (Game.State.CONFIRMED, current.pair[0])


def test_a_corrected_swiss_game_makes_the_cut_again() -> None:
    """E31, E38: while the bracket is a draft; once it is published it stays."""
    event = started(make_event(rounds=1, cut=2))
    by_hand(event, "AB", "CD")
    played_round(event)
    bracket.make_cut(**who(event))
    game = games_of(event.round_set.get(number=1))[0]
    words = {"actor": organizer(), "game": game}
    results.save_result(correct=True, **words, result=Result(how=Ending.VICTORY, winner="2", points=(0, 900)))
    assert pairs_of(event.round_set.get(number=2)) == ["BC"]
    published_round(event)
    results.save_result(correct=True, **words, result=Result(how=Ending.VICTORY, winner="1", points=(900, 0)))
    assert pairs_of(event.round_set.get(number=2)) == ["BC"]


def test_only_an_organizer_overrides_what_stands() -> None:
    """E31."""
    event = started(make_event("TR", rounds=3))
    game = games_of(played_round(event))[0]
    for _ in range(2):
        played_round(event)
    lost = Result(how=Ending.SIX_ROUNDS, winner=game.pair[1].key, tokens=(1, 2))
    words = {"game": game, "result": lost, "reason": "misread"}
    text = "This result stands. Only an organizer can override it. (E31)"
    assert refused(results.save_result, correct=True, actor=make_leader(event, Role.HEAD_JUDGE), **words) == text
    results.save_result(correct=True, actor=organizer(), **words)
    assert last_line(event)[:2] == ("corrected", "misread")


def test_a_corrected_bracket_game_draws_the_final_again() -> None:
    """E31: while the final is a draft; once it is published it stays."""
    event = started(make_event(rounds=1, cut=4))
    played_round(event)
    game = games_of(played_round(event))[0]
    first, second = game.pair
    pairing.draw_round(**who(event))
    words = {"actor": organizer(), "game": game}
    figures = Result(how=Ending.VICTORY, winner=first.key, points=(700, 0))
    other = Result(how=Ending.VICTORY, winner=second.key, points=(0, 700))
    results.save_result(correct=True, **words, result=figures)
    assert first in games_of(event.round_set.get(number=3))[0].pair
    results.save_result(correct=True, **words, result=other)
    assert second in games_of(event.round_set.get(number=3))[0].pair
    (final,) = games_of(published_round(event))
    assert second in final.pair
    assert refused(results.save_result, correct=True, **words, result=figures) == (
        "The next round is already paired with the winner of this game, and that pairing stays. Correct only the "
        "figures, or undo its publishing before it starts. (E31)"
    )
    undo(**who(event), act=Undoable.PUBLISH, number=3, reason="a wrong slip")
    results.save_result(correct=True, **words, result=figures)
    assert first in games_of(published_round(event))[0].pair


# --- Cost and competition -----------------------------------------------------------------------------------------


def test_an_event_is_read_in_four_queries(django_assert_num_queries: Any) -> None:
    event = started(make_event(players=5, rounds=3, cut=2))
    played_round(event)
    add_players(**who(event), names=player_names(9)[5:])
    played_round(event)
    event.refresh_from_db()
    with django_assert_num_queries(4):
        history = history_of(event)
        history.standings()
        history.places()
        assert all(game.first.event_id for each in history.rounds for game in each.games.all() if game.first)
        assert {loss.entry.name for loss in history.rounds[0].unpaired_losses.all()} == set("FGHI")


@pytest.mark.django_db(transaction=True)
def test_two_organizers_at_once() -> None:
    """Each step happens once, whoever comes first; a result is in time or is refused, and never lost."""
    event = started(make_event(rounds=3))
    words = who(event)
    drafts = at_once(lambda: pairing.draw_round(**words), lambda: pairing.draw_round(**words))
    assert drafts[0] == drafts[1]
    at_once(lambda: rounds.publish_round(**words), lambda: rounds.publish_round(**words))
    clocks = at_once(*(lambda hour=hour: clock.start_clock(**words, now=NOON.replace(hour=hour)) for hour in (9, 10)))
    assert clocks[0].started_at == clocks[1].started_at
    assert clocks[0].minutes == clocks[1].minutes
    kinds = list(LogLine.objects.filter(event=event).order_by("pk").values_list("kind", flat=True))
    assert kinds == ["created", "entered", "state", "drafted", "published"]
    first, last = games_of(drafts[0])
    won = {game.pk: Result(how=Ending.VICTORY, winner=game.pair[0].key, points=(500, 1)) for game in (first, last)}
    results.save_result(actor=organizer(), game=first, result=won[first.pk])
    entered, closed = at_once(
        lambda: results.save_result(actor=words["actor"], game=last, result=won[last.pk]),
        lambda: rounds.close_round(**words),
    )
    last.refresh_from_db()
    assert (entered.state, last.state, last.first_points) == ("confirmed", "confirmed", 500)
    assert isinstance(closed, Round) or str(closed) == "1 result is missing. (E28)"
    lost = Result(how=Ending.VICTORY, winner=last.pair[1].key, points=(1, 500))
    entered, closed = at_once(
        lambda: results.save_result(actor=words["actor"], game=last, result=lost), lambda: rounds.close_round(**words)
    )
    last.refresh_from_db()
    if isinstance(entered, RuleViolation):
        assert (str(entered), last.first_points) == ("This round is closed. Correct the result instead. (E31)", 500)
    else:
        assert last.second_points == 500
    assert (closed.number, closed.state) == (1, Round.State.CLOSED)


def test_who_withdrew_before_the_start_gets_a_ticket_on_rejoining() -> None:
    """E25, E34."""
    event = make_event(players=5)
    gone = entry_of(event, "E")
    entries.drop(actor=organizer(), entry=gone)
    event = started(event)
    entries.rejoin(actor=organizer(), entry=gone)
    gone.refresh_from_db()
    assert (gone.state, gone.ticket) == (Entry.State.PLAYING, event.draw.ticket(gone.key))
