"""What is compressed on its way to a browser."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from core.middleware.responses import GZip

CONTENT = b"Snow. " * 200


def sent(response):
    request = RequestFactory().get("/", headers={"Accept-Encoding": "gzip"})
    return GZip(lambda _: response)(request)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json", "application/atom+xml"])
def test_words_are(kind):
    answer = sent(HttpResponse(CONTENT, content_type=kind))
    assert (answer["Content-Encoding"], answer["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(answer.content) == CONTENT


@pytest.mark.parametrize("kind", ["image/jpeg", "image/png", "application/pdf"])
def test_pictures_and_pdfs_are_compressed_already(kind):
    answer = sent(HttpResponse(CONTENT, content_type=kind))
    assert (answer.get("Content-Encoding"), answer.content) == (None, CONTENT)


def test_a_stream_is_too():
    answer = sent(StreamingHttpResponse([CONTENT], content_type="text/plain"))
    assert gzip.decompress(b"".join(answer.streaming_content)) == CONTENT
