"""The admin action that awards something to many Registers at once."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.request import QueryDict
from django.template.response import TemplateResponse

from campaign.forms.campaigns import AwardForm
from campaign.models import Campaign
from campaign.services import campaigns
from catalogue.snapshot import rulebook
from core.form_errors import refusals_on
from registers.models import Register

from .registers import previews_of


@admin.action(description="Award…", permissions=["change"])
def award_registers(
    model_admin: admin.ModelAdmin[Register], request: HttpRequest, queryset: QuerySet[Register]
) -> HttpResponse | None:
    """Ask what to award to the chosen Registers and why, preview it for each, and give it to all of them or none.

    The Registers must be in one campaign, whose rules decide what an award does.
    """
    registers = list(Register.objects.filter(pk__in=queryset.values("pk")).select_related("owner"))
    played_in = list(Campaign.objects.filter(registers__in=registers).distinct()[:2])
    alone = Register.objects.filter(pk__in=[each.pk for each in registers], enlistment=None).exists()
    if len(played_in) != 1 or alone or any(each.discarded for each in registers):
        model_admin.message_user(request, "Select Registers of one campaign.", messages.ERROR)
        return None
    [campaign] = played_in
    asked = request.POST if {"look", "give"} & request.POST.keys() else None
    form = AwardForm(rulebook().under(campaign.campaign_rules), registers, _with_all(registers, asked))
    previews = []
    if asked and form.is_valid():
        awards = form.awards()
        if "give" in asked and len(awards) == len(registers):
            with refusals_on(form):
                reason = form.cleaned_data["reason"]
                campaigns.award(actor=request.user, campaign=campaign, awards=awards, reason=reason)
                for register in registers:
                    model_admin.log_change(request, register, f"Awarded: {reason[:200]}")
                message = f"{len(registers)} Registers got the award." if len(registers) > 1 else "1 Register got it."
                model_admin.message_user(request, message, messages.SUCCESS)
                return None
        previews = list(previews_of(form, registers))
    context = {
        **model_admin.admin_site.each_context(request),
        "title": f"Award to {len(registers)} Registers of {campaign}",
        "opts": Register._meta,
        "form": form,
        "registers": registers,
        "previews": previews,
        "can_give": bool(previews) and not any(preview.violations for preview in previews),
        "action": award_registers.__name__,
    }
    return TemplateResponse(request, "admin/registers/register/award.html", context, status=422 if form.errors else 200)


def _with_all(registers: list[Register], asked: QueryDict | None) -> QueryDict | None:
    """Return what was posted with all Registers ticked: they were chosen in the list."""
    if asked is None:
        return None
    data = asked.copy()
    data.setlist("registers", [str(each.pk) for each in registers])
    return data
