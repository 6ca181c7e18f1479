"""Secrets that are kept sealed."""

from core.encryption import decrypt, encrypt

SECRET = "https://discord.com/api/webhooks/1234/Secret-of_the.Wardens"


def test_what_is_sealed_is_read_by_nobody_and_opened_again():
    sealed = encrypt(SECRET)

    assert "discord" not in sealed
    assert decrypt(sealed) == SECRET


def test_the_same_secret_never_looks_the_same():
    assert encrypt(SECRET) != encrypt(SECRET)


def test_another_key_opens_nothing(settings):
    sealed = encrypt(SECRET)
    settings.SECRET_KEY = "another"

    assert decrypt(sealed) is None


def test_a_key_that_was_replaced_still_opens(settings):
    sealed = encrypt(SECRET)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"

    assert decrypt(sealed) == SECRET


def test_what_was_tampered_with_is_not_opened():
    assert decrypt(encrypt(SECRET)[:-4] + "AAA=") is None
