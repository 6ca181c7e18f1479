"""Names that look alike are one name."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.names import name_key, twin_keys, validate_one_script
from tests.accounts.conftest import PASSWORD
from tests.accounts.discord_login import came_back, discord

__all__ = ["discord"]

FULL_WIDTH, CYRILLIC = "ｃｏｒａ", "соra"
TAKEN = "A user with that username already exists."
MIXED = "This name mixes letters of different alphabets. Use letters of one alphabet."
SIGN_UP = "/accounts/signup/"


@pytest.fixture
def cora(db) -> User:
    return User.objects.create_user("cora", password=PASSWORD)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cora", "CORA"),
        ("cora", FULL_WIDTH),
        ("Straße", "STRASSE"),
        ("José", "JOSE\N{COMBINING ACUTE ACCENT}"),
        ("Νίκος", "ΝΊΚΟΣ"),
        ("ﬁnn", "finn"),
        ("𝒄𝒐𝒓𝒂", "cora"),
    ],
)
def test_what_counts_as_the_same(one, other):
    assert name_key(one) == name_key(other)


def test_what_does_not():
    assert len({name_key(name) for name in ("cora", "córa", "cora1", "cora_", "мила")}) == 5


@pytest.mark.parametrize(
    "name",
    [
        *("cora", "Zoë.2", "Łukasz", "Мила", "Νίκος", "さくらサクラ桜", "한국1", "小明", "كريم٣"),
        *("Ka\u02bbiulani", FULL_WIDTH),
    ],
)
def test_letters_of_one_alphabet(name):
    validate_one_script(name)


@pytest.mark.parametrize("name", [CYRILLIC, "coraΑ", "раypal", "cora桜", "Миla2", "сora@x"])
def test_letters_of_several(name):
    with pytest.raises(ValidationError, match=r"mixes letters"):
        validate_one_script(name)


@pytest.mark.parametrize(
    ("name", "twins"),
    [("сога", {"cora"}), ("CORA", {"сога"}), ("СОРА", {"copa"}), ("ΤΟΜ", {"tom"}), ("Мила", set()), ("Вова", set())],
)
def test_names_that_look_the_same_in_another_alphabet(name, twins):
    assert twins <= twin_keys(name)
    assert bool(twins) == bool(twin_keys(name))


def test_nobody_signs_up_as_the_twin_of_somebody(client, cora):
    """In either direction, with letters of one alphabet only."""
    assert TAKEN in sent(client, "сога")
    User.objects.create_user("аѕоха")
    assert TAKEN in sent(client, "asoxa")
    assert User.objects.count() == 2


@pytest.mark.parametrize("name", ["\u3164", "한국\u3164", "한국\uffa0"])
def test_letters_that_nobody_sees(name):
    with pytest.raises(ValidationError, match="invisible characters"):
        validate_one_script(name)


def sent(client, name: str) -> str:
    """Sign up under a name; return the page, empty if it worked."""
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return client.post(SIGN_UP, fields).text


@pytest.mark.parametrize("name", [FULL_WIDTH, "CORA", "Cora"])
def test_nobody_signs_up_with_a_name_that_is_taken(client, cora, name):
    assert TAKEN in sent(client, name)
    assert User.objects.count() == 1


def test_nobody_signs_up_with_mixed_letters(client, cora):
    assert MIXED in sent(client, CYRILLIC)
    assert User.objects.count() == 1


def test_a_name_that_grows_too_long_is_refused(client, db):
    assert "at most 150 characters" in sent(client, "\N{LATIN SMALL LETTER N PRECEDED BY APOSTROPHE}" * 100)


def test_names_are_kept_at_their_ordinary_width(client, db):
    sent(client, "ｌｅｉａ")
    assert User.objects.get().username == "leia"
    client.post("/accounts/logout/")
    client.post("/accounts/login/", {"login": "ＬＥＩＡ", "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)


@pytest.mark.usefixtures("discord")
@pytest.mark.parametrize(("name", "sentence"), [(FULL_WIDTH, TAKEN), (CYRILLIC, MIXED)])
def test_nobody_comes_by_discord_under_such_a_name(client, monkeypatch, cora, name, sentence):
    came_back(client, monkeypatch)
    assert sentence in client.post("/accounts/3rdparty/signup/", {"username": name}).text
    assert not SocialAccount.objects.exists()


class TestAdmin:
    @pytest.fixture
    def as_staff(self, client, cora):
        client.force_login(User.objects.create_superuser("mon-mothma"))
        return client

    @pytest.mark.parametrize(("name", "sentence"), [(FULL_WIDTH, TAKEN), (CYRILLIC, MIXED)])
    def test_no_such_name_for_a_new_account(self, as_staff, name, sentence):
        fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        answer = as_staff.post("/admin/accounts/user/add/", fields)
        assert (answer.status_code, sentence in answer.text) == (200, True)

    @pytest.mark.parametrize(("name", "sentence"), [(FULL_WIDTH, TAKEN), (CYRILLIC, MIXED)])
    def test_no_such_new_name_for_an_account(self, as_staff, name, sentence):
        leia = User.objects.create_user("leia")
        page = f"/admin/accounts/user/{leia.pk}/change/"
        fields = {"is_active": "on"}
        answer = as_staff.post(page, fields | {"username": name})
        assert (answer.status_code, sentence in answer.text) == (200, True)
        assert as_staff.post(page, fields | {"username": "Leia"}).status_code == 302
        leia.refresh_from_db()
        assert (leia.username, leia.username_key) == ("Leia", "leia")


@pytest.mark.parametrize("name", ["cora", "CORA", FULL_WIDTH])
def test_the_database_refuses_the_same_name_twice(cora, name):
    for create in (lambda: User(username=name).save(), lambda: User.objects.bulk_create([User(username=name)])):
        with pytest.raises(IntegrityError), transaction.atomic():
            create()


def test_the_same_name_twice_at_once(client, db, monkeypatch):
    """A double tap: the second is checked before the first is stored."""

    def not_taken_yet(name: str) -> bool:
        User.objects.create_user(name, password=PASSWORD)
        return False

    monkeypatch.setattr("accounts.adapters.is_taken", not_taken_yet)
    sent = {"username": "cora", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post(SIGN_UP, sent)
    assert (answer.context["form"].errors, answer.context["form"]["username"].value()) == (
        {"username": [TAKEN]},
        "cora",
    )
    assert User.objects.count() == 1
