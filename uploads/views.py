"""The page of one picture. Higher apps decide who may see it, and give it their services."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.adapters import check_limit
from core.form_errors import form_page

from .forms import NINE, empty_form, focus_in, sent_form
from .models import Picture


def picture_page(
    request: HttpRequest,
    picture: Picture | None,
    *,
    pressed: str,
    title: str,
    photo: tuple[str, UUID],
    crumbs: Sequence[dict[str, str]],
    remove: Callable[[], Any],
    focus: Callable[..., Any],
    keep: Callable[..., Any] | None = None,
    faction: str = "",
) -> HttpResponse:
    """Show a picture, and change its point in view, replace or remove it with these services, as `pressed` says.

    `photo` is the name of the URL of its files and the key of its owner. Without `keep` it cannot be replaced.
    """
    form = empty_form() if keep else None
    match pressed:
        case "remove":
            remove()
            return redirect(request.path)
        case "focus":
            focus(point=focus_in(request, picture))
            return redirect(request.path)
    if request.method == "POST" and keep:
        check_limit(request, "upload")
        form = sent_form(request, keep)
        if form.is_valid():
            return redirect(request.path)
    name, owner = photo
    address = {size: reverse(name, args=[owner, picture.pk, size]) for size in picture.sizes} if picture else {}
    context = {
        "title": title, "faction": faction, "picture": picture, "address": address, "form": form, "crumbs": crumbs,
        "done": crumbs[-1]["href"], "nine": NINE,
    }  # fmt: skip
    return form_page(request, "uploads/picture.html", context)
