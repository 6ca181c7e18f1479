"""What players do between the plan of a battle and the report that both agree on."""

from bench.rehearsal.battle import Fought, Player, confirm, report
from bench.rehearsal.papers import Wrong, printed
from bench.rehearsal.person import Person


def before(battle: Fought) -> None:
    """The plan is changed, a word is mixed into the dice, and an army is chosen from a list first."""
    person = battle.first.person
    person.open(f"{battle.path}plan/")
    person.fill(place="The back room")
    person.press("Save plan")
    person.unfold("Fair dice")
    word = person.page.locator("form[action$='/word/']")
    if word.count():
        word.first.locator("[name='word']").fill("kettle")
        person.touch(word.first.locator("button"))
    person.open(f"{battle.first.register}list/")
    text = person.page.locator("textarea").nth(1).input_value()
    person.open(battle.path)
    person.touch(person.page.locator("a[href$='/army/']").first)
    person.follow("Paste an army list")
    person.fill(text="\n")
    with person.errs(422):
        person.press("Read list")
    person.fill(text=text)
    person.press("Read list")
    if person.page.get_by_role("button", name="Fill in army").count():
        person.press("Fill in army")


def sheets(battle: Fought) -> None:
    """The army sheet on paper: its player's Register stands on it."""
    person = battle.first.person
    person.visit(f"{battle.path}print/")
    if battle.first.name.casefold() not in printed(person, f"{battle.path}print/?as=pdf").casefold():
        raise Wrong("The army sheet is another one's")
    person.visit(f"{battle.campaign}battles/print/")


def tally(battle: Fought) -> None:
    """Both phones lie on the table: a unit falls, stands again, falls; tokens come; a card is played."""
    for player in battle.players:
        person = player.person
        person.open(f"{battle.path}table/")
        marks = person.page.locator("form button.mark:visible:enabled")
        for place in range(min(3, marks.count())):
            person.tap(marks.nth(place))
        hand = person.page.locator("details:has(button[name='play']) > summary")
        if hand.count():
            hand.first.click()
            person.tap(person.page.locator("button[name='play']:visible").first)


def disputed(battle: Fought, second: Player) -> None:
    """The report is wrong, the other says so, and writes it again; the first one agrees."""
    report(battle.first, battle, won=True)
    person = second.person
    person.open(battle.path)
    person.unfold("Dispute report")
    with person.errs(422):
        person.press("Dispute report")
    person.fill(reason="You have counted one of mine twice.")
    person.press("Dispute report")
    report(second, battle)
    confirm(battle.first, battle)


def settled(battle: Fought, second: Player, cora: Person) -> None:
    """They do not agree, and an organizer settles it."""
    report(battle.first, battle)
    person = second.person
    person.open(battle.path)
    person.unfold("Dispute report")
    person.fill(reason="The last round was never played.")
    person.press("Dispute report")
    cora.open(battle.path)
    cora.unfold("Accept report as organizer")
    cora.fill(reason="I was there")
    cora.press("Accept report")
