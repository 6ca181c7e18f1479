"""A Story Arc of one's own: written part by part, played on a sample, published, shared and taken in."""

import re

from bench.rehearsal.person import Person

#: What is typed into a field that says nothing yet.
WORDS = "As it was told by those who came back"


def write_arc(cora: Person, campaign: str) -> str:
    """A draft that is thrown away, and one that is finished; gives where the finished one is."""
    _begin(cora, campaign, "The Wrong Way")
    cora.unfold("Delete draft")
    cora.press("Delete draft")
    _begin(cora, campaign, "Long Way Home")
    arc = cora.path
    with cora.errs(422):
        cora.press("Publish")
    cora.open(arc)
    parts = cora.page.locator("a[href*='/parts/']").evaluate_all("(all) => all.map((one) => one.pathname)")
    for part in dict.fromkeys(parts):
        _part(cora, part, campaign)
    cora.open(f"{arc}preview/")
    cora.open(arc)
    cora.press("Publish")
    return arc


def share_arc(cora: Person, campaign: str, arc: str) -> None:
    """Make a link to it, take it into the campaign, and put another one away again."""
    cora.open(arc)
    cora.press("Create link")
    cora.follow("Open shared page")
    cora.open(f"{campaign}arcs/")
    taken = cora.page.get_by_role("button", name=re.compile("^Add "))
    if taken.count():
        cora.touch(taken.first)
    cora.open(f"{campaign}arcs/")
    cora.touch(cora.page.get_by_role("button", name=re.compile("^Withdraw ")).first)


def _begin(cora: Person, campaign: str, name: str) -> None:
    cora.open(f"{campaign}arcs/new/")
    with cora.errs(422):
        cora.press("Create Story Arc")
    cora.fill(name=name)
    cora.press("Create Story Arc")


def _part(cora: Person, part: str, campaign: str) -> None:
    """Fill in what is empty, and give an Agenda a condition and a reward."""
    cora.open(part)
    for field in cora.page.locator("form#part textarea, form#part input[type='text']").all():
        name = field.get_attribute("name") or ""
        if not field.input_value() and not name.startswith(("ask", "note", "marks", "who")):
            field.fill(f"{WORDS} {part.split('/')[-2]}" if name == "name" else WORDS)
    cora.press("Save", cora.page.locator(".action-bar"))
    if "agenda" in part:
        cora.open(part)
        cora.press("Add a condition")
        cora.page.locator("form#condition select").first.select_option(index=1)
        for number in cora.page.locator("form#condition input[type='number']:visible").all():
            number.fill("2")
        cora.press("Save", cora.page.locator(".action-bar"))
    cora.open(part)
    for place in range(cora.page.locator("button[name='reward']").count()):
        cora.open(part)
        cora.touch(cora.page.locator("button[name='reward']").nth(place))
        cora.follow("Add a line here")
        cora.touch(cora.page.locator("main a[href*='do=gain_supply_points']"))
        cora.page.locator("form#clause input[type='number'], form#clause input[name='amount']").first.fill("1")
        cora.press("Add effect")
