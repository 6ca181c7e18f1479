"""What is unseen until a battle is closed: the Command Hand of another (R24), and the seed of its dice.

All the site has is asked for them. And what is never seen: an army whose battle was canceled before it began.
"""

import re
from collections.abc import Collection, Iterable
from itertools import product

import pytest
from django.test import Client, TestCase, modify_settings, override_settings
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Battle, CommandHand, DiceSeed, Side
from campaign.battles.services import planning
from catalogue.models import CommandCard
from catalogue.snapshot import forget
from rules.register.effects import UnitNamed
from tests.campaign.factories import army_chosen, happen, in_play, planned, side_of
from tests.campaign.secret_hands import HAND, NAME, SLUG
from tests.thoroughness import NIGHTLY
from tests.walking import Visitor, unprinted
from tests.world import ROLES, Address, World, addresses, make_world

__all__ = ["unprinted"]

#: The admin's own pages of cards name all cards there are.
CARDS = ("admin:catalogue_", "admin:history")

SCRIPTED = {"HX-Request": "true"}

#: Who is asked about a battle of each status. Others see no more (`docs/permissions.md`), and are asked about one.
CLOSEST = ("member", "opponent", "organizer")


def built() -> World:
    """The owner has a hand in each battle, with that card in it."""
    CommandCard.objects.create(slug=SLUG, name=NAME, pips=1, battle_force="Nobody", source_id="Zz", position=999)
    forget()
    world = make_world()
    for side in Side.objects.filter(register__owner=world.people["owner"]):
        CommandHand.objects.create(side=side, cards=HAND)
    return world


def answers_that_tell(
    world: World, user: User | None, *, everywhere: bool = True, only: Collection[str] = ()
) -> list[str]:
    """Return the addresses whose answers to the user name the card, or a seed that nobody may know yet.

    `everywhere` asks about a battle of each status; `only` limits the addresses by name.
    """
    visitor, sides = Visitor(user), [world.side(status).pk for status in world.battles]
    seeds = {bytes(seed.secret).hex() for seed in DiceSeed.objects.filter(revealed_at=None)}
    telling = []
    for address in addresses():
        if address.name.startswith(CARDS) or (only and address.name not in only):
            continue
        for method, path in product(
            ("GET", "POST"), paths(world, sides, address) if everywhere else [address.filled(world)]
        ):
            answers = [visitor.ask(method, path)]
            if answers[0].heeds_htmx:  # or it would be the same answer once more
                answers.append(visitor.ask(method, path, SCRIPTED))
            if any(word in answer.content for answer in answers for word in (SLUG, NAME, *seeds)):
                telling.append(f"{method} {address.name}")
    return sorted(set(telling))


def paths(world: World, sides: Iterable[int], address: Address) -> set[str]:
    """The paths of an address: of a battle or a side, one for each status."""
    path, battles = address.filled(world), [str(battle.pk) for battle in world.battles.values()]
    of_battles = {path.replace(known, pk) for known in battles for pk in battles}
    of_sides = {re.sub(r"^/sides/\d+/", f"/sides/{side}/", path) for side in sides}
    return of_battles | of_sides


@pytest.mark.usefixtures("unprinted")
@modify_settings(MIDDLEWARE={"remove": "zeal.middleware.zeal_middleware"})
@override_settings(DEBUG_PROPAGATE_EXCEPTIONS=True)
class TestHands(TestCase):
    """One world for all of them; whatever a test did to it is undone."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.world = built()
        cls.addClassCleanup(forget)

    def test_nobody_else_is_told(self):
        # The gate asks the opponent, from whom the hand is kept, about one battle.
        others = [role for role in ROLES if role != "owner"] if NIGHTLY else ["opponent"]
        values = {
            role: answers_that_tell(self.world, self.world.people.get(role), everywhere=NIGHTLY and role in CLOSEST)
            for role in others
        }
        assert values == {role: [] for role in others}

    @pytest.mark.nightly
    def test_not_even_an_opponent_who_organizes_and_is_of_the_staff(self):
        opponent = self.world.people["opponent"]
        self.world.campaign.memberships.filter(user=opponent).update(role="organizer")
        User.objects.filter(pk=opponent.pk).update(is_staff=True, is_superuser=True)
        assert answers_that_tell(self.world, User.objects.get(pk=opponent.pk)) == []

    def test_its_player_is(self):
        names = {"battles:detail", "battles:army", "accounts:download"}
        answers = answers_that_tell(self.world, self.world.people["owner"], only=names)
        assert {f"GET {name}" for name in names} <= set(answers)

    def test_everybody_is_once_the_battle_is_closed(self):
        battle = self.world.battles["sequence"]
        page = battle.get_absolute_url()
        for status, expected in ((Battle.Status.SEQUENCE, False), (Battle.Status.CLOSED, True)):
            Battle.objects.filter(pk=battle.pk).update(status=status)
            for role in ("viewer", "member", "opponent", "organizer", "staff"):
                text = Visitor(self.world.people[role]).ask("GET", page).content
                assert (NAME in text) is expected, (status, role)

    def test_the_admin_shows_how_many(self):
        change = reverse("admin:battles_battle_change", args=[self.world.battles["in_play"].pk])
        assert "7 cards" in Visitor(self.world.people["staff"]).ask("GET", change).content


def test_the_logs_do_not_tell(book, caplog, capsys):
    world = built()
    client = Client()
    client.force_login(world.people["owner"])
    url = reverse("battles:army", args=[world.side("planned").pk])
    caplog.set_level(0)
    assert client.post(url, {"unit": ["2", "3"], "hand": HAND[:-1]}).status_code == 422
    output = caplog.text + "".join(capsys.readouterr())
    assert "muster" in output
    assert SLUG not in output
    assert NAME not in output
    forget()


def seen_of_blue(table, battle: Battle) -> dict[str, list[object]]:
    """Who sees a unit of the blue army: on the page, and how its list and the file of that answer."""
    side, found = side_of(battle, "blue").pk, {}
    paths = [reverse("battles:list_export", args=[side]), reverse("battles:list_file", args=[side, "text"])]
    for user in (table.ada, table.ben, table.mia, table.cora):
        visitor = Visitor(user)
        page = visitor.ask("GET", battle.get_absolute_url())
        statuses = [visitor.ask("GET", path).status for path in paths]
        found[user.username] = ["Grim Hounds" in page.content, *statuses]
    return found


def test_an_army_whose_battle_is_called_off_before_it_begins_stays_unseen(table):
    happen(table.alpha, UnitNamed(unit="2", name="Grim Hounds", rule="R15"))
    battle = army_chosen(planned(table))
    before = seen_of_blue(table, battle)
    planning.cancel(actor=table.ben, battle_id=battle.pk)
    hidden, shown = [False, 404, 404], [True, 200, 200]
    assert before == {"ada": shown, "ben": hidden, "mia": hidden, "cora": shown}
    assert seen_of_blue(table, battle) == before
    text = Visitor(table.ben).ask("GET", battle.get_absolute_url()).content
    assert "Army chosen. It stays hidden, because the battle was canceled before it started." in text


def test_an_army_that_was_on_the_table_has_been_seen(table):
    happen(table.alpha, UnitNamed(unit="2", name="Grim Hounds", rule="R15"))
    battle = in_play(planned(table))
    planning.cancel(actor=table.ben, battle_id=battle.pk)
    assert seen_of_blue(table, battle) == {name: [True, 200, 200] for name in ("ada", "ben", "mia", "cora")}
