"""Before the day: settings, states, registration, waiting list, leaders and claims (E1–E2, E5–E7, E9, E11, E14–E16)."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from accounts.models import User
from core.table_forms import ColumnsForm, TableForm
from core.tables import rows_of
from members.models import Role
from members.services import invitations, membership
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.tournaments.factories import organizer
from tournaments.forms.entries import PLAYER_FIELDS, read_players
from tournaments.models import Entry, Event, LogLine, Membership, StructureChoice, Tier
from tournaments.pages.events import options_in_force
from tournaments.pages.undo import undo_page
from tournaments.queries.events import plan_for
from tournaments.queries.undo import Undoable, find_target
from tournaments.roles import role_title
from tournaments.services import entries, entries as services, events, leaders
from tournaments.services.entries import NewPlayer
from tournaments.services.events import change_settings, locked_settings
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db
GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
START = NOW + timedelta(days=8)


@pytest.fixture
def olga():
    return organizer()


@pytest.fixture
def event(olga):
    return open_event(olga)


@once
def open_event(olga, rule_set=GC, **changes):
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=rule_set, starts_at=START)
    change_settings(actor=olga, event=event, changes=changes)
    return events.open_registration(actor=olga, event=event)


def people(*names):
    return [User.objects.create_user(name) for name in names]


def register(user, event, now=NOW, **words):
    return services.register(actor=user, event=event, name=words.pop("name", user.username), now=now, **words)


def states(event):
    return dict(event.entries.order_by("number").values_list("name", "state"))


def refused(act, **words):
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return [(each.rule, each.about) for each in caught.value.violations]


def log(event, kind):
    return list(event.log.filter(kind=kind).order_by("pk").values_list("reason", "facts"))


class TestStates:
    def test_a_draft_opens_closes_opens_again_and_is_cancelled(self, olga):
        event = events.create_event(actor=olga, name="Winter", rule_set=GC, starts_at=START)
        for act in ("open", "open", "close", "close", "open"):
            {"open": events.open_registration, "close": events.close_registration}[act](actor=olga, event=event)
        for _twice in range(2):
            events.cancel_event(actor=olga, event=event, reason=" The store is closed. ")
        assert log(event, "state") == [
            ("", {"before": "draft", "after": "open"}),
            ("", {"before": "open", "after": "closed"}),
            ("", {"before": "closed", "after": "open"}),
            ("The store is closed.", {"before": "open", "after": "cancelled"}),
        ]

    def test_opening_needs_a_date_and_cancelling_a_reason(self, olga):
        event = events.create_event(actor=olga, name="Winter", rule_set=GC)
        assert refused(events.open_registration, actor=olga, event=event) == [("", "starts_at")]
        assert refused(events.close_registration, actor=olga, event=event) == [("E6", "")]
        assert refused(events.cancel_event, actor=olga, event=event, reason=" ") == [("", "reason")]

    def test_only_organizers_change_the_state(self, event):
        (ada,) = people("ada")
        assert refused(events.close_registration, actor=ada, event=event) == [("", "")]

    @pytest.mark.parametrize("state", [Event.State.RUNNING, Event.State.FINISHED])
    def test_registration_does_not_open_once_the_event_has_started(self, olga, event, state):
        Event.objects.update(state=state)
        assert refused(events.open_registration, actor=olga, event=event) == [("", "")]


class TestRegistering:
    def test_a_person_registers_once(self, event):
        (ada,) = people("ada")
        first, again = (register(ada, event, club=" Lions ", note="late") for _ in range(2))
        assert first == again
        assert list(event.entries.values_list("number", "name", "user", "state", "club", "note")) == [
            (1, "ada", ada.pk, "registered", "Lions", "late")
        ]
        assert log(event, "entered") == [("", {"entry": 1})]

    @pytest.mark.parametrize(
        "changes",
        [
            {"state": Event.State.DRAFT}, {"state": Event.State.CLOSED}, {"state": Event.State.RUNNING},
            {"state": Event.State.CANCELLED}, {"registration_deadline": NOW - timedelta(minutes=1)},
        ],
    )  # fmt: skip
    def test_registration_has_its_time(self, event, changes):
        Event.objects.update(**changes)
        (ada,) = people("ada")
        assert refused(register, user=ada, event=event) == [("E6", "")]

    def test_two_players_do_not_share_a_name(self, event):
        ada, ben = people("ada", "ben")
        register(ada, event)
        assert refused(register, user=ben, event=event, name="ADA") == [("E11", "name")]

    def test_the_waiting_list_moves_up_in_order(self, olga, event):
        """E6: by withdrawing, and by a higher limit."""
        change_settings(actor=olga, event=event, changes={"registration_limit": 1})
        ada, ben, cid, dan = people("ada", "ben", "cid", "dan")
        for minute, user in enumerate((ada, ben, cid, dan)):
            register(user, event, now=NOW + timedelta(minutes=minute))
        assert states(event) == {"ada": "registered", "ben": "waiting", "cid": "waiting", "dan": "waiting"}
        for _twice in range(2):
            services.withdraw(actor=ada, entry=event.entries.get(user=ada))
        assert states(event) == {"ada": "dropped", "ben": "registered", "cid": "waiting", "dan": "waiting"}
        register(ada, event, now=NOW + timedelta(hours=1))
        change_settings(actor=olga, event=event, changes={"registration_limit": 2})
        assert states(event) == {"ada": "waiting", "ben": "registered", "cid": "registered", "dan": "waiting"}
        change_settings(actor=olga, event=event, changes={"registration_limit": None})
        assert set(states(event).values()) == {"registered"}
        assert log(event, "entry")[:2] == [
            ("", {"entry": 1, "before": "registered", "after": "dropped"}),
            ("", {"entries": [2], "before": "waiting", "after": "registered", "moved_up": True}),
        ]

    def test_the_waiting_list_moves_up_into_every_free_place(self, olga, event):
        """E6: by ejecting, dropping and dropping out before the start. Marking as absent is undone by one tap."""
        change_settings(actor=olga, event=event, changes={"registration_limit": 4})
        added = services.add_players(actor=olga, event=event, players=list(map(NewPlayer, "ABCDEFGH")), now=NOW)
        services.check_in(actor=olga, event=event, entries=added[2:4])
        services.eject(actor=olga, entry=added[0], reason="Cheated.")
        services.mark_absent(actor=olga, event=event, entries=added[1:2])
        assert list(states(event).values())[4:] == ["registered", "waiting", "waiting", "waiting"]
        services.drop(actor=olga, entry=added[2])
        services.drop(actor=None, entry=added[3], own=added[3])
        assert states(event) == {"A": "ejected"} | dict.fromkeys("BCD", "dropped") | dict.fromkeys("EFGH", "registered")

    def test_nobody_comes_back_to_a_place_that_is_taken(self, olga, event):
        """E6: an absence or a drop is undone while a place is free; an ejected player is on the waiting list again."""
        change_settings(actor=olga, event=event, changes={"registration_limit": 3})
        a, b, c, *_ = services.add_players(actor=olga, event=event, players=list(map(NewPlayer, "ABCDEF")), now=NOW)
        services.mark_absent(actor=olga, event=event, entries=[a])
        services.drop(actor=olga, entry=b)  # two places are free: D and E move up
        services.eject(actor=olga, entry=c, reason="Cheated.")
        before = {"A": "dropped", "B": "dropped", "C": "ejected"} | dict.fromkeys("DEF", "registered")
        assert states(event) == before
        assert refused(services.undo_check_in, actor=olga, event=event, entries=[a]) == [("E6", "")]
        assert refused(services.rejoin, actor=olga, entry=b) == [("E6", "")]
        target = find_target(Event.objects.get(), Undoable.EJECT, c.number)
        assert undo_page(target).text == ("The event is full: C is on the waiting list now. Give them a place by hand.")
        change_settings(actor=olga, event=event, changes={"registration_limit": 4})
        words = {"actor": olga, "event": event, "act": Undoable.EJECT, "number": c.number, "reason": "His brother."}
        with pytest.raises(RuleViolation, match="This was changed a moment ago"):  # C would get a place
            undo(**words, token=target.token)
        change_settings(actor=olga, event=event, changes={"registration_limit": 3})
        undo(**words, token=target.token)
        assert states(event) == before | {"C": "waiting"}
        change_settings(actor=olga, event=event, changes={"registration_limit": 6})
        services.undo_check_in(actor=olga, event=event, entries=[a])
        services.rejoin(actor=olga, entry=b)
        assert set(states(event).values()) == {"registered"}

    def test_withdrawing_ends_with_the_start_and_is_for_oneself(self, event):
        ada, ben = people("ada", "ben")
        entry = register(ada, event)
        assert refused(services.withdraw, actor=ben, entry=entry) == [("", "")]
        Event.objects.update(state=Event.State.RUNNING)
        assert refused(services.withdraw, actor=ada, entry=entry) == [("E25", "")]

    def test_a_personal_link_withdraws_without_an_account(self, olga, event):
        (entry,) = services.add_players(actor=olga, event=event, players=[NewPlayer("Zoe")], now=NOW)
        services.withdraw(actor=None, entry=entry)
        assert states(event) == {"Zoe": "dropped"}

    def test_organizers_move_players_by_hand(self, olga, event):
        change_settings(actor=olga, event=event, changes={"registration_limit": 1})
        ada, ben = (register(user, event) for user in people("ada", "ben"))
        move = {"actor": olga, "now": NOW + timedelta(days=1)}
        for _twice in range(2):
            services.move_entry(**move, entry=ben, state="registered")
        assert states(event) == {"ada": "registered", "ben": "registered"}
        services.move_entry(**move, entry=ada, state="waiting")
        assert states(event) == {"ada": "waiting", "ben": "registered"}
        assert refused(services.move_entry, **move, entry=ada, state="playing") == [("E6", "")]
        Entry.objects.filter(pk=ben.pk).update(state="ejected")
        assert refused(services.move_entry, **move, entry=ben, state="registered") == [("E4", "")]


class TestLeadersWhoPlay:
    """E2."""

    @pytest.mark.parametrize(
        ("rule_set", "tier", "others", "allowed"),
        [
            (GC, Tier.CASUAL, 0, False), (GC, Tier.CASUAL, 1, True), (TR, Tier.COMPETITIVE, 1, False),
            (TR, Tier.CASUAL, 0, False), (TR, Tier.CASUAL, 1, True),
        ],
    )  # fmt: skip
    def test_a_leader_plays_in_a_casual_tournament_with_another_leader(self, olga, rule_set, tier, others, allowed):
        event = open_event(olga, rule_set, tier=tier)
        for user in people("judge")[:others]:
            Membership.objects.create(event=event, user=user, role=Role.JUDGE)
        if allowed:
            assert register(olga, event).state == "registered"
        else:
            assert refused(register, user=olga, event=event) == [("E2", "")]

    def test_an_override_stands_in_the_log_with_its_reason(self, olga, event):
        words = {"actor": olga, "event": event, "user": olga, "now": NOW}
        assert refused(services.register_leader, **words, reason=" ") == [("E2", "reason")]
        first, again = (services.register_leader(**words, reason="An odd number") for _ in range(2))
        assert (first, states(event)) == (again, {"olga": "registered"})
        assert log(event, "override") == [("An odd number", {"rule": "E2", "entry": 1})]

    def test_only_leaders_need_an_override(self, olga, event):
        (ada,) = people("ada")
        words = {"actor": olga, "event": event, "user": ada, "now": NOW, "reason": "why"}
        assert refused(services.register_leader, **words) == [("E2", "user")]

    def test_a_player_does_not_become_a_leader(self, olga, event):
        (ada,) = people("ada")
        entry = register(ada, event)
        link = invitations.invite(actor=olga, group=event, role=Role.JUDGE)
        assert refused(leaders.add_leader, actor=olga, event=event, username="Ada") == [("E2", "username")]
        assert refused(leaders.join, actor=ada, invitation=link) == [("E2", "")]
        services.withdraw(actor=ada, entry=entry)
        leaders.join(actor=ada, invitation=link)
        assert event.memberships.get(user=ada).role == Role.JUDGE
        assert refused(services.move_entry, actor=olga, entry=entry, state="registered", now=NOW) == [("E2", "")]

    def test_a_casual_player_may_judge(self, olga):
        event = open_event(olga, TR)
        (ada,) = people("ada")
        register(ada, event)
        assert leaders.add_leader(actor=olga, event=event, username="ada") == ada

    def test_there_is_one_head_judge(self, olga, event):
        """E1: even if two invitations were sent."""
        ada, ben = people("ada", "ben")
        link = invitations.invite(actor=olga, group=event, role=Role.HEAD_JUDGE, max_uses=2)
        leaders.join(actor=ada, invitation=link)
        assert refused(leaders.join, actor=ben, invitation=link) == [("E1", "")]
        membership.add_member(actor=olga, group=event, username="ben")
        assert refused(leaders.give_role, actor=olga, event=event, user=ben, role=Role.HEAD_JUDGE) == [("", "role")]

    def test_roles_have_the_words_of_the_rule_set(self):
        assert [[role_title(each, role) for role in Event.roles] for each in (GC, TR)] == [
            ["Event Organizer", "Head Consular", "Consular"],
            ["Tournament Organizer", "Head Judge", "Judge"],
        ]


class TestPlayersByName:
    """E5, E11."""

    def test_they_are_added_all_or_none_and_once(self, olga, event):
        change_settings(actor=olga, event=event, changes={"registration_limit": 2})
        words = {"actor": olga, "event": event, "now": NOW}
        players = [NewPlayer(" Ada "), NewPlayer("Ben", "Lions", "late", paid=True), NewPlayer("Cid")]
        for _twice in range(2):
            services.add_players(**words, players=players, after=0)
        assert list(event.entries.values_list("number", "name", "club", "note", "paid", "state")) == [
            (1, "Ada", "", "", False, "registered"),
            (2, "Ben", "Lions", "late", True, "registered"),
            (3, "Cid", "", "", False, "waiting"),
        ]
        assert log(event, "entered") == [("", {"entries": [1, 2, 3]})]
        more = [NewPlayer("Dan"), NewPlayer("ben"), NewPlayer("dan"), NewPlayer("E" * 81)]
        assert refused(services.add_players, **words, players=more, after=3) == [
            ("E11", "ben"), ("E11", "dan"), ("", "E" * 81)
        ]  # fmt: skip
        assert refused(services.add_players, **words, players=[]) == [("", "")]
        assert event.entries.count() == 3

    def test_late_entries_play_with_an_unpaired_loss(self, olga, event):
        added = services.add_players(actor=olga, event=event, players=[NewPlayer(name) for name in "ABCD"], now=NOW)
        entries.check_in(actor=olga, event=event, entries=added)
        events.start(actor=olga, event=event, reason="Lists are on paper.")
        (late,) = services.add_players(actor=olga, event=event, players=[NewPlayer("E", "Lions")], now=NOW)
        assert (late.state, late.club) == ("playing", "Lions")

    def test_an_entry_is_edited_field_by_field(self, olga, event):
        ada, ben = services.add_players(actor=olga, event=event, players=[NewPlayer("Ada"), NewPlayer("Ben")], now=NOW)
        edit = services.edit_entry
        for _twice in range(2):
            edit(actor=olga, entry=ada, changes={"fixed_table": 3, "note": "wheelchair", "state": "cut"})
        assert log(event, "entry") == [("", {"entry": 1, "changed": ["fixed_table"], "fixed_table": [None, 3]})]
        assert refused(edit, actor=olga, entry=ben, changes={"fixed_table": 3}) == [("E22", "fixed_table")]
        assert refused(edit, actor=olga, entry=ben, changes={"name": "ada"}) == [("E11", "name")]
        assert refused(edit, actor=olga, entry=ben, changes={"army_points": 0}) == [("", "army_points")]
        ada.refresh_from_db()
        assert (ada.fixed_table, ada.note, ada.state) == (3, "wheelchair", "registered")

    def test_a_table_of_players_is_read_line_by_line(self):
        text = "Paid;Name;Club\nyes;Ada;Lions\n;Ben;\n\nmaybe;ada;x;y\nno;;Bears\n"
        table = read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), {"ben"})
        assert [(line.number, line.player, [each.rule for each in line.violations]) for line in table.lines] == [
            (2, NewPlayer("Ada", "Lions", paid=True), []),
            (3, NewPlayer("Ben"), ["E11"]),
            (5, NewPlayer("ada", "x"), ["", "", "E11"]),
            (6, NewPlayer("", "Bears"), [""]),
        ]
        assert not table.is_good

    @pytest.mark.parametrize(
        ("said", "paid"),
        [
            *(("15", True), ("15 €", True), ("CHF 15.-", True), ("15,50 zł", True), ("$0.00", False)),
            *((said, None) for said in ("-15 €", "owes 15", "due 15 €", "open 15")),
        ],
    )
    def test_an_amount_is_paid_and_a_debt_is_not(self, said, paid):
        [line] = read_players(ColumnsForm(rows_of(f'Name;Paid\nAda;"{said}"'), PLAYER_FIELDS), ()).lines
        assert (line.player.paid, bool(line.violations)) == (bool(paid), paid is None)

    @pytest.mark.parametrize(
        ("text", "good"),
        [
            ("Ada, Lions, late, x\nBen", True),
            ("Ada\tLions", True),
            ("\ufeffname\nAda", True),
            ("", False),
            ("name", False),
        ],
    )
    def test_a_table_needs_no_headings(self, text, good):
        assert read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), ()).is_good == good

    def test_a_table_is_limited(self):
        assert TableForm({"text": "x" * 200_001}).errors == {"text": ["The table is too long. Send it in parts."]}
        text = "\n".join(f"Player {number}" for number in range(501))
        many = read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), ())
        assert [each.text for each in many.violations] == ["Add at most 500 at once."]


class TestClaims:
    """E5."""

    @pytest.fixture
    def entry(self, olga, event):
        return services.add_players(actor=olga, event=event, players=[NewPlayer("Zoe")], now=NOW)[0]

    def test_a_person_takes_over_an_entry_with_consent(self, olga, event, entry):
        ada, ben, link = *people("ada", "ben"), entry.token
        for _twice in range(2):
            services.claim(actor=ada, entry=entry)
        assert refused(services.claim, actor=ben, entry=entry) == [("E5", "")]
        assert [services.answer_claim(actor=olga, entry=entry, claimant=ada, consent=True) for _ in range(2)] == [
            True, True
        ]  # fmt: skip
        assert list(event.entries.values_list("user", "claimant")) == [(ada.pk, None)]
        assert not event.entries.filter(token=link).exists()
        assert log(event, "entry") == [("", {"entry": 1, "taken_over": True})]
        assert refused(services.claim, actor=ben, entry=entry) == [("E5", "")]

    def test_a_claim_is_declined_or_taken_back(self, olga, event, entry):
        ada, ben = people("ada", "ben")
        services.claim(actor=ada, entry=entry)
        answer = {"actor": olga, "entry": entry, "claimant": ada}
        assert [services.answer_claim(**answer, consent=False) for _ in range(2)] == [False, False]
        services.claim(actor=ben, entry=entry)
        assert refused(services.answer_claim, **answer, consent=True) == [("E5", "")]
        services.drop_claim(actor=ben, entry=entry)
        assert list(event.entries.values_list("user", "claimant")) == [(None, None)]

    def test_nobody_has_two_entries(self, olga, event, entry):
        (ada,) = people("ada")
        services.claim(actor=ada, entry=entry)
        register(ada, event)
        answer = {"actor": olga, "entry": entry, "claimant": ada, "consent": True}
        assert refused(services.answer_claim, **answer) == [("E5", "")]

    def test_a_leader_does_not_take_over_an_entry(self, olga, entry):
        services.claim(actor=olga, entry=entry)
        answer = {"actor": olga, "entry": entry, "claimant": olga, "consent": True}
        assert refused(services.answer_claim, **answer) == [("E2", "")]


class TestSettings:
    def test_only_what_differs_is_written_and_logged(self, olga, event):
        changes = {"army_size": 500, "place": " Berlin ", "about": "Bring dice", "name": event.name}
        for _twice in range(2):
            change_settings(actor=olga, event=event, changes=changes)
        assert log(event, "settings") == [
            (
                "",
                {
                    "changed": ["about", "army_size", "place"],
                    "values": {"army_size": [1000, 500], "place": ["", "Berlin"]},
                },
            )
        ]

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"name": " "}, [("", "name")]),
            ({"army_size": 0}, [("E7", "army_size")]),
            ({"time_zone": "Mars/Olympus"}, [("", "time_zone")]),
            ({"lists_required": False}, [("E9", "lists_required")]),
            ({"structure": "advanced"}, [("E14", "structure")]),
            ({"structure": "custom", "rounds": 0}, [("E14", "rounds")]),
            ({"structure": "custom", "rounds": 3, "cut": 6}, [("E38", "cut")]),
            ({"rounds": 3}, [("E14", "structure")]),
            ({"starts_at": None}, [("", "starts_at")]),
            ({"registration_deadline": START + timedelta(hours=1)}, [("E6", "registration_deadline")]),
            ({"registration_limit": 0}, [("E6", "registration_limit")]),
            ({"tier": "x", "lists_published": "x"}, [("", "tier"), ("", "lists_published")]),
        ],
    )
    def test_impossible_settings_are_refused(self, olga, event, changes, why):
        assert refused(change_settings, actor=olga, event=event, changes=changes) == why

    def test_rules_are_settled_with_the_start_and_the_structure_with_the_pairings(self, olga, event):
        Event.objects.update(state=Event.State.RUNNING)
        event.refresh_from_db()
        words = {"actor": olga, "event": event}
        assert refused(change_settings, **words, changes={"rule_set": TR}) == [("", "rule_set")]
        change_settings(**words, changes={"structure": "custom", "rounds": 3})
        Event.objects.update(frozen_players=8)
        assert refused(change_settings, **words, changes={"rounds": 4}) == [("E14", "rounds")]
        change_settings(**words, changes={"about": "Dinner at eight", "hands_published": True})
        Event.objects.update(state=Event.State.FINISHED)
        assert refused(change_settings, **words, changes={"place": "Bonn"}) == [("", "place")]
        event.refresh_from_db()
        assert "about" not in locked_settings(event)

    def test_a_league_belongs_to_whoever_adds_an_event(self, olga, event):
        from tournaments.models import League

        (ada,) = people("ada")
        own, other = (League.objects.create(name="North", owner=owner) for owner in (olga, ada))
        assert refused(change_settings, actor=olga, event=event, changes={"league": other}) == [("", "league")]
        assert change_settings(actor=olga, event=event, changes={"league": own}).league == own

    @pytest.mark.parametrize(
        ("rule_set", "structure", "players", "text"),
        [
            (GC, "standard", 12, "4 rounds, no cut."),
            (GC, "standard", 20, "4 rounds, then the top 8 play on."),
            (GC, "full_swiss", 20, "5 rounds, no cut."),
            (GC, "standard", 3, "This structure needs at least 4 players."),
            (TR, "standard", 20, "3 rounds, no cut."),
            (TR, "advanced", 8, "This structure needs at least 9 players."),
            (TR, "elimination", 8, "Single elimination: one loss, and you are out."),
        ],
    )
    def test_the_structure_follows_from_the_players(self, rule_set, structure, players, text):
        event = Event(rule_set=rule_set, structure=structure, army_size=800)
        assert plan_for(event, players).text == text

    def test_few_players_cannot_meet_that_often(self):
        """E16."""
        event = Event(rule_set=GC, structure=StructureChoice.CUSTOM, rounds=4, army_size=800)
        assert [bool(plan_for(event, players).warning) for players in (4, 5, 6)] == [True, False, False]

    def test_each_option_says_which_reading_is_in_force(self):
        event = Event(rule_set=GC, army_size=1000)
        assert [rule for rule, _ in options_in_force(event)] == [
            "E10", "E10", "E12", "E19", "E20", "E26", "E30", "E35", "E35",
        ]  # fmt: skip
        event.bye_is_opponent, event.awarded_points = True, 450
        event.bye_tokens, event.bracket_minutes, event.skips_unpaired_losses = 1, 90, True
        assert [text for _, text in options_in_force(event)][-5:] == [
            "A bye is worth 1 victory token.",
            "Bracket rounds have 90 minutes, and everyone sees the clock.",
            "A bye and a no-show count as 450 points defeated, a concession as at least 450.",
            "A bye counts as an opponent with 0 points in the strength of schedule.",
            "Unpaired losses of an opponent do not count as rounds in the strength of schedule.",
        ]
        clocks = {0: "Bracket rounds have no clock.", None: "Bracket rounds have the hidden clock of the Swiss rounds."}
        for event.bracket_minutes, text in clocks.items():
            assert ("E26", text) in options_in_force(event)
        event.lists_published, event.hands_published = "pairings", False
        assert [text for _, text in options_in_force(event)][:2] == [
            "Army lists are published with the pairings of each round. Opponents see each other’s lists.",
            "Command hands are not published.",
        ]
        event = Event(rule_set=TR, army_size=800)
        assert options_in_force(event)[0] == ("E8", "The Battle Deck has today’s nine cards, three of each type.")
        event.deck_of_2020 = True
        assert options_in_force(event)[0] == (
            "E8", "The Battle Deck is that of 2020: twelve cards, typed in and not checked.",
        )  # fmt: skip


def test_a_form_sent_twice_creates_one_event(olga):
    pk = uuid4()
    for _twice in range(2):
        events.create_event(actor=olga, name="Winter", rule_set=GC, event_id=pk)
    assert (Event.objects.count(), LogLine.objects.count()) == (1, 1)
