"""People in the admin."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group

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


@pytest.fixture
def clerk(client, mon):
    """Somebody of the staff who may change accounts, signed in; the superuser has an address and a second factor."""
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.groups.add(Group.objects.get(name="Accounts"))
    EmailAddress.objects.create(user=mon, email="mon@example.org", verified=True)
    Authenticator.objects.create(user=mon, type=Authenticator.Type.TOTP, data={})
    client.force_login(clerk)
    return clerk


def test_a_clerk_reaches_no_account_of_the_staff(client, mon, clerk):
    address, factor = EmailAddress.objects.get(), Authenticator.objects.get()
    password = {"password1": "snow-on-the-walker", "password2": "snow-on-the-walker", "usable_password": "true"}
    tried = [
        client.post(f"{LIST}{mon.pk}/password/", password),
        client.post(f"{LIST}{mon.pk}/change/", {"username": "mine"}),
        client.post(f"/admin/account/emailaddress/{address.pk}/change/", {"email": "clerk@example.org"}),
        client.post(f"/admin/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"}),
    ]
    assert {answer.status_code for answer in tried} <= {302, 404}
    found = User.objects.get(pk=mon.pk), EmailAddress.objects.get(), Authenticator.objects.get()
    assert (found[0].username, found[0].password, found[1].email, found[2].pk) == (
        "mon-mothma", mon.password, "mon@example.org", factor.pk
    )  # fmt: skip
    assert [row.username for row in client.get(LIST).context["cl"].result_list] == []


def test_a_clerk_changes_a_player_but_gives_no_rights(client, leia, clerk):
    page = f"{LIST}{leia.pk}/change/"
    assert "Set password" in client.get(page).text
    rights = {"is_staff": "on", "is_superuser": "on", "groups": [Group.objects.get(name="Events").pk]}
    client.post(page, {"username": "leia-organa", "is_active": "on", **rights})
    leia.refresh_from_db()
    assert (leia.username, leia.is_staff, leia.is_superuser, list(leia.groups.all())) == (
        "leia-organa", False, False, []
    )  # fmt: skip


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
