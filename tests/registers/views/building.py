"""Posts to the pages of building."""

from django.urls import reverse

from registers.models import Register


def address(register, query: str = "") -> str:
    return reverse("registers:building", args=[register.pk]) + query


def post(client, register, query: str = "", **fields):
    fields.setdefault("position", Register.objects.get(pk=register.pk).position)
    return client.post(address(register, query), fields)
