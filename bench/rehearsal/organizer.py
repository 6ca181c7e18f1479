"""What an organizer does beside the battles: campaign rules, people, awards, corrections, and locked undos."""

import re

from bench.rehearsal.battle import Fought, Player, plan
from bench.rehearsal.papers import Wrong, content_of
from bench.rehearsal.person import PASSWORD, Person
from bench.rehearsal.sequence import Walker
from bench.rehearsal.site import Site

DISCORD = f"https://discord.com/api/webhooks/{'1' * 18}/{'a' * 68}"
#: How many files were written, and how many failed.
WRITE_ALL = "from campaign.archive.services import archive; print(*archive.write_all())"
SAVE = "input[name='_save'], button[name='_save'], main input[type='submit']"
HALTS = 12  # questions of a revision, before it is dropped


def found_campaign(cora: Person, arcs: int) -> str:
    """Sign up, found a campaign that lasts so many Story Arcs, and give where it is."""
    cora.open("/accounts/signup/")
    cora.fill(username=cora.name, password1=PASSWORD, password2=PASSWORD)
    cora.press("Sign up")
    cora.follow("Create a campaign")
    with cora.errs(422):
        cora.press("Create campaign")
    cora.fill(name="Outer Rim Winter")
    cora.press("Create campaign")
    campaign = cora.path
    cora.open(f"{campaign}rules/")
    cora.fill(length=str(arcs))
    cora.press("Save campaign rules")
    return campaign


def invite(cora: Person, campaign: str) -> str:
    """The link by which people come in."""
    cora.open(f"{campaign}people/")
    cora.press("Create invitation")
    return cora.page.locator("#link").input_value()


def people(cora: Person, campaign: str, player: Player, eve: Person) -> None:
    """Add a second organizer, revoke an invitation, and let somebody who was added by name leave again."""
    invite(cora, campaign)
    cora.unfold("Revoke")
    cora.press("Revoke")
    cora.open(f"{campaign}people/")
    cora.unfold("Add someone with an account")
    cora.fill(username="nobody-of-that-name")
    with cora.errs(422):
        cora.press("Add player")
    cora.fill(username=eve.name)
    cora.press("Add player")
    cora.open(f"{campaign}people/")
    cora.follow(re.compile(player.person.name))
    cora.page.locator("input[name='role'][value='organizer']").check(force=True)
    cora.press("Save role")
    eve.open(f"{campaign}people/")
    eve.unfold("Leave this campaign")
    eve.press("Leave campaign")


def cancel(player: Player, campaign: str) -> None:
    """A battle against a guest that never comes to be."""
    player.person.open(plan(campaign, player, None).path)
    player.person.unfold("Cancel battle")
    player.person.press("Cancel battle")
    player.person.record.counts["undos"] += 1


def act_for(player: Player, battle: Fought) -> None:
    """An organizer who plays says that they act for the other player, who has gone to fetch a drink."""
    player.person.open(battle.path)
    act = player.person.page.locator("a[href$='/act-for/']")
    if act.count():
        player.person.touch(act.first)
        player.person.touch(player.person.page.locator(".action-bar .button--primary"))


def let_discord_know(cora: Person, campaign: str) -> None:
    """Keep the address of a channel, mistyped first, and remove it before any message is sent."""
    cora.open(f"{campaign}webhook/")
    for address in ("https://example.org/hook", DISCORD):
        cora.fill(address=address)
        if address == DISCORD:
            cora.press("Save webhook")
        else:
            with cora.errs(422):
                cora.press("Save webhook")
    cora.page.locator("summary", has_text="Remove webhook").click()
    cora.press("Remove webhook")


def keep_nightly(cora: Person, campaign: str, site: Site) -> None:
    """A file of the campaign every night; the first night passes at once."""
    cora.open(f"{campaign}file/")
    cora.press("Turn on nightly export")
    output = site.command("shell", "--verbosity=0", "-c", WRITE_ALL)
    if output.split() != ["1", "0"]:
        raise Wrong(f"The nightly file was not written: {output}")
    cora.open(f"{campaign}file/")
    [kept] = [link for link in cora.links() if re.search(r"/file/\d", link)]
    content_of(cora, kept)


def award(cora: Person, campaign: str) -> None:
    """SP for all, looked at first; then one more that is undone."""
    for reason in ("For a fine painted table", "For being late"):
        cora.open(f"{campaign}award/")
        cora.fill(supply_points="1", reason=reason)
        for box in cora.page.locator("input[name='registers']").all():
            box.check()
        cora.press("Preview award")
        cora.press("Give award")
    cora.open(f"{campaign}award/")
    cora.page.locator("#given summary").first.click()
    cora.page.locator("#given input[name='reason']").first.fill("Nobody was late")
    cora.press("Undo for all")
    cora.record.counts["undos"] += 1


def correct(cora: Person, player: Player) -> None:
    """One SP more by hand, first without a reason; then it is undone."""
    cora.open(f"{player.register}correct/")
    field = cora.page.locator("[name='supply_points']")
    more = str(int(field.input_value()) + 1)
    field.fill(more)
    with cora.errs(422):
        cora.press("Save correction")
    cora.page.locator("[name='supply_points']").fill(more)
    cora.fill(reason="Counted together at the table")
    cora.press("Save correction")
    player.person.open("/")
    player.person.press("Dismiss all")
    cora.record.counts["corrections"] += 1
    cora.open(f"{player.register}correct/")
    forms = cora.page.locator("form[action$='undo/']")
    fold = cora.page.locator("details:not([open]):has(form[action$='undo/']) > summary")
    if fold.count():
        fold.first.click()
    forms.first.locator("[name='reason']").fill("The count was right before")
    cora.touch(forms.first.locator("button"))
    cora.record.counts["undos"] += 1


def correct_in_admin(host: Person, player: Player) -> None:
    """Correct a Register with the form in the admin."""
    host.open(f"/admin/registers/register/{player.register.strip('/').rsplit('/', 1)[-1]}/change/")
    field = host.page.locator("[name='supply_points']")
    field.fill(str(int(field.input_value()) + 1))
    host.page.locator("[name='reason']").first.fill("From the host")
    host.touch(host.page.locator(SAVE).first)
    host.record.counts["corrections"] += 1


def form_group(host: Person) -> None:
    """A group of the staff, which may do nothing yet."""
    host.open("/admin/auth/group/add/")
    host.page.locator("[name='name']").fill("Helpers")
    host.touch(host.page.locator(SAVE).first)


def correct_report(cora: Person, battle: str, player: Player) -> None:
    """Correct a report that counts already: another unit fell."""
    cora.open(f"{battle}report/correct/")
    for fold in cora.page.locator("details.report-other:not([open]) > summary").all():
        fold.click()
    stood = "tr:has(input[name$='-fell']:not(:checked)) input[name$='-held']:enabled"
    held = cora.page.locator(stood).last
    held.set_checked(not held.is_checked())
    cora.fill(reason="Somebody else held it")
    cora.press("Preview changes")
    _revise(cora, player)
    cora.record.counts["corrections"] += 1


def undo(cora: Person, battle: str, player: Player, *, annul: bool = False) -> None:
    """An answer of a battle that others have built upon is asked anew, or all of it is to count for nobody."""
    cora.open(f"{battle}amend/")
    ways = cora.page.locator(".choice__option:has(input[name='what'])")
    (ways.last if annul else ways.first).click()
    cora.fill(reason="It was another unit")
    cora.press("Preview changes")
    _revise(cora, player)
    cora.record.counts["undos"] += 1


def _revise(cora: Person, player: Player) -> None:
    """Answer what is open now, let stand what may stand, and do it; what cannot be done is dropped."""
    walker = Walker(player, None, cora.page, cora)
    for _ in range(HALTS):
        do = cora.page.get_by_role("button", name="Apply changes", exact=True)
        if do.count():
            cora.touch(do)
            cora.record.counts["amendments"] += 1
            return
        if cora.has(".question"):
            walker.answer()
        elif cora.has("form:has(input[name='halt']) button"):
            cora.touch(cora.page.locator("form:has(input[name='halt']) button").first)
        else:
            break
    cora.page.locator("summary", has_text="Drop amendment").click()
    cora.press("Drop amendment")
