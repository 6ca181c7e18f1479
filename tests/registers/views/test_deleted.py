"""The page of a draft that was deleted offers nothing that would fail."""

from django.urls import reverse

from registers.services import building
from tests.html import html_of
from tests.registers.factories import make_player, make_register
from tests.registers.views.reading import text_of


def test_only_its_history_is_left(client, book):
    ada = make_player("ada", is_staff=True, is_superuser=True)
    register = make_register(ada, commissioned=False)
    building.discard(actor=ada, register_id=register.pk, position=None)
    client.force_login(ada)
    there = reverse("registers:detail", args=[register.pk])
    page = client.get(there)
    assert "This draft was deleted." in text_of(page)
    main = html_of(page).split("<main")[1].split("</main>")[0]
    links = {part.split('"')[0] for part in main.split(' href="')[1:] if not part.startswith("/static/")}
    assert links == {reverse("registers:ledger", args=[register.pk]), reverse("registers:new")}
    for name in ("correct", "building", "edit"):
        assert client.get(reverse(f"registers:{name}", args=[register.pk]), follow=True).redirect_chain[-1][0] == there
