"""The form in which a piece is written, looked at first, changed and withdrawn."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.chronicle.models import Story
from campaign.chronicle.services import stories
from tests.campaign.factories import planned
from tests.html import html_of
from tests.registers.views.reading import text_of


@pytest.fixture
def as_ada(client, table):
    client.force_login(table.ada)
    return client


def of_campaign(table) -> str:
    return reverse("chronicle:write", args=[table.campaign.pk])


WORDS = {"title": "The ridge", "text": "*Snow*, and <script>alert(1)</script>", "byline": "A."}


def test_a_piece_of_a_battle_is_read_there(as_ada, table):
    battle = planned(table)
    address = reverse("chronicle:write_of_battle", args=[battle.pk])
    answer = as_ada.post(address, {**WORDS, "story": uuid4()})
    assert (answer.status_code, answer["Location"]) == (302, reverse("chronicle:battle_story", args=[battle.pk]))
    page = html_of(as_ada.get(answer["Location"]))
    assert "<em>Snow</em>, and &lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_piece_of_the_campaign_is_read_in_the_saga(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "story": uuid4()}, follow=True)
    assert answer.redirect_chain == [(reverse("chronicle:index", args=[table.campaign.pk]), 302)]
    assert "The ridge" in text_of(answer)


def test_looking_at_it_first_keeps_it_in_the_form_and_nowhere_else(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "story": uuid4(), "do": "preview"})
    page = html_of(answer)
    assert (answer.status_code, "<em>Snow</em>" in page, 'value="The ridge"' in page) == (200, True, True)
    assert "*Snow*, and &lt;script&gt;" in page
    assert not Story.objects.exists()


def test_what_is_refused_is_not_lost(as_ada, table):
    answer = as_ada.post(of_campaign(table), {**WORDS, "title": "t" * 121, "story": uuid4()})
    text = text_of(answer)
    assert (answer.status_code, "Use up to 120 characters. You typed 121." in text) == (422, True)
    assert "*Snow*, and" in text


def test_a_double_tap_makes_one(as_ada, table):
    form = {**WORDS, "story": uuid4()}
    for _ in range(2):
        assert as_ada.post(of_campaign(table), form).status_code == 302
    assert Story.objects.count() == 1


def test_the_form_again_with_other_words_changes_it_unless_it_was_changed_meanwhile(as_ada, table):
    form = {**WORDS, "story": uuid4()}
    for text in ("Snow.", "Ice."):
        assert as_ada.post(of_campaign(table), {**form, "text": text}).status_code == 302
    late = as_ada.post(of_campaign(table), {**form, "text": "Fog."})
    assert (late.status_code, "Ice.</textarea>" in html_of(late)) == (422, True)
    again = {name: late.context["form"][name].value() for name in ("title", "text", "byline", "story")}
    again["version"] = late.context["form"]["version"].value()
    assert as_ada.post(of_campaign(table), again).status_code == 302
    assert list(Story.objects.values_list("text", "version")) == [("Fog.", 3)]


def test_nothing_is_written_of_a_battle_that_was_called_off(as_ada, table):
    battle = planned(table)
    Battle.objects.update(status=Battle.Status.CANCELLED)
    assert as_ada.get(reverse("chronicle:write_of_battle", args=[battle.pk])).status_code == 404


def test_while_a_link_is_open_the_forms_say_so(as_ada, client, table):
    battle = planned(table)
    link = reverse("chronicle:share_link", args=[table.campaign.pk])
    forms = [of_campaign(table)] + [
        reverse(name, args=[battle.pk]) for name in ("chronicle:write_of_battle", "chronicle:battle_photos")
    ]
    sentences = [f"Anyone with the public link can {do}." for do in ("read this", "read this", "see these pictures")]
    shown = [words in text_of(as_ada.get(form)) for words, form in zip(sentences, forms, strict=True)]
    assert shown == [False] * 3
    client.force_login(table.cora)
    assert "The link also shows stories and pictures that were added earlier." in text_of(client.get(link))
    stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    shown = [words in text_of(client.get(form)) for words, form in zip(sentences, forms, strict=True)]
    assert shown == [True] * 3


class TestChanging:
    @pytest.fixture
    def story(self, table):
        return stories.write(actor=table.ada, campaign=table.campaign, title="The ridge", text="Snow.")

    def test_it_stands_in_its_form(self, as_ada, story):
        page = html_of(as_ada.get(reverse("chronicle:edit", args=[story.pk])))
        assert ('value="The ridge"' in page, "Snow.</textarea>" in page) == (True, True)

    def test_other_words(self, as_ada, story):
        address = reverse("chronicle:edit", args=[story.pk])
        assert as_ada.post(address, {"title": "Ice", "text": "Ice.", "version": 1}).status_code == 302
        story.refresh_from_db()
        assert (story.title, story.text) == ("Ice", "Ice.")

    def test_what_came_meanwhile_is_shown_beside_it_and_the_second_sending_kept(self, as_ada, story):
        stories.change(actor=story.author, story_id=story.pk, version=1, title="Ice", text="Ice & wind.")
        address = reverse("chronicle:edit", args=[story.pk])
        late = as_ada.post(address, {"title": "Fog", "text": "Fog.", "version": 1})
        page = html_of(late)
        assert (late.status_code, "was changed on another page" in text_of(late)) == (422, True)
        assert ('value="Fog"' in page, "Ice &amp; wind.</textarea>" in page) == (True, True)
        again = {name: late.context["form"][name].value() for name in ("title", "text", "version")}
        assert as_ada.post(address, again).status_code == 302
        story.refresh_from_db()
        assert (story.title, story.text, story.version) == ("Fog", "Fog.", 3)

    def test_withdrawn_it_is_nowhere(self, as_ada, story, table):
        address = reverse("chronicle:withdraw", args=[story.pk])
        assert as_ada.post(address, follow=True).status_code == 200
        assert as_ada.post(address).status_code == 404
        assert as_ada.get(reverse("chronicle:edit", args=[story.pk])).status_code == 404
        assert "The ridge" not in text_of(as_ada.get(reverse("chronicle:index", args=[table.campaign.pk])))
