"""The picture of a Dossier: sending, showing, removing it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import too_often
from registers.access import editable_register_for, register_for
from registers.services import pictures
from registers.services.ledger import book_for, state_of
from rules.wording import unit_label
from uploads.forms import empty_form, sent_form
from uploads.models import Picture, picture_answer


@require_safe
def picture(request: HttpRequest, pk: UUID, picture: UUID, size: str) -> HttpResponse:
    """The picture of a Dossier, for whoever sees its Register."""
    register = register_for(request.user, pk)
    return picture_answer(get_object_or_404(Picture, dossier__register=register, pk=picture), size)


@require_http_methods(["GET", "HEAD", "POST"])
def dossier_picture(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """The picture of a Dossier: whoever may edit it changes or removes it."""
    register = editable_register_for(request.user, pk)
    dossier = register.dossiers.select_related("picture").filter(key=str(key)).first()
    if dossier is None or register.discarded:
        raise Http404("No such Dossier")
    if request.method == "POST" and request.POST.get("do") == "remove":
        pictures.remove_of_dossier(actor=request.user, register=register, key=dossier.key)
        return redirect("registers:dossier_picture", pk=pk, key=key)
    form = empty_form()
    if request.method == "POST":
        if limited := too_often(request, "upload"):
            return limited
        of_dossier = {"actor": request.user, "register": register, "key": dossier.key}
        form = sent_form(request, partial(pictures.show_of_dossier, **of_dossier))
        if form.is_valid():
            return redirect("registers:dossier", pk=pk, key=key)
    shown = dossier.picture
    label = unit_label(book_for(register), state_of(register), dossier.key)
    context = {
        "title": _("Picture of %(unit)s") % {"unit": label},
        "picture": shown,
        "address": reverse("registers:picture", args=[pk, shown.pk, "medium"]) if shown else "",
        "form": form,
        "crumbs": [
            {"label": str(register), "href": reverse("registers:detail", args=[pk])},
            {"label": label, "href": reverse("registers:dossier", args=[pk, key])},
        ],
    }
    return render(request, "uploads/picture.html", context, status=422 if form.errors else 200)
