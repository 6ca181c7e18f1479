"""Events in the admin, read-only: only `tournaments.services` changes them, and the site's pages do so for staff."""

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from unfold.admin import TabularInline

from core.admin import ReadOnly, ReadOnlyInline, column, organizers
from lists.admin import unit_names
from tournaments.models import Entry, Event, Game, JudgeCall, League, LogLine, Membership, Round, SubmittedList


@admin.display(description="result")
def result_text(game: Game) -> str:
    """Return the result of a game in words, with the points and tokens of the first and second player."""
    if game.second_id is None:
        return "bye"
    if not game.how:
        return "—"
    winner = game.winner.name if game.winner else "nobody"
    points = f"{game.first_points}:{game.second_points} points, {game.first_tokens}:{game.second_tokens} tokens"
    return f"{winner} ({game.how}), {points}"


class LeaderInline(ReadOnlyInline, TabularInline):
    """The organizers and judges of an event. They get their roles on the event's pages, which log every change."""

    model = Membership
    fields = readonly_fields = ("user", "role")
    related = ("user", "event")
    hide_title = True
    verbose_name_plural = "Organizers and judges"


@admin.register(Event)
class EventAdmin(ReadOnly):
    """Events."""

    list_display = ("name", "rules_and_tier", "state", "starts_at", "place", "organizers", "players", "league")
    list_filter = ("state", "rule_set", "tier", "league")
    list_select_related = ("league",)
    search_fields = ("name", "place", "entries__name", "memberships__user__username", "league__name")
    search_help_text = "Name of an event, its place, a player, an organizer or judge, or its league"
    date_hierarchy = "starts_at"
    fields = (
        "name", "pages", "rules_and_tier", "state", "starts_at", "time_zone", "place", "about", "league", "players",
        "army_size", "structure", "rounds", "cut", "frozen_players", "registration_limit", "registration_deadline",
        "lists_required", "lists_published", "hands_published", "other_cards", "clubs_apart", "team_size",
        "team_best", "trophies", "voted_trophy", "table_count", "table_names", "kept_tables", "schedule", "price",
        "payment_link", "announcement", "awarded_points",
        "bye_tokens", "bye_is_opponent", "skips_unpaired_losses", "bracket_minutes", "deck_of_2020", "draw_commitment",
        "created_at",
    )  # fmt: skip
    inlines = (LeaderInline,)
    organizers = organizers

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with their leaders and the number of their players."""
        left = Q(entries__state__in=(Entry.State.WAITING, Entry.State.DROPPED, Entry.State.EJECTED))
        events = super().get_queryset(request).prefetch_related("memberships__user")
        return events.annotate(n_players=Count("entries", filter=~left, distinct=True))

    rules_and_tier = column(
        "rules",
        lambda event: f"{event.rule_set} {event.get_tier_display()}" if event.rule_set == "TR" else event.rule_set,
        "rule_set",
    )

    players = column("players", lambda event: int(event.n_players), "n_players")
    # The seed is not shown (E23): staff may play.
    draw_commitment = column("commitment of the draw", lambda event: event.commitment)

    @admin.display(description="pages")
    def pages(self, event: Event) -> str:
        """Return links to the event on the site and to its rows in the admin."""
        models = (("Players", "entry"), ("Rounds", "round"), ("Judge calls", "judgecall"), ("Log", "logline"))
        links = [(event.get_absolute_url(), "On the site")]
        for name, model in models:
            links.append((f"{reverse(f'admin:tournaments_{model}_changelist')}?event__id__exact={event.pk}", name))
        return format_html_join(" · ", '<a href="{}">{}</a>', links)


class SubmittedListInline(ReadOnlyInline, TabularInline):
    """All versions of a player's army list (E9)."""

    model = SubmittedList
    fields = readonly_fields = ("number", "faction", "battle_force", "points", "submitted_at", "accepted_by")
    related = ("accepted_by", "entry")
    hide_title = True
    show_change_link = True


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Players of events. Personal links are not shown: anyone who has one acts for the player."""

    list_display = ("name", "event", "number", "state", "user", "club", "warnings", "army_points", "paid")
    list_filter = ("state", "paid", "event__state", "event__rule_set")
    list_select_related = ("event", "user")
    search_fields = ("name", "user__username", "club", "event__name")
    search_help_text = "Name of a player, of an account, a club, or an event"
    fields = (
        "event", "number", "name", "user", "claimant", "state", "club", "note", "paid", "warnings", "army_points",
        "fixed_table", "list_unlocked", "replaceable", "registered_at",
    )  # fmt: skip
    inlines = (SubmittedListInline,)


class GameInline(ReadOnlyInline, TabularInline):
    """The games of a round."""

    model = Game
    fields = readonly_fields = ("table", "first", "second", "state", result_text)
    related = ("first", "second", "winner", "round__event")
    hide_title = True
    show_change_link = True


@admin.register(Round)
class RoundAdmin(ReadOnly):
    """Rounds with their games."""

    list_display = ("event", "number", "stage", "state", "games_and_results", "started_at")
    list_filter = ("state", "stage", "event__state")
    list_select_related = ("event",)
    search_fields = ("event__name",)
    search_help_text = "Name of an event"
    fields = ("event", "number", "stage", "state", "started_at", "games_and_results")
    inlines = (GameInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        """Return the rounds with the number of their games and results."""
        played = Q(games__second__isnull=False)
        return (
            super()
            .get_queryset(request)
            .annotate(
                n_games=Count("games", filter=played),
                n_results=Count("games", filter=played & Q(games__state=Game.State.CONFIRMED)),
            )
        )

    games_and_results = column("results", lambda each: f"{each.n_results}/{each.n_games}")


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Games and byes."""

    list_display = ("players", "round__event", "round__number", "table", "state", result_text, "reported_at")
    list_filter = ("state", "how", "round__stage", "round__event__state")
    list_select_related = ("round__event", "first", "second", "winner")
    search_fields = ("first__name", "second__name", "round__event__name")
    search_help_text = "Name of a player or an event"
    fields = (
        "round", "place", "table", "first", "second", "state", result_text, "how", "winner", "by", "blue", "roll",
        "agreed", "first_points", "second_points", "first_tokens", "second_tokens", "mission", "reported_by",
        "reported_at", "dispute", "extension", "version",
    )  # fmt: skip

    players = column("players", lambda game: f"{game.first} – {game.second}" if game.second else f"{game.first}: bye")


@admin.register(SubmittedList)
class SubmittedListAdmin(ReadOnly):
    """Army lists of events. Command hands show only their size: staff may play (E10)."""

    list_display = ("entry", "event", "number", "faction", "battle_force", "points", "problems", "submitted_at")
    list_filter = ("faction", "entry__event__state")
    list_select_related = ("entry__event",)
    search_fields = ("entry__name", "entry__event__name", "battle_force")
    search_help_text = "Name of a player, an event, or a battle force"
    fields = (
        "event", "entry", "number", "faction", "battle_force", "points", "loadout_points", unit_names, "hand",
        "battle_cards", "problems", "accepted_by", "accepted_reason", "submitted_by", "submitted_at",
    )  # fmt: skip

    event = column("event", lambda submitted: submitted.entry.event.name, "entry__event__name")

    hand = column("command hand", lambda submitted: f"{len(submitted.command_hand)} cards")
    battle_cards = column(
        "battle cards", lambda submitted: f"{len(submitted.battle_deck) + sum(map(len, submitted.typed_deck))} cards"
    )
    problems = column("problems", lambda submitted: " ".join(each["text"] for each in submitted.violations) or "none")


@admin.register(JudgeCall)
class JudgeCallAdmin(ReadOnly):
    """Judge calls with their rulings (E3)."""

    list_display = ("event", "round_number", "table", "state", "caller", "judge", "called_at", "ruled_at", "overruled")
    list_filter = ("state", "overruled", "event__state")
    list_select_related = ("event", "caller", "judge")
    search_fields = ("event__name", "caller__name", "judge__username", "question", "ruling")
    search_help_text = "Name of an event, a player or a judge, or words of a question or ruling"
    date_hierarchy = "called_at"
    fields = (
        "event", "round_number", "table", "state", "caller", "question", "called_at", "judge", "taken_at", "ruling",
        "ruled_at", "appealed_by", "appeal_judge", "appeal_ruling", "overruled", "appeal_ruled_at",
    )  # fmt: skip


@admin.register(League)
class LeagueAdmin(ReadOnly):
    """Leagues."""

    list_display = ("name", "owner", "number_of_events", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username", "events__name")
    search_help_text = "Name of a league, its owner, or one of its events"
    fields = ("name", "owner", "about", "points", "participation_points", "number_of_events", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        """Return the leagues with the number of their events."""
        return super().get_queryset(request).annotate(n_events=Count("events", distinct=True))

    number_of_events = column("events", lambda league: int(league.n_events))


@admin.register(LogLine)
class LogLineAdmin(ReadOnly):
    """The public logs of all events, newest first."""

    list_display = ("at", "event", "kind", "actor", "reason")
    list_filter = ("kind",)
    list_select_related = ("event", "actor")
    search_fields = ("event__name", "actor__username", "reason")
    search_help_text = "Name of an event or a person, or words of a reason"
    date_hierarchy = "at"
    fields = ("event", "at", "kind", "actor", "reason", "facts")
