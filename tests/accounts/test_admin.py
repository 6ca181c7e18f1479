"""People in the admin."""

import pytest
from allauth.mfa.models import Authenticator

from accounts.models import User

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/user/"


@pytest.fixture
def mon(client):
    """The one who runs the house, signed in."""
    mon = User.objects.create_superuser("mon-mothma")
    client.force_login(mon)
    return mon


def test_people_are_listed_and_have_a_page(client, mon, leia):
    assert client.get(LIST).status_code == 200
    assert client.get(f"{LIST}{leia.pk}/change/").context["has_delete_permission"] is False


def test_a_new_password_for_who_has_no_address(client, mon, leia):
    password = "snow-on-the-walker"

    client.post(f"{LIST}{leia.pk}/password/", {"password1": password, "password2": password, "usable_password": "true"})

    leia.refresh_from_db()
    assert leia.check_password(password)


def test_accounts_are_deleted_by_leaving_a_former_player(client, mon, leia):
    chosen = {"action": "make_former_players", "_selected_action": [leia.pk]}
    page = client.post(LIST, chosen)
    assert "This cannot be undone." in page.text
    assert User.objects.get(pk=leia.pk).username == "leia"

    client.post(LIST, {**chosen, "delete": "1"})

    assert list(User.objects.order_by("pk").values_list("username", "is_active")) == [
        ("mon-mothma", True),
        (f"former player #{leia.pk}", False),
    ]


@pytest.mark.parametrize("kind", Authenticator.Type.values)
def test_second_factors_can_be_taken_away_but_neither_read_nor_set(client, mon, leia, kind):
    factor = Authenticator.objects.create(user=leia, type=kind, data={"secret": "hush", "name": "A key"})
    place = f"/admin/mfa/authenticator/{factor.pk}/"
    page = client.get(f"{place}change/")
    assert (page.status_code, "hush" in page.text) == (200, False)
    sent = {"user": mon.pk, "type": "webauthn", "data": "{}"}
    assert [
        client.post(f"{place}change/", sent).status_code,
        client.post("/admin/mfa/authenticator/add/", sent).status_code,
    ] == [403, 403]
    factor.refresh_from_db()
    assert (factor.user, factor.type, factor.data["secret"]) == (leia, kind, "hush")
    client.post(f"{place}delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()
