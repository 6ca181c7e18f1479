"""Secrets that are kept sealed."""

from config.secret_key import seal, unseal

SECRET = "https://discord.com/api/webhooks/1234/Secret-of_the.Wardens"


def test_what_is_sealed_is_read_by_nobody_and_opened_again():
    sealed = seal(SECRET)

    assert "discord" not in sealed
    assert unseal(sealed) == SECRET


def test_the_same_secret_never_looks_the_same():
    assert seal(SECRET) != seal(SECRET)


def test_another_key_opens_nothing(settings):
    sealed = seal(SECRET)
    settings.SECRET_KEY = "another"

    assert unseal(sealed) is None


def test_a_key_that_was_replaced_still_opens(settings):
    sealed = seal(SECRET)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"

    assert unseal(sealed) == SECRET


def test_what_was_tampered_with_is_not_opened():
    assert unseal(seal(SECRET)[:-4] + "AAA=") is None
