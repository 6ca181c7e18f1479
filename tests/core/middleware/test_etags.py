"""ETags of static files, and what gunicorn logs of HEAD requests."""

import logging

from core.middleware.etags import weak_etag


def test_a_static_file_has_a_weak_etag(tmp_path):
    """Its compressed forms have the same one, and other bytes."""
    file, headers = tmp_path / "a.css", {}
    file.write_text("p {}")
    weak_etag(headers, str(file), "/static/a.css")
    assert headers["ETag"] == f'W/"{int(file.stat().st_mtime):x}-4"'


def test_the_answer_to_a_head_request_is_not_logged():
    assert not logging.getLogger("gunicorn.http.wsgi").isEnabledFor(logging.WARNING)
