"""The people of a campaign and the invitations by which they join."""

from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from accounts.models import User, has_right
from accounts.services.placeholders import LONGEST_NAME
from campaign import access
from campaign.battles.queries.battles import battles_under_way
from campaign.enlistments.services import enlistments
from campaign.enlistments.views import people_crumbs
from campaign.models import ActivityKind, Campaign, Membership
from campaign.people import queries as people_queries
from campaign.people.services import joining
from catalogue.snapshot import rulebook
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_in, refusals_on, valid
from core.form_fields import ShortText, posted, pressed_button
from core.table_forms import TableForm, remembered_columns
from core.tables import NAMES, Fields, name_of
from core.ui.crumbs import crumbs_of
from members.forms import InvitationForm, MemberForm, RoleForm
from members.models import Role
from members.queries import invitation_lines
from members.services import membership
from members.services.invitations import DAYS
from registers.forms.building import OpenForm
from registers.options.context import faction_choices
from rules.core.violations import RuleViolation, Violation, refuse


class PlaceholderForm(forms.Form):
    """The name of a player without an account."""

    name = ShortText(label=gettext_lazy("Name"), max_length=LONGEST_NAME)


#: What the columns of a table of players may hold.
PLAYER_FIELDS = Fields(NAMES, in_order=("name",), needed=tuple(NAMES))


@require_safe
def people(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the members of the campaign; organizers also see its invitations."""
    campaign, role = access.campaign_for(request.user, pk)
    return people_page(request, campaign, organizes=role.may_organize(Campaign.State.CLOSED))


@require_POST
def add_member(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add a person by their sign-in name."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    check_limit(request, "add_member")
    form = MemberForm(request.POST)
    with refusals_on(form):
        username = valid(form)["username"]
        added = membership.add_member(actor=request.user, group=campaign, username=username)
        names = {"person": added, "campaign": campaign}
        messages.success(request, _("%(person)s was added to %(campaign)s.") % names)
        return redirect("campaign:people", pk=pk)
    return people_page(request, campaign, member_form=form)


@require_POST
def add_placeholder(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add a player without an account by their name."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    check_limit(request, "add_member")
    form = PlaceholderForm(request.POST)
    with refusals_on(form):
        added = joining.add_placeholder(actor=request.user, campaign=campaign, name=valid(form)["name"])
        names = {"person": added.carried_name, "campaign": campaign}
        messages.success(request, _("%(person)s was added to %(campaign)s.") % names)
        return redirect("campaign:person", pk=pk, user=added.pk)
    return people_page(request, campaign, placeholder_form=form)


def import_players(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show whom a table of players without an account would add and what is wrong, by line; then add all or none."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    if request.method == "POST":
        check_limit(request, "add_member")
    form = TableForm(posted(request), request.FILES or None)
    context: dict[str, Any] = {"campaign": campaign, "crumbs": people_crumbs(campaign), "form": form, "is_good": False}
    if form.is_valid():
        columns = form.columns(PLAYER_FIELDS, remembered_columns(request.session, "people"))
        rows = columns.filled_rows if columns.is_valid() else []
        names = [name_of(columns.cells_of(row)) for row in rows]
        found = joining.placeholder_violations(campaign, names)
        is_good = bool(names) and not any(found)
        if is_good and pressed_button(request.POST, "add") and not columns.has_changed_table:
            with refusals_on(form):
                added = joining.add_placeholders(actor=request.user, campaign=campaign, names=names)
                columns.remember(request.session, "people")
                message = ngettext("%(n)d player was added.", "%(n)d players were added.", len(added))
                messages.success(request, message % {"n": len(added)})
                return redirect("campaign:people", pk=pk)
        lines = [(row.number, *line) for row, *line in zip(rows, names, found, strict=True)]
        context |= {"columns": columns, "lines": lines, "is_good": is_good}
    refused = request.method == "POST" and (form.errors or not context["is_good"])
    return render(request, "campaign/import_players.html", context, status=422 if refused else 200)


@require_POST
def new_register(request: HttpRequest, pk: UUID, user: int) -> HttpResponse:
    """Create a Register for a player without an account, and continue with building it."""
    campaign = access.organized_campaign_for(request.user, pk)
    member = get_object_or_404(campaign.memberships.select_related("user"), user=user)
    form = OpenForm(request.POST)
    try:
        if not form.is_valid():
            raise refuse("R3", _("Choose a Faction."), "faction")
        register = enlistments.create_register(
            actor=request.user, campaign=campaign, faction=form.cleaned_data["faction"],
            register_id=form.cleaned_data["register"], owner=member.user,
        )  # fmt: skip
    except RuleViolation as refusal:
        return _person_page(request, member, refusal.violations, chosen=form["faction"].data)
    return redirect("registers:building", pk=register.pk)


def person(request: HttpRequest, pk: UUID, user: int) -> HttpResponse:
    """Show a member, or a former one; organizers change the role, hand over to them, or remove them."""
    button = pressed_button(request.POST, "role", "invite", "hand_over", "remove", "readmit")
    if button == "hand_over":
        campaign = access.handed_campaign_for(request.user, pk, user)
    else:
        campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    if (member := campaign.memberships.select_related("user").filter(user=user).first()) is None:
        return _former_person(request, campaign, user, button)
    if request.method != "POST":
        return _person_page(request, member)
    role_form = RoleForm(campaign, request.POST) if button == "role" else None
    if role_form and not role_form.is_valid():
        return _person_page(request, member, form=role_form)
    try:
        if button == "invite" and member.user.is_placeholder:
            made = joining.invite_to_place(actor=request.user, campaign=campaign, of=member.user)
            return redirect("campaign:invitation", pk=pk, invitation=made.pk)
        _do(request, button, member, role_form)
    except RuleViolation as refusal:
        return _person_page(request, member, refusal.violations, role_form)
    return redirect("campaign:people", pk=pk)


@require_POST
def leave(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Leave the campaign."""
    campaign = access.left_campaign_for(request.user, pk)
    with refusals_as_messages(request):
        membership.leave(actor=request.user, group=campaign)
        messages.success(request, _("You left %(campaign)s.") % {"campaign": campaign})
        return redirect("home")
    return redirect("campaign:people", pk=pk)


def people_page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    organizes: bool = True,
    member_form: MemberForm | None = None,
    placeholder_form: PlaceholderForm | None = None,
    invitation_form: InvitationForm | None = None,
) -> HttpResponse:
    """Show the page, with a refused form as it was typed."""
    found = people_queries.people_of(campaign)
    own = [each for each in found if each.user == request.user]
    context = {
        "campaign": campaign,
        "people": found,
        "former": people_queries.former_people_of(campaign),
        "organizes": organizes,
        "invitations": invitation_lines(campaign) if organizes else [],
        "is_in": bool(own),
        "lacks_register": any(each.membership.role == Role.PLAYER and not each.registers for each in own),
        "member_form": member_form or MemberForm(),
        "placeholder_form": placeholder_form or PlaceholderForm(),
        "invitation_form": invitation_form or InvitationForm(campaign, initial={"invitation": uuid4()}),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "campaign/people.html", context)


def _person_page(
    request: HttpRequest,
    member: Membership,
    violations: tuple[Violation, ...] = (),
    form: RoleForm | None = None,
    chosen: str | None = None,
) -> HttpResponse:
    campaign = member.campaign
    context = {
        "campaign": campaign,
        "person": member.user,
        "membership": member,
        "oneself": member.user_id == request.user.pk,
        "form": form or RoleForm(campaign, initial={"role": member.role}),
        "may_hand_over": member.user.is_active
        and campaign.memberships.filter(user=request.user, role=Role.ORGANIZER).exists(),
        "registers": people_queries.registers_of_person(campaign, member.user),
        "register_id": uuid4(),
        "factions": faction_choices(rulebook().under(campaign.campaign_rules), chosen)
        if member.user.is_placeholder
        else [],
        "merging": _merging(request.user, member.user),
        "violations": as_context(violations),
        "crumbs": people_crumbs(campaign),
    }
    return form_page(request, "campaign/person.html", context, refused=violations)


def _merging(user: User, person: User) -> dict[str, str]:
    """Return where staff merge two accounts of this person (`href`), or `why` that is not possible now."""
    if person.is_placeholder:
        text = _(
            "%(person)s has no account, so there is nothing to merge. Anyone who joins by the invitation gets this "
            "place, even with an account that is in the campaign already."
        )
        return {"why": text % {"person": person.carried_name}}
    if battles_under_way(person).exists():
        text = _("%(person)s is in a battle. Accounts can be merged once it is finished.")
        return {"why": text % {"person": person}}
    if not has_right(user, "accounts.change_user"):
        return {"why": _("Only an administrator of this site can merge two accounts. Tell them both sign-in names.")}
    return {"href": reverse("admin:accounts_user_changelist") + f"?q={quote(person.username)}"}


def _do(request: HttpRequest, button: str, member: Membership, role_form: RoleForm | None) -> None:
    campaign = member.campaign
    act = {"actor": request.user, "group": campaign, "user": member.user}
    names = {"person": member.user, "campaign": campaign}
    match button:
        case "role" if role_form:
            given = membership.give_role(**act, role=role_form.cleaned_data["role"])
            names["role"] = given.get_role_display()
            messages.success(request, _("%(person)s is now %(role)s of %(campaign)s.") % names)
        case "hand_over":
            membership.hand_over(**act)
            text = _("%(person)s is now an organizer of %(campaign)s. You are now a player.")
            messages.success(request, text % names)
        case "remove":
            membership.remove_member(**act)
            _say_removed(request, campaign, member.user)


def _former_person(request: HttpRequest, campaign: Campaign, user: int, button: str) -> HttpResponse:
    """Show a former member, and add one without an account again. A removal that is posted twice is redirected as the
    first one was. Raises Http404 for anyone who was never in the campaign.
    """
    if (former := people_queries.former_person(campaign, user)) is None:
        raise Http404("Not in this campaign")
    if button == "remove" and campaign.activity.filter(kind=ActivityKind.REMOVED, facts__user=user).exists():
        _say_removed(request, campaign, former.user)
        return redirect("campaign:people", pk=campaign.pk)
    violations: list[Violation] = []
    if button == "readmit":
        with refusals_in(violations):
            joining.readmit_placeholder(actor=request.user, campaign=campaign, user=former.user)
            names = {"person": former.user.carried_name, "campaign": campaign}
            messages.success(request, _("%(person)s was added to %(campaign)s.") % names)
    if request.method == "POST" and not violations:
        return redirect("campaign:person", pk=campaign.pk, user=user)
    context = {
        "campaign": campaign,
        "person": former.user,
        "registers": former.registers,
        "violations": as_context(violations),
        "invitation_id": uuid4(),
        "days": DAYS,
        "crumbs": people_crumbs(campaign),
    }
    return form_page(request, "campaign/former_person.html", context, refused=violations)


def _say_removed(request: HttpRequest, campaign: Campaign, user: User) -> None:
    names = {"person": user, "campaign": campaign}
    messages.success(request, _("%(person)s was removed from %(campaign)s.") % names)
