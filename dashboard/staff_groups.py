"""The groups of staff that every site has, and what each may do in the admin. docs/correcting.md has them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission

from catalogue.models import Card, PointsChange

_CARDS = [model for model in apps.get_app_config("catalogue").get_models() if issubclass(model, Card)]
#: The permissions of each group: the app, what may be done, and the models.
GROUPS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "Corrections": (
        ("registers", "view", "register dossier ledgerentry"),
        ("registers", "change", "register"),
        ("battles", "view", "battle side ledgercorrection"),
        ("campaign", "view", "campaign membership enlistment"),
    ),
    "Catalogue": (
        *(("catalogue", act, " ".join(card._meta.model_name for card in _CARDS)) for act in ("view", "add", "change")),
        ("catalogue", "view", PointsChange._meta.model_name),
    ),
    "Accounts": (
        ("accounts", "view", "user"),
        ("accounts", "change", "user"),
        ("account", "view", "emailaddress"),
        ("account", "change", "emailaddress"),
        ("mfa", "view", "authenticator"),
        ("mfa", "delete", "authenticator"),
        ("socialaccount", "view", "socialaccount"),
    ),
    "Events": (
        ("tournaments", "view", "event membership entry submittedlist round game judgecall league logline"),
    ),
}  # fmt: skip


def create_missing_groups(**_signal: Any) -> None:
    """Create the groups that the site does not have. One that it has stays as its admins made it."""
    there = set(Group.objects.filter(name__in=GROUPS).values_list("name", flat=True))
    for name in GROUPS.keys() - there:
        Group.objects.create(name=name).permissions.set(_permissions(name))


def _permissions(group: str) -> Iterator[Permission]:
    for app, act, models in GROUPS[group]:
        names = [f"{act}_{model}" for model in models.split()]
        yield from Permission.objects.filter(content_type__app_label=app, codename__in=names)
