"""Speaking to a Discord webhook, against a server that stands in its place."""

import logging
import traceback
from collections.abc import Iterator

import pytest

from notifications import discord, web_requests
from tests.notifications.listening import PATH, Listener, listening, nobody, silence

SECRET = PATH.rpartition("/")[2]


@pytest.fixture
def channel(settings) -> Iterator[Listener]:
    with listening() as listener:
        settings.WEBHOOK_ORIGINS = [listener.origin]
        yield listener


class TestAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            "https://discord.com/api/webhooks/123456789012345678/a-B_9",
            "https://discordapp.com/api/webhooks/123456789012345678/a-B_9",
            "https://discord.com/api/v10/webhooks/123456789012345678/a-B_9",
        ],
    )
    def test_of_discord(self, address):
        assert discord.webhook_number(address) == "123456789012345678"

    @pytest.mark.parametrize(
        "address",
        [
            "",
            "discord.com/api/webhooks/12345/abc",
            "http://discord.com/api/webhooks/12345/abc",
            "https://discord.com:8443/api/webhooks/12345/abc",
            "https://discord.com@evil.example/api/webhooks/12345/abc",
            "https://ada:secret@discord.com/api/webhooks/12345/abc",
            "https://discord.com.evil.example/api/webhooks/12345/abc",
            "https://evil.example/https://discord.com/api/webhooks/12345/abc",
            "https://127.0.0.1/api/webhooks/12345/abc",
            "https://discord.com/api/webhooks/12345/abc?wait=true",
            "https://discord.com/api/webhooks/12345/abc#there",
            "https://discord.com/api/webhooks/12345/abc/slack",
            "https://discord.com/api/webhooks/12345/../../users",
            "https://discord.com/api/webhooks/12345/",
            "https://discord.com/api/webhooks/12345/abc\n",
            "https://discord.com/api/we\nbhooks/12345/abc",
            "https://discord.com/api/webhooks/١٢٣٤٥/abc",
            "https://discord.com/channels/12345/67890",
        ],
    )
    def test_of_nobody_else(self, address):
        assert discord.webhook_number(address) is None


def test_a_message_mentions_nobody_and_shows_no_previews(channel):
    discord.send(channel.address, "Ashen Patrol won.")
    assert channel.heard == [{"content": "Ashen Patrol won.", "allowed_mentions": {"parse": []}, "flags": 4}]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_webhook_that_is_gone(channel, status):
    channel.answer(status)
    with pytest.raises(web_requests.Gone) as gone:
        discord.send(channel.address, "Hello")
    assert gone.value.error == str(status)


@pytest.mark.parametrize("status", [400, 405, 413])
def test_a_message_that_is_refused(channel, status):
    channel.answer(status)
    with pytest.raises(web_requests.MessageRefused) as refused:
        discord.send(channel.address, "Hello")
    assert refused.value.error == str(status)


def test_a_redirection_is_not_followed(channel):
    channel.answer(302, Location=f"{channel.origin}/elsewhere")
    with pytest.raises(web_requests.MessageRefused) as refused:
        discord.send(channel.address, "Hello")
    assert (refused.value.error, channel.paths) == ("302", [PATH])


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_in_trouble(channel, status):
    channel.answer(status)
    with pytest.raises(web_requests.TryLater) as later:
        discord.send(channel.address, "Hello")
    assert (later.value.error, later.value.seconds) == (str(status), 0)


@pytest.mark.parametrize(
    ("expected", "seconds"),
    [("7", 8), ("0.25", 1), ("", 0), ("Wed, 21 Oct 2026 07:28:00 GMT", 0), ("-3", 0), ("9999999", 0)],
)
def test_too_many_messages(channel, expected, seconds):
    channel.answer(429, Retry_After=expected)
    with pytest.raises(web_requests.TryLater) as later:
        discord.send(channel.address, "Hello")
    assert (later.value.error, later.value.seconds) == ("429", seconds)


def test_nobody_there(settings):
    address = nobody()
    settings.WEBHOOK_ORIGINS = [address.removesuffix(PATH)]
    with pytest.raises(web_requests.TryLater) as later:
        discord.send(address, "Hello")
    assert later.value.error == web_requests.UNREACHABLE


def test_one_who_never_answers(settings):
    settings.WEBHOOK_TIMEOUT = (5, 0.05)
    with silence() as address:
        settings.WEBHOOK_ORIGINS = [address.removesuffix(PATH)]
        with pytest.raises(web_requests.TryLater) as later:
            discord.send(address, "Hello")
    assert later.value.error == web_requests.SILENT


def test_nobody_else_is_called_even_if_an_address_got_this_far(channel):
    with pytest.raises(web_requests.MessageRefused) as refused:
        discord.send(f"{channel.origin}/elsewhere", "Hello")
    assert (refused.value.error, channel.paths) == ("address", [])


def test_no_error_and_no_log_tells_the_address(channel, settings, caplog):
    caplog.set_level(logging.INFO)
    gone = nobody()
    settings.WEBHOOK_ORIGINS += [gone.removesuffix(PATH)]
    channel.answer(404)
    for address in (gone, channel.address):
        with pytest.raises(web_requests.Undelivered) as caught:
            discord.send(address, "Hello")
        lines = traceback.format_exception(caught.value)
        assert (caught.value.__context__, caught.value.__cause__) == (None, None)
        assert not any(SECRET in line for line in lines)
    assert SECRET not in caplog.text


def test_the_library_that_calls_names_no_addresses_in_the_logs(settings):
    assert settings.LOGGING["loggers"]["urllib3"] == {"level": "INFO"}


class TestWords:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("Ashen Patrol", "Ashen Patrol"),
            ("**bold** _and_ ~~so~~ `on`", r"\*\*bold\*\* \_and\_ \~\~so\~\~ \`on\`"),
            ("@everyone <@123>", r"\@everyone \<\@123\>"),
            ("[here](https://evil.example)", r"\[here\]\(https\://evil\.example\)"),
            ("# Big\n- list\n> quote", r"\# Big \- list \> quote"),
            ("||spoiler|| \\*", r"\|\|spoiler\|\| \\\*"),
            ("Søren’s Garde 7", "Søren’s Garde 7"),
        ],
    )
    def test_are_shown_as_they_are(self, text, shown):
        assert discord.escaped(text) == shown

    def test_are_counted_as_discord_counts(self):
        assert (discord.length("abc"), discord.length("é"), discord.length("🎲")) == (3, 1, 2)
