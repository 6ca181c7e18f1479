"""Pages of the chronicle: battles, stories, photos, the book, and all of it by the public link."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from csp.decorators import csp_replace
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from accounts.models import User
from campaign import access
from campaign.achievements.views import chronicle_tabs
from campaign.battles import access as battle_access
from campaign.battles.models import Battle
from campaign.battles.pages import activity
from campaign.chronicle import access as story_access
from campaign.chronicle.forms import LinkForm, PictureForm, PlacesForm, StoryForm
from campaign.chronicle.models import BattlePhoto, ShareLink, Story
from campaign.chronicle.narrative import after_action
from campaign.chronicle.narrative.book import Book, book_of, preview_html
from campaign.chronicle.narrative.entries import battle_entries, entries, entries_of
from campaign.chronicle.public_page import public_page_of
from campaign.chronicle.services import stories, stories as links
from campaign.models import Campaign
from campaign.star_map.queries import star_map_of
from core.atom import FeedEntry, feed_answer
from core.form_errors import form_page, refusals_on
from core.form_fields import entered, posted, pressed_button
from core.open_page import open_page
from core.pdf import pdf_answer, png_answer
from core.plain_text import xml_text
from core.ui.crumbs import crumbs_of
from core.ui.reachable import address_for_others
from registers.markdown import to_html
from registers.print.preview import choice, opener
from uploads.forms import empty_form, sent_form
from uploads.models import Picture, picture_answer
from uploads.views import picture_page

ENTRIES_A_PAGE = 10
EVENTS_A_PAGE = 50
NEWEST_IN_FEED = 20
#: Pixels of the pictures that messengers show.
WIDTH, HEIGHT = after_action.SHAPES["wide"]
#: Tells search engines not to index the pages: they are for people who have the link.
UNLISTED = "noindex, nofollow, noarchive"
#: Headers of pictures, which messengers show on their own pages.
ELSEWHERE = {"X-Robots-Tag": UNLISTED, "Cross-Origin-Resource-Policy": "cross-origin"}
#: How long public pages may be cached: a link that was closed must soon stop working everywhere.
FOR_STRANGERS = timedelta(hours=1)
#: Headers of preview pictures.
PREVIEW = {"Cache-Control": f"private, max-age={int(FOR_STRANGERS.total_seconds())}", **ELSEWHERE}
#: How long the page in a frame may be cached, by proxies too: it is the same for everybody.
EMBED_KEPT_FOR = timedelta(minutes=5)
#: What an organizer pastes into another site.
EMBED_CODE = '<iframe src="{}" title="{}" width="100%" height="800" loading="lazy"></iframe>'
#: The papers of a book, the usual one first: a booklet has pages in A5, to fold.
BOOK_PAPERS = (("a4", "", ""), ("letter", "", ""), ("a5", "", ""), ("booklet", "", ""))
#: The limit for a book as PDF: a hundred battles and as many stories. Lists of this many lines take half a minute.
MOST_TAGS = 15_000


@require_safe
def chronicle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the battles and stories of a campaign, newest first."""
    campaign, role = access.campaign_for(request.user, pk)
    page = Paginator(list(entries_of(campaign)), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    cover = Campaign.objects.select_related("picture", "public_link").get(pk=pk)
    context = {
        **_leaf(request, campaign, role),
        "entries": entries(page.object_list),
        "page": page,
        "phases": campaign.phases.all(),
        "picture": cover.picture,
        "public": getattr(cover, "public_link", None),
    }
    return render(request, "chronicle/index.html", context)


@require_safe
def log(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the activity log of a campaign, newest first."""
    campaign, role = access.campaign_for(request.user, pk)
    page = Paginator(activity.of_campaign(campaign), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    context = {**_leaf(request, campaign, role), "lines": activity.activity_lines(page.object_list), "page": page}
    return render(request, "chronicle/activity.html", context)


@require_safe
def battle_story(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a battle with the stories about it; before it is closed, only the stories."""
    battle, role = battle_access.battle_for(request.user, pk)
    [entry] = battle_entries([battle])
    context = {
        **_who(battle.campaign, role),
        "battle": battle,
        "entry": entry,
        "writable": battle.status != Battle.Status.CANCELLED,
        "crumbs": crumbs_of(battle.campaign, battle),
    }
    return render(request, "chronicle/battle_story.html", context)


@require_safe
def after_action_report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the after-action report of a closed battle; redirect to a battle that is not closed."""
    battle, _role = battle_access.battle_for(request.user, pk)
    if battle.status != Battle.Status.CLOSED:
        return redirect(battle)
    link = ShareLink.objects.filter(campaign=battle.campaign).first()
    shared = reverse("chronicle:public_entry", args=[link.token, battle.pk]) if link else ""
    context = {
        "report": after_action.report_of(battle),
        "battle": battle,
        "campaign": battle.campaign,
        "own": battle.campaign.guest_id == request.user.pk,  # see dashboard.demo
        "width": WIDTH,
        "height": HEIGHT,
        "shared": address_for_others(request, shared) if shared else "",
        "pictures": [
            (_("Square"), "shape=square"),
            (_("Dark"), "look=dark"),
            (_("Square, dark"), "shape=square&look=dark"),
        ],
        "crumbs": crumbs_of(battle.campaign, battle),
    }
    return render(request, "chronicle/after_action.html", context)


@require_safe
def after_action_image(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send the after-action report of a closed battle as a picture."""
    battle, _role = battle_access.battle_for(request.user, pk)
    return _after_action_picture(request, battle, "print", {"Cache-Control": "private, max-age=300"}, portrait=True)


@open_page
def public_after_action(request: HttpRequest, token: str, entry: UUID) -> HttpResponse:
    """Send the after-action report of a battle in a public chronicle as a picture."""
    battles = Battle.objects.filter(campaign=_link_of(token).campaign).select_related("campaign")
    battle = get_object_or_404(battles.prefetch_related(battle_access.SIDES), pk=entry)
    return _after_action_picture(request, battle, "public_card", PREVIEW)


def _after_action_picture(
    request: HttpRequest, battle: Battle, limit: str, headers: dict[str, str], *, portrait: bool = False
) -> HttpResponse:
    """Return the picture, or an error 503 if it cannot be made now. Raises Http404 unless the battle is closed."""
    if battle.status != Battle.Status.CLOSED:
        raise Http404("No report yet")
    check_limit(request, limit)
    shape, look = entered(PictureForm(request.GET)).values()
    drawn = partial(after_action.picture_of, battle, shape=shape or "wide", look=look or "light", portrait=portrait)
    return png_answer(drawn, headers)


def _leaf(request: HttpRequest, campaign: Campaign, role: access.CampaignRole) -> dict[str, Any]:
    """Return the context that chronicle and activity log share: they are tabs of one page."""
    return {**_who(campaign, role), "crumbs": crumbs_of(campaign), "tabs": chronicle_tabs(campaign, request.path)}


def _who(campaign: Campaign, role: access.CampaignRole) -> dict[str, Any]:
    until = Campaign.State.CLOSED
    plays = role.may_play(until) and not role.user.guest_until  # see dashboard.guests
    return {"campaign": campaign, "organizes": role.may_organize(until), "plays": plays}


def write(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write a story about the campaign."""
    campaign, _role = access.played_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    return _write_page(request, campaign, None)


def write_of_battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write a story about a battle."""
    battle, role = battle_access.battle_for(request.user, pk)
    if battle.status == Battle.Status.CANCELLED or not role.is_player:
        raise Http404("Nothing to write of")
    access.check_state(battle.campaign, Campaign.State.CLOSED)
    return _write_page(request, battle.campaign, battle)


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit or withdraw a story."""
    story = story_access.story_for(request.user, pk)
    return _write_page(request, story.campaign, story.battle, story)


@require_POST
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Withdraw a story."""
    story = story_access.story_for(request.user, pk)
    stories.withdraw(actor=request.user, story_id=story.pk)
    messages.success(request, _("Story deleted."))
    return redirect(_home_of(story.campaign, story.battle))


def _write_page(
    request: HttpRequest, campaign: Campaign, battle: Battle | None, story: Story | None = None
) -> HttpResponse:
    """Show the form with what was typed; with "preview", also a preview of the story."""
    shown = ("title", "text", "byline", "version")
    initial = {name: getattr(story, name) for name in shown} if story else {"story": uuid4()}
    form = StoryForm(posted(request), initial=initial)
    preview = present = None
    if form.is_valid():
        if pressed_button(request.POST, "preview"):
            preview = to_html(form.cleaned_data["text"])
        else:
            with refusals_on(form):
                _save(request.user, form, campaign, battle, story)
                return redirect(_home_of(campaign, battle))
            present = _compared(request, form, story)
    context = {
        "campaign": campaign,
        "battle": battle,
        "story": story,
        "form": form,
        "preview": preview,
        "present": present,
        "public": ShareLink.objects.filter(campaign=campaign).exists(),
        "title": form.cleaned_data["title"] if preview is not None else "",
        "crumbs": crumbs_of(campaign, battle) if battle else crumbs_of(campaign),
    }
    return form_page(request, "chronicle/write.html", context)


def _save(actor: User, form: StoryForm, campaign: Campaign, battle: Battle | None, story: Story | None) -> None:
    words = dict(form.cleaned_data)
    key, version = words.pop("story"), words.pop("version")
    if story:
        stories.change(actor=actor, story_id=story.pk, version=version or 0, **words)
    else:
        stories.write(actor=actor, campaign=campaign, battle=battle, story_id=key, version=version or 1, **words)


def _compared(request: HttpRequest, form: StoryForm, story: Story | None) -> Story | None:
    """Return the current story if it has changed since the form was drawn: the next save replaces this version."""
    key = story.pk if story else form.cleaned_data["story"]
    own = Story.objects.filter(pk=key, withdrawn_at=None)
    present = (own if story else own.filter(author=request.user)).first()
    if present is None or present.version == (form.cleaned_data["version"] or 1):
        return None
    form.data = form.data.copy()
    form.data["version"] = present.version
    return present


def _home_of(campaign: Campaign, battle: Battle | None) -> str:
    if battle:
        return reverse("chronicle:battle_story", args=[battle.pk])
    return reverse("chronicle:index", args=[campaign.pk])


@require_safe
def photo(request: HttpRequest, pk: UUID, picture: UUID, size: str) -> HttpResponse:
    """Send a picture of the campaign or of one of its battles to a member."""
    campaign, _role = access.campaign_for(request.user, pk, solo=True)
    return picture_answer(get_object_or_404(story_access.photos_of(campaign), pk=picture), size)


def battle_photos(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the pictures of a battle and the form to add one. A canceled battle has none."""
    battle, role = battle_access.battle_for(request.user, pk)
    called_off = battle.status == Battle.Status.CANCELLED
    if not role.is_player or (called_off and request.method == "POST"):
        raise Http404("No pictures to add")
    access.check_state(battle.campaign, Campaign.State.CLOSED)
    form = None if called_off else empty_form()
    if request.method == "POST":
        check_limit(request, "upload")
        form = sent_form(request, partial(stories.add_battle_photo, actor=request.user, battle=battle))
        if form.is_valid():
            return redirect("chronicle:battle_photos", pk=pk)
    found = BattlePhoto.objects.filter(battle=battle).select_related("picture")
    context = {
        "battle": battle,
        "pictures": [
            {"picture": each.picture, "own": role.is_organizer or each.picture.sent_by_id == request.user.pk}
            for each in found
        ],
        "form": form,
        "public": ShareLink.objects.filter(campaign=battle.campaign).exists(),
        "crumbs": crumbs_of(battle.campaign, battle),
    }
    return form_page(request, "chronicle/battle_photos.html", context)


def battle_photo(request: HttpRequest, pk: UUID, picture: UUID) -> HttpResponse:
    """Crop or remove a picture of a battle; for its uploader and organizers. Redirect from one that is gone."""
    battle, role = battle_access.battle_for(request.user, pk)
    if not role.is_player:
        raise Http404("No pictures to change")
    access.check_state(battle.campaign, Campaign.State.CLOSED)
    if (found := Picture.objects.filter(of_battle__battle=battle, pk=picture).first()) is None:
        return redirect("chronicle:battle_photos", pk=pk)
    if not story_access.may_remove_photo(role, found):
        raise Http404("Not this person's picture")
    of_battle = {"actor": request.user, "battle": battle, "picture_id": picture}
    return picture_page(
        request,
        found,
        pressed=pressed_button(request.POST, "remove", "focus"),
        title=_("Picture"),
        photo=("chronicle:photo", battle.campaign_id),
        crumbs=[
            *crumbs_of(battle.campaign, battle),
            {"label": _("Pictures"), "href": reverse("chronicle:battle_photos", args=[pk])},
        ],
        remove=partial(stories.remove_battle_photo, **of_battle),
        focus=partial(stories.focus_battle_photo, **of_battle),
    )


def campaign_photo(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the picture of a campaign; organizers change, crop or remove it."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    of_campaign = {"actor": request.user, "campaign": campaign}
    return picture_page(
        request,
        campaign.picture,
        pressed=pressed_button(request.POST, "remove", "focus"),
        title=_("Campaign picture"),
        photo=("chronicle:photo", pk),
        crumbs=crumbs_of(campaign),
        remove=partial(stories.remove_campaign_photo, **of_campaign),
        focus=partial(stories.focus_campaign_photo, **of_campaign),
        keep=partial(stories.set_campaign_photo, **of_campaign),
    )


@never_cache
def public_link(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create, renew or close the public link of the chronicle; for organizers."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    if request.method == "POST":
        match pressed_button(request.POST, "open", "renew", "close", "places"):
            case "open":
                links.open_chronicle(actor=request.user, campaign=campaign)
            case "renew":
                token = entered(LinkForm(request.POST)).get("token", "")
                links.renew(actor=request.user, campaign=campaign, token=token)
                messages.success(request, _("Link replaced. The old one no longer works."))
            case "close":
                links.close_chronicle(actor=request.user, campaign=campaign)
                messages.success(request, _("Link removed. The campaign is no longer public."))
            case "places":
                show = entered(PlacesForm(request.POST)).get("show_places", False)
                links.set_show_places(actor=request.user, campaign=campaign, show=show)
                messages.success(request, _("Public page saved."))
        return redirect("chronicle:share_link", pk=pk)
    link = ShareLink.objects.select_related("made_by").filter(campaign=campaign).first()
    address = address_for_others(request, link.get_absolute_url()) if link else ""
    context = {
        "campaign": campaign,
        "link": link,
        "address": address,
        "embed_code": format_html(EMBED_CODE, f"{address}?embed", campaign),
        "places": PlacesForm(initial={"show_places": link.show_places}) if link else None,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "chronicle/share_link.html", context)


def _link_of(token: str) -> ShareLink:
    """Return the link with this token and its campaign. Raises Http404 if there is none (any more)."""
    links = ShareLink.objects.filter(campaign__deleted_at=None).select_related("campaign__picture")
    return get_object_or_404(links, token=token)


@open_page
def public_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the public page of a campaign; with `?embed` without navigation, for a frame on another site."""
    link = _link_of(token)
    if "embed" in request.GET:
        return _embedded(request, link)
    return _whole_page(request, link)


@never_cache
def _whole_page(request: HttpRequest, link: ShareLink) -> HttpResponse:
    return _shown(request, link, _page_context(link), "chronicle/public_campaign.html")


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
def _embedded(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """Answer with the page for a frame: no forms, nothing of a session, so any site may show it to everybody."""
    answer = render(request, "chronicle/embed.html", {**_page_context(link), "link": link, "campaign": link.campaign})
    answer["X-Robots-Tag"] = UNLISTED
    answer["Cross-Origin-Resource-Policy"] = "cross-origin"
    answer["Cache-Control"] = f"public, max-age={int(EMBED_KEPT_FOR.total_seconds())}"
    set_response_etag(answer)
    return get_conditional_response(request, etag=answer["ETag"], response=answer) or answer


def _page_context(link: ShareLink) -> dict[str, Any]:
    return {"page": public_page_of(link), "star_map": star_map_of(link.campaign)}


@never_cache
@open_page
def public_stories(request: HttpRequest, token: str) -> HttpResponse:
    """Show the stories of the public chronicle, newest first."""
    link = _link_of(token)
    page = Paginator(list(entries_of(link.campaign)), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    return _shown(request, link, {"entries": entries(page.object_list), "page": page})


@never_cache
@open_page
def chronicle_entry(request: HttpRequest, token: str, entry: UUID) -> HttpResponse:
    """Show one entry of the public chronicle."""
    link = _link_of(token)
    if not (found := entries(entries_of(link.campaign, only=entry))):
        raise Http404("No such entry")
    return _shown(request, link, {"entries": found, "one": found[0]})


@open_page
def public_photo(request: HttpRequest, token: str, picture: UUID, size: str) -> HttpResponse:
    """Send a picture of the campaign or of a closed battle."""
    link = _link_of(token)
    found = get_object_or_404(story_access.public_photos_of(link.campaign), pk=picture)
    answer = picture_answer(found, size, keep_for=FOR_STRANGERS)
    for name, value in ELSEWHERE.items():
        answer[name] = value
    return answer


@open_page
def public_card(request: HttpRequest, token: str) -> HttpResponse:
    """Send the preview picture that messengers show next to the link."""
    html = preview_html(_link_of(token).campaign)
    check_limit(request, "public_card")
    return png_answer(partial(after_action.picture_png, html, WIDTH, HEIGHT), PREVIEW)


def _card_of(link: ShareLink, entry: Any) -> str:
    """Return the address of the preview picture of a page: a battle has its own, the others that of the campaign."""
    if entry is not None and entry.battle is not None:
        return reverse("chronicle:public_after_action", args=[link.token, entry.key])
    return reverse("chronicle:public_card", args=[link.token])


def _shown(
    request: HttpRequest, link: ShareLink, context: dict[str, object], template: str = "chronicle/public.html"
) -> HttpResponse:
    card = request.build_absolute_uri(_card_of(link, context.get("one")))
    context |= {
        "campaign": link.campaign,
        "link": link,
        "picture": link.campaign.picture,
        "address": request.build_absolute_uri(request.path),
        "UNLISTED": UNLISTED,
        "card": {"address": card, "width": WIDTH, "height": HEIGHT},
    }
    response = render(request, template, context)
    response["X-Robots-Tag"] = UNLISTED
    return response


@require_safe
def book(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send the whole chronicle as a PDF (`?paper=letter` or `a5`, or `booklet` for A5 pages to fold); if that is
    impossible, as a page that says why (503).
    """
    campaign, _role = access.campaign_for(request.user, pk)
    check_limit(request, "book")
    return _printed(request, {"book": book_of(campaign, story_access.photos_of)})


@never_cache
@open_page
def public_book(request: HttpRequest, token: str) -> HttpResponse:
    """Send the public book, without names of accounts, places and notes."""
    campaign = _link_of(token).campaign
    check_limit(request, "public_book")
    words = {"book": book_of(campaign, story_access.public_photos_of, public=True), "token": token}
    response = _printed(request, words)
    response["X-Robots-Tag"] = UNLISTED
    return response


def _printed(request: HttpRequest, words: dict[str, Any]) -> HttpResponse:
    book: Book = words["book"]
    paper = choice(request.GET, "paper", "", BOOK_PAPERS).current
    booklet = paper == "booklet"
    words["paper"] = "a5" if booklet else paper
    html = render_to_string("chronicle/book.html", words)

    def page(**why: str) -> HttpResponse:
        return render(request, "chronicle/book.html", {**words, **why}, status=503)

    if html.count("<") > MOST_TAGS:
        return page(refused=_("This book is too long for a PDF. Print this page instead."))
    return pdf_answer(html, book.campaign.name, page, opened=opener(book.pictures), booklet=booklet)


@never_cache
@open_page
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send the newest entries of the public chronicle as an Atom feed, whose ids outlive a link that is renewed."""
    link = _link_of(token)
    campaign = link.campaign
    newest: list[FeedEntry] = [
        {
            "title": entry.title, "link": reverse("chronicle:public_entry", args=[token, entry.key]),
            "guid": entry.key.urn, "published": entry.at, "changed": entry.changed_at, "context": {"entry": entry},
        }
        for entry in entries(entries_of(campaign)[:NEWEST_IN_FEED])
    ]  # fmt: skip
    subtitle = _("The chronicle of %(campaign)s") % {"campaign": xml_text(campaign.name)}
    about = {"name": campaign.name, "subtitle": subtitle, "link": link.get_absolute_url(), "guid": campaign.pk.urn}
    response = feed_answer(request, "chronicle/_feed_item.html", newest, **about)
    response["X-Robots-Tag"] = UNLISTED
    return response
