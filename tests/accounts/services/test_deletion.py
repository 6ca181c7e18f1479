"""A player leaves; the books stay."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.test import Client

from accounts.models import User
from accounts.services.closing import delete_account

pytestmark = pytest.mark.django_db


@pytest.fixture
def known(leia, address):
    """Leia, who can be reached, signs in by every means, and may do everything."""
    EmailConfirmation.create(address())
    Authenticator.objects.create(user=leia, type="totp", data={"secret": "hush"})
    discord = SocialAccount.objects.create(user=leia, provider="discord", uid="7")
    SocialToken.objects.create(account=discord, token="hush")
    leia.groups.add(Group.objects.create(name="princesses"))
    leia.first_name, leia.last_name, leia.is_staff, leia.is_superuser = "Leia", "Organa", True, True
    leia.save()
    return leia


def state(user):
    user.refresh_from_db()
    return {
        "names": (user.username, user.first_name, user.last_name, user.email),
        "may": (user.is_active, user.is_staff, user.is_superuser, user.groups.count()),
        "signs in": (user.has_usable_password(), user.last_login),
        "rows": [model.objects.filter(user=user).count() for model in (EmailAddress, Authenticator, SocialAccount)],
    }


def test_a_former_player_remains_and_nothing_else(known):
    delete_account(actor=known, user=known)

    assert state(known) == {
        "names": (f"former player #{known.pk}", "", "", ""),
        "may": (False, False, False, 0),
        "signs in": (False, None),
        "rows": [0, 0, 0],
    }


def test_all_sessions_of_that_player_end_and_nobody_elses(known):
    han = User.objects.create_user("han")
    browsers = {name: Client() for name in ("phone", "laptop", "han")}
    for name, browser in browsers.items():
        browser.force_login(han if name == "han" else known)
        assert browser.get("/accounts/").status_code == 200

    delete_account(actor=known, user=known)

    assert {name: browser.get("/accounts/").status_code for name, browser in browsers.items()} == {
        "phone": 302,
        "laptop": 302,
        "han": 200,
    }


def test_twice_is_as_good_as_once(known):
    delete_account(actor=known, user=known)
    User.objects.filter(pk=known.pk).update(first_name="untouched")

    delete_account(actor=known, user=known)

    known.refresh_from_db()
    assert known.first_name == "untouched"


def test_others_may_not_unless_they_run_the_house(known):
    han = User.objects.create_user("han")

    with pytest.raises(PermissionDenied):
        delete_account(actor=han, user=known)
    assert state(known)["names"] == ("leia", "Leia", "Organa", "leia@example.org")

    han.is_superuser = True
    delete_account(actor=han, user=known)
    assert state(known)["names"][0] == f"former player #{known.pk}"
