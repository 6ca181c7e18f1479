"""The after-action report, as a page and as a picture."""

import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from PIL import Image

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.chronicle.narrative import after_action
from campaign.chronicle.narrative.after_action import SHAPES, Hero, picture_html, report_of_story
from campaign.chronicle.narrative.battle_story import SideStory
from campaign.chronicle.services import stories
from core.pdf import PdfRefused, laid_out
from registers.services.editing import set_portrait
from tests.campaign.battles.closing import closed
from tests.campaign.battles.stepping import client_of
from tests.campaign.chronicle.battle_stories import a_battle_story
from tests.campaign.chronicle.strategies import battle_stories
from tests.campaign.first_blood import begin
from tests.html import html_of
from tests.registers.print.drawn import PX, rectangle, with_class
from tests.registers.views.reading import text_of
from tests.thoroughness import examples
from tests.uploads.photos import photo

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought(book):
    return begin()


def over(fought) -> Battle:
    closed(fought)
    return Battle.objects.select_related("campaign").prefetch_related(SIDES).get(pk=fought.battle.pk)


def test_what_each_side_won_and_lost(fought):
    blue, red = after_action.report_of(over(fought)).sides
    assert (blue.hero, blue.won) == (Hero("Grim Hounds", "Named Most Feared Rival by Dune Wardens"), True)
    assert (red.hero, red.won) == (Hero("X-34 Landspeeder", "Named Most Feared Rival by Ashen Patrol"), False)
    assert blue.gains == [("Keep Them in Line", 2), ("SP", 3), ("XP", 17)]
    assert red.numbers == [("Defeated", 3), ("Escaped", 1), ("Fallen", 1), ("Honors", 0)]
    assert (blue.lines, red.lines) == (
        [
            ("Promoted", "Grim Hounds (VR 1)"), ("Honored", "Grim Hounds: Resilient"),
            ("Escaped", "Stormtroopers on a blank, Scout Troopers on a blank"), ("Agendas", "Keep Them in Line +2"),
        ],
        [("Escaped", "Rebel Troopers (no. 3) on a blank"), ("Fallen", "Rebel Troopers (no. 2)")],
    )  # fmt: skip


NOBODY = SideStory(name="Ashen Patrol", colour="blue", has_sequence=True)


@pytest.mark.parametrize(
    ("happened", "hero"),
    [
        ({"feared": "A", "commendations": (("B", "Resilient"),)}, Hero("A", "Named Most Feared Rival by Sal")),
        ({"commendations": (("B", "Resilient"),), "ranks": (("C", 1),)}, Hero("B", "Earned Resilient")),
        ({"ranks": (("C", 1), ("D", 2)), "escaped": (("E", ("blank",)),)}, Hero("D", "Reached Veteran Rank 2")),
        ({"escaped": (("E", ("blank",)),), "holding": ("F",)}, Hero("E", "Escaped on a blank")),
        (
            {"feared": "A", "commendations": (("B", "Loyal"),), "ranks": (("C", 2), ("D", 3))},
            Hero("D", "Reached Veteran Rank 3"),
        ),
        (
            {"feared": "A", "ranks": (("D", 3),), "escaped": (("E", ("blank",)), ("F", ("blank", "critical")))},
            Hero("F", "Escaped on a blank and a critical"),
        ),
        ({"holding": ("F",), "paragon": "G"}, Hero("F", "At an objective at the end")),
        ({"paragon": "G"}, Hero("G", "Led Ashen Patrol")),
        ({}, Hero("Ashen Patrol", "Fought without a Register")),
    ],
)
def test_the_hero_and_why(happened, hero):
    story = a_battle_story(winner="blue", blue=replace(NOBODY, **happened))
    assert report_of_story(story).sides[0].hero == hero


def test_the_hero_of_the_battle_is_the_winners_if_it_has_a_register():
    story = a_battle_story(winner="red", blue=replace(NOBODY, feared="A"))
    assert report_of_story(story).hero_side.story is story.blue  # Sal is a guest
    both = replace(story, red=replace(NOBODY, name="Dune Wardens", colour="red", paragon="B"))
    assert report_of_story(both).hero_side.story is both.red


def test_without_a_score_the_units_lost_stand_in_its_place():
    lost, kept = (replace(NOBODY, defeated=units) for units in (2, 0))
    story = a_battle_story(winner="red", blue=replace(lost, conceded=True), red=replace(kept, name="Sal", colour="red"))
    report = report_of_story(story)
    assert (report.score, report.losses) == ("", "2–0")
    html = " ".join(picture_html(report, "Outer Rim Winter", shape="wide", look="light").split())
    assert "2–0 <small>units defeated</small>" in html
    assert [word for word in ("Victory", "Conceded", "vs.") if word in html] == ["Victory", "Conceded"]
    scored = replace(story, blue=replace(lost, victory_points=3))
    guest = a_battle_story(winner="blue", blue=lost)
    assert [(each.score, each.losses) for each in map(report_of_story, (scored, guest))] == [("3–0", ""), ("", "")]


@settings(max_examples=examples(10, 200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(battle_stories())
def test_no_box_of_the_picture_is_empty(story):
    report = report_of_story(story)
    for shape in SHAPES:
        html = picture_html(report, "Outer Rim Winter", shape=shape, look="light")
        boxes = re.findall(r"<section.*?</section>", html, re.DOTALL)
        assert len(boxes) == 1 + sum(side.has_sequence for side in story.sides)
        assert [box for box in boxes if not all(map(str.strip, re.findall(r"<p[^>]*>(.*?)</p>", box, re.DOTALL)))] == []
        assert [box for box in boxes if len(re.sub(r"<[^>]*>|\s", "", box)) < 20] == []
        assert report.hero_side.hero.name in boxes[0]


W = "W" * 80


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("blue", "red"),
    [
        ({"name": W, "victory_points": 11, "feared": W}, {"name": "W " * 40, "victory_points": 12}),
        ({"defeated": 1}, {"name": "Dune Wardens", "conceded": True, "feared": "B", "defeated": 2}),
    ],
    ids=["long names", "units lost"],
)
def test_what_stands_over_the_boxes_of_the_picture_does_not_overlap(shape, blue, red):
    sides = {"blue": replace(NOBODY, **blue), "red": replace(NOBODY, colour="red", **red)}
    story = a_battle_story(winner="blue", mission=W, **sides)
    html = picture_html(report_of_story(story), W, shape=shape, look="light")
    [page] = laid_out(html).pages
    lines, right = [], page._page_box.width * PX
    for name in ("brand", "campaign", "called", "stamp", "points", "where", "hero"):
        boxes = list(with_class(page._page_box, f"card-picture__{name}"))
        lines += [rectangle(box, box) for box in boxes]
    assert all(left >= 0 and end <= right for left, _, end, _ in lines)
    assert len(lines) == 8 + (1 if red.get("conceded") else 0)
    over = [(a, b) for a, b in combinations(lines, 2) if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
    assert over == []


def test_the_page_before_and_after_the_battle_is_closed(fought):
    client, there = client_of(fought.ada), reverse("chronicle:after_action", args=[fought.battle.pk])
    assert client.get(there).url == fought.battle.get_absolute_url()
    assert client.get(f"/battles/{fought.battle.pk}/after-action.png").status_code == 404
    over(fought)
    text = " ".join(text_of(client.get(there)).split())
    for expected in (
        "After-action report",
        "Hero of the day Grim Hounds Named Most Feared Rival by Dune Wardens",
        "Promoted Grim Hounds (VR 1) Honored Grim Hounds: Resilient",
        "No battle is planned yet. Back to the campaign",
        "+3 SP",
    ):
        assert expected in text, expected


def drawn(monkeypatch) -> list[str]:
    """The documents that were drawn from here on, instead of their pictures."""
    documents: list[str] = []

    def to_png(html: str, **size: int) -> bytes:
        documents.append(html)
        return b"picture"

    after_action.picture_png.cache_clear()
    monkeypatch.setattr(after_action, "to_png", to_png)
    return documents


def test_the_picture_is_drawn_once_and_names_no_player(fought, client, monkeypatch):
    documents, battle = drawn(monkeypatch), over(fought)
    link = stories.open_chronicle(actor=fought.ada_organizes(), campaign=battle.campaign)
    public = reverse("chronicle:public_after_action", args=[link.token, battle.pk])
    answers = [client_of(fought.ben).get(f"/battles/{battle.pk}/after-action.png"), client.get(public)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(200, b"picture")] * 2
    client_of(fought.ben).get(f"/battles/{battle.pk}/after-action.png?shape=square&look=dark")
    document, square = documents
    assert "card-picture--square card-picture--dark" in square
    assert "Grim Hounds" in document
    assert [name for name in ("ada", "ben", "@") if f">{name}" in document or f" {name} " in document] == []
    assert public in html_of(client.get(reverse("chronicle:public_entry", args=[link.token, battle.pk])))
    stories.close_chronicle(actor=fought.ada, campaign=battle.campaign)
    assert client.get(public).status_code == 404


def test_the_heros_portrait_is_for_members(fought, monkeypatch):
    documents, battle = drawn(monkeypatch), over(fought)
    alpha = fought.blue.own_register
    portrait = set_portrait(actor=fought.ada, register=alpha, key="3", sent=photo(), alt="Hounds in the snow")
    poster = html_of(client_of(fought.ben).get(f"/battles/{battle.pk}/after-action/"))
    assert f"/registers/{alpha.pk}/photos/{portrait.pk}/small/" in poster
    for who in (True, False):
        after_action.picture_of(battle, shape="wide", look="light", portrait=who)
    assert ["Hounds in the snow" in document for document in documents] == [True, False]


def test_a_picture_that_cannot_be_drawn_now(fought, monkeypatch):
    drawn(monkeypatch)
    battle = over(fought)

    def busy(html: str, **size: int) -> bytes:
        raise PdfRefused("Another PDF is being made.", again=30)

    monkeypatch.setattr(after_action, "to_png", busy)
    answer = client_of(fought.ada).get(f"/battles/{battle.pk}/after-action.png")
    assert (answer.status_code, answer["Retry-After"], answer.content) == (503, "30", b"Another PDF is being made.")


@pytest.mark.nightly
def test_the_picture_has_the_size_that_messengers_want(fought):
    battle = over(fought)
    for shape, size in SHAPES.items():
        picture = Image.open(BytesIO(after_action.picture_of(battle, shape=shape, look="dark")))
        assert (picture.format, picture.size) == ("PNG", size)
