"""A campaign that is over: services refuse with one sentence, and pages offer nothing that they refuse."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.urls import Resolver404, resolve
from django.utils import timezone

from campaign.achievements.services import painting
from campaign.archive.services import archive
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.services import planning, reports, sequence
from campaign.chronicle.services import stories
from campaign.discussion.services import announcements, comments
from campaign.enlistments.services import awards, enlistments
from campaign.models import Campaign
from campaign.organizer_tasks.services import remind_players
from campaign.people.services import joining
from campaign.schedule.services import availability, phases
from campaign.services import campaigns, webhooks
from campaign.star_map.services import star_map
from campaign.story_arcs.services import story_arcs
from campaign.teams.services import teams
from members.services import invitations, membership
from registers.painting.services import set_painted
from registers.services import building, corrections, editing
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation
from tests.checksums import checksums, tables
from tests.uploads.photos import photo
from tests.walking import Answer, Visitor, unprinted
from tests.world import World, addresses, make_world

__all__ = ["unprinted"]

Act = Callable[[World], Any]
NO_GAME = "Outer Rim Winter is {}. An organizer can reopen it."


def who(world: World, name: str = "organizer") -> dict[str, Any]:
    return {"actor": world.people[name], "campaign": world.campaign}


def people(world: World, name: str = "organizer") -> dict[str, Any]:
    return {"actor": world.people[name], "group": world.campaign}


def own(world: World) -> dict[str, Any]:
    return {"actor": world.people["owner"], "register_id": world.register.pk}


#: What belongs to the game: possible until the campaign is closed.
GAME: dict[str, Act] = {
    "rules": lambda w: campaigns.change_campaign_rules(**who(w), campaign_rules=CampaignRules(length=2), version=None),
    "plan": lambda w: planning.cancel(actor=w.people["owner"], battle_id=w.battles["planned"].pk),
    "report": lambda w: reports.confirm_report(
        actor=w.people["opponent"], battle_id=w.battles["reported"].pk, version=None
    ),
    "answer": lambda w: sequence.answer(
        actor=w.people["owner"], side_id=w.side("sequence").pk, turn=None, answer={}, source=sequence.PLAYER
    ),
    "new register": lambda w: enlistments.create_register(**who(w, "owner"), faction="rebel"),
    "add register": lambda w: enlistments.add_register(**who(w, "owner"), register_id=w.lonely.pk),
    "status": lambda w: enlistments.change_status(**who(w, "owner"), register_id=w.register.pk, status="retired"),
    "transfer": lambda w: enlistments.transfer_register(**who(w), register_id=w.register.pk, to=w.people["member"]),
    "award": lambda w: awards.give_awards(**who(w), awards={}, reason="Good."),
    "edit": lambda w: building.name_register(**own(w), position=None, name="Grey Patrol"),
    "build": lambda w: building.discard(actor=w.people["owner"], register_id=w.unfinished.pk, position=None),
    "correct": lambda w: corrections.correct(
        actor=w.people["organizer"], register_id=w.register.pk, wishes=[], reason="Typo.", position=w.register.position
    ),
    "phase": lambda w: phases.delete_phase(**who(w), phase_id=w.phase.pk),
    "availability": lambda w: availability.set_availability(
        **who(w, "owner"), number=1, can_play=True, weekdays=[], note=""
    ),
    "team": lambda w: teams.delete_team(**who(w), team_id=w.team.pk),
    "map": lambda w: star_map.delete_system(**who(w), system_id=w.system.pk),
    "arc": lambda w: story_arcs.begin(**who(w), name="Another"),
    "painting bonus": lambda w: painting.set_bonus(**who(w), supply_points=2),
    "remind": lambda w: remind_players(**who(w), battle_id=w.battles["planned"].pk),
}
#: Texts, pictures and people: possible until it is archived.
REST: dict[str, Act] = {
    "details": lambda w: campaigns.change_details(**who(w), name="Winter", about="", house_rules=""),
    "webhook": lambda w: webhooks.remove_webhook(**who(w)),
    "story": lambda w: stories.write(**who(w, "owner"), title="Snow", text="Deep."),
    "photo": lambda w: stories.remove_battle_photo(
        actor=w.people["owner"], battle=w.battles["in_play"], picture_id=w.picture.pk
    ),
    "public link": lambda w: stories.close_chronicle(**who(w)),
    "announcement": lambda w: announcements.announce(**who(w), title="Over", text="Thank you."),
    "comment": lambda w: comments.add_comment(actor=w.people["owner"], about=w.announcement, text="Well done."),
    "nightly file": lambda w: archive.set_nightly(**who(w), on=True),
    "placeholder": lambda w: joining.add_placeholder(**who(w), name="Zoe"),
    "member": lambda w: membership.remove_member(**people(w), user=w.people["viewer"]),
    "role": lambda w: membership.give_role(**people(w), user=w.people["member"], role="viewer"),
    "invite": lambda w: invitations.invite(**people(w)),
    "join": lambda w: joining.join(actor=w.people["stranger"], invitation=w.invitation),
    "biography": lambda w: editing.write_biography(**own(w), text="Born in the snow."),
    "paint": lambda w: set_painted(**own(w), key="1", painted=True),
    "portrait": lambda w: editing.set_portrait(
        actor=w.people["owner"], register=w.register, key="1", sent=photo(), alt="A face"
    ),
}


def put(world: World, state: str) -> None:
    """Put the campaign into a state, wherever its battles stand."""
    at = None if state == "open" else timezone.now()
    values = {"deleted_at": at} if state == "deleted" else {"state": state, "closed_at": at}
    Campaign.everything.filter(pk=world.campaign.pk).update(**values)


@pytest.fixture
def world(book) -> World:
    return make_world()


@pytest.mark.parametrize("state", ["closed", "archived", "deleted"])
def test_services_refuse(world, state):
    put(world, state)
    before = checksums(tables())
    refused = {}
    for name, act in {**GAME, **({} if state == "closed" else REST)}.items():
        with pytest.raises(RuleViolation) as refusal:
            act(world)
        refused[name] = str(refusal.value)
    start = "Outer Rim Winter was deleted. An organizer can restore it until" if state == "deleted" else NO_GAME
    assert {name: text for name, text in refused.items() if not text.startswith(start.format(state))} == {}
    assert checksums(tables()) == before


def test_a_closed_campaign_takes_texts_pictures_and_people(world):
    put(world, "closed")
    for act in REST.values():
        act(world)


@pytest.mark.parametrize("state", ["closed", "archived"])
def test_anybody_can_leave(world, state):
    put(world, state)
    membership.leave(**people(world, "member"))
    assert not world.campaign.memberships.filter(user=world.people["member"]).exists()


class Offers(HTMLParser):
    """The links of a page, and the addresses that its forms post to."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.links, self.forms = path, set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember a link or a form."""
        words = dict(attrs)
        if tag == "form" and words.get("method") == "post":
            self.forms.add((words.get("action") or self.path).partition("?")[0].partition("#")[0])
        elif tag == "a" and (words.get("href") or "").startswith("/"):
            self.links.add(str(words["href"]).partition("#")[0])


@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize(
    ("role", "state"),
    [
        ("organizer", "archived"),
        *(
            pytest.param(*other, marks=pytest.mark.nightly)
            for other in (("organizer", "closed"), ("owner", "closed"), ("owner", "archived"))
        ),
    ],
)
def test_pages_offer_nothing_that_is_refused(world, settings, state, role):
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    _end(world)
    put(world, state)
    visitor, offers, answers = Visitor(world.people[role]), {}, {}
    for address in addresses():
        if address.route.startswith("admin/") or address.name.startswith(("account", "mfa", "socialaccount")):
            continue
        path = address.filled(world)
        answer = answers[path] = visitor.ask("GET", path)
        if answer.status == 200 and "text/html" in answer.content[:400]:
            offers[path] = Offers(path)
            offers[path].feed(answer.content)
    links = {link: path for path, found in offers.items() for link in found.links}
    forms = {form: path for path, found in offers.items() for form in found.forms}
    ours = {link: path for link, path in links.items() if _is_ours(link)}
    answers |= {link: visitor.ask("GET", link) for link in ours if link not in answers}
    wrong = [(path, link) for link, path in ours.items() if _refuses(answers[link], state)]
    wrong += [(path, form) for form, path in forms.items() if _refuses(visitor.ask("POST", form), state)]
    assert sorted(wrong) == []
    assert len(offers) > 40


def _refuses(answer: Answer, state: str) -> bool:
    return answer.status == 409 and NO_GAME.format(state) in answer.content


def _is_ours(path: str) -> bool:
    try:
        return resolve(path.partition("?")[0]).app_name not in ("admin", "archive")
    except Resolver404:
        return False


def _end(world: World) -> None:
    """No battle is open any more: a campaign is closed only then."""
    Amendment.objects.update(state="dropped", closed_at=timezone.now())
    Side.objects.update(open=False, step=11)
    Battle.objects.filter(status="sequence").update(status="closed", closed_at=timezone.now())
    Battle.objects.exclude(status="closed").update(status="cancelled")
