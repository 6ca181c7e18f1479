"""The pages that build a Register, as a browser without JavaScript uses them."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from registers.ledger.verification import differences
from registers.models import Register
from registers.projection import state_of
from registers.services import building
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.building import address, post
from tests.registers.views.reading import queries_of, text_of


def test_a_new_register(signed_in, player, book):
    page = signed_in.get(reverse("registers:new"))
    pk = page.context["register_id"]
    for _ in range(2):  # law 6: the form comes twice
        answer = signed_in.post(reverse("registers:new"), {"register": pk, "faction": "empire"})
        assert answer["Location"] == reverse("registers:building", args=[pk])
    assert [(r.pk, r.owner, r.faction) for r in Register.objects.all()] == [(pk, player, "empire")]


def test_a_new_register_without_a_faction(signed_in, book):
    page = signed_in.get(reverse("registers:new"))
    answer = signed_in.post(reverse("registers:new"), {"register": page.context["register_id"]})
    assert answer.status_code == 422
    assert "Choose a Faction. R3" in text_of(answer)
    assert not Register.objects.exists()


def test_a_new_register_in_the_place_of_another(signed_in, other, book):
    theirs = building.open_register(actor=other, owner=other, faction="rebel")
    answer = signed_in.post(reverse("registers:new"), {"register": theirs.pk, "faction": "empire"})
    assert "This Register belongs to another player. Start again with New Register." in text_of(answer)


def test_nobody_elses(client, other, empty):
    client.force_login(other)
    assert client.get(address(empty)).status_code == 404
    assert post(client, empty, do="edit", unit="stormtroopers").status_code == 404


def test_signed_out(client, empty):
    assert client.get(address(empty)).status_code == 302


def test_the_whole_way(signed_in, player, empty):
    """R10, without a script: every answer is a form that the page before has shown."""
    page = signed_in.get(address(empty))
    assert json.dumps({"add": {"unit": "stormtroopers"}}) in unescape(html_of(page))
    for _ in range(2):
        added = post(signed_in, empty, "?rank=corps", do="edit", answer=json.dumps({"add": {"unit": "stormtroopers"}}))
        assert added["Location"] == address(empty, "?rank=corps")
    post(
        signed_in,
        empty,
        "?unit=imperial-officer-ruthless-efficiency",
        do="edit",
        unit="imperial-officer-ruthless-efficiency",
        **{"upgrades-0": "defend-in-depth"},
        upgrades=["strict-orders"],
        name="Captain Sorne",
    )
    wish = json.dumps({"request": "request-strategic-asset", "asset": "medevac"})
    assert wish in unescape(html_of(signed_in.get(address(empty, "?stage=aid"))))
    post(signed_in, empty, "?stage=aid", do="aid", answer=wish)
    post(signed_in, empty, "?stage=arc", do="arc", story_arc="bring-peace-to-the-galaxy")
    done = post(signed_in, empty, "?stage=name", do="commission", register_name="Ashen Patrol")
    assert done["Location"] == address(empty, "?stage=done")
    born = signed_in.get(done["Location"])
    assert "Captain Sorne takes command Register created" in text_of(born)
    assert "Turning Point: Wipe Them Out" in text_of(born)
    hero = reverse("registers:dossier", args=[empty.pk, 3])
    before = born.context["biography_before"]
    signed_in.post(hero, {"do": "biography", "biography": "Born on Corellia.", "before": before})
    assert "Born on Corellia." in text_of(signed_in.get(hero))
    assert "Where does your hero come from" not in text_of(signed_in.get(done["Location"]))
    state = state_of(Register.objects.get(pk=empty.pk))
    assert (state.commissioned, state.name, state.supply_points, state.assets) == (
        True,
        "Ashen Patrol",
        4,
        ("medevac",),
    )
    assert [(d.card, d.name, d.upgrades) for d in state.dossiers.values()] == [
        ("stormtroopers", "", ()),
        ("stormtroopers", "", ()),
        ("imperial-officer-ruthless-efficiency", "Captain Sorne", ("defend-in-depth", "strict-orders")),
    ]
    assert signed_in.get(address(empty))["Location"] == reverse("registers:detail", args=[empty.pk])


def test_a_form_that_comes_twice_counts_once(signed_in, empty):  # law 6
    fields = {"do": "edit", "position": 1, "answer": json.dumps({"add": {"unit": "stormtroopers"}})}
    for expected in (False, True):
        answer = signed_in.post(address(empty), fields, follow=True)
        assert answer.redirect_chain == [(address(empty, "?"), 302)]
        assert ("This was already saved. The page is up to date now." in text_of(answer)) is expected
    assert list(state_of(Register.objects.get()).dossiers) == ["1"]


class TestSearch:
    def test_units_and_upgrades(self, signed_in, empty):
        page = signed_in.get(address(empty, "?q=officer"))
        found = [offer.title for shelf in page.context["edit"]["shelves"] for offer in shelf.offers]
        assert found == ["Imperial Officer, Ruthless Efficiency"]
        assert "Rebel Officer personnel None of the units you can add now can take this upgrade. R8" in text_of(page)

    def test_why_not(self, signed_in, empty):
        text = text_of(signed_in.get(address(empty, "?q=vader")))
        assert "Darth Vader, Dark Lord of the Sith is unique. Unique units cannot join a Register. R5" in text

    def test_other_factions_only_when_searched_for(self, signed_in, empty):
        assert "Rebel Troopers" not in text_of(signed_in.get(address(empty)))
        found = text_of(signed_in.get(address(empty, "?q=rebel troopers")))
        assert "Rebel Troopers cannot join this Register. Its Faction is Empire. R3" in found

    def test_an_upgrade_leads_to_a_unit_that_may_bring_it(self, signed_in, empty):
        page = signed_in.get(address(empty, "?q=strict orders"))
        link = "?unit=imperial-officer-ruthless-efficiency&upgrades=strict-orders"
        assert link in unescape(html_of(page))
        chosen = html_of(signed_in.get(address(empty, link)))
        assert re.search(r'value="strict-orders" checked', chosen)


class TestRefusals:
    def test_what_is_still_to_do_is_no_refusal_before_anything_was_tried(self, signed_in, empty):
        page = signed_in.get(address(empty, "?stage=name"))
        assert "Still missing" in text_of(page)
        assert 'class="refusal"' not in html_of(page)
        refused = post(signed_in, empty, "?stage=name", do="commission", register_name="Ashen Patrol")
        assert 'class="refusal"' in html_of(refused)
        assert "Still missing" not in text_of(refused)

    def test_beside_the_field_and_nothing_is_lost(self, signed_in, empty):  # R7
        answer = post(
            signed_in,
            empty,
            "?unit=imperial-officer-ruthless-efficiency",
            do="edit",
            unit="imperial-officer-ruthless-efficiency",
            upgrades=["strict-orders", "defend-in-depth"],
            name=" ",
        )
        assert answer.status_code == 422
        assert "Imperial Officer needs a name. Enter one. R7" in text_of(answer)
        assert re.search(r'value="strict-orders" checked', html_of(answer))

    def test_the_page_goes_to_it(self, signed_in, empty):
        """Beside what it speaks of: the name under its field, upgrades below the number that is allowed (R7)."""
        officer = {
            "do": "edit", "unit": "imperial-officer-ruthless-efficiency", "upgrades-0": "defend-in-depth",
        }  # fmt: skip
        where = f"?unit={officer['unit']}"
        html = html_of(post(signed_in, empty, where, **officer, name=""))
        field, allowance = html.index('id="id_unit_name"'), html.index("Up to 2 upgrades")
        goes_to = 'role="alert" tabindex="-1" autofocus'
        assert html.count(goes_to) == 1
        assert field < html.index(goes_to) < allowance
        four = ["strict-orders", "vigilance", "duck-and-cover", "endurance", "overwatch"]
        html = html_of(post(signed_in, empty, where, **officer, name="Sorne", upgrades=four))
        assert html.count(goes_to) == 1
        assert html.index("Up to 2 upgrades") < html.index(goes_to) < html.index('value="strict-orders"')

    def test_of_one_tap(self, signed_in, empty):
        answer = post(signed_in, empty, do="edit", answer=json.dumps({"add": {"unit": "rebel-troopers"}}))
        assert html_of(answer).count('role="alert" tabindex="-1" autofocus') == 1

    def test_all_that_is_missing_at_once(self, signed_in, empty):  # R4, R10
        text = text_of(post(signed_in, empty, "?stage=name", do="commission", register_name=""))
        for sentence in (
            "A Register needs at least 1 commander. Add one. R4",
            "A Register needs at least 2 corps units. Add corps units. R4",
            "Choose a Story Arc. R10",
            "Enter a name for the Register. R10",
        ):
            assert sentence in text

    def test_the_name_that_was_typed_stays(self, signed_in, empty):
        answer = post(signed_in, empty, "?stage=name", do="commission", register_name="Ashen Patrol")
        assert answer.status_code == 422
        assert 'value="Ashen Patrol"' in html_of(answer)

    @pytest.mark.parametrize(
        "fields",
        [
            {"do": "edit", "answer": "{"},
            {"do": "edit", "answer": "[]"},
            {"do": "edit", "answer": '{"add": 7}'},
            {"do": "edit", "answer": '{"melt": {"unit": "1"}}'},
            {"do": "edit", "answer": "[" * 5000},
            {"do": "edit", "answer": "{}"},
            {"do": "edit", "answer": '{"add": {"unit": "stormtroopers", "upgrades": 7}}'},
            {"do": "edit", "answer": '{"add": {"unit": "stormtroopers", "upgrades": [{}]}}'},
            {"do": "edit", "answer": '{"add": {"unit": "stormtroopers", "name": "\\u0000"}}'},
            {"do": "edit", "answer": '{"name": {"unit": "1", "name": "\\ud800"}}'},
            {"do": "aid", "answer": '{"request": "active-recruiting", "unit": "\\u0000"}'},
            {"do": "edit", "unit": "stormtroopers", "position": "²"},
            {"do": "edit", "unit": "stormtroopers", "name": "\0"},
            {"do": "name", "register_name": "\0"},
            {"do": "edit", "unit": "no-such-unit"},
            {"do": "edit", "unit": "stormtroopers", "upgrades": ["no-such-upgrade"]},
            {"do": "edit", "unit": "stormtroopers", "position": "x"},
            {"do": "aid", "answer": '{"request": "no-such-request"}'},
            {"do": "aid", "answer": "7"},
            {"do": "arc", "story_arc": "no-such-arc"},
            {"do": "undo", "entry": "99"},
            {"do": "undo", "entry": "x"},
        ],
    )
    def test_bad_input(self, signed_in, empty, fields):
        assert post(signed_in, empty, **fields).status_code == 422
        assert Register.objects.get().position == 1

    def test_an_unknown_act_does_nothing(self, signed_in, empty):
        assert post(signed_in, empty, do="dance").status_code == 302
        assert Register.objects.get().position == 1


OFFICER = "imperial-officer-ruthless-efficiency"


def test_a_required_upgrade_is_asked_for_at_once(signed_in, empty):  # R7
    bare = {"do": "edit", "unit": OFFICER, "name": "Captain Sorne"}
    refused = post(signed_in, empty, f"?unit={OFFICER}", **bare)
    assert refused.status_code == 422
    assert "Imperial Officer needs a Doctrine upgrade. Choose one below. R7" in text_of(refused)
    assert 'value="Captain Sorne"' in html_of(refused)
    by_tap = post(signed_in, empty, do="edit", answer=json.dumps({"add": {"unit": OFFICER, "name": "Captain Sorne"}}))
    assert by_tap.status_code == 422
    assert post(signed_in, empty, **bare, **{"upgrades-0": "defend-in-depth"}).status_code == 302
    assert state_of(Register.objects.get()).dossiers["1"].upgrades == ("defend-in-depth",)


class TestRoster:
    def test_a_unit_is_changed_in_its_place(self, signed_in, player, empty):
        act = {"actor": player, "register_id": empty.pk, "position": None}
        building.add_unit(**act, card=OFFICER, upgrades=["defend-in-depth"], name="Captain Sorne")
        building.add_unit(**act, card="stormtroopers")
        page = signed_in.get(address(empty, "?change=1"))
        assert re.search(r'value="defend-in-depth" required checked', html_of(page))
        new = {"do": "change", "changed_unit": "1", "name": "Major Varn", "upgrades": ["strict-orders"]}
        refused = post(signed_in, empty, "?change=1", **new)
        assert refused.status_code == 422
        assert 'value="Major Varn"' in html_of(refused)
        post(signed_in, empty, "?change=1", **new, **{"upgrades-0": "tip-of-the-spear"})
        changed = state_of(Register.objects.get()).dossiers
        assert [(key, d.name, sorted(d.upgrades)) for key, d in changed.items()] == [
            ("1", "Major Varn", ["strict-orders", "tip-of-the-spear"]),
            ("2", "", []),
        ]

    def test_a_unit_is_removed(self, signed_in, player, empty):
        building.add_unit(actor=player, register_id=empty.pk, position=None, card="stormtroopers")
        assert "Remove Stormtroopers" in html_of(signed_in.get(address(empty)))
        removed = signed_in.post(
            address(empty),
            {"do": "remove", "changed_unit": "1", "position": Register.objects.get().position},
            follow=True,
        )
        assert "Stormtroopers was removed." in text_of(removed)
        assert state_of(Register.objects.get()).dossiers == {}

    def test_an_unknown_unit(self, signed_in, empty):
        assert signed_in.get(address(empty, "?change=9")).status_code == 200
        for button in ("change", "remove"):
            assert post(signed_in, empty, do=button, changed_unit="9").status_code == 422


def test_a_starter_by_one_tap(signed_in, empty):
    assert "Use starter" in text_of(signed_in.get(address(empty)))
    assert post(signed_in, empty, do="starter")["Location"] == address(empty, "?")
    page = signed_in.get(address(empty))
    assert "Use starter" not in text_of(page)
    assert [part["label"] for part in page.context["missing_parts"]] == ["Story Arc", "Name"]
    assert post(signed_in, empty, do="starter").status_code == 422


def test_an_answer_to_htmx_keeps_its_place(signed_in, empty):
    """It is the page itself; only what leads on to another heading puts the focus on it."""
    htmx = {"HX-Request": "true", "HX-Boosted": "true"}
    fields = {"do": "edit", "position": 1, "answer": json.dumps({"add": {"unit": "stormtroopers"}})}
    added = signed_in.post(address(empty, "?rank=corps"), fields, headers=htmx)
    assert (added.status_code, added["HX-Push-Url"]) == (200, address(empty, "?rank=corps"))
    assert "autofocus" not in html_of(added).partition("</main>")[0]
    assert re.search(r'id="add" tabindex="-1" autofocus', html_of(signed_in.get(address(empty), headers=htmx)))
    arc = {"do": "arc", "position": 2, "story_arc": "bring-peace-to-the-galaxy"}
    chosen = signed_in.post(address(empty, "?stage=arc"), arc, headers=htmx)
    assert re.search(r'id="name" tabindex="-1" autofocus', html_of(chosen))


def test_upgrades_by_aid_request(signed_in, player, book):
    register = make_register(player, commissioned=False)
    page = signed_in.get(address(register, "?stage=aid&request=request-reinforcements&unit=2"))
    offers = {request["slug"]: request["offers"] for request in page.context["aid"]["requests"]}[
        "request-reinforcements"
    ]
    answer = json.loads(offers[0].answer)
    assert answer["unit"] == "2"
    post(signed_in, register, "?stage=aid", do="aid", answer=offers[0].answer)
    assert state_of(Register.objects.get()).dossiers["2"].upgrades == (answer["upgrade"],)


@pytest.mark.parametrize("stage", ["units", "aid", "arc", "name"])
def test_constant_queries(signed_in, player, book, stage):
    numbers = []
    for many in (1, 3):
        register = make_register(player, units=many, commissioned=False)
        numbers.append(queries_of(signed_in, address(register, f"?stage={stage}")))
    assert numbers[0] == numbers[1]


def test_the_name_can_be_kept_before_the_rest_is_there(signed_in, empty):
    assert post(signed_in, empty, "?stage=name", do="name", register_name="Ashen Patrol").status_code == 302
    assert Register.objects.get().name == "Ashen Patrol"


def test_a_unit_is_named_meanwhile(signed_in, player, empty):
    building.add_unit(actor=player, register_id=empty.pk, position=None, card="stormtroopers")
    post(signed_in, empty, do="edit", unit_to_name="1", name="Grim Hounds")
    assert state_of(Register.objects.get()).dossiers["1"].name == "Grim Hounds"


def test_an_unknown_stage_is_the_first(signed_in, empty):
    assert signed_in.get(address(empty, "?stage=dance")).context["stage"] == "units"


def test_another_page_is_loaded_whole(signed_in, founded):
    answer = signed_in.get(address(founded), headers={"hx-request": "true"})
    assert answer["HX-Redirect"] == reverse("registers:detail", args=[founded.pk])


class TestDeleting:
    def test_it_leaves_all_lists_and_comes_back(self, signed_in, empty):
        delete = reverse("registers:delete", args=[empty.pk])
        assert f'href="{delete}"' in html_of(signed_in.get(address(empty, "?stage=units")))
        assert "Continue building" in text_of(signed_in.get(delete))
        for _twice in range(2):
            signed_in.post(delete, {"do": "delete"})
        home = signed_in.get("/")
        assert "Draft deleted." in text_of(home)
        assert str(empty.pk) not in html_of(home)
        page = text_of(signed_in.get(delete, follow=True))
        assert "This draft was deleted." in page
        assert "Continue building" not in page
        for _twice in range(2):
            assert "Draft restored." in text_of(signed_in.post(delete, {"do": "restore"}, follow=True))
        assert f'href="{delete}"' in html_of(signed_in.get("/"))
        assert list(differences(Register.objects.get())) == []

    def test_a_commissioned_one_stays(self, signed_in, founded):
        delete = reverse("registers:delete", args=[founded.pk])
        assert signed_in.get(delete).status_code == signed_in.post(delete, {"do": "delete"}).status_code == 302
        assert not Register.objects.get().discarded


def test_the_main_button_names_what_is_missing_first(signed_in, player, empty):
    def button(query: str) -> dict[str, str]:
        return signed_in.get(address(empty, query)).context["next"]

    assert button("?") == {"label": "Next: Paragon", "href": "?rank=commander"}
    officer = {"card": "imperial-officer-ruthless-efficiency", "upgrades": ["defend-in-depth"], "name": "Sorne"}
    building.add_unit(actor=player, register_id=empty.pk, position=None, **officer)
    assert button("?") == {"label": "Next: 2 corps units", "href": "?rank=corps"}
    assert button("?stage=aid") == {"label": "Next: Story Arc", "href": "?stage=arc"}
