"""Small events for the tests of the display pages, led through the services."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Any

from django.test import Client

from accounts.models import User
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.factories import add_player
from tournaments.models import Entry, Event, Game, Round, StructureChoice
from tournaments.services import entries, events, results, rounds

GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS


class SmallEvent:
    """An event with its organizer. Players are known by their names."""

    def __init__(self, rule_set: RuleSet, names: Sequence[str], **more: Any) -> None:
        self.organizer = User.objects.create_user("olga")
        self.who: dict[str, Any] = {"actor": self.organizer}
        self.event = events.create_event(actor=self.organizer, name="Winter Conquest", rule_set=rule_set, **more)
        custom = {"state": Event.State.OPEN, "structure": StructureChoice.CUSTOM, "lists_required": False}
        Event.objects.filter(pk=self.event.pk).update(**custom)
        added = [add_player(actor=self.organizer, event=self.event, name=name) for name in names]
        entries.check_in(actor=self.organizer, event=self.event, entries=added)
        self.event = events.start(actor=self.organizer, event=self.event)

    @property
    def both(self) -> dict[str, Any]:
        """The organizer and the event, as services take them."""
        return {"actor": self.organizer, "event": self.event}

    def entry(self, name: str) -> Entry:
        """Return a player."""
        return self.event.entries.get(name=name)

    def draft(self, *pairs: tuple[str, str], bye: str = "") -> Round:
        """Put down a draft of these pairs, at tables from 1 on."""
        number = self.event.round_set.count() + 1
        made = Round.objects.create(event=self.event, number=number, stage=Round.Stage.SWISS)
        for place, (one, other) in enumerate(pairs, start=1):
            made.games.create(place=place, table=place, first=self.entry(one), second=self.entry(other))
        if bye:
            made.games.create(place=len(pairs) + 1, first=self.entry(bye))
        return made

    def publish(self, *pairs: tuple[str, str], bye: str = "") -> Round:
        """Put down a draft and publish it; without pairs publish the draft there is."""
        if pairs:
            self.draft(*pairs, bye=bye)
        return rounds.publish_round(**self.both)

    def game(self, name: str) -> Game:
        """Return the game of a player in the last round."""
        entry = self.entry(name)
        last = self.event.round_set.last()
        games = Game.objects.filter(round=last).select_related("round__event")
        return games.filter(first=entry).first() or games.get(second=entry)

    def result(
        self,
        winner: str,
        points: tuple[int, int] = (500, 300),
        tokens: tuple[int, int] = (5, 3),
        how: Ending | None = None,
        **more: Any,
    ) -> None:
        """Enter a result as the organizer, the figures in the order of the winner and the other."""
        game = self.game(winner)
        first = game.first == self.entry(winner)
        default = Ending.VICTORY if self.event.rule_set == GC else Ending.SIX_ROUNDS
        values = {name: self.entry(value).key if value else "" for name, value in more.items()}
        if self.event.rule_set == TR:
            values.setdefault("blue", self.entry(winner).key)
        drawn = how == Ending.DRAW
        result = Result(
            how=how or default, winner="" if drawn else self.entry(winner).key,
            points=points if first else points[::-1], tokens=tokens if first else tokens[::-1], **values,
        )  # fmt: skip
        results.save_result(actor=self.organizer, game=game, result=result)

    def close(self) -> Round:
        """Close the round."""
        return rounds.close_round(**self.both)

    def page(self, name: str, *more: object) -> str:
        """Return the address of a page."""
        tail = {"pairings": "pairings/", "standings": "standings/", "bracket": "bracket/", "projector": "projector/",
                "clock": "clock/", "round": "rounds/{}/", "figures": "players/{}/figures/", "print": "print/{}/",
                "pdf": "print/{}.pdf", "log": "log/", "console": "console/",
                "calendar": "calendar.ics", "feed": "feed/", "detail": "",
                "overlay": "overlay/{}/", "record": "players/{}/"}[name]  # fmt: skip
        return f"/events/{self.event.pk}/{tail.format(*more)}"

    def client(self, *, leader: bool = False, player: str = "") -> Client:
        """Return the browser of the organizer, of a player by their personal link, or of a stranger."""
        client = Client()
        if leader:
            client.force_login(self.organizer)
        if player:
            session = client.session
            session["event_entries"] = {str(self.event.pk): self.entry(player).token}
            session.save()
        return client


def text_of(html: bytes, start: str = "<main", end: str = "</main>") -> str:
    """Return the words of a part of a page, with single spaces."""
    page = html.decode()
    page = page[page.index(start) :]
    page = page[: page.index(end)] if end in page else page
    page = re.sub(r"<(script|style|svg|title)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())
