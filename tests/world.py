"""One world for the test of permissions: a campaign with people in all eight roles and a battle at each stage."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.apps import apps
from django.contrib.auth.models import Group
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.regex_helper import normalize

from accounts.models import User
from campaign.archive.parts.reading import WAITING
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.services import amendments, planning, reports
from campaign.battles.services.contenders import Contender
from campaign.calendar.models import CalendarAddress
from campaign.calendar.services import make_address
from campaign.chronicle.models import ShareLink, Story
from campaign.chronicle.services import stories
from campaign.chronicle.services.stories import add_battle_photo, set_campaign_photo
from campaign.discussion.models import Announcement, Comment, Notice
from campaign.discussion.services.announcements import announce
from campaign.discussion.services.comments import add_comment
from campaign.discussion.services.notices import remind_in_inbox
from campaign.enlistments.services import enlistments
from campaign.models import Campaign, Invitation, Membership
from campaign.schedule.models import Phase, Round
from campaign.schedule.services.phases import save_phase
from campaign.schedule.services.rounds import open_draft
from campaign.services import campaigns
from campaign.star_map.models import System
from campaign.star_map.services.star_map import save_system
from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.story_arcs.services import story_arcs
from campaign.story_arcs.services.story_arcs import set_mission_map
from campaign.teams.models import Team
from campaign.teams.services.teams import save_team
from catalogue.models import PointsChange
from lists.services.army_lists import save_army_list
from members.services import invitations, membership
from notifications.models import Kind
from notifications.services.people import stop_token
from registers.models import Register
from registers.services import building
from registers.services.data_checks import verify_all
from registers.services.editing import set_portrait
from rules.battle.plain_army import PlainArmy
from tests.campaign.archive.files import file_of
from tests.campaign.factories import army_chosen, enlisted, in_play, reported
from tests.once import once
from tests.registers.factories import make_player
from tests.rules.arcs.arcs import printed
from tests.uploads.photos import photo
from uploads.models import Picture

#: Who asks. The owner's Registers are blue in all battles, the opponent's red; the stranger organizes elsewhere.
ROLES = ("anonymous", "stranger", "viewer", "member", "owner", "opponent", "organizer", "staff")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What there is to ask for. `battles` are by status; `lonely` is a Register of the owner's that serves nowhere,
    `sent` the key of the campaign's file, which the owner has sent to bring it."""

    people: dict[str, User]
    campaign: Campaign
    register: Register
    unfinished: Register
    lonely: Register
    battles: dict[str, Battle]
    invitation: Invitation
    draft: CustomArc
    version: ArcVersion
    story: Story
    link: ShareLink
    picture: Picture
    banner: Picture
    portrait: Picture
    mission_map: Picture
    amendment: Amendment
    feed: CalendarAddress
    announcement: Announcement
    comment: Comment
    notice: Notice
    sent: UUID | None = None
    phase: Phase
    round: Round
    team: Team
    system: System

    def side(self, status: str) -> Side:
        """The owner's side of the battle of that status."""
        return self.battles[status].sides.get(colour=Side.BLUE)

    def arguments(self, name: str, route: str) -> dict[str, Any]:
        """What fills the address: for the name of its URL if that is in OF, else for the beginning of its route."""
        filling = next(OF[each] for each in OF if fnmatchcase(name, each) or route.startswith(each))
        return filling(self) | first_row_of(route)


#: What to ask for, by the name of a URL or the beginning of its route; the first that fits counts.
OF: dict[str, Any] = {
    "home": lambda world: {},
    "rules_passages": lambda world: {"anchor": "R34"},
    "rules*": lambda world: {},
    "ui:*": lambda world: {},
    "archive:nightly_file": lambda world: {"pk": world.campaign.pk, "day": "2026-02-28"},
    "dashboard:keep_demo": lambda world: {"token": "of-a-demo-that-is-over"},
    "dashboard:second_phone": lambda world: {"token": "of-a-demo-that-is-over"},
    "dashboard:events_feed": lambda world: {"token": world.feed.token},
    "dashboard:*": lambda world: {},
    "accounts/oidc/": lambda world: {"provider_id": "oidc"},
    "calendar/": lambda world: {"token": world.feed.token, "pk": world.campaign.pk},
    "notifications/": lambda world: {"token": stop_token(world.people["owner"], Kind.TURN)},
    "archive:import": lambda world: {},
    "archive:review": lambda world: {"file": world.sent},
    "campaign:add_register": lambda world: {"pk": world.campaign.pk, "register": world.lonely.pk},
    "story_arcs:version": lambda world: {"pk": world.campaign.pk, "version": world.version.pk},
    "story_arcs:print": lambda world: {"pk": world.campaign.pk, "version": world.version.pk},
    "story_arcs:shared": lambda world: {"token": world.version.arc.token},
    "story_arcs:part": lambda world: {**_draft(world), "part": "setback"},
    "story_arcs:reward": lambda world: {**_draft(world), "at": "agendas.0.reward"},
    "story_arcs:condition": lambda world: {**_draft(world), "at": "agendas.0.progress.new"},
    "story_arcs:discard": lambda world: {"pk": world.campaign.pk, "arc": uuid4()},
    "story_arcs:drop": lambda world: {"pk": world.campaign.pk, "arc": uuid4()},
    "story_arcs:map_picture": lambda world: {"pk": world.campaign.pk, "picture": world.mission_map.pk, "size": "small"},
    "story_arcs:*": lambda world: _draft(world),
    "campaign:transfer_register": lambda world: {"pk": world.campaign.pk, "register": world.register.pk},
    "campaign:register_status": lambda world: {"pk": world.campaign.pk, "register": world.register.pk},
    "campaign:consent": lambda world: {"pk": world.campaign.pk, "register": world.register.pk},
    "battles:detail": lambda world: {"pk": world.battles["reported"].pk},
    "battles:replan": lambda world: {"pk": world.battles["planned"].pk},
    "battles:mission": lambda world: {"pk": world.battles["planned"].pk},
    "battles:begin": lambda world: {"pk": world.battles["ready"].pk},
    "battles:confirm": lambda world: {"pk": world.battles["reported"].pk},
    "battles:dispute": lambda world: {"pk": world.battles["reported"].pk},
    "battles:settle": lambda world: {"pk": world.battles["reported"].pk},
    "battles:amend": lambda world: {"pk": world.battles["sequence"].pk},
    "battles:correct_report": lambda world: {"pk": world.battles["sequence"].pk},
    "battles:amendment": lambda world: {"pk": world.amendment.pk},
    "battles:sequence*": lambda world: {"pk": world.battles["sequence"].pk, "colour": "blue"},
    "battles:undo": lambda world: {"pk": world.battles["sequence"].pk, "colour": "blue"},
    "battles:dice_word": lambda world: {"pk": world.side("planned").pk},
    "battles:act_for": lambda world: {"pk": world.side("in_play").pk},
    "battles:army*": lambda world: {"pk": world.side("planned").pk},
    "battles:agenda": lambda world: {"pk": world.side("ready").pk},
    "battles:list_*": lambda world: {"pk": world.side("in_play").pk, "which": "text"},
    "registers:building": lambda world: {"pk": world.unfinished.pk},
    "chronicle:battle_photo": lambda world: {"pk": world.battles["in_play"].pk, "picture": world.picture.pk},
    "registers:photo": lambda world: {"pk": world.register.pk, "picture": world.portrait.pk, "size": "small"},
    "announcements/": lambda world: {"pk": world.announcement.pk},
    "comments/": lambda world: {"pk": world.comment.pk},
    "notices/": lambda world: {"pk": world.notice.pk},
    "stories/": lambda world: {"pk": world.story.pk},
    "chronicle/": lambda world: {"token": world.link.token, "entry": world.story.pk, **_shown(world)},
    "campaigns/": lambda world: {
        "pk": world.campaign.pk,
        "user": world.people["member"].pk,
        "invitation": world.invitation.pk,
        "phase": world.phase.pk,
        "number": world.round.number,
        "team": world.team.pk,
        "system": world.system.pk,
        **_shown(world),
    },
    "join/": lambda world: {"token": world.invitation.token},
    "battles/": lambda world: {"pk": world.battles["in_play"].pk},
    "registers/": lambda world: {"pk": world.register.pk, "key": 1, "position": 1, "which": "text"},
    "admin/": lambda world: {"content_type_id": 0, "object_id": 0, "app_label": "campaign", "url": "nowhere/"},
    "accounts/": lambda world: {"pk": 0, "key": "gone", "uidb36": "1"},
}


def _shown(world: World) -> dict[str, Any]:
    """The picture of the campaign."""
    return {"picture": world.banner.pk, "size": "small"}


def make_world(mark: str = "") -> World:
    """All of it, by the services. Every name in it ends with `mark`, so that two worlds can be told apart."""
    world, file = _made(mark)
    return replace(world, sent=WAITING.keep(world.people["owner"], BytesIO(file)))


@once
def _made(mark: str) -> tuple[World, bytes]:
    """It without what is sent, which each process keeps in a folder of its own, and the file of its campaign."""
    people = {role: make_player(f"{role}{mark}") for role in ROLES[1:]}
    User.objects.filter(pk=people["staff"].pk).update(is_staff=True, is_superuser=True)
    people["staff"].refresh_from_db()
    campaign = campaigns.create_campaign(actor=people["organizer"], name=f"Outer Rim Winter{mark}")
    campaigns.create_campaign(actor=people["stranger"], name=f"Elsewhere{mark}")
    for role in ("viewer", "member", "owner", "opponent"):
        membership.add_member(actor=people["organizer"], group=campaign, username=f"{role}{mark}")
    membership.give_role(actor=people["organizer"], group=campaign, user=people["viewer"], role=Membership.Role.VIEWER)
    _rows_of_the_libraries(mark)
    fights = {
        status: _planned(campaign, people, f"{status}{mark}")
        for status in ("planned", "ready", "in_play", "reported", "sequence")
    }
    army_chosen(fights["ready"])
    for status in ("in_play", "reported", "sequence"):
        in_play(fights[status])
    for status in ("reported", "sequence"):
        reported(fights[status], people["owner"])
    reports.confirm_report(actor=people["opponent"], battle_id=fights["sequence"].pk, version=None)
    register = enlisted(campaign, people["owner"], f"Ashen Patrol{mark}")
    pictured = {"sent": photo(), "alt": f"The ridge{mark}"}
    draft = story_arcs.begin(actor=people["organizer"], campaign=campaign, name=f"Under way{mark}")
    verify_all()
    announcement = announce(
        actor=people["organizer"], campaign=campaign, title=f"Next Friday{mark}", text=f"At eight{mark}."
    )
    remind_in_inbox(actor=people["organizer"], battle=fights["planned"], user=people["owner"])
    made = World(
        people=people,
        campaign=campaign,
        register=register,
        picture=add_battle_photo(actor=people["owner"], battle=fights["in_play"], **pictured),
        banner=set_campaign_photo(actor=people["organizer"], campaign=campaign, **pictured),
        portrait=set_portrait(actor=people["owner"], register=register, key="1", **pictured),
        unfinished=enlistments.create_register(actor=people["owner"], campaign=campaign, faction="rebel"),
        lonely=building.open_register(actor=people["owner"], owner=people["owner"], faction="rebel"),
        battles=fights,
        invitation=invitations.invite(actor=people["organizer"], group=campaign),
        draft=draft,
        mission_map=set_mission_map(actor=people["organizer"], arc_id=draft.pk, **pictured),
        version=_shared(campaign, people["organizer"], mark),
        amendment=amendments.open_amendment(
            actor=people["organizer"],
            battle_id=fights["sequence"].pk,
            what=Amendment.What.ANNUL,
            reason=f"A rehearsal{mark}.",
        ),
        feed=make_address(actor=people["owner"]),
        announcement=announcement,
        comment=add_comment(actor=people["owner"], about=announcement, text=f"I am in{mark}."),
        notice=Notice.objects.get(user=people["owner"]),
        story=stories.write(actor=people["owner"], campaign=campaign, title=f"The ridge{mark}", text=f"Snow{mark}."),
        link=stories.open_chronicle(actor=people["organizer"], campaign=campaign),
        phase=save_phase(
            actor=people["organizer"],
            campaign=campaign,
            phase_id=uuid4(),
            version=0,
            name=f"Season{mark}",
            first_day=date(2026, 1, 1),
            last_day=date(2026, 12, 31),
            note=f"Snow{mark}",
        ),
        round=open_draft(
            actor=people["organizer"],
            campaign=campaign,
            round_id=uuid4(),
            due=date(2026, 4, 21),
            size=800,
            place=f"The barracks{mark}",
        ),
        team=save_team(
            actor=people["organizer"],
            campaign=campaign,
            team_id=uuid4(),
            name=f"Dawn League{mark}",
            colour="azure",
            emblem="star",
        ),
        system=save_system(
            actor=people["organizer"], campaign=campaign, system_id=uuid4(), name=f"Talvos{mark}", x=30, y=40
        ),
    )
    return made, file_of(campaign)


def _shared(campaign: Campaign, organizer: User, mark: str) -> ArcVersion:
    """A Story Arc that is published and has a link. The admin's first rows are those that are printed."""
    arc = story_arcs.begin(actor=organizer, campaign=campaign, name=f"Yard by Yard{mark}")
    draft = {**printed("a-pirates-life"), "name": arc.draft["name"]}
    arc = story_arcs.change(actor=organizer, arc_id=arc.pk, revision=1, draft=draft)
    story_arcs.publish(actor=organizer, arc_id=arc.pk, revision=2)
    return story_arcs.share(actor=organizer, arc_id=arc.pk).versions.get()


def _draft(world: World) -> dict[str, Any]:
    return {"pk": world.campaign.pk, "arc": world.draft.pk}


def _planned(campaign: Campaign, people: dict[str, User], name: str) -> Battle:
    blue = enlisted(campaign, people["owner"], f"Blue {name}")
    red = enlisted(campaign, people["opponent"], f"Red {name}")
    return planning.plan_battle(
        actor=people["owner"],
        campaign=campaign,
        size=600,
        blue=Contender(register_id=blue.pk),
        red=Contender(register_id=red.pk),
    )


def first_row_of(route: str) -> dict[str, Any]:
    """The first row of the table that an address of the admin is about; 0 if it is empty."""
    match route.split("/"):
        case ["admin", app, model, *rest] if rest and app in apps.app_configs:
            row = apps.get_model(app, model)._default_manager.order_by("pk").first()
            return dict.fromkeys(("object_id", "id"), row.pk if row else 0)
    return {}


def _rows_of_the_libraries(mark: str) -> None:
    """A row in each table that only the admin shows, of somebody who asks for nothing."""
    somebody = make_player(f"somebody{mark}")
    save_army_list(actor=somebody, list_id=uuid4(), army=PlainArmy(title=f"Friendly{mark}"))
    Group.objects.create(name=f"quartermasters{mark}")
    EmailAddress.objects.create(user=somebody, email=f"somebody{mark}@example.org")
    Authenticator.objects.create(user=somebody, type=Authenticator.Type.TOTP, data={})
    app = SocialApp.objects.create(provider="discord", name=f"Discord{mark}")
    account = SocialAccount.objects.create(user=somebody, provider="discord", uid=f"7{mark}")
    SocialToken.objects.create(app=app, account=account, token="hush")
    PointsChange.objects.create(
        kind="unit",
        card="stormtroopers",
        name="Stormtroopers",
        points_before=44,
        points_after=45,
        at=timezone.now(),
        by="admin",
    )


@dataclass(frozen=True, slots=True)
class Address:
    """A URL of the site: its name (its route, if it has none), its route, and the patterns that make it up."""

    name: str
    route: str
    patterns: tuple[Any, ...]

    def filled(self, world: World) -> str:
        """It with everything named that its route asks for."""
        given, path = world.arguments(self.name, self.route), ""
        for pattern in self.patterns:
            text, _ = normalize(pattern.regex.pattern)[0]
            path += text % given
        return f"/{path}"


def all_addresses() -> Iterator[Address]:
    """Every URL that the site has."""
    yield from _walk(get_resolver(), "", "", ())


def addresses() -> Iterator[Address]:
    """Every URL that this world fills; those of events and army lists are in `tests.tournaments.world`."""
    return (address for address in all_addresses() if not is_of_events(address))


def is_of_events(address: Address) -> bool:
    """Whether an address belongs to events or army lists."""
    return address.name.startswith(("tournaments:", "lists:", "admin:tournaments_"))


def _walk(resolver: URLResolver, space: str, route: str, patterns: tuple[Any, ...]) -> Iterator[Address]:
    for each in resolver.url_patterns:
        there, gone = route + str(each.pattern), (*patterns, each.pattern)
        if isinstance(each, URLPattern):
            yield Address(f"{space}{each.name}" if each.name else there, there, gone)
        else:
            yield from _walk(each, f"{space}{each.namespace}:" if each.namespace else space, there, gone)
