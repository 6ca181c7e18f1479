"""The pages of people on a phone and on a desk: they fit, are legible to everyone, and copy a link."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from members.services import invitations
from tests.browser.complaints import complaints
from tests.campaign.factories import Table, make_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_every_page_fits_and_axe_finds_nothing(phone, new_context, table, scheme, width):
    made = invitations.invite(actor=table.cora, group=table.campaign)
    ended = invitations.invite(actor=table.cora, group=table.campaign, max_uses=1)
    invitations.revoke(actor=table.cora, invitation=ended)
    people = reverse("campaign:people", args=[table.campaign.pk])
    organizer = [people, f"{people}{table.ada.pk}/", f"{people}{table.cora.pk}/"]
    organizer += [reverse("campaign:invitation", args=[table.campaign.pk, each.pk]) for each in (made, ended)]
    visits = [
        (phone(table.cora, color_scheme=scheme), organizer),
        (phone(table.eve, color_scheme=scheme), [made.get_absolute_url()]),
        (
            new_context(color_scheme=scheme).new_page(),
            [made.get_absolute_url(), ended.get_absolute_url(), "/join/nothing/", "/"],
        ),
    ]
    found = []
    for page, addresses in visits:
        page.set_viewport_size({"width": width, "height": 800})
        found += [each for address in addresses for each in complaints(page, address)]
    assert found == []


@pytest.mark.nightly
def test_the_link_is_copied(phone, table):
    made = invitations.invite(actor=table.cora, group=table.campaign)
    page = phone(table.cora, permissions=["clipboard-read", "clipboard-write"])
    page.goto(reverse("campaign:invitation", args=[table.campaign.pk, made.pk]))
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.get_by_role("textbox", name="Link", exact=True).input_value()
    assert link.endswith(made.get_absolute_url())
