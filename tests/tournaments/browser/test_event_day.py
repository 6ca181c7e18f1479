"""Whole days of events, played through the pages: Galactic Conquest with all that can happen, and a tournament."""

import json
import re
import subprocess
import sys
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

import pytest
from playwright.sync_api import Page, expect

from members.models import Role
from ops.paths import BASE_DIR
from tests.registers.factories import make_player
from tests.tournaments.browser.hall import Hall, choose, fill_in, follow, press, unfold
from tournaments.models import Game, Membership

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

ACCOUNTS = ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana"]
NAMES = ["Ida", "Jon", "Kai", "Lea"]
#: Who wins where nothing else is said: whoever stands earlier.
ORDER = [*ACCOUNTS, *NAMES, "Mia"]


def winner_of(game: Game) -> str:
    return min(game.first.name, game.second.name, key=ORDER.index)


def loser_of(game: Game) -> str:
    return max(game.first.name, game.second.name, key=ORDER.index)


def checked(file: Path) -> subprocess.CompletedProcess[str]:
    """Check an exported event as anyone can, without Musterbook."""
    script = BASE_DIR / "docs" / "check_event.py"
    return subprocess.run([sys.executable, str(script), str(file)], capture_output=True, text=True, check=False)


def exported(page: Page, folder: Path) -> Path:
    """Save the export from the page of the statistics."""
    link = page.get_by_role("link", name="Export event").first
    answer = page.request.get(link.evaluate("link => link.href"))
    expect(answer).to_be_ok()
    file = folder / "event.json"
    file.write_bytes(answer.body())
    return file


def settle(hall: Hall, games: list[Game], **result: object) -> None:
    """Let the organizer enter the results of games."""
    for game in games:
        hall.enter("olga", game, winner=winner_of(game), **result)


def register_all(hall: Hall) -> None:
    """Eight people register by the link, and four are added by name; one of these gets a phone."""
    olga = hall.open("olga")
    press(olga, "Open registration")
    expect(olga.get_by_text("Registration is open.")).to_be_visible()
    link = olga.get_by_role("textbox", name="Link", exact=True).input_value()
    for name in ACCOUNTS:
        page = hall.pages[name]
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        press(page, "Register")
        expect(page.get_by_text(f"You are registered as {name}")).to_be_visible()
    hall.open("olga", "players/manage/")
    olga.get_by_label("Names, one on each line").fill("\n".join(NAMES))
    press(olga, "Add players")
    expect(olga.get_by_text("4 players added.")).to_be_visible()
    hall.open("olga", f"players/{hall.entry('Ida').number}/manage/")
    hall.pages["Ida"].goto(olga.get_by_role("textbox", name="Link", exact=True).input_value())
    press(hall.pages["Ida"], "Continue as Ida")
    expect(hall.pages["Ida"].get_by_role("heading", name="Ida")).to_be_visible()


def name_the_judge(hall: Hall) -> None:
    olga = hall.open("olga")
    follow(olga, "Manage leaders")
    unfold(olga, "Add someone with an account")
    olga.get_by_label("Their sign-in name").fill("jude")
    olga.get_by_role("button", name="Add as").tap()
    expect(olga.get_by_role("link", name="jude")).to_be_visible()
    assert Membership.objects.get(user__username="jude").role == Role.JUDGE


def choose_structure(hall: Hall) -> None:
    olga = hall.open("olga", "settings/")
    choose(olga, "structure", "Custom")
    olga.get_by_label("Custom rounds").fill("4")
    olga.get_by_label("Custom cut").select_option("4")
    press(olga, "Save settings")
    expect(olga.get_by_text("Settings saved.")).to_be_visible()


def check_all_in(hall: Hall) -> None:
    """One by the code on their phone, the others at once; then the event starts."""
    expect(hall.open("Ada", "me/").get_by_role("img", name="Check-in code")).to_be_visible()
    olga = hall.open("olga", f"check-in/{hall.entry('Ada').check_in_code}/")
    press(olga, "Check in")
    expect(olga.get_by_text("Ada is checked in.")).to_be_visible()
    press(olga, "Check in all")
    expect(olga.get_by_text("12 players are checked in.")).to_be_visible()
    follow(olga, "Back to the console")
    hall.start("olga")
    expect(olga.locator(".next-step__title")).to_have_text("Draw round 1")


def swap_and_publish(hall: Hall) -> None:
    """The organizer looks at the draft, and keeps two players apart who came together."""
    olga = hall.step("olga", "Draw round 1")
    expect(olga.get_by_text("draft, for leaders only")).to_be_visible()
    before = hall.games()
    for game in before[:2]:
        olga.locator(".draft__player", has_text=game.first.name).tap()
    olga.locator("#changes").get_by_label("Reason").fill("They came in one car.")
    press(olga, "Swap players")
    expect(olga.get_by_text("Changed. The log says what it was.")).to_be_visible()
    after = hall.games()
    assert {after[0].first.name, after[0].second.name} == {before[1].first.name, before[0].second.name}
    with_phones = [*ACCOUNTS, "Ida"]
    for name in with_phones:
        expect(hall.open(name, "me/").get_by_text("You are checked in")).to_be_visible()
    hall.publish("olga")
    games = {player.name: game for game in after for player in (game.first, game.second)}
    for name in with_phones:  # by themselves
        expect(hall.pages[name].locator(".table-ticket__number")).to_have_text(str(games[name].table))


def start_clock(hall: Hall) -> None:
    """Leaders see the end of the round, and players only that it runs (E26)."""
    olga = hall.step("olga", "Start the clock")
    press(olga, "Show times")
    expect(olga.get_by_text("For leaders only: players must not know it.")).to_be_visible()
    ada = hall.open("Ada", "me/")
    expect(ada.locator(".clock__word")).to_have_text("Running")
    assert ada.locator("time").count() == 0
    unfold(olga, "More time for a table")
    olga.get_by_label("Table", exact=True).select_option(index=0)
    olga.get_by_label("Extra minutes in all").fill("7")
    olga.locator("section", has=olga.locator("#time")).get_by_label("Reason").fill("A judge came late.")
    press(olga, "Give more time")
    expect(olga.get_by_text(re.compile("Table .* has 7 more minutes."))).to_be_visible()


def both_have_phones(hall: Hall) -> list[Game]:
    return [game for game in hall.games() if {game.first.name, game.second.name} <= set(hall.pages)]


def dispute(hall: Hall, game: Game) -> None:
    """A reported result is disputed; the judge comes by a call, rules, and enters the result."""
    winner, loser = winner_of(game), loser_of(game)
    hall.report(winner, game, winner=winner)
    page = hall.open(loser, "me/")
    unfold(page, "This is wrong")
    page.get_by_label("What is wrong with it?").fill("I had four tokens.")
    press(page, "Dispute result")
    expect(page.get_by_text("A Consular decides this result.")).to_be_visible()
    unfold(page, "Add a question")
    page.get_by_label("What is it about? (optional)").fill("Who holds the bunker?")
    press(page, "Call Consular")
    expect(page.get_by_text(f"A Consular is called to table {game.table}.")).to_be_visible()
    jude = hall.open("jude", "judges/")
    press(jude, "Take call")
    expect(page.get_by_text("jude is coming to your table.")).to_be_visible()
    jude.get_by_label("Ruling").fill("The bunker is held by both.")
    press(jude, "Record ruling")
    expect(jude.get_by_text("Ruling recorded.")).to_be_visible()
    follow(jude, "Enter result")
    fill_in(jude, game, winner=winner, figures={winner: (480, 5), loser: (300, 4)})
    press(jude, "Save result")
    expect(page.get_by_text("confirmed", exact=True)).to_be_visible()
    expect(page.get_by_text("The bunker is held by both.")).to_be_visible()


def first_round(hall: Hall) -> None:
    """Reported and confirmed; disputed; a draw; and the rest entered by the organizer."""
    plain, disputed, drawn, *_rest = both_have_phones(hall)
    hall.report(winner_of(plain), plain, winner=winner_of(plain))
    hall.confirm(loser_of(plain))
    dispute(hall, disputed)
    hall.report(drawn.first.name, drawn, how="Draw, not played")
    hall.confirm(drawn.second.name)
    settle(hall, [game for game in hall.games() if game.state == Game.State.OPEN])
    hall.close("olga", "Close round 1")


def second_round(hall: Hall) -> None:
    """A late entry makes a bye; one player concedes; Hana drops on her phone after her game."""
    olga = hall.open("olga", "console/")
    unfold(olga, "Add a late entry")
    olga.locator("#late").get_by_label("Name").fill("Mia")
    press(olga, "Add player")
    expect(olga.get_by_text("Mia plays from the next round on.")).to_be_visible()
    hall.draw("olga", "Draw round 2")
    assert Game.objects.filter(round__number=2, second=None).count() == 1
    conceded = both_have_phones(hall)[0]
    loser = loser_of(conceded)
    hall.report(loser, conceded, how="Conceded", by=loser, winner=winner_of(conceded),
                figures={loser: (120, 1), winner_of(conceded): (300, 2)})  # fmt: skip
    hall.confirm(winner_of(conceded))
    settle(hall, [game for game in hall.games() if game.state == Game.State.OPEN])
    hana = hall.open("Hana", "me/")
    follow(hana, "Drop from this event")
    press(hana, "Drop")
    expect(hana.get_by_text("You have dropped. Your results stay in the standings.")).to_be_visible()
    hall.close("olga", "Close round 2")


def third_round(hall: Hall) -> None:
    """A result of round 1 is corrected, Kai is ejected after three warnings, and Hana comes back."""
    hall.draw("olga", "Draw round 3")
    corrected = next(game for game in hall.games(1) if game.winner)
    correct(hall, corrected)
    eject(hall, "Kai")
    settle(hall, [game for game in hall.games() if game.state == Game.State.OPEN])
    press(hall.player_row("olga", "Hana"), "Rejoin")
    expect(hall.pages["olga"].get_by_text("Hana rejoined.")).to_be_visible()
    hall.close("olga", "Close round 3")


def correct(hall: Hall, game: Game) -> None:
    """The organizer finds a game of round 1, sees what a correction changes, and gives a reason (E31)."""
    olga = hall.open("olga", "rounds/1/")
    olga.locator(".game", has_text=game.first.name).get_by_role("link", name="Correct").tap()
    winner, loser = winner_of(game), loser_of(game)
    fill_in(olga, game, winner=winner, figures={winner: (640, 7), loser: (300, 3)})
    press(olga, "Show what changes")
    expect(olga.get_by_role("heading", name="What changes in the standings")).to_be_visible()
    olga.get_by_label("Reason").fill("The slip says 640.")
    press(olga, "Save correction")
    expect(olga.locator(".next-step__label")).to_have_text("Next")
    game.refresh_from_db()
    assert 640 in (game.first_points, game.second_points)


def eject(hall: Hall, name: str) -> None:
    """Three warnings by the judge; the organizer decides (E4)."""
    row = hall.player_row("jude", name)
    row.get_by_role("link", name="Warn").tap()
    jude = hall.pages["jude"]
    for number in (1, 2, 3):
        jude.get_by_label("Reason").fill(f"Late to the table, again ({number}).")
        press(jude, "Warn player")
        expect(jude.get_by_role("heading", name="Warnings so far").locator(".num")).to_have_text(str(number))
    expect(jude.get_by_role("heading", name="Eject this player?")).to_be_visible()
    game = next(game for game in hall.games() if name in (game.first.name, game.second.name))
    row = hall.player_row("olga", name)
    row.get_by_label("Reason").fill("Three warnings.")
    press(row, "Eject")
    olga = hall.pages["olga"]
    expect(olga.get_by_text(f"{name} is ejected.")).to_be_visible()
    if game.state == Game.State.OPEN:
        other = game.second.name if game.first.name == name else game.first.name
        hall.enter("olga", game, how="No-show", by=name, winner=other)


def bracket(hall: Hall) -> str:
    """The cut to four, of whom one leaves before a game is played (E38); semifinals, final; returns the champion."""
    olga = hall.step("olga", "Make the cut")
    expect(olga.get_by_text("The seeds of the cut decide who meets whom.")).to_be_visible()
    seeds = [game.first.name for game in hall.games()] + [game.second.name for game in hall.games()]
    gone = seeds[0]
    press(hall.player_row("olga", gone), "Drop")
    expect(olga.get_by_text(f"{gone} dropped.")).to_be_visible()
    follow(olga, "Review the draft")
    hall.publish("olga")
    games = hall.games()
    assert gone not in {player.name for game in games for player in game.pair}
    one, other = games
    # A drawn game is decided by a priority roll (E40).
    hall.enter("olga", one, how="Draw, not played", winner="Draw", roll=winner_of(one))
    settle(hall, [other])
    hall.close("olga", "Close the semifinals")
    hall.draw("olga", "Draw the final")
    hall.step("olga", "Start the clock")
    final = hall.games()[0]
    settle(hall, [final])
    hall.close("olga", "Close the final")
    hall.finish("olga")
    expect(olga.locator(".next-step__title")).to_have_text("The event is over")
    return winner_of(final)


def read_everything(hall: Hall, champion: str, folder: Path) -> Path:
    """What anybody reads on a phone at the end."""
    page = hall.open("public")
    expect(page.get_by_text("finished").first).to_be_visible()
    hall.open("public", "standings/")
    expect(page.locator(".ranks tbody tr")).to_have_count(13)
    page.locator(".rounds").scroll_into_view_if_needed()  # below the final places
    expect(page.locator(".rounds a[aria-current]")).to_be_in_viewport(ratio=1)
    hall.open("public", "bracket/")
    expect(page.locator(".champion__name")).to_have_text(champion)
    expect(page.locator(".tabs a[aria-current]")).to_be_in_viewport(ratio=1)  # of more tabs than fit on a phone
    hall.open("public", "log/")
    for words in ("They came in one car.", "The slip says 640.", "Three warnings.", "Late to the table, again (2)."):
        expect(page.get_by_text(words, exact=True).first).to_be_visible()
    hall.open("public", "rounds/2/")
    hall.open("public", "statistics/")
    return exported(page, folder)


def test_a_galactic_conquest_event(book, phone, new_context, tmp_path):
    hall = Hall(phone, new_context, uuid5(NAMESPACE_OID, "a day of Galactic Conquest"))
    hall.arrive("olga", make_player("olga"), laptop=True)
    hall.arrive("jude", make_player("jude"))
    for name in ACCOUNTS:
        hall.arrive(name, make_player(name.lower()))
    hall.arrive("Ida")
    hall.arrive("public")

    hall.create("olga", "Winter Conquest", "Galactic Conquest")
    choose_structure(hall)
    name_the_judge(hall)
    register_all(hall)
    check_all_in(hall)
    swap_and_publish(hall)
    start_clock(hall)
    first_round(hall)
    second_round(hall)
    third_round(hall)
    hall.draw("olga", "Draw round 4")
    settle(hall, hall.games())
    hall.close("olga", "Close round 4")
    champion = bracket(hall)
    file = read_everything(hall, champion, tmp_path)

    green = checked(file)
    assert (green.returncode, green.stderr) == (0, "")
    content = json.loads(file.read_text())
    one, other = content["rounds"][1]["games"][:2]
    one["first"], other["first"] = other["first"], one["first"]
    file.write_text(json.dumps(content))
    red = checked(file)
    assert red.returncode == 1
    assert "round 2" in (red.stdout + red.stderr).lower()
    hall.leave()
    assert hall.errors == []


# --- The Tournament Regulations -------------------------------------------------------------------------------------

TEAM = ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana", "Ida"]


def by_phones(hall: Hall, game: Game, **result: object) -> None:
    """The first player reports on one phone by their personal link, and the second confirms on another."""
    for phone, entry in (("one", game.first), ("other", game.second)):
        hall.follow_link(phone, entry.name)
    hall.report("one", game, **result)
    hall.confirm("other")


def regulated(hall: Hall, games: list[Game]) -> None:
    for game in games:
        hall.enter("olga", game, how="Six rounds", winner=winner_of(game), blue=loser_of(game))


def test_a_tournament(book, phone, new_context, tmp_path):
    """E14, E19, E20, E27, E30, E32: nine players, three rounds, the best two play the final."""
    hall = Hall(phone, new_context, uuid5(NAMESPACE_OID, "a day of the Tournament Regulations"))
    olga = hall.arrive("olga", make_player("olga"), laptop=True)
    for name in ("one", "other", "public"):
        hall.arrive(name)
    hall.create("olga", "Kessel Cup", "Tournament Regulations")
    hall.open("olga", "settings/")
    choose(olga, "structure", "Advanced")
    press(olga, "Save settings")
    expect(olga.get_by_text("Settings saved.")).to_be_visible()
    hall.open("olga", "players/manage/")
    olga.get_by_label("Names, one on each line").fill("\n".join(TEAM))
    press(olga, "Add players")
    expect(olga.get_by_text("9 players added.")).to_be_visible()
    press(hall.open("olga"), "Open registration")
    expect(olga.get_by_text("Registration is open.")).to_be_visible()
    press(hall.open("olga", "check-in/"), "Check in all")
    expect(olga.get_by_text("9 players are checked in.")).to_be_visible()
    hall.start("olga")

    # Round 1: a tie of tokens and points goes to the blue player, and somebody does not appear.
    hall.draw("olga", "Draw round 1")
    bye = Game.objects.get(round__event=hall.event_id, second=None).first
    hall.follow_link("one", bye.name)
    expect(hall.pages["one"].get_by_role("heading", name="Bye")).to_be_visible()
    hall.step("olga", "Start the clock")
    expect(hall.open("public", "pairings/").get_by_role("timer")).to_have_text(re.compile(r"2:[23]\d:\d\d"))
    tied, absent, *games = hall.games()
    one, other = tied.first.name, tied.second.name
    by_phones(hall, tied, how="Time", phase="Command", winner=one, blue=one, figures={one: (400, 6), other: (400, 6)})
    press(hall.player_row("olga", absent.second.name), "No-show")
    expect(olga.get_by_text(f"{absent.second.name} did not appear: the opponent wins.")).to_be_visible()
    regulated(hall, games)
    hall.close("olga", "Close round 1")
    hall.open("public", "rounds/1/")
    expect(hall.pages["public"].locator(".game", has_text=one).locator(".color--blue")).to_have_count(1)

    # Round 2: one player reports, and the organizer confirms; another defeats all. Round 3 is entered at the desk.
    hall.draw("olga", "Draw round 2")
    wiped, reported, *games = hall.games()
    by_phones(hall, wiped, how="All units defeated", winner=winner_of(wiped), blue=loser_of(wiped),
              figures={winner_of(wiped): (800, 4), loser_of(wiped): (350, 5)})  # fmt: skip
    hall.follow_link("one", reported.first.name)
    hall.report("one", reported, how="Six rounds", winner=winner_of(reported), blue=winner_of(reported))
    hall.open("olga", "console/")
    olga.locator(".row", has_text=f"entered by {reported.first.name}").tap()
    press(olga, "Confirm as entered")
    expect(olga.get_by_text(f"Table {reported.table}: the result is confirmed.")).to_be_visible()
    regulated(hall, games)
    hall.close("olga", "Close round 2")
    hall.draw("olga", "Draw round 3")
    regulated(hall, hall.games())
    hall.close("olga", "Close round 3")
    public = hall.open("public", "standings/")
    expect(public.locator(".ranks thead")).to_contain_text("MOV")
    expect(public.locator(".ranks tbody tr")).to_have_count(9)
    best = [public.locator(".ranks tbody th a").nth(place).inner_text() for place in (0, 1)]
    public.locator(".ranks tbody th a").first.tap()
    expect(public.get_by_role("heading", name=best[0])).to_be_visible()

    # The final has 210 minutes, which everybody sees.
    hall.step("olga", "Make the cut")
    hall.publish("olga")
    final = hall.games()[0]
    assert sorted(player.name for player in final.pair) == sorted(best)
    hall.step("olga", "Start the clock")
    expect(hall.open("public", "pairings/").get_by_role("timer")).to_have_text(re.compile(r"3:(30:00|2\d:\d\d)"))
    by_phones(hall, final, how="Six rounds", winner=winner_of(final), blue=loser_of(final))
    hall.close("olga", "Close the final")
    hall.finish("olga")
    expect(olga.locator(".next-step__title")).to_have_text("The event is over")
    hall.open("public", "bracket/")
    expect(public.locator(".champion__name")).to_have_text(winner_of(final))
    hall.open("public", "statistics/")
    green = checked(exported(public, tmp_path))
    assert (green.returncode, green.stderr) == (0, "")
    hall.leave()
    assert hall.errors == []
