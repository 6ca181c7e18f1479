"""Names from right to left keep the sentence around them in order."""

import pytest
from django.http import HttpResponse, JsonResponse

from core.bidi import isolated
from core.middleware.responses import IsolatedNames


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>Ben – Ada, 12</p>", "<p>Ben – Ada, 12</p>"),
        ("<p>שלום – דוד, 12</p>", '<p><bdi dir="ltr"><bdi>שלום</bdi> – <bdi>דוד</bdi>, 12</bdi></p>'),
        (
            "<p>3: דוד בן-גוריון (עלי ابن سينا)</p>",
            '<p><bdi dir="ltr">3: <bdi>דוד בן-גוריון</bdi> (<bdi>עלי ابن سينا</bdi>)</bdi></p>',
        ),
        ("<b>1</b> against דוד <b>2</b>", '<b>1</b> <bdi dir="ltr">against <bdi>דוד</bdi></bdi> <b>2</b>'),
        ('<a title="דוד">דוד</a><!-- דוד -->', '<a title="דוד"><bdi>דוד</bdi></a><!-- דוד -->'),
        ("<title>דוד</title><option>דוד</option>", "<title>דוד</title><option>דוד</option>"),
        ("<textarea>\nדוד</textarea><bdi>דוד</bdi>", "<textarea>\nדוד</textarea><bdi>דוד</bdi>"),
        ("<script>var a = 'דוד'</script><svg><text>דוד</text></svg>",) * 2,
    ],
)
def test_where_they_stand(html, found):
    assert isolated(html) == found


def test_only_pages_are_changed(rf):
    def answered(answer):
        return IsolatedNames(lambda _request: answer)(rf.get("/")).content.decode()

    assert answered(HttpResponse("<p>דוד</p>")) == "<p><bdi>דוד</bdi></p>"
    assert answered(HttpResponse("דוד", content_type="text/plain")) == "דוד"
    assert "bdi" not in answered(JsonResponse({"name": "דוד"}))


@pytest.mark.django_db
def test_every_page_goes_through_it(client):
    """What a template draws, whichever it is."""
    answer = client.get("/rules/", {"q": "דוד"})
    assert answer.status_code == 200
    assert "<bdi>דוד</bdi>" in answer.content.decode()
