"""The end: all is taken along, brought back, printed and proved, and every number is read once more."""

import json
import re
from pathlib import Path

from bench.rehearsal.battle import Player
from bench.rehearsal.campaign import Played
from bench.rehearsal.papers import Wrong, printed, saved
from bench.rehearsal.person import Person

#: What the ledgers of all Registers add up to, by primary key.
ADDED_UP = """
import json
from registers.models import Register
from registers.ledger.session import replay_entries
def checked(force):
    return [force.supply_points, force.reputation, len(force.dossiers)]
print(json.dumps({str(each.pk): checked(replay_entries(each.entries.all())) for each in Register.objects.all()}))
"""


def lists(played: Played, place: Path) -> int:
    """Each format of each Register and of each army that fought; how many files."""
    files = 0
    for player in played.players:
        for which in ("link", "text", "tts"):
            saved(player.person, f"{player.register}list/{which}/", place)
            files += 1
    person = played.players[0].person
    person.open(played.battles[0].path)
    folds = person.page.locator("details:not([open]):has(a[href$='/list/']) > summary")
    while folds.count():
        folds.first.click()
    person.touch(person.page.locator("a[href^='/sides/'][href$='/list/']").first)
    for link in [link for link in person.links() if re.match(r"/sides/\d+/list/\w+/", link)]:
        saved(person, link, place)
        files += 1
    return files


def carried(played: Played, place: Path) -> int:
    """Take the campaign along as a file and bring it as a copy; the copy holds as many battles."""
    cora, home = played.organizer, played.path
    cora.open(f"{home}file/")
    with cora.page.expect_download() as download:
        cora.page.get_by_role("link", name="Download file").click()
    file = place / "campaign.musterbook.zip"
    download.value.save_as(file)
    cora.record.answered_file(download.value.url)
    cora.open("/campaigns/import/")
    with cora.errs(422):
        cora.press("Review")
    cora.page.locator("input[type='file']").set_input_files(file)
    cora.press("Review")
    with cora.errs(422):
        cora.press("Import campaign")
    cora.page.locator("input[name='copy']").check()
    cora.press("Import campaign")
    copy = cora.path.removesuffix("people/")
    here, there = (_battles(cora, campaign) for campaign in (home, copy))
    if not here or here != there:
        raise Wrong(f"The copy of the campaign tells another story: {there} for {here}")
    played.copy = copy
    cora.open(f"{copy}people/")
    return file.stat().st_size


def _battles(cora: Person, campaign: str) -> list[str]:
    cora.open(f"{campaign}battles/")
    return cora.page.locator("main .row__title").all_inner_texts()


def prints(played: Played) -> None:
    """Sheets, cards, blank forms and the book as PDF."""
    home, player = played.path, played.players[0]
    paths = [
        f"{player.register}print/?what=forms&as=pdf",
        f"{player.register}print/?what=cards&as=pdf",
        f"{player.register}print/?what=arc&as=pdf",
        f"{player.register}dossiers/1/print/",
        f"{home}chronicle/book/?as=pdf",
        "/registers/forms/?as=pdf",
    ]
    for path in paths:
        words = printed(player.person, path)
        if path.startswith(home) and "The first winter" not in words:
            raise Wrong(f"What was written is not in {path}")


def proved(played: Played, place: Path) -> None:
    """`verify_registers` finds nothing, a backup is written, and pages say what the ledgers add up to."""
    site, backup = played.site, place / "backup.zip"
    site.command("verify_registers")
    site.command("backup", str(backup))
    if not backup.stat().st_size:
        raise Wrong("The backup is empty")
    ledgers = json.loads(site.command("shell", "--verbosity=0", "-c", ADDED_UP).splitlines()[-1])
    for player in played.players:
        read, added_up = shown(player), ledgers[player.register.strip("/").rsplit("/", 1)[-1]]
        if read != added_up:
            raise Wrong(f"{player.name}: its page says {read}, its ledger {added_up}")


def shown(player: Player) -> list[int]:
    """SP, Reputation and the number of units, as the page of the Register has them."""
    player.person.open(player.register)
    figures = player.person.page.locator(".figures").first.inner_text()
    return [int(number) for number in re.findall(r"\d+", figures)]
