"""Writing pieces of a campaign and its battles, changing and withdrawing them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.access import campaign_role, is_player, may_change_writing
from campaign.chronicle import CHANGED, WITHDRAWN
from campaign.models import Battle, Campaign, Kind, Writing
from campaign.services.chronicle import record
from campaign.services.locks import lock_campaign
from registers.markdown import too_large
from rules.refusal import Problem, refuse, refuse_any

LONGEST_TITLE, LONGEST_BYLINE = 120, 80
#: Ten pages of a book. What is longer is two pieces.
LONGEST_TEXT = 20_000


@transaction.atomic
def write(
    *,
    actor: User,
    campaign: Campaign,
    battle: Battle | None = None,
    title: str,
    text: str,
    byline: str = "",
    writing_id: UUID | None = None,
    version: int = 1,
) -> Writing:
    """A piece of `actor`, of a battle of the campaign or of the campaign itself; `text` is Markdown.

    `writing_id` is the primary key it shall have, so that a form which comes twice makes one; if it comes with other
    words, they are a change of what it made (of its `version`, see `change`). Refuses who does not play in the
    campaign, a battle that was called off or is another campaign's, a key of another piece, and what `problems` names.
    """
    locked = lock_campaign(campaign)
    if not is_player(actor, locked):
        raise refuse("", gettext("Only players of the campaign write."))
    if battle and (battle.campaign_id != campaign.pk or battle.status == Battle.Status.CANCELLED):
        raise refuse("", gettext("There is no such battle to write of."))
    words = _words(title, text, byline)
    refuse_any(problems(**words))
    piece, new = Writing.objects.get_or_create(
        pk=writing_id or uuid4(), defaults={"campaign": campaign, "battle": battle, "author": actor, **words}
    )
    if new:
        return piece
    if piece.author_id != actor.pk:
        raise refuse("", gettext("This piece is somebody else’s."))
    if (piece.campaign_id, piece.battle_id) != (campaign.pk, battle and battle.pk):
        raise refuse("", gettext("This form has written another piece already. Open it anew."))
    return _changed(actor, piece, version, words)


@transaction.atomic
def change(
    *, actor: User, writing_id: UUID, version: int, title: str, text: str, byline: str = ""
) -> Writing:
    """Other words for a piece. What says the same already changes nothing.

    `version` is that of the piece the words were written over. Refuses who may not change it, one that was withdrawn or
    has changed since, and what `problems` names.
    """
    return _changed(actor, _lock_for(actor, writing_id), version, _words(title, text, byline))


@transaction.atomic
def withdraw(*, actor: User, writing_id: UUID) -> None:
    """Withdraw a piece: nobody reads it any more, and its words are gone. Doing it again changes nothing.

    Refuses who may not change it.
    """
    piece = _lock_for(actor, writing_id)
    if piece.withdrawn_at:
        return
    piece.title = piece.byline = piece.text = ""
    piece.withdrawn_at = timezone.now()
    piece.save()
    _note(actor, piece, WITHDRAWN)


def problems(*, title: str, text: str, byline: str) -> Iterator[Problem]:
    """What keeps these words from being a piece: an empty title or text, what is too long, and large tables."""
    if not title:
        yield Problem("", gettext("Give the piece a title."), "title")
    if not text:
        yield Problem("", gettext("Write something."), "text")
    too_long = gettext("This has %(letters)d letters, %(most)d at most.")
    for name, said, most in (
        ("title", title, LONGEST_TITLE), ("text", text, LONGEST_TEXT), ("byline", byline, LONGEST_BYLINE),
    ):  # fmt: skip
        if len(said) > most:
            yield Problem("", too_long % {"letters": len(said), "most": most}, name)
    if len(text) <= LONGEST_TEXT and (why := too_large(text)):
        yield Problem("", why, "text")


def _changed(actor: User, piece: Writing, version: int, words: dict[str, str]) -> Writing:
    """Once the piece is locked."""
    if piece.withdrawn_at:
        raise refuse("", gettext("This piece was withdrawn."))
    if words == {name: getattr(piece, name) for name in words}:
        return piece
    if piece.version != version:
        raise refuse("", gettext("The piece was changed meanwhile. Compare, and send it again."))
    refuse_any(problems(**words))
    for name, said in words.items():
        setattr(piece, name, said)
    piece.version += 1
    piece.changed_at = timezone.now()
    piece.save()
    _note(actor, piece, CHANGED)
    return piece


def _words(title: str, text: str, byline: str) -> dict[str, str]:
    """The words as they are kept: lines end as Python ends them, and nothing is in them that cannot be printed."""
    return {"title": _line(title), "text": _plain(text).strip(), "byline": _line(byline)}


def _line(said: str) -> str:
    return " ".join(_plain(said).split())


def _plain(said: str) -> str:
    lines = said.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or unicodedata.category(letter) != "Cc")


def _lock_for(actor: User, writing_id: UUID) -> Writing:
    """The piece, locked, for somebody who may change it; refuse anybody else."""
    campaign = lock_campaign(Campaign.objects.get(writings=writing_id))
    piece = Writing.objects.select_for_update(of=("self",)).select_related("author").get(pk=writing_id)
    piece.campaign = campaign
    if not may_change_writing(campaign_role(actor, campaign), piece):
        raise refuse("", gettext("Only its author and the organisers change a piece."))
    return piece


def _note(actor: User, piece: Writing, what: str) -> None:
    """What is done with the piece of somebody else is written down."""
    if actor.pk != piece.author_id:
        record(
            actor=actor, campaign=piece.campaign, kind=Kind.WRITING, acting_for=piece.author,
            user=piece.author_id, writing=str(piece.pk), what=what,
        )  # fmt: skip
