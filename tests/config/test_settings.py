"""What every response carries, and what the settings promise."""

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from tests.html import html_of


@pytest.fixture
def headers(client):
    return client.get("/accounts/login/").headers


def test_no_page_may_run_or_load_anything_but_our_own_files(db, headers):
    assert sorted(headers["Content-Security-Policy"].split("; ")) == [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
    ]


def test_no_page_may_be_framed_or_tell_others_where_a_link_was(db, headers):
    assert {name: headers[name] for name in ("X-Frame-Options", "Referrer-Policy", "X-Content-Type-Options")} == {
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def test_a_page_that_is_not_there_is_a_page_of_ours(db, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("leia"))

    response = client.get("/alderaan/")

    assert (response.status_code, response.templates[0].name) == (404, "404.html")


def test_a_part_of_a_template_can_be_drawn_alone(tmp_path):
    from django.template import engines

    (tmp_path / "page.html").write_text("whole {% partialdef part %}a part{% endpartialdef %}")
    with override_settings(TEMPLATES=[settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]):
        assert engines["django"].get_template("page.html#part").render() == "a part"


def test_the_system_checks_find_nothing():
    call_command("check", "--fail-level", "WARNING")


def test_no_request_says_where_the_site_begins(db, client):
    """Addresses are kept, and everybody gets them."""
    page = html_of(client.get("/", SCRIPT_NAME="/elsewhere", follow=True))
    assert 'href="/' in page
    assert "/elsewhere" not in page
