"""Pages of announcements and comments."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from campaign import access
from campaign.battles.access import battle_for
from campaign.battles.models import Battle
from campaign.discussion import access as discussion_access
from campaign.discussion.forms import AnnouncementForm, CommentForm
from campaign.discussion.models import Announcement, Notice
from campaign.discussion.queries import announcements_of, comment_lines, comments_on
from campaign.discussion.services import announcements as announcing, comments as commenting
from campaign.discussion.services.notices import mark_seen
from campaign.models import Campaign
from core.form_errors import form_page, refusals_on, valid
from core.form_fields import posted
from core.ui.crumbs import crumbs_of

ANNOUNCEMENTS_A_PAGE = 10
COMMENTS_A_PAGE = 50


@require_safe
def announcements(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the announcements of a campaign, pinned ones first."""
    campaign, role = access.campaign_for(request.user, pk)
    page = Paginator(announcements_of(campaign), ANNOUNCEMENTS_A_PAGE).get_page(request.GET.get("page"))
    organizes = role.may_organize(Campaign.State.CLOSED)
    context = {"campaign": campaign, "page": page, "organizes": organizes, "crumbs": crumbs_of(campaign)}
    return render(request, "discussion/announcements.html", context)


def new_announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write an announcement; for organizers."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    return _announcement_form(request, campaign)


def edit_announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit an announcement; for organizers."""
    found = discussion_access.organized_announcement_for(request.user, pk)
    if found.removed_at:
        raise Http404("This announcement was removed")
    return _announcement_form(request, found.campaign, found)


@require_POST
def remove_announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remove an announcement; for organizers."""
    found = discussion_access.organized_announcement_for(request.user, pk)
    announcing.remove(actor=request.user, announcement_id=found.pk)
    messages.success(request, _("Announcement deleted."))
    return redirect("discussion:announcements", pk=found.campaign_id)


def announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show an announcement with its comments, and take a new comment."""
    found, role = discussion_access.announcement_for(request.user, pk)
    context = {"announcement": found, "campaign": found.campaign, "crumbs": _announcement_crumbs(found.campaign)}
    seen = {"announcement": found}, {"comment__announcement": found}
    return _comments_page(request, "discussion/announcement.html", found, role, context, seen)


def battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the comments on a battle, and take a new one."""
    found, role = battle_for(request.user, pk)
    context = {"battle": found, "campaign": found.campaign, "crumbs": crumbs_of(found.campaign, found)}
    return _comments_page(request, "discussion/battle.html", found, role, context, [{"comment__battle": found}])


def edit_comment(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit one's own comment for some minutes; delete it, or for organizers remove it, at any time."""
    found, role = discussion_access.comment_for(request.user, pk)
    if found.removed_at and request.method != "POST":
        return redirect(found)
    form = CommentForm(posted(request), initial={"text": found.text, "version": found.version})
    with refusals_on(form):
        cleaned = valid(form)
        wanted = {"version": cleaned["version"] or 0, "text": cleaned["text"]}
        commenting.edit_comment(actor=request.user, comment_id=found.pk, **wanted)
        return redirect(found)
    about = found.about
    crumbs = crumbs_of(found.campaign, about) if found.battle_id else _announcement_crumbs(found.campaign, about)
    context = {
        "comment": found,
        "own": found.author_id == request.user.pk,
        "may_edit": discussion_access.may_edit(role, found) or bool(form.errors),
        "campaign": found.campaign,
        "form": form,
        "crumbs": crumbs,
    }
    return form_page(request, "discussion/edit_comment.html", context)


@require_POST
def remove_comment(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remove a comment: one's own, or for organizers anybody's."""
    found, _role = discussion_access.comment_for(request.user, pk)
    commenting.remove_comment(actor=request.user, comment_id=found.pk)
    messages.success(request, _("Comment deleted."))
    return redirect(_page_of(found.about))


@require_safe
def notice(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Mark a notice of the user as seen, and lead to what it is about."""
    related = ("campaign", "announcement", "comment__announcement", "comment__battle", "battle")
    found = get_object_or_404(Notice.objects.select_related(*related), pk=pk, user=request.user)
    mark_seen(request.user, pk=found.pk)
    return redirect(found.target)


def _announcement_form(request: HttpRequest, campaign: Campaign, found: Announcement | None = None) -> HttpResponse:
    """Show the form with what was typed, or save it."""
    names = ("title", "text", "pinned", "version")
    initial = {name: getattr(found, name) for name in names} if found else {"announcement": uuid4()}
    form = AnnouncementForm(posted(request), initial=initial)
    present = None
    if form.is_valid():
        if not found:
            check_limit(request, "announce")
        words = dict(form.cleaned_data)
        key, version = words.pop("announcement"), words.pop("version")
        with refusals_on(form):
            if found:
                announcing.change(actor=request.user, announcement_id=found.pk, version=version or 0, **words)
                return redirect(found)
            return redirect(
                announcing.announce(
                    actor=request.user, campaign=campaign, announcement_id=key, version=version or 1, **words
                )
            )
        present = _compared(form, campaign, found)
    context = {
        "campaign": campaign,
        "announcement": found,
        "form": form,
        "present": present,
        "crumbs": _announcement_crumbs(campaign, *([found] if found else [])),
    }
    return form_page(request, "discussion/write.html", context)


def _compared(form: AnnouncementForm, campaign: Campaign, found: Announcement | None) -> Announcement | None:
    """Return the current announcement if it has changed since the form was drawn: the next save replaces it."""
    key = found.pk if found else form.cleaned_data["announcement"]
    present = campaign.announcements.filter(pk=key, removed_at=None).first()
    if present is None or present.version == (form.cleaned_data["version"] or 1):
        return None
    form.data = form.data.copy()
    form.data["version"] = present.version
    return present


def _comments_page(
    request: HttpRequest,
    template: str,
    about: Announcement | Battle,
    role: access.CampaignRole,
    context: dict[str, Any],
    seen: Any,
) -> HttpResponse:
    """Show a page with comments, or add a comment. Notices of the user about what is shown are marked as seen."""
    form = CommentForm(posted(request), initial={"comment": uuid4()})
    if form.is_valid():
        check_limit(request, "comment")
        with refusals_on(form):
            added = commenting.add_comment(
                actor=request.user, about=about, text=form.cleaned_data["text"],
                comment_id=form.cleaned_data["comment"],
            )  # fmt: skip
            return redirect(added)
    for which in seen:
        mark_seen(request.user, **which)
    page = Paginator(comments_on(about), COMMENTS_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "lines": comment_lines(role, page.object_list),
        "page": page,
        "form": form,
        "may_write": not role.campaign.refusal(Campaign.State.CLOSED),
        "organizes": role.may_organize(Campaign.State.CLOSED),
        "address": _page_of(about),
    }
    return form_page(request, template, context)


def _page_of(about: Announcement | Battle) -> str:
    if isinstance(about, Announcement):
        return about.get_absolute_url()
    return reverse("discussion:battle", args=[about.pk])


def _announcement_crumbs(campaign: Campaign, *pages: Any) -> list[dict[str, str]]:
    all_of_them = {"label": _("Announcements"), "href": reverse("discussion:announcements", args=[campaign.pk])}
    return [*crumbs_of(campaign), all_of_them, *crumbs_of(*pages)]
