"""A rehearsal from the first sign-up to the last file."""

import re
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Error as BrowserError

from bench.rehearsal import accounts, chronicle, end, newcomers, organizer, papers, season, sights, workshop
from bench.rehearsal.battle import Player
from bench.rehearsal.campaign import Played
from bench.rehearsal.founding import found_by_hand, found_from_list
from bench.rehearsal.person import DESK, PASSWORD, Person
from bench.rehearsal.record import Record
from bench.rehearsal.site import Site
from bench.speed import A_PAGE, A_POST

PEOPLE = ("ada", "ben", "dag", "eli", "fay", "gus", "hob", "ivy")
FORCES = (("Empire", "Ashen Patrol"), ("Rebel", "Dune Wardens"), ("Republic", "Long Watch"),
          ("Separatist", "Iron Tide"))  # fmt: skip
#: The Story Arc that takes the fewest battles.
SHORTEST = "The Weekend War"
HOST = "hal"
#: So many names are counted only.
MANY = 20


class Rehearsal:
    """Everybody who takes part, and what happened."""

    def __init__(self, browser: Browser, site: Site, players: int, arcs: int, seed: int, *, short: bool) -> None:
        self.browser, self.site, self.record, self.seed = browser, site, Record(), seed
        self.many, self.arcs, self.short = players, arcs, short

    def person(self, name: str, **looks: object) -> Person:
        """Somebody at a browser of their own."""
        random = Random(f"{self.seed}:{name}")
        return Person(self.browser, self.record, self.site.home, name, random, **looks)

    def run(self) -> None:
        """All of it, in the order in which a group lives through it."""
        played = self.begin()
        played.play()
        with self.record.phase("what is wrong is set right, though others have built upon it"):
            self.set_right(played)
        with self.record.phase("written, shown, read by strangers"):
            self.tell(played)
        with self.record.phase("accounts"):
            self.keep_accounts()
        with self.record.phase("the end: taken along, printed, proved"):
            self.finish(played)
        with self.record.phase("every page"):
            self.see_everything(played)

    # --- The parts ---------------------------------------------------------------------------------------------

    def begin(self) -> Played:
        """Everybody comes in and has a Register."""
        cora = self.person("cora", **DESK)
        with self.record.phase("a campaign is founded"):
            path = organizer.found_campaign(cora, self.arcs)
            link = organizer.invite(cora, path)
        players: list[Player] = []
        for place, name in enumerate(PEOPLE[: self.many]):
            with self.record.phase(f"{name} comes in and founds a Register"):
                person = self.person(name)
                person.sign_up(link)
                players.append(self.found(person, path, place, players))
        self.eve = self.person("eve")
        with self.record.phase("people come and go"):
            self.sign_up_eve()
            organizer.people(cora, path, players[0], self.eve)
            organizer.cancel(players[0], path)
        with self.record.phase("a season is arranged"):
            season.arrange(cora, path, players)
        random = Random(self.seed)
        return Played(path, cora, players, self.site, random)

    def sign_up_eve(self) -> None:
        """Eve signs up without an invitation."""
        self.eve.open("/accounts/signup/")
        self.eve.fill(username=self.eve.name, password1=PASSWORD, password2=PASSWORD)
        self.eve.press("Sign up")

    def found(self, person: Person, path: str, place: int, others: list[Player]) -> Player:
        """By hand, or from the list that another one of the Faction gave."""
        faction, name = FORCES[place % len(FORCES)]
        arc = SHORTEST if self.short else ""
        if place < len(FORCES):
            return Player(person, found_by_hand(person, path, faction, name, arc), name)
        name = f"{person.name.title()} {name}"
        other = others[place - len(FORCES)]
        other.person.open(f"{other.register}list/")
        texts = other.person.page.locator("textarea")
        text = texts.nth(place % texts.count()).input_value()
        return Player(person, found_from_list(person, path, text, name, arc), name)

    def set_right(self, played: Played) -> None:
        """Awards, corrections, and battles that are changed or annulled after later ones were built on them."""
        cora, player, battles = played.organizer, played.players[0], played.battles
        newcomers.take_over(played.players[1].person, cora, played.path, player)
        organizer.award(cora, played.path)
        organizer.correct(cora, player)
        organizer.correct_report(cora, battles[0].path, player)
        organizer.undo(cora, battles[1].path, player)
        organizer.undo(cora, battles[0].path, player, annul=True)

    def tell(self, played: Played) -> None:
        """The chronicle, its pictures, its link; a Story Arc of one's own."""
        cora, battle = played.organizer, played.battles[-1].path
        chronicle.write(cora, played.path, played.battles[-1].first, battle)
        chronicle.pictures(cora, played.path, played.battles[-1].first, battle)
        self.stranger = self.person("a stranger")
        self.chronicle = chronicle.publish(cora, played.path, self.stranger)
        season.read_public_calendar(cora, played.path, self.stranger)
        arc = workshop.write_arc(cora, played.path)
        season.draw_mission_map(cora, arc)
        workshop.share_arc(cora, played.path, arc)
        organizer.let_discord_know(cora, played.path)
        organizer.keep_nightly(cora, played.path, self.site)

    def keep_accounts(self) -> None:
        """Eve keeps hers in order, then is gone."""
        accounts.address(self.eve, self.site)
        accounts.password(self.eve)
        accounts.second_factor(self.eve)

    def finish(self, played: Played) -> None:
        """Files, prints, proofs."""
        place = self.site.place / "taken"
        place.mkdir(exist_ok=True)
        counts = self.record.counts
        counts["lists"] = end.lists(played, place)
        counts["bytes of the campaign"] = end.carried(played, place)
        end.prints(played)
        end.proved(played, place)

    def see_everything(self, played: Played) -> None:
        """By links, then by address."""
        sights.wander(self.stranger, self.chronicle, "/rules/")
        papers.content_of(self.stranger, f"{self.chronicle}card.png")
        player, battle = played.players[0], played.battles[0].path
        papers.content_of(self.stranger, f"{self.chronicle}{battle.removeprefix('/battles/')}after-action.png")
        report = f"{battle}after-action"
        papers.content_of(player.person, f"{report}.png")
        sights.wander(player.person, "/", played.path, player.register, f"{report}/", *sights.TYPED)
        home, copy = played.path, played.copy
        starts = (home, f"{home}chronicle/", f"{home}arcs/", played.battles[0].path, copy, f"{copy}people/")
        sights.wander(played.organizer, "/", "/campaigns/new/template/", *starts)
        player.person.open("/")
        player.person.press("Dark")
        if not self.short:
            self.look_after(played)
        accounts.without_second_factor(self.eve)
        accounts.leave_for_good(self.eve)

    def look_after(self, played: Played) -> None:
        """Whoever hosts the site: looks at everything in the admin, and corrects a Register there."""
        self.site.command("createsuperuser", "--no-input", f"--username={HOST}", "--email=")
        host = self.person(HOST, **DESK)
        host.sign_in()
        organizer.correct_in_admin(host, played.players[0])
        organizer.form_group(host)
        sights.wander(host, "/admin/", *sights.TYPED_IN_ADMIN)
        sights.ask_for_the_rest(host)
        host.open("/admin/")
        host.page.locator("#nav-sidebar").get_by_text(HOST).click()
        host.press(re.compile("Log out"))

    # --- What it came to ---------------------------------------------------------------------------------------

    def leave_pictures(self, place: Path) -> None:
        """What everybody saw when it failed."""
        print(f"What everybody saw: {place}")
        for person, context in enumerate(self.browser.contexts):
            for number, page in enumerate(context.pages):
                print(page.url)
                with suppress(BrowserError):  # a page that shows nothing any more
                    page.screenshot(path=place / f"{person}-{number}.png", full_page=True)
        print("\n".join(self.record.complaints))

    def report(self) -> int:
        """Print the table; the exit status."""
        left_out, missing = sights.unseen(self.record, short=self.short)
        opened = sum(name in self.record.opened for name in sights.names())
        rows = [
            *sorted(self.record.counts.items()),
            ("addresses opened", f"{opened} of {len(sights.names())}"),
            ("addresses left out", len(left_out)),
            ("addresses forgotten", len(missing)),
            ("complaints", len(self.record.complaints)),
            ("minutes", f"{self.record.seconds / 60:.1f}"),
        ]
        asked = self.site.statements()
        for how, what, most in (("GET", "page", A_PAGE), ("POST", "post", A_POST)):
            numbers = {name: number for (method, name), number in asked.items() if method == how and name != "admin"}
            rows.append((f"statements of a {what} at most", max(numbers.values())))
            beyond = sorted(f"{name} ({number})" for name, number in numbers.items() if number > most)
            rows.append((f"… more than {most} for", ", ".join(beyond) or "none"))
        print("\n| | |\n|---|---:|")
        print("\n".join(f"| {name} | {number} |" for name, number in rows))
        for reason in dict.fromkeys(left_out.values()):
            names = [name for name in left_out if left_out[name] == reason]
            print(f"Left out: {reason}: {', '.join(names) if len(names) < MANY else len(names)}")
        print("\n".join([f"Forgotten: {name}" for name in missing] + self.record.complaints))
        return int(bool(missing or self.record.complaints))
