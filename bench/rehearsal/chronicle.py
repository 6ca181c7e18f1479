"""What is written and shown of a campaign: pieces, pictures, the public link, and the strangers who read it."""

from io import BytesIO

from bench.rehearsal.battle import Player
from bench.rehearsal.person import Person

#: A photograph as a phone sends it, and a file that is none.
PHOTOGRAPH, NO_PICTURE = (640, 480), b"This is no picture."


def photograph() -> dict[str, object]:
    """A file that a phone could have taken."""
    from PIL import Image

    out = BytesIO()
    Image.effect_noise(PHOTOGRAPH, 60).convert("RGB").save(out, "JPEG")
    return {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def show(person: Person, path: str, alt: str) -> None:
    """Send a picture where there is a form for one; first a file that is none."""
    person.open(path)
    send = person.page.locator("form:has(input[type='file']) button")
    for file in ({"name": "table.jpg", "mimeType": "image/jpeg", "buffer": NO_PICTURE}, photograph()):
        person.page.locator("input[type='file']").set_input_files(file)  # type: ignore[arg-type]
        person.fill(alt=alt)
        if file["buffer"] == NO_PICTURE:
            with person.errs(422):
                person.touch(send)
        else:
            person.touch(send)
    person.sees_pictures()
    person.record.counts["pictures"] += 1


def pictures(cora: Person, campaign: str, player: Player, battle: str) -> None:
    """Of the campaign, of a Dossier, of a battle; one of the latter is removed again."""
    show(cora, f"{campaign}photo/", "The table")
    show(player.person, f"{player.register}dossiers/1/photo/", "The Paragon")
    for alt in ("The last stand", "A thumb"):
        show(player.person, f"{battle}photos/", alt)
    page = player.person.page
    player.person.touch(page.get_by_role("link", name="Edit picture").last)
    page.locator("summary", has_text="Remove picture").click()
    player.person.touch(page.get_by_role("button", name="Remove picture"))


def write(cora: Person, campaign: str, player: Player, battle: str) -> None:
    """A piece of the campaign, one of a battle that is changed, and one that is withdrawn."""
    cora.open(f"{campaign}chronicle/write/")
    with cora.errs(422):
        cora.press("Add to chronicle")
    cora.fill(title="The first winter", text="It **snowed** on both sides.", byline="The keeper of the books")
    cora.press("Preview")
    cora.press("Add to chronicle")
    person = player.person
    person.open(f"{battle}write/")
    person.fill(title="Ours", text="We held the ridge.")
    person.press("Add to chronicle")
    person.open(f"{battle}story/")
    person.touch(person.page.locator("a[href^='/stories/']").first)
    person.fill(text="We held the ridge, nearly.")
    person.press("Save story")
    person.open(f"{battle}write/")
    person.fill(title="Too much", text="They cheated.")
    person.press("Add to chronicle")
    person.open(f"{battle}story/")
    person.touch(person.page.locator("a[href^='/stories/']").last)
    person.unfold("Delete story")
    person.press("Delete story")
    person.record.counts["undos"] += 1


def publish(cora: Person, campaign: str, stranger: Person) -> str:
    """Make the link, give it another one, and let a stranger read; the old link leads nowhere."""
    cora.open(f"{campaign}chronicle/link/")
    if cora.page.get_by_role("button", name="Create link").count():
        cora.press("Create link")
    old = cora.page.locator("#link").input_value()
    cora.unfold("Replace link")
    cora.press("Replace link")
    link = cora.page.locator("#link").input_value()
    with stranger.errs(404):
        stranger.open(old)
    stranger.open(link)
    stranger.reads("The first winter")
    stranger.sees_pictures()
    return stranger.path
