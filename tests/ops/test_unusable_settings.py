"""Settings with which the site would start but not work are refused at the start, in a sentence."""

import os
import re
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from ops.environment import SETTINGS, misspelled, refuse_unusable
from ops.paths import BASE_DIR


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("EMAIL_URL", "mail.example.org", "EMAIL_URL must begin with submission://."),
        ("EMAIL_URL", "smtp://me:a#b@mail.example.org", "EMAIL_URL has a #. Write it as %23"),
        ("DATABASE_URL", "postgresql://me:hush#b@host/name", "DATABASE_URL has a #. Write it as %23"),
        ("DATABASE_URL", "postgresql://me:hush/b@host/name", "DATABASE_URL is no address. In a password"),
        ("DATABASE_URL", "mysql://host/name", "DATABASE_URL must begin with postgresql://."),
        ("SITE_URL", "musterbook.example.org", "SITE_URL must begin with https://."),
        ("SITE_URL", "https://example.org/book", "SITE_URL must be the address of the site without a path"),
        ("SECURITY_CONTACT", "me@example.org", "SECURITY_CONTACT must begin with https://."),
        ("SIGNED_WEBHOOK_ORIGINS", "https://n8n.example.org/hook", "SIGNED_WEBHOOK_ORIGINS must have origins only"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT must be one of text, json."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be one of DEBUG,"),
        ("METRICS_TOKEN", "a", "METRICS_TOKEN must have at least 16 characters"),
        ("UPLOADS_URL", "bucket", "UPLOADS_URL must begin with s3://."),
        ("WEB_CONCURRENCY", "0", "WEB_CONCURRENCY must be a number from 1 to 64."),
        ("PORT", "http", "PORT must be a number from 1 to 65535."),
        ("PROOF_CRON", "nightly", "PROOF_CRON must have five fields"),
        ("PROOF_CRON", "99 3 * * *", "PROOF_CRON must have five fields"),
        ("TIME_ZONE", "Coruscant", "TIME_ZONE must be a name such as Europe/Berlin."),
        ("ALLOWED_HOSTS", "https://example.org", "ALLOWED_HOSTS must have host names only"),
        ("ALLOWED_HOSTS", "example.org:8000", "ALLOWED_HOSTS must have host names only"),
        ("ALLOWED_HOSTS", "example.org,", "ALLOWED_HOSTS must have host names only"),
        ("ALLOWED_HOSTS", " ", "ALLOWED_HOSTS must have host names only"),
    ],
)
def test_a_setting_that_cannot_work(name, value, sentence):
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_unusable({name: value})
    assert sentence in str(refused.value)
    assert "hush" not in str(refused.value)


def test_all_of_them_at_once_and_none_of_a_good_site():
    with pytest.raises(ImproperlyConfigured, match=r"PORT .* LOG_FORMAT"):
        refuse_unusable({"PORT": "0", "LOG_FORMAT": "xml"})
    refuse_unusable({
        "ALLOWED_HOSTS": "example.org, .example.net,[::1],*,10.0.0.7", "DATABASE_URL": "postgresql://me:a%23b@/x?host=/run",
        "EMAIL_URL": "submission://me:a%40b@mail.example.org", "SITE_URL": "http://10.0.0.7:8000/", "TIME_ZONE": "UTC",
        "METRICS_TOKEN": "", "PROOF_CRON": "*/5 3 * * 1-5", "QUEUE_WORKER": "false", "LOG_FORMAT": "json",
    })  # fmt: skip


def test_names_that_are_nearly_settings_are_named():
    assert misspelled(["ALLOWED_HOST", "TIMEZONE", "PATH", "HTTPS_PROXY", "HOSTNAME", "HOME", "PORT"]) == [
        "ALLOWED_HOST is not a setting of Musterbook. Did you mean ALLOWED_HOSTS?",
        "TIMEZONE is not a setting of Musterbook. Did you mean TIME_ZONE?",
    ]


def test_the_docs_list_the_same_settings():
    rows = re.findall(r"^\| (`[A-Z_`, ]+) \|", (BASE_DIR / "docs" / "hosting.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"[A-Z_]{4,}", row)} == SETTINGS


@pytest.mark.parametrize("command", [["manage.py", "check"], ["-m", "ops.serve"]])
def test_the_start_is_refused_in_a_sentence(command, tmp_path):
    words = {**os.environ, "LOG_FORMAT": "xml", "DATA_DIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, *command], cwd=BASE_DIR, env=words, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    sentence = "Musterbook does not start because of these settings: LOG_FORMAT must be one of text, json."
    assert ended.stderr.strip() == sentence
