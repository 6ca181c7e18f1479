"""Army lists in the admin: staff see them and change nothing."""

from uuid import uuid4

from django.urls import reverse

from accounts.models import User
from lists.services.army_lists import save_army_list
from rules.battle.plain_army import PlainArmy


def test_staff_see_army_lists_and_change_nothing(book, client, player):
    saved = save_army_list(actor=player, list_id=uuid4(), army=PlainArmy(title="Ashen Patrol"))
    client.force_login(User.objects.create_superuser("root"))
    page = reverse("admin:lists_armylist_change", args=[saved.pk])

    assert "Ashen Patrol" in client.get(reverse("admin:lists_armylist_changelist")).text
    assert "Ashen Patrol" in client.get(page).text
    assert client.post(page, {"name": "Mine"}).status_code == 403
    assert client.get(reverse("admin:lists_armylist_add")).status_code == 403
