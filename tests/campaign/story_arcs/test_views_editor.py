"""The workshop of Story Arcs: parts, rewards and conditions by plain forms; preview, publishing, the link."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.story_arcs.services import story_arcs
from catalogue.snapshot import forget
from registers.models import Register
from rules.arcs.custom_arcs import blank_arc, part_at, with_part
from tests.campaign.story_arcs.factories import elsewhere, published, written
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of
from tests.rules.arcs.arcs import printed

SP = {"do": "gain_supply_points", "amount": 1}
XP = {"do": "gain_experience", "amount": 1}
REWARD = "agendas.0.reward"


@pytest.fixture
def draft(table) -> CustomArc:
    """A draft with a reward that has something inside."""
    arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Ours")
    reward = [SP, {"do": "choose_units", "count": 1, "each": [XP], "from": "fielded"}]
    return story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=with_part(arc.draft, REWARD, reward))


def address(arc: CustomArc, name: str = "story_arcs:editor", *more: object) -> str:
    return reverse(name, args=[arc.campaign_id, arc.pk, *more])


def reward_of(arc: CustomArc, path: str = REWARD):
    return part_at(CustomArc.objects.get(pk=arc.pk).draft, path)


class TestBeginning:
    def test_by_a_form_that_comes_twice(self, as_cora, table):
        page = reverse("story_arcs:new", args=[table.campaign.pk])
        assert "New Story Arc" in text_of(as_cora.get(page))
        form = {"arc": uuid4(), "name": "Ours"}
        for _ in range(2):
            answer = as_cora.post(page, form)
            assert answer.headers["Location"] == address(CustomArc.objects.get())
        assert CustomArc.objects.get().draft == blank_arc("Ours")

    def test_as_a_copy(self, as_cora, table):
        version = published(table)
        page = reverse("story_arcs:new", args=[table.campaign.pk])
        as_cora.post(page, {"arc": uuid4(), "name": "Another", "like": version.pk})
        assert CustomArc.objects.exclude(pk=version.arc_id).get().draft == {**version.content, "name": "Another"}

    def test_without_a_name(self, as_cora, table):
        page = reverse("story_arcs:new", args=[table.campaign.pk])
        answer = as_cora.post(page, {"arc": uuid4(), "name": ""})
        assert (answer.status_code, "Give the Story Arc a name." in text_of(answer)) == (422, True)

    def test_the_list_leads_to_the_drafts(self, as_cora, client, table, draft):
        page = reverse("story_arcs:list", args=[table.campaign.pk])
        assert address(draft) in html_of(as_cora.get(page))
        client.force_login(table.ada)
        assert address(draft) not in html_of(client.get(page))


class TestParts:
    def test_the_overview_says_what_is_missing(self, as_cora, draft):
        text = text_of(as_cora.get(address(draft)))
        for words in (
            "Draft, not published yet.",
            "Name and briefing Ours 1 to fix",
            "Agenda 1 3 to fix",
            "Turning Point Mission 6 to fix",
            "Setback 2 to fix",
        ):
            assert words in text

    def test_a_part_is_kept(self, as_cora, draft):
        page = address(draft, "story_arcs:part", "arc")
        answer = as_cora.post(page, {"revision": draft.revision, "name": "Other", "briefing": "Go."})
        assert answer.headers["Location"] == page
        assert reward_of(draft, "name") == "Other"
        assert reward_of(draft, "briefing") == "Go."
        assert reward_of(draft)[0] == SP

    @pytest.mark.parametrize(
        ("button", "leads_to"),
        [
            ({"condition": "agendas.0.progress.new"}, ("story_arcs:condition", "agendas.0.progress.new")),
            ({"reward": REWARD}, ("story_arcs:reward", REWARD)),
            ({"reward": "../../"}, ("story_arcs:part", "agenda-1")),
        ],
    )
    def test_whatever_leads_on_keeps_what_was_typed_first(self, as_cora, draft, button, leads_to):
        page = address(draft, "story_arcs:part", "agenda-1")
        shown = html_of(as_cora.get(page))
        for name, value in button.items():
            offered = f'<button class="button" form="part" name="{name}" value="{value}">'
            assert (offered in shown) == (value != "../../")
        form = {"revision": draft.revision, "name": "Typed", "tally": "", "progressions_to_complete": "3"}
        answer = as_cora.post(page, {**form, **button})
        assert answer.headers["Location"] == address(draft, *leads_to)
        assert reward_of(draft, "agendas.0.name") == "Typed"

    def test_words_of_the_rulebook(self, as_cora, draft):
        text = " ".join(text_of(as_cora.get(address(draft, "story_arcs:part", part))) for part in ("agenda-1", "trait"))
        for words in ("any unit except the Paragon", "red attack", "white defense"):
            assert words in text
        assert "_" not in text
        text = text_of(as_cora.get(address(draft, "story_arcs:part", "mission")))
        assert [f"Question {n} in the report" in text for n in (1, 2, 3, 4)] == [True] * 3 + [False]

    def test_the_way_back_names_the_agenda_by_its_number(self, as_cora, draft):
        page = address(draft, "story_arcs:part", "agenda-2")
        html = html_of(as_cora.get(address(draft, "story_arcs:reward", "agendas.1.reward")))
        assert f'<a href="{page}">Agenda 2</a>' in html

    def test_an_old_tab_loses_nothing_that_was_typed(self, as_cora, draft):
        answer = as_cora.post(
            address(draft, "story_arcs:part", "arc"), {"revision": 1, "name": "Other", "briefing": "Typed"}
        )
        assert answer.status_code == 422
        text = text_of(answer)
        assert "This Story Arc was changed a moment ago." in text
        assert "Typed" in text
        assert reward_of(draft, "briefing") == ""

    def test_no_such_part(self, as_cora, draft):
        assert as_cora.get(address(draft, "story_arcs:part", "prologue")).status_code == 404

    @pytest.mark.parametrize("part", ["agenda-1", "mission", "setback", "trait", "commendation"])
    def test_every_part_has_its_page(self, as_cora, table, part):
        arc = written(table)
        assert as_cora.get(address(arc, "story_arcs:part", part)).status_code == 200

    def test_an_arc_of_elsewhere_is_none(self, as_cora, table):
        olga, other = elsewhere()
        arc = story_arcs.begin(actor=olga, campaign=other, name="Theirs")
        here = reverse("story_arcs:editor", args=[table.campaign.pk, arc.pk])
        assert as_cora.get(here).status_code == 404


class TestRewards:
    def send(self, client, draft, **words):
        draft.refresh_from_db()
        return client.post(address(draft, "story_arcs:reward", REWARD), {"revision": draft.revision, **words})

    def test_line_by_line(self, as_cora, draft):
        text = text_of(as_cora.get(address(draft, "story_arcs:reward", REWARD)))
        assert "Gain 1 SP. ↓ Choose 1 unit from your army: ↑ It gains 1 XP." in text
        assert "Card text Gain 1 SP. Choose 1 unit from your army. It gains 1 XP." in text

    def test_the_vocabulary_then_the_fields(self, as_cora, draft):
        page = address(draft, "story_arcs:reward", REWARD)
        words = as_cora.get(page, {"into": f"{REWARD}.1.each"})
        assert f"{page}?into=agendas.0.reward.1.each&amp;do=roll" in html_of(words)
        fields = text_of(as_cora.get(page, {"into": REWARD, "do": "roll"}))
        assert "Die" in fields
        assert "1 for each progression of this battle" in fields

    def test_add_one_inside_another(self, as_cora, draft):
        inside = f"{REWARD}.1.each"
        self.send(as_cora, draft, into=inside, do="roll", die="red_attack", count="2")
        self.send(as_cora, draft, into=f"{inside}.1.per_face.critical", do="gain_setback")
        roll = {"do": "roll", "die": "red_attack", "count": 2, "per_face": {"critical": [{"do": "gain_setback"}]}}
        assert reward_of(draft, inside) == [XP, roll]

    def test_change_keeps_what_is_inside(self, as_cora, draft):
        page = address(draft, "story_arcs:reward", REWARD)
        assert as_cora.get(page, {"change": f"{REWARD}.1"}).status_code == 200
        self.send(as_cora, draft, change=f"{REWARD}.1", count="2", source="register", optional="on")
        assert reward_of(draft)[1] == {
            "do": "choose_units",
            "count": 2,
            "each": [XP],
            "from": "register",
            "optional": True,
        }

    def test_move_and_remove(self, as_cora, draft):
        first, second = reward_of(draft)
        self.send(as_cora, draft, change=f"{REWARD}.1", do="up")
        assert reward_of(draft) == [second, first]
        self.send(as_cora, draft, change=f"{REWARD}.0", do="down")
        assert reward_of(draft) == [first, second]
        self.send(as_cora, draft, change=f"{REWARD}.1.each.0", do="remove")
        assert reward_of(draft, f"{REWARD}.1.each") == []

    def test_a_form_that_comes_twice_adds_one(self, as_cora, draft):
        words = {"revision": draft.revision, "into": REWARD, "do": "award_commendation"}
        answers = [as_cora.post(address(draft, "story_arcs:reward", REWARD), words) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [302, 422]
        assert len(reward_of(draft)) == 3

    def test_what_is_refused_loses_nothing(self, as_cora, draft):
        answer = self.send(as_cora, draft, into=REWARD, do="add_unit", one_of="Stormtroopers\nNobody")
        assert answer.status_code == 422
        text = text_of(answer)
        assert "No unit is called “Nobody”. Check the spelling." in text
        assert "Stormtroopers" in text
        stale = as_cora.post(
            address(draft, "story_arcs:reward", REWARD), {"revision": 1, "change": f"{REWARD}.0", "do": "remove"}
        )
        assert stale.status_code == 422
        assert len(reward_of(draft)) == 2

    @pytest.mark.parametrize("words", [{"into": REWARD, "do": "win"}, {"do": "shuffle"}, {}])
    def test_an_unknown_word(self, as_cora, draft, words):
        assert self.send(as_cora, draft, **words).status_code == 422

    @pytest.mark.parametrize(
        "words", [{"change": "name", "do": "remove"}, {"into": "agendas.0.progress", "do": "may"}, {"change": "x.9"}]
    )
    def test_a_place_that_is_none(self, as_cora, draft, words):
        assert self.send(as_cora, draft, **words).status_code == 404
        assert as_cora.get(address(draft, "story_arcs:reward", "name")).status_code == 404

    def test_as_many_queries_for_three_clauses(self, as_cora, table, draft):
        page = address(draft, "story_arcs:reward", REWARD)
        one = queries_of(as_cora, page)
        self.send(as_cora, draft, into=REWARD, do="gain_supply_points", amount="2")
        assert queries_of(as_cora, page) == one


class TestConditions:
    def test_added_changed_moved_removed(self, as_cora, draft):
        def send(at, **words):
            draft.refresh_from_db()
            page = address(draft, "story_arcs:condition", f"agendas.0.progress.{at}")
            return as_cora.post(page, {"revision": draft.revision, **words})

        send("new", **{"0-word": "won"})
        send("new", **{"0-word": "tokens_at_least", "0-number": "3"})
        assert reward_of(draft, "agendas.0.progress") == [{"won": True}, {"tokens_at_least": 3}]
        send("1", do="up")
        send("0", **{"0-word": "tokens_at_least", "0-number": "4", "1-word": "lost"})
        both = {"all": [{"tokens_at_least": 4}, {"lost": True}]}
        assert reward_of(draft, "agendas.0.progress") == [both, {"won": True}]
        send("1", do="remove")
        assert reward_of(draft, "agendas.0.progress") == [both]
        page = as_cora.get(address(draft, "story_arcs:condition", "agendas.0.progress.0"))
        assert 'value="4"' in html_of(page)

    def test_an_end_of_game_has_a_reward(self, as_cora, draft):
        page = address(draft, "story_arcs:condition", "turning_point.end_of_game.new")
        as_cora.post(page, {"revision": draft.revision, "0-word": "won"})
        entry = {"who": "each player", "when": {"won": True}, "reward": []}
        assert reward_of(draft, "turning_point.end_of_game") == [entry]
        draft.refresh_from_db()
        page = address(draft, "story_arcs:condition", "turning_point.end_of_game.0")
        as_cora.post(page, {"revision": draft.revision, "0-word": "lost"})
        assert reward_of(draft, "turning_point.end_of_game.0.when") == {"lost": True}
        reward = address(draft, "story_arcs:reward", "turning_point.end_of_game.0.reward")
        assert "At the end of the game, if you lost" in text_of(as_cora.get(reward))

    def test_refused(self, as_cora, draft):
        page = address(draft, "story_arcs:condition", "agendas.0.progress.new")
        assert as_cora.post(page, {"revision": draft.revision}).status_code == 422
        stale = as_cora.post(page, {"revision": 1, "0-word": "won"})
        assert "This Story Arc was changed a moment ago." in text_of(stale)

    @pytest.mark.parametrize("at", ["agendas.0.reward.0", "agendas.0.progress.7"])
    def test_a_place_that_is_none(self, as_cora, draft, at):
        assert as_cora.get(address(draft, "story_arcs:condition", at)).status_code == 404


class TestPublishing:
    def test_what_is_missing_is_said(self, as_cora, draft):
        answer = as_cora.post(address(draft, "story_arcs:publish"), {"revision": draft.revision})
        assert answer.status_code == 422
        text, html = text_of(answer), html_of(answer)
        assert "Name and briefing : Write the briefing of the Story Arc." in text
        for number in (1, 2, 3):
            assert f"Agenda {number} : Add a condition for the Agenda to progress." in text
        assert f'<a href="{address(draft, "story_arcs:part", "agenda-2")}">Agenda 2</a>: ' in html
        assert f'<a href="{address(draft, "story_arcs:part", "mission")}">Turning Point Mission</a>: ' in html

    def test_published_shared_and_taken_in_elsewhere(self, as_cora, client, table):
        arc = written(table)
        answer = as_cora.post(address(arc, "story_arcs:publish"), {"revision": arc.revision}, follow=True)
        assert "Our Arc, version 1 published" in text_of(answer)
        as_cora.post(address(arc, "story_arcs:share"))
        arc.refresh_from_db()
        link = reverse("story_arcs:shared", args=[arc.token])
        shown = as_cora.get(address(arc))
        assert f"http://testserver{link}" in text_of(shown)
        assert 'data-copy="shared"' in html_of(shown)
        olga, other = elsewhere()
        client.force_login(olga)
        page = client.get(link)
        assert "Add to Elsewhere" in text_of(page)
        assert page.headers["Referrer-Policy"] == "same-origin"  # else its form comes without an origin
        version = ArcVersion.objects.get()
        take = reverse("story_arcs:adopt", args=[other.pk])
        client.post(take, {"version": version.pk, "token": arc.token})
        assert story_arcs.offered_to(other) == [version.story_arc_id]
        client.force_login(table.cora)
        client.post(address(arc, "story_arcs:share"), {"do": "stop"})
        assert client.get(link).status_code == 404

    def test_an_unpublished_arc_has_no_link(self, as_cora, draft):
        assert as_cora.post(address(draft, "story_arcs:share")).status_code == 422

    def test_thrown_away(self, as_cora, table, draft):
        as_cora.post(address(draft, "story_arcs:discard"))
        assert not CustomArc.objects.exists()
        version = published(table)
        answer = as_cora.post(address(version.arc, "story_arcs:discard"), follow=True)
        assert "A published Story Arc cannot be deleted." in text_of(answer)

    def test_a_register_stays_on_its_version_and_a_later_one_gets_the_new_one(self, as_cora, table):
        old = published(table)
        Register.objects.filter(pk=table.alpha.pk).update(story_arc=old.story_arc_id)
        old.arc.refresh_from_db()
        page = address(old.arc, "story_arcs:part", "arc")
        as_cora.post(page, {"revision": old.arc.revision, "name": "Our Arc", "briefing": "Else."})
        old.arc.refresh_from_db()
        as_cora.post(address(old.arc, "story_arcs:publish"), {"revision": old.arc.revision})
        forget()
        new = ArcVersion.objects.get(number=2)
        alpha = Register.objects.get(pk=table.alpha.pk)
        assert (alpha.story_arc_id, alpha.adopted_arcs) == (old.story_arc_id, [new.story_arc_id])


class TestReading:
    def test_every_reward_is_played_and_can_be_rolled_again(self, as_cora, table):
        arc = written(table)
        page = address(arc, "story_arcs:preview")
        first, again = as_cora.get(page), as_cora.get(page, {"seed": "0"})
        assert text_of(first) == text_of(again)
        assert "?seed=1" in html_of(first)
        assert "This reward cannot be tested yet" not in text_of(first)
        assert len({text_of(as_cora.get(page, {"seed": str(seed)})) for seed in range(6)}) > 1
        assert Register.objects.get(pk=table.alpha.pk).position == table.alpha.position

    @pytest.mark.parametrize("slug", ["peacekeeping-mission", "bring-peace-to-the-galaxy", "birth-of-a-legend"])
    def test_shields_ends_and_all_others(self, as_cora, table, slug):
        arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Ours")
        story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=printed(slug))
        text = text_of(as_cora.get(address(arc, "story_arcs:preview"), {"seed": "x"}))
        assert "This reward cannot be tested yet" not in text

    def test_what_is_not_whole_is_not_played(self, as_cora, draft):
        text = text_of(as_cora.get(address(draft, "story_arcs:preview")))
        assert "Reward" in text
        assert "This reward cannot be tested yet" in text

    def test_a_version_as_players_read_it(self, as_cora, client, table):
        version = published(table)
        client.force_login(table.ada)
        page = reverse("story_arcs:version", args=[table.campaign.pk, version.pk])
        text = text_of(client.get(page))
        for words in (
            "Our Arc",
            "Discover Valuables",
            "If you have 2 or more tokens, this Agenda progresses. Then, if you have 3 or more tokens, it progresses",
            "Reward For each progression, roll 2 red defense dice. For each block, choose 1 unit. It gains 1 XP.",
            "Victory Reward Add 1 A-A5 Speeder Truck",
            "Loss Reward (also for a draw) How many Military Equipment were removed from the battlefield? Roll that",
        ):
            assert words in text
        olga, other = elsewhere()
        client.force_login(olga)
        assert client.get(reverse("story_arcs:version", args=[other.pk, version.pk])).status_code == 404

    def test_a_guessed_link(self, as_cora):
        assert as_cora.get(reverse("story_arcs:shared", args=["guessed"])).status_code == 404
