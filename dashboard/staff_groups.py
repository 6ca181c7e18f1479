"""The groups of staff that every site has, and what each may do in the admin. docs/correcting.md has them."""

import json
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import CharField, F, Value
from django.db.models.functions import Concat

#: The permissions of each group, as "app.codename".
GROUPS: dict[str, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def create_missing_groups(**_signal: Any) -> None:
    """Create the groups that the site does not have. One that it has stays as its admins made it."""
    there = set(Group.objects.filter(name__in=GROUPS).values_list("name", flat=True))
    name = Concat(F("content_type__app_label"), Value("."), F("codename"), output_field=CharField())
    for group in (each for each in GROUPS if each not in there):
        permissions = Permission.objects.alias(name_in_full=name).filter(name_in_full__in=GROUPS[group])
        Group.objects.create(name=group).permissions.set(permissions)
