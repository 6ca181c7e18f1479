"""The picture of a Dossier."""

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from registers.data_export import registers_of
from registers.services import editing
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.registers.factories import make_player, make_register
from tests.registers.views.reading import text_of
from tests.uploads.photos import SVG, photo
from uploads.models import Picture


@pytest.fixture
def ada(book):
    return make_player("ada")


@pytest.fixture
def register(ada):
    return make_register(ada)


@pytest.fixture
def as_ada(client, ada):
    client.force_login(ada)
    return client


def page_of(register) -> str:
    return reverse("registers:dossier_photo", args=[register.pk, 2])


def send(client, address: str, content: bytes):
    file = SimpleUploadedFile("me.png", content, content_type="image/png")
    return client.post(address, {"picture": uuid4(), "alt": "Two of them", "file": file})


def test_sent_shown_and_removed(as_ada, register):
    assert send(as_ada, page_of(register), photo("PNG")).status_code == 302
    image = reverse("registers:photo", args=[register.pk, Picture.objects.get().pk, "medium"])
    dossier = reverse("registers:dossier", args=[register.pk, 2])
    image_attributes = f'src="{image}" width="60" height="40" alt="Two of them"'
    assert image_attributes in html_of(as_ada.get(dossier))
    assert f'src="{image.replace("medium", "small")}"' in html_of(as_ada.get(page_of(register)))
    assert as_ada.get(image)["Content-Type"] == "image/jpeg"
    as_ada.post(page_of(register), {"do": "remove"})
    assert (as_ada.get(image).status_code, image_attributes in html_of(as_ada.get(dossier))) == (404, False)


@pytest.mark.parametrize(
    ("sent", "focus"),
    [
        ({"x": 16, "y": 6}, "30 20"),  # the picture to tap is 48 by 32 pixels
        ({"x": 48, "y": 32}, "100 100"),
        ({"at": "50 0", "x": 0, "y": 0}, "50 0"),
        ({"x": "", "y": "9"}, ""),
        ({"at": "51 0"}, ""),
        ({"x": 5}, ""),
    ],
)
def test_the_point_that_stays_in_view(as_ada, register, sent, focus):
    send(as_ada, page_of(register), photo("PNG"))
    assert as_ada.post(page_of(register), {"do": "focus", **sent}).status_code == 302
    page = html_of(as_ada.get(reverse("registers:dossier", args=[register.pk, 2])))
    assert f'alt="Two of them" data-focus="{focus}"' in page


def test_no_point_without_a_picture_nor_by_others(as_ada, register):
    assert as_ada.post(page_of(register), {"do": "focus", "at": "50 0"}).status_code == 302
    send(as_ada, page_of(register), photo())
    with pytest.raises(RuleViolation):
        editing.focus_portrait(actor=make_player("ben"), register=register, key="2", point=(0, 0))
    assert Picture.objects.get().focus == ""


def test_refused_it_says_why(as_ada, register):
    answer = send(as_ada, page_of(register), SVG)
    assert (answer.status_code, "This picture cannot be read" in text_of(answer)) == (422, True)
    assert 'value="Two of them"' in html_of(answer)


def test_whose_register_it_is(client, as_ada, register):
    send(as_ada, page_of(register), photo())
    picture = Picture.objects.get()
    ben = make_player("ben")
    client.force_login(ben)
    addresses = [page_of(register), reverse("registers:photo", args=[register.pk, picture.pk, "full"])]
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    own = make_register(ben)
    assert client.get(reverse("registers:photo", args=[own.pk, picture.pk, "full"])).status_code == 404
    words = {"actor": ben, "register": register, "key": "2"}
    with pytest.raises(RuleViolation):
        editing.set_portrait(**words, sent=photo(), alt="Mine")
    with pytest.raises(RuleViolation):
        editing.remove_portrait(**words)
    assert register.dossiers.get(key="2").picture == picture


def test_no_such_dossier(as_ada, register):
    assert as_ada.get(reverse("registers:dossier_photo", args=[register.pk, 9])).status_code == 404


def test_the_same_one_twice_and_another_in_its_place(ada, register, django_capture_on_commit_callbacks):
    words = {"actor": ada, "register": register, "key": "2", "sent": photo(), "alt": "Two of them"}
    key = uuid4()
    with django_capture_on_commit_callbacks(execute=True):
        first = editing.set_portrait(**words, picture_id=key)
        assert editing.set_portrait(**words, picture_id=key) == first
        second = editing.set_portrait(**words)
    assert (Picture.objects.get(), register.dossiers.get(key="2").picture) == (second, second)


def test_it_is_in_the_file_of_its_player(ada, register):
    picture = editing.set_portrait(
        actor=ada, register=register, key="2", sent=photo(), alt="Two of them"
    )  # fmt: skip
    [own] = registers_of(ada)["own"]
    address = reverse("registers:photo", args=[register.pk, picture.pk, "full"])
    assert [unit["picture"] for unit in own["units"]] == [None, {"alt": "Two of them", "address": address}, None]
