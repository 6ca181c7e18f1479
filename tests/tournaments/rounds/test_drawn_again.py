"""Drafts that are drawn again: what a person chose is kept where it fits, and the pages say what happened (E17, E24,
E31)."""

from typing import Any

import pytest
from django.urls import reverse

from rules.tournaments.results import Ending, Result
from tests.tournaments.factories import (
    entry_of,
    finished,
    games_of,
    make_event,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Event, Game, LogLine, Round
from tournaments.pages.rounds import draft_of
from tournaments.queries.exchange import content_of
from tournaments.queries.undo import Undoable
from tournaments.services import bracket, clock, entries, pairing, results, rounds, verification
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db
WHY = "They share a car."


def who(event: Event) -> dict[str, Any]:
    return {"actor": organizer(), "event": event}


def drafted(players: int = 8, **settings: Any) -> Event:
    """An event whose second round is a draft."""
    event = started(make_event(players=players, **{"rounds": 4, **settings}))
    played_round(event)
    pairing.draw_round(**who(event))
    return event


def change(event: Event, act: Any, **words: Any) -> None:
    current = event.round_set.last()
    version = draft_of(event, current.number).version
    act(**who(event), number=current.number, reason=WHY, version=version, **words)


def games(event: Event) -> dict[str, int]:
    """The tables of the last round's games by the names of their players; 0 for a bye."""
    rows = event.round_set.last().games.select_related("first", "second")
    return {"".join(sorted(str(each) for each in (game.first, game.second) if each)): game.table for game in rows}


def swapped(event: Event) -> list[str]:
    """Let two players of the first two games change places; return the two pairs."""
    one, other = games_of(event.round_set.last())[:2]
    change(event, rounds.swap_players, one=one.first, other=other.first)
    return sorted(
        "".join(sorted(pair)) for pair in ((str(other.first), str(one.second)), (str(one.first), str(other.second)))
    )


def drop(event: Event, name: str) -> None:
    entries.drop(actor=organizer(), entry=entry_of(event, name))


def new_lines(event: Event, before: int) -> list[tuple[str, dict[str, Any], str]]:
    lines = LogLine.objects.filter(event=event, pk__gt=before).order_by("pk")
    return [(line.kind, line.facts, line.reason) for line in lines]


def other_than(event: Event, *pairs: str) -> str:
    """A player who is in none of these pairs."""
    return next(name for name in "ABCDEFGH" if name not in "".join(pairs))


def test_pairs_that_a_person_chose_survive_a_drop():
    """E24, E25: only what the dropped player was part of is lost, and the log lists it."""
    event = drafted()
    chosen = swapped(event)
    last = LogLine.objects.latest("pk").pk
    gone = other_than(event, *chosen)
    drop(event, gone)
    assert set(chosen) <= set(games(event))
    number = entry_of(event, gone).number
    numbers = [sorted(entry_of(event, name).number for name in pair) for pair in chosen]
    (_entry, (kind, facts, reason), (again, kept, why)) = new_lines(event, last)
    assert (kind, facts, reason) == ("drafted", {"round": 2, "because": "left", "entries": [number]}, "")
    assert (again, kept["act"], why) == ("paired", "kept", WHY)
    assert sorted(game["players"] for game in kept["after"]) == sorted(numbers)
    page = draft_of(event, 2)
    assert page.changed
    assert [each.text for each in page.warnings if each.rule == "E25"] == [
        f"The pairings of round 2 were drawn again without {gone}."
    ]
    last = LogLine.objects.latest("pk").pk
    drop(event, chosen[0][0])
    assert (chosen[0] in games(event), chosen[1] in games(event)) == (False, True)
    lost = next(facts["lost"] for _kind, facts, _reason in new_lines(event, last) if facts.get("lost"))
    assert [game["players"] for game in lost] == [sorted(entry_of(event, name).number for name in chosen[0])]
    text = f"Round 2: choices made by hand were lost when the draft was drawn again. Lost: table {lost[0]['table']}: "
    assert [each.text.startswith(text) for each in draft_of(event, 2).warnings if each.rule == "E24"] == [True]


def test_without_choices_by_hand_a_draft_is_the_apps():
    event = drafted()
    drop(event, "A")
    page = draft_of(event, 2)
    assert not page.changed
    assert [each.text for each in page.story] == [
        "The pairings of round 2 were drawn again without A.", "The pairings of round 2 were drawn.",
    ]  # fmt: skip


def test_a_chosen_bye_is_kept_while_the_number_is_odd():
    """E19, E24."""
    event = drafted(7)
    holder = next(name for name in games(event) if len(name) == 1)
    chosen = next(name for name in "ABCDEFG" if name != holder)
    change(event, rounds.give_bye, entry=entry_of(event, chosen), again=True)
    two = [name for name in "ABCDEFG" if name not in (chosen, holder)][:2]
    drop(event, two[0])
    assert all(len(pair) == 2 for pair in games(event))
    assert any(each.rule == "E24" and f"bye for {chosen}" in each.text for each in draft_of(event, 2).warnings)
    event = drafted(7, name="Another")
    change(event, rounds.give_bye, entry=entry_of(event, chosen), again=True)
    entries.add_players(**who(event), players=[entries.NewPlayer("X"), entries.NewPlayer("Y")])
    assert games(event)[chosen] == 0


def test_a_late_entry_takes_the_bye_of_a_draft_that_was_changed_by_hand():
    """E21, E24: nobody else is paired again. The app's own draft is drawn again."""
    event = drafted(7)
    swapped(event)
    before, last = games(event), LogLine.objects.latest("pk").pk
    bye = next(name for name in before if len(name) == 1)
    entries.add_players(**who(event), players=[entries.NewPlayer("X")])
    paired = "".join(sorted(f"{bye}X"))
    assert set(games(event)) == {*before, paired} - {bye}
    assert {name: table for name, table in games(event).items() if name != paired}.items() <= before.items()
    assert [kind for kind, *_rest in new_lines(event, last)].count("drafted") == 0
    own = drafted(7, name="Another")
    last = LogLine.objects.latest("pk").pk
    entries.add_players(**who(own), players=[entries.NewPlayer("X")])
    assert [kind for kind, *_rest in new_lines(own, last)].count("drafted") == 1


def test_a_chosen_table_stays_with_its_game():
    """E22, E24."""
    event = drafted()
    pair = next(iter(games(event)))
    place = event.round_set.last().games.get(first__name__in=pair, second__name__in=pair).place
    change(event, rounds.set_tables, tables={place: 12})
    gone = other_than(event, pair)
    other = next(each for each in games(event) if gone in each).replace(gone, "")
    drop(event, gone)
    drop(event, other)
    assert (games(event)[pair], draft_of(event, 2).changed) == (12, "")


def test_the_tables_of_a_bracket_survive_who_declines():
    """E22, E38: of the games that are still there."""
    event = started(make_event(players=6, rounds=1, cut=4))
    played_round(event)
    first = bracket.make_cut(**who(event))
    one, other = games_of(first)
    change(event, rounds.set_tables, tables={one.place: 9, other.place: 8})
    entries.drop(actor=organizer(), entry=one.second)
    assert games(event)["".join(sorted(str(each) for each in other.pair))] == 8
    warnings = draft_of(event, 2).warnings
    assert any("table 9" in each.text for each in warnings)
    why = f"The pairings of the semifinals were drawn again without {one.second}."
    assert [each.rule for each in warnings if each.text == why] == ["E38"]


def test_four_players_of_whom_two_pairs_were_chosen():
    """E24: who is left over has the bye."""
    event = drafted(4)
    chosen = swapped(event)
    drop(event, chosen[0][0])
    assert sorted(games(event)) == sorted([chosen[0][1], chosen[1]])


def test_a_correction_keeps_what_was_chosen():
    """E31: the draft follows the corrected result, but for the pairs of a person."""
    event = drafted()
    chosen = swapped(event)
    correct(event)
    assert set(chosen) <= set(games(event))
    texts = [each.text for each in draft_of(event, 2).warnings]
    assert "The pairings of round 2 were drawn again, because a result was corrected." in texts


def correct(event: Event) -> Game:
    """Give a game of round 1 to its other player."""
    game = games_of(event.round_set.get(number=1))[0]
    loser = game.first if game.winner_id == game.second_id else game.second
    points = (900, 100) if loser == game.first else (100, 900)
    result = Result(how=Ending.VICTORY, winner=loser.key, points=points, tokens=(4, 4))
    return results.save_result(actor=organizer(), game=game, result=result, correct=True)


# --- After publishing (E17, E31) ----------------------------------------------------------------------------------


def _published(**settings: Any) -> Event:
    event = started(make_event(players=8, rounds=4, **settings))
    played_round(event)
    published_round(event)
    return event


def test_a_correction_before_the_clock_offers_to_draw_again(client):
    """The preview, the console and the draft say that the pairings come from the old result; drawing again gives those
    that the right result would have given."""
    event = _published()
    game = games_of(event.round_set.get(number=1))[0]
    client.force_login(organizer())
    console = reverse("tournaments:console", args=[event.pk])
    undo_page = reverse("tournaments:undo", args=[event.pk, "publish", 2])
    assert client.get(console).context["notices"] == []
    loser = game.first if game.winner_id == game.second_id else game.second
    mine = loser == game.first
    data = {
        "version": game.version, "winner": loser.key, "how": "victory", "first_points": 900 if mine else 100,
        "second_points": 100 if mine else 900, "first_tokens": 4, "second_tokens": 4, "do": "save",
    }  # fmt: skip
    page = reverse("tournaments:result", args=[event.pk, 1, game.place])
    preview = client.post(page, data)
    assert "The next round is published. Its pairings come from the old result and stay" in preview.content.decode()
    before = games(event)
    assert client.post(page, {**data, "shown": preview.context["token"]}).url == console
    assert games(event) == before
    text = (
        f"Round 1: the result of {game.first} – {game.second} was corrected after these pairings were drawn. They come "
        "from the old result, and stand once the clock has started."
    )
    for address in (console, reverse("tournaments:draft", args=[event.pk, 2])):
        shown = client.get(address).content.decode()
        assert (text in shown, undo_page in shown) == (True, True)
    asked = client.get(undo_page)
    assert "They are drawn again from the corrected results." in asked.content.decode()
    assert asked.context["page"].title == "Draw round 2 again"
    client.post(undo_page, {"token": asked.context["page"].target.token, "reason": "The slip was misread."})
    again = games(event)
    assert client.get(console).context["is_outdated"] is False
    Round.objects.filter(event=event, number=2).delete()
    pairing.draw_round(**who(event))
    assert games(event) == again != before


def test_once_the_clock_has_started_the_pairings_stand(client):
    event = _published()
    correct(event)
    clock.start_clock(**who(event), now=event.created_at)
    client.force_login(organizer())
    assert client.get(reverse("tournaments:console", args=[event.pk])).context["notices"] == []
    assert draft_of(event, 2).warnings == ()


def test_the_seeds_of_a_published_bracket_come_from_the_old_result():
    """E31, E38."""
    event = started(make_event(players=8, rounds=1, cut=2))
    played_round(event)
    published_round(event)
    before = games(event)
    correct(event)
    assert draft_of(event, 2).is_outdated
    undo(**who(event), act=Undoable.PUBLISH, number=2, reason=WHY)
    assert games(event) != before
    assert not draft_of(event, 2).is_outdated


def test_a_draft_says_by_hand_only_if_a_hand_changed_it():
    """E24: undoing the publication changes nothing; drawing from a corrected result is the app's."""
    event = _published()
    undo(**who(event), act=Undoable.PUBLISH, number=2, reason=WHY)
    assert not draft_of(event, 2).changed
    rounds.publish_round(**who(event))
    correct(event)
    undo(**who(event), act=Undoable.PUBLISH, number=2, reason=WHY)
    assert not draft_of(event, 2).changed
    swapped(event)
    assert draft_of(event, 2).changed


def test_the_console_tells_of_a_drop_that_nobody_saw(client):
    """A player drops on their own phone while the organizer looks elsewhere; nobody is named as who drew again."""
    event = drafted()
    chosen = swapped(event)
    gone = entry_of(event, chosen[0][0])
    version = draft_of(event, 2).version
    entries.drop(actor=None, entry=gone, own=gone)
    client.force_login(organizer())
    notices = [each.text for each in client.get(reverse("tournaments:console", args=[event.pk])).context["notices"]]
    assert notices[0] == f"The pairings of round 2 were drawn again without {gone}."
    assert notices[1].startswith("Round 2: choices made by hand were lost")
    published = client.post(reverse("tournaments:draft", args=[event.pk, 2]), {"do": "publish", "version": version})
    assert "Look at them again, then publish." in published.content.decode()
    log = client.get(reverse("tournaments:log", args=[event.pk])).context["lines"]
    assert [each.who for each in log if "drawn again without" in each.text] == [""]


def test_lost_choices_are_for_leaders_until_the_round_is_published(client):
    """E24: they name pairs of a draft."""
    event = drafted()
    chosen = swapped(event)
    drop(event, chosen[0][0])
    page = reverse("tournaments:log", args=[event.pk])
    assert not [each for each in client.get(page).context["lines"] if "by hand" in each.text]
    rounds.publish_round(**who(event))
    assert [each for each in client.get(page).context["lines"] if "by hand" in each.text]


def test_an_event_with_kept_choices_is_proved():
    """E23: its rounds were changed by hand, with the reason, or follow from the seed."""
    event = drafted()
    chosen = swapped(event)
    drop(event, other_than(event, *chosen))
    event = finished(event)
    content = content_of(event)
    assert list(verification.differences(content)) == []
    assert [(each.round, each.reasons) for each in verification.hand_changes(content)] == [(2, (WHY,))]
