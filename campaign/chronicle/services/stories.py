"""Add stories and photos to the chronicle, and manage its public link."""

from collections.abc import Iterable
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.access import campaign_role
from campaign.battles.models import Battle
from campaign.chronicle.access import may_change_story, may_remove_photo
from campaign.chronicle.models import BattlePhoto, ShareLink, Story
from campaign.models import ActivityKind, Campaign, Subject
from campaign.models.activity import CHANGED, CLOSED, OPENED, PLACES_HIDDEN, PLACES_SHOWN, RENEWED, WITHDRAWN
from campaign.services.activity import log_activities, log_activity
from campaign.services.locks import lock_campaign, lock_organized
from campaign.services.texts import text_violations
from campaign.services.webhooks import post
from core.plain_text import one_line, plain_text
from core.tokens import new_token
from members.roles import is_player
from notifications.discord import escaped
from rules.core.violations import raise_if_any, refuse
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures

ONLY_ORGANIZERS = gettext_noop("Only organizers can change the public link.")
#: The text: ten pages of a book. Players split longer stories.
LONGEST = {"title": 120, "text": 20_000, "byline": 80}


@transaction.atomic
def write(
    *,
    actor: User,
    campaign: Campaign,
    battle: Battle | None = None,
    title: str,
    text: str,
    byline: str = "",
    story_id: UUID | None = None,
    version: int = 1,
) -> Story:
    """Save a new story by `actor` about a battle of the campaign or the campaign itself; `text` is Markdown.
    `story_id` is its primary key, so that a form sent twice creates one; with different text, the second form changes
    the story it created (`version`: see `change`). Refuses anyone who does not play in the campaign, a battle that was
    canceled or is in another campaign, a key of another story, and everything that `text_violations` names.
    """
    locked = lock_campaign(campaign, until=Campaign.State.CLOSED)
    if not is_player(actor, locked):
        raise refuse("", gettext("Only players of the campaign can add stories."))
    if battle and (battle.campaign_id != campaign.pk or battle.status == Battle.Status.CANCELLED):
        raise refuse("", gettext("You cannot write about this battle."))
    words = _words(title, text, byline)
    raise_if_any(text_violations(words, LONGEST))
    story, new = Story.objects.get_or_create(
        pk=story_id or uuid4(), defaults={"campaign": campaign, "battle": battle, "author": actor, **words}
    )
    if new:
        # Without a byline it names nobody, as on the public page.
        sentence = gettext("%(title)s, a story by %(author)s") if story.byline else gettext("%(title)s, a new story")
        by = sentence % {"title": f"**{escaped(story.title)}**", "author": escaped(story.byline)}
        page = battle.get_absolute_url() if battle else reverse("chronicle:index", args=[locked.pk])
        post(locked, Subject.STORY, [f"{by} ({escaped(str(locked))})"], page, key=story.pk)
        return story
    if story.author_id != actor.pk:
        raise refuse("", gettext("This story belongs to another player."))
    if (story.campaign_id, story.battle_id) != (campaign.pk, battle and battle.pk):
        raise refuse("", gettext("This form has already added a story. Start a new one."))
    return _changed(actor, story, version, words)


@transaction.atomic
def change(*, actor: User, story_id: UUID, version: int, title: str, text: str, byline: str = "") -> Story:
    """Change a story. Identical text changes nothing. `version` is that of the story when the form was drawn. Refuses
    anyone who may not change it, a story that was withdrawn or has changed since then, and everything that
    `text_violations` names.
    """
    return _changed(actor, _lock_for(actor, story_id), version, _words(title, text, byline))


@transaction.atomic
def withdraw(*, actor: User, story_id: UUID) -> None:
    """Withdraw a story and delete its text. Repeating it changes nothing. Refuses anyone who may not change it."""
    story = _lock_for(actor, story_id)
    if story.withdrawn_at:
        return
    story.title = story.byline = story.text = ""
    story.withdrawn_at = timezone.now()
    story.save()
    _note(actor, story, WITHDRAWN)


def _changed(actor: User, story: Story, version: int, words: dict[str, str]) -> Story:
    if story.withdrawn_at:
        raise refuse("", gettext("This story was deleted."))
    if words == {name: getattr(story, name) for name in words}:
        return story
    if story.version != version:
        raise refuse("", gettext("The story was changed on another page. Compare both versions, then save again."))
    raise_if_any(text_violations(words, LONGEST))
    for name, value in words.items():
        setattr(story, name, value)
    story.version += 1
    story.changed_at = timezone.now()
    story.save()
    _note(actor, story, CHANGED)
    return story


def _words(title: str, text: str, byline: str) -> dict[str, str]:
    """Return the text as it is stored: with uniform line ends, and without unprintable characters."""
    return {"title": one_line(title), "text": plain_text(text), "byline": one_line(byline)}


def _lock_for(actor: User, story_id: UUID) -> Story:
    campaign = lock_campaign(Q(stories=story_id), until=Campaign.State.CLOSED)
    story = Story.objects.select_for_update(of=("self",)).select_related("author").get(pk=story_id)
    story.campaign = campaign
    if not may_change_story(campaign_role(actor, campaign), story):
        raise refuse("", gettext("Only its author and the organizers can edit a story."))
    return story


def _note(actor: User, story: Story, what: str) -> None:
    if actor.pk != story.author_id:
        log_activity(
            actor=actor, campaign=story.campaign, kind=ActivityKind.WRITING, on_behalf_of=story.author,
            user=story.author_id, writing=str(story.pk), what=what,
        )  # fmt: skip


#: More would be an album, not a page of a chronicle.
MOST_OF_A_BATTLE = 12


def add_battle_photo(*, actor: User, battle: Battle, sent: bytes, alt: str, picture_id: UUID | None = None) -> Picture:
    """Add a picture to a battle; `picture_id` is its primary key, so that a form sent twice adds one. Refuses anyone
    who does not play in the campaign, a canceled battle, more than MOST_OF_A_BATTLE pictures, and everything that
    `uploads` refuses: a file that is too big or no picture, and a missing description.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        campaign = lock_campaign(battle.campaign, until=Campaign.State.CLOSED)
        if not is_player(actor, campaign):
            raise refuse("", gettext("Only players of the campaign can add pictures."))
        if Battle.objects.filter(pk=battle.pk, status=Battle.Status.CANCELLED).exists():
            raise refuse("", gettext("This battle was canceled."))
        there = {each.picture_id: each.picture for each in _of(battle)}
        if picture_id in there:
            return pictures.same(there[picture_id], actor=actor, drawn=image, alt=alt)
        if len(there) >= MOST_OF_A_BATTLE:
            sentence = gettext("A battle has up to %(most)d pictures. Remove one first.")
            raise refuse("", sentence % {"most": MOST_OF_A_BATTLE}, "file")
        picture = pictures.keep(actor=actor, drawn=image, alt=alt, picture_id=picture_id)
        BattlePhoto.objects.create(battle=battle, picture=picture)
        return picture


@transaction.atomic
def remove_battle_photo(*, actor: User, battle: Battle, picture_id: UUID) -> None:
    """Remove a picture of a battle. Repeating it changes nothing. Refuses anyone but its uploader while they play, and
    the organizers.
    """
    if picture := _own_photo(actor, battle, picture_id):
        pictures.remove(picture=picture)


@transaction.atomic
def focus_battle_photo(*, actor: User, battle: Battle, picture_id: UUID, point: tuple[int, int] | None) -> None:
    """Set the point in view of a picture of a battle, in percent. Refuses whom `remove_battle_photo` refuses."""
    pictures.set_focus(picture=_own_photo(actor, battle, picture_id), point=point)


def _own_photo(actor: User, battle: Battle, picture_id: UUID) -> Picture | None:
    campaign = lock_campaign(battle.campaign, until=Campaign.State.CLOSED)
    found = _of(battle).filter(picture=picture_id).first()
    if found and not may_remove_photo(campaign_role(actor, campaign), found.picture):
        raise refuse("", gettext("Only the person who added a picture and the organizers can change it."))
    return found.picture if found else None


def set_campaign_photo(
    *, actor: User, campaign: Campaign, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """Set the picture of a campaign in place of its current one. Repeating it changes nothing. Refuses anyone but an
    organizer, and everything that `uploads` refuses.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        return pictures.show(
            actor=actor, on=_locked_for(actor, campaign), drawn=image, alt=alt, picture_id=picture_id
        )  # fmt: skip


@transaction.atomic
def remove_campaign_photo(*, actor: User, campaign: Campaign) -> None:
    """Remove the picture of a campaign. Repeating it changes nothing. Refuses anyone but an organizer."""
    pictures.take_off(on=_locked_for(actor, campaign))


@transaction.atomic
def focus_campaign_photo(*, actor: User, campaign: Campaign, point: tuple[int, int] | None) -> None:
    """Set the point in view of the picture of a campaign, in percent. Refuses anyone but an organizer."""
    pictures.set_focus(picture=_locked_for(actor, campaign).picture, point=point)


def _locked_for(actor: User, campaign: Campaign) -> Campaign:
    sentence = gettext("Only organizers can change the campaign picture.")
    return lock_organized(actor, campaign, sentence, until=Campaign.State.CLOSED)


def _of(battle: Battle) -> QuerySet[BattlePhoto]:
    return BattlePhoto.objects.filter(battle=battle).select_related("picture")


@transaction.atomic
def open_chronicle(*, actor: User, campaign: Campaign) -> ShareLink:
    """Open the chronicle to all who have the link, if it is not open already. Refuses anyone but an organizer."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    link, new = ShareLink.objects.get_or_create(
        campaign=campaign, defaults={"made_by": actor, "made_at": timezone.now()}
    )
    if new:
        log_activity(actor=actor, campaign=campaign, kind=ActivityKind.PUBLIC, what=OPENED)
    return link


@transaction.atomic
def renew(*, actor: User, campaign: Campaign, token: str) -> ShareLink | None:
    """Replace the public link with `token` by a new one; the old link stops working. If another link has replaced it
    already, nothing changes, so a form sent twice renews it once. Return None if the chronicle is not open. Refuses
    anyone but an organizer of the campaign.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    link = ShareLink.objects.filter(campaign=campaign).first()
    if link and link.token == token:
        link.token, link.made_by, link.made_at = new_token(), actor, timezone.now()
        link.save()
        log_activity(actor=actor, campaign=campaign, kind=ActivityKind.PUBLIC, what=RENEWED)
    return link


@transaction.atomic
def set_show_places(*, actor: User, campaign: Campaign, show: bool) -> ShareLink | None:
    """Set whether the public page says where planned battles take place. Repeating it changes nothing. Return None if
    the page is not public. Refuses anyone but an organizer of the campaign.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    link = ShareLink.objects.filter(campaign=campaign).first()
    if link and link.show_places != show:
        link.show_places = show
        link.save(update_fields=["show_places"])
        log_activity(
            actor=actor, campaign=campaign, kind=ActivityKind.PUBLIC, what=PLACES_SHOWN if show else PLACES_HIDDEN
        )  # fmt: skip
    return link


@transaction.atomic
def close_chronicle(*, actor: User, campaign: Campaign) -> None:
    """Close the public link of the chronicle. Repeating it changes nothing. Refuses anyone but an organizer."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    close_all(actor=actor, links=ShareLink.objects.filter(campaign=campaign).select_related("campaign"))


def close_all(*, actor: User, links: Iterable[ShareLink]) -> None:
    """Close the chronicles of locked campaigns by deleting these links."""
    links = list(links)
    ShareLink.objects.filter(pk__in=[link.pk for link in links]).delete()
    log_activities(actor=actor, kind=ActivityKind.PUBLIC, lines=((link.campaign, {"what": CLOSED}) for link in links))
