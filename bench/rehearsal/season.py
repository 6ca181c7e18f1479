"""What makes a season of battles: phases and rounds, the star map, teams, announcements, calendars, painted units."""

import re
from datetime import UTC, date, datetime, timedelta

from bench.rehearsal.battle import Player
from bench.rehearsal.chronicle import photograph
from bench.rehearsal.papers import Wrong, content_of
from bench.rehearsal.person import Person

#: What the calendar of one's phone reads.
FEED = re.compile(r"https?://[^/]+(/.+\.ics)")


def today() -> date:
    """The day of a site that was set up for no time zone."""
    return datetime.now(tz=UTC).date()


def arrange(cora: Person, campaign: str, players: list[Player]) -> None:
    """All of it, before the first battle; nothing of it changes what a battle is worth."""
    announce(cora, campaign, players[0].person)
    add_without_account(cora, campaign)
    make_phase(cora, campaign)
    draw_map(cora, campaign)
    form_team(cora, campaign, players)
    battle = pair(cora, campaign, players[0].person)
    discuss(players[0].person, battle, cora)
    remind(cora, campaign)
    choose_system(cora, battle)
    cora.open(f"{battle}mission/")
    read_calendars(cora, campaign)
    cora.open(battle)
    cora.unfold("Cancel battle")
    cora.press("Cancel battle")
    paint(players[0])


def announce(cora: Person, campaign: str, player: Person) -> None:
    """One that names a player, who reads it and answers; it is edited, and another one is deleted."""
    for title in ("Next Friday", "By mistake"):
        cora.open(f"{campaign}announcements/new/")
        with cora.errs(422):
            cora.press("Post announcement")
        cora.fill(title=title, text=f"We start at *eight*, @{player.name}.")
        cora.press("Post announcement")
    cora.follow("Edit")
    cora.unfold("Delete announcement")
    cora.press("Delete announcement")
    cora.open(f"{campaign}announcements/")
    cora.follow("Next Friday")
    announcement = cora.path
    cora.follow("Edit")
    cora.fill(title="This Friday")
    cora.press("Save announcement")
    player.open("/")
    player.touch(player.page.locator("a[href^='/notices/']").first)
    player.fill(text=f"I bring the terrain, @{cora.name}.")
    player.press("Post comment")
    if player.path != announcement:
        raise Wrong(f"A comment on {announcement} led to {player.path}")


def discuss(player: Person, battle: str, cora: Person) -> None:
    """A comment on a battle that is changed, and one that an organizer deletes."""
    for text in ("On the big table?", "Never mind."):
        player.open(f"{battle}comments/")
        player.fill(text=text)
        player.press("Post comment")
    player.touch(player.page.locator(".comment__change").last)
    player.fill(text="On the big table, please.")
    player.press("Save comment")
    cora.open(f"{battle}comments/")
    cora.touch(cora.page.locator(".comment__change").first)
    cora.unfold("Delete comment")
    cora.press("Delete comment")


def add_without_account(cora: Person, campaign: str) -> None:
    """Somebody who has no phone, and a Register that is begun for them."""
    cora.open(f"{campaign}people/")
    cora.unfold("Add someone without an account")
    cora.fill(name="Old Tom")
    cora.press("Add player", cora.page.locator("form[action$='without-account/']"))
    cora.open(f"{campaign}people/")
    cora.follow(re.compile("Old Tom"))
    cora.unfold("New Register for Old Tom")
    cora.page.locator("input[name='faction']").first.check(force=True)
    cora.press("Start building")


def make_phase(cora: Person, campaign: str) -> None:
    """Two phases, of which one is deleted."""
    for number, name in enumerate(("Muster", "War")):
        first = today() + timedelta(days=14 * number)
        cora.open(f"{campaign}phases/new/")
        cora.fill(name=name, first_day=f"{first}", last_day=f"{first + timedelta(days=13)}", note="Few points")
        cora.press("Save phase")
    cora.touch(cora.page.get_by_role("link", name="Change phase").last)
    cora.unfold("Delete phase")
    cora.press("Delete phase")


def draw_map(cora: Person, campaign: str) -> None:
    """A map; one more system, which somebody holds, and one that is removed."""
    cora.open(f"{campaign}map/")
    cora.touch(cora.page.locator("button[name='layout']").first)
    cora.follow("Add system")
    with cora.errs(422):
        cora.press("Add system")
    cora.fill(name="Talvos", x="40", y="60")
    cora.press("Add system")
    cora.open(f"{campaign}map/")
    cora.follow(re.compile("Talvos"))
    cora.page.locator("select[name='holder']").select_option(index=1)
    cora.press("Save holder")
    cora.open(f"{campaign}map/")
    systems = cora.page.locator(f"a[href^='{campaign}map/']:not([href$='new/'])")
    cora.open(systems.first.get_attribute("href") or "")
    cora.unfold("Remove system")
    cora.press("Remove system")


def form_team(cora: Person, campaign: str, players: list[Player]) -> None:
    """A team with the first Register in it, and one that is deleted."""
    for name in ("Dawn League", "Dusk League"):
        cora.open(f"{campaign}teams/")
        cora.fill(name=name)
        for part in ("colour", "emblem"):
            cora.page.locator(f"input[name='{part}']:enabled").first.check(force=True)
        cora.press("Create team")
    cora.follow("Change Dusk League")
    cora.unfold("Delete team")
    cora.press("Delete team")
    cora.page.get_by_label(re.compile(players[0].name)).select_option(label="Dawn League")
    cora.press("Save teams")


def pair(cora: Person, campaign: str, player: Person) -> str:
    """A round whose draft is deleted, and one that is changed, created and printed; gives where its first battle is."""
    player.open(f"{campaign}schedule/")
    player.page.locator("input[name='can_play']").check(force=True)
    player.fill(note="After work")
    player.press("Save availability")
    for deleted in (True, False):
        cora.open(f"{campaign}rounds/new/")
        cora.fill(due=f"{today()}")
        cora.press("Pair round")
        if deleted:
            cora.unfold("Delete draft")
            cora.press("Delete draft")
    cora.press("Pair again")
    cora.follow("Change date, place, or size")
    cora.fill(place="The barracks")
    cora.press("Save plan")
    cora.press(re.compile("Create .* battle"))
    battle = cora.page.locator("main a[href^='/battles/']").first.get_attribute("href") or ""
    cora.follow("Print round")
    return battle


def remind(cora: Person, campaign: str) -> None:
    """Both players of a battle that is due hear that they have no army yet."""
    cora.open(f"{campaign}tasks/")
    cora.press(re.compile("^Remind"))


def choose_system(cora: Person, battle: str) -> None:
    """The battle is for a system."""
    cora.open(battle)
    cora.page.locator("select[name='system']").select_option(index=1)
    cora.press("Save system")


def read_calendars(cora: Person, campaign: str) -> None:
    """Addresses of one's own calendar and that of the campaign, read as a phone does."""
    for path in ("/calendar/", f"{campaign}calendar/"):
        cora.open(path)
        if not cora.has("#feed"):
            cora.press("Create address")
            cora.open(path)
        found = FEED.match(cora.page.locator("#feed").input_value())
        if not found or b"BEGIN:VEVENT" not in content_of(cora, found[1]):
            raise Wrong(f"No battle in the calendar of {path}")


def read_public_calendar(cora: Person, campaign: str, stranger: Person) -> None:
    """Once the chronicle is public, everybody may read its battles."""
    cora.open(f"{campaign}calendar/")
    if found := FEED.match(cora.page.locator("#public").input_value()):
        content_of(stranger, found[1])


def paint(player: Player) -> None:
    """A unit is painted."""
    player.person.open(f"{player.register}dossiers/1/")
    player.person.press("Mark as painted")


def draw_mission_map(cora: Person, arc: str) -> None:
    """A picture of how a Turning Point Mission is set up, of a published Story Arc."""
    cora.open(arc)
    cora.follow("Mission map")
    cora.page.locator("input[type='file']").set_input_files(photograph())  # type: ignore[arg-type]
    cora.fill(alt="A ridge from left to right")
    cora.touch(cora.page.locator("form:has(input[type='file']) button"))
    cora.follow("as a player")
    content_of(cora, cora.page.locator("main img").get_attribute("src") or "")
    cora.follow("Print cards")
