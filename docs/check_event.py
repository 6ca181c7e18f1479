#!/usr/bin/env python3
"""Prove the draws and the standings of an exported event: python check_event.py FILE…

A Musterbook event publishes the SHA-256 of a secret seed before its first round, and the seed when it is finished. This
script shows that every random act of the event follows from that seed, and every standing from the results. It needs
Python 3.11 and nothing else, and shares no code with Musterbook. docs/draws.md has the recipe; E numbers are those of
Musterbook's rulings.

Exit status: 0 if everything is proved, 1 if anything differs, 2 if a file cannot be read or has no seed yet.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections import Counter, defaultdict
from fractions import Fraction

# ---------------------------------------------------------------------------------------------------- random numbers


def drawn_number(event, act, round_number, *parts):
    """Return the number of a random act, from 0 below 2^56: the first seven bytes of an HMAC-SHA256 with the seed."""
    lines = ["musterbook event 1", event["event"]["id"], act, str(round_number), *map(str, parts)]
    digest = hmac.new(bytes.fromhex(event["seed"]), "\n".join(lines).encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:7], "big")


def drawn_order(event, act, round_number, players):
    """Return players in the random order of an act: the lowest number first."""
    return sorted(players, key=lambda player: drawn_number(event, act, round_number, player))


# ---------------------------------------------------------------------------------- results and standings (E29–E36)


def score(options, result, place, players):
    """Return (event points, points defeated, tokens, margin of victory) of the first (0) or second (1) player. The
    margin is None where it is the mean of the player's other games (E32).
    """
    player, conquest, how = players[place], options["rule_set"] == "GC", result["how"]
    won = result["winner"] == player
    points = (3 if conquest else 1) if won else 1 if conquest and not result["winner"] else 0
    defeated, tokens = result["points"][place], result["tokens"][place]
    if how == "no_show":
        defeated, tokens = (options["awarded_points"] if won and conquest else 0), 0
    elif how == "conceded" and won:
        defeated = max(options["awarded_points"], defeated) if conquest else options["army_size"]
    elif how == "both_defeated" or (how == "all_defeated" and won):
        defeated = options["army_size"]
    own, other = result["tokens"][place], result["tokens"][1 - place]
    if how == "all_defeated":
        margin = Fraction(int(won))
    elif how == "no_show" or (how == "conceded" and not result["agreed"]):
        margin = Fraction(0) if result["by"] in (player, None) else None  # by nobody: neither appeared
    else:
        margin = Fraction(1, 2) if own == other else Fraction(own, own + other)
    return points, defeated, tokens, margin


def mean(figures, zeros=0):
    """Return the mean of figures and of further ones that are 0; 0 of none."""
    count = len(figures) + zeros
    return sum(figures, Fraction(0)) / count if count else Fraction(0)


def standings_of(event, rounds):
    """Return the lines of the standings over Swiss rounds, best first, as they stand in the file. A round is a
    dictionary with "games" (players and result), "byes" and "losses".
    """
    options = event["event"]
    tickets = {entry["number"]: entry["ticket"] for entry in event["entries"] if entry["ticket"] is not None}
    scores, opponents, byes, missed = played(options, rounds)
    if options.get("skips_unpaired_losses"):
        missed.clear()
    played_rounds = {player: len(scores[player]) + missed[player] for player in tickets}
    points = {player: sum(figures[0] for figures in scores[player]) for player in tickets}
    averages = {player: average_margin(scores[player], len(rounds)) for player in tickets}
    ratios = {player: Fraction(points[player], played_rounds[player] or 1) for player in tickets}
    strength = {
        player: mean([ratios[other] for other in opponents[player]], byes[player] if options["bye_is_opponent"] else 0)
        for player in tickets
    }
    lines = []
    for player, ticket in tickets.items():
        defeated, tokens = (sum(figures[column] for figures in scores[player]) for column in (1, 2))
        extended = mean([strength[other] for other in opponents[player]])
        extended_average = mean([averages[other] for other in opponents[player]])
        if options["rule_set"] == "GC":
            order = (points[player], strength[player], defeated, tokens)
        else:
            order = (points[player], averages[player], extended_average, strength[player], extended)
        line = {
            "player": player, "rank": 0, "points": points[player], "rounds": played_rounds[player],
            "points_defeated": defeated, "tokens": tokens,
            "strength_of_schedule": str(strength[player]), "extended_strength_of_schedule": str(extended),
            "average_margin": str(averages[player]), "extended_average_margin": str(extended_average),
            "ticket": ticket,
        }  # fmt: skip
        lines.append((tuple(-figure for figure in order), ticket, line))
    lines.sort(key=lambda each: each[:2])
    for rank, (_order, _ticket, line) in enumerate(lines, start=1):
        line["rank"] = rank
    return [line for _order, _ticket, line in lines]


def played(options, rounds):
    """Return the scores and the opponents of each player, and how many byes and unpaired losses they had."""
    scores, opponents, byes, missed = defaultdict(list), defaultdict(list), Counter(), Counter()
    bye = (1, 0, 0, None)
    if options["rule_set"] == "GC":
        bye = (3, options["awarded_points"], options.get("bye_tokens", 0), None)
    for each in rounds:
        for players, result in each["games"]:
            if result is None:
                continue  # an open game counts for nobody yet
            for place, player in enumerate(players):
                scores[player].append(score(options, result, place, players))
                opponents[player].append(players[1 - place])
        for player in each["byes"]:
            scores[player].append(bye)
        byes.update(each["byes"])
        missed.update(each["losses"])
    return scores, opponents, byes, missed


def average_margin(scores, rounds):
    """Return the average margin of victory over all rounds. Games without a margin of their own take the mean of the
    others, 50 % if there are none (E32, E36).
    """
    known = [margin for _points, _defeated, _tokens, margin in scores if margin is not None]
    stand_in = mean(known) if known else Fraction(1, 2)
    return sum(known, stand_in * (len(scores) - len(known))) / rounds if rounds else Fraction(0)


# -------------------------------------------------------------------------------------- what was known, and when


class Known:
    """The event as it was known just before a line of its log. Corrected results count as they were before, and
    unpaired losses only once the player had come back or come late.
    """

    def __init__(self, event):
        self.event, self.log = event, event["log"]
        self.places = defaultdict(list)
        for place, line in enumerate(self.log):
            self.places[line["kind"]].append(place)
        self.seeded_at = max(self.lines("override", new_seed=True), default=-1)
        self.tickets_before = () if self.seeded_at < 0 else self.log[self.seeded_at]["facts"]["tickets"]

    def lines(self, kind, **facts):
        """Return the positions of the lines of a kind with these facts."""
        return [
            place
            for place in self.places[kind]
            if all(self.log[place]["facts"].get(name) == value for name, value in facts.items())
        ]

    def drawn_at(self, number):
        """Return the position at which a round was drawn last, or its draw was restored; None if the log has none."""
        found = self.lines("drafted", round=number) + self.lines("paired", round=number, act="restored")
        return max(found, default=None)

    def has_older_seed(self, each):
        """Return whether a round was drawn before the event got its seed. A bracket after Swiss rounds needs none."""
        needs_seed = each["stage"] == "swiss" or self.event["rounds"][0]["stage"] == "bracket"
        return needs_seed and self.drawn_at(each["number"]) < self.seeded_at

    def hand_changes(self, number):
        """Return the lines that changed a round by hand after it was drawn (E24). To withdraw published pairings, or to
        discard a draft, changes nothing by itself.
        """
        drawn = self.drawn_at(number)
        lines = [self.log[place] for place in self.lines("paired", round=number) if drawn is None or place > drawn]
        return [line for line in lines if not line["facts"].keys() & {"withdrawn", "discarded"}]

    def has_left(self, player, at):
        """Return whether a player had left."""
        lines = [self.log[place]["facts"] for place in self.lines("entry", entry=player) if place < at]
        states = [facts["after"] for facts in lines if "after" in facts]
        return bool(states) and states[-1] in ("dropped", "ejected")

    def swiss(self, at, before=None, present=()):
        """Return the Swiss rounds (those before the number `before`, or all) with the results that stood at line `at`
        of the log. Players `present` in the next draw have all their unpaired losses, wherever the log names them.
        """
        return [
            {
                "games": [
                    ((game["first"], game["second"]), self.result(each["number"], game, at))
                    for game in each["games"]
                    if game["second"] is not None
                ],
                "tables": {
                    (player, game["table"]) for game in each["games"] for player in (game["first"], game["second"])
                },
                "byes": [game["first"] for game in each["games"] if game["second"] is None],
                "losses": [
                    player
                    for player in each["unpaired_losses"]
                    if player in present or self.loss_given_at(each["number"], player) < at
                ],
            }
            for each in self.event["rounds"]
            if each["stage"] == "swiss" and (before is None or each["number"] < before)
        ]

    def result(self, number, game, at):
        """Return the result of a game as it was known."""
        later = [place for place in self.lines("corrected", round=number, game=game["place"]) if place >= at]
        return self.log[later[0]]["facts"]["before"] if later else game["result"]

    def loss_given_at(self, number, player):
        """Return when an unpaired loss was given: when the player came late or rejoined, after the round began."""
        began = self.lines("published", round=number)
        came = self.lines("entered", entry=player) + self.lines("entry", entry=player, after="playing")
        came += [place for place in self.places["entered"] if player in self.log[place]["facts"].get("entries", ())]
        return min((place for place in came if began and place > began[-1]), default=-1)


# ------------------------------------------------------------------------------------------------------- the matching


class Matching:
    """A perfect matching with the smallest sum of costs (Edmonds' blossom algorithm, O(n³)), with its proof.

    `costs` is a symmetric matrix of whole numbers for an even number of players. Nothing in here has to be trusted:
    `bound` checks the dual solution by itself, and no perfect matching can cost less than it says.

    Players are 0 … n-1, blossoms n and up. A dual `y` belongs to each player and a `z` to each blossom. Trees grow from
    all unmatched players at once: `label` is 0 for outer, 1 for inner, -1 for neither.
    """

    def __init__(self, costs):
        self.n = n = len(costs)
        self.size = n + n // 2 + 1
        self.cost = [[4 * cost for cost in row] for row in costs]  # so that every halved slack is whole
        self.y = [0] * self.size
        self.mate = [-1] * self.size  # the player at the other end of the matched edge
        self.top = [node if node < n else -1 for node in range(self.size)]  # the outermost blossom around a node
        self.parent, self.label = [-1] * self.size, [-1] * self.size
        self.nearest, self.slack = [-1] * self.size, [0] * self.size  # the closest outer player, and how close
        self.inside = [[] for _ in range(self.size)]  # the nodes of a blossom, around its cycle
        self.holder = [{} for _ in range(self.size)]  # the node of a blossom that holds a player
        self.edge = [[(one, other) for other in range(self.size)] for one in range(self.size)]
        self.queue = []
        if n:
            self._start()
            while any(self.mate[node] < 0 for node in range(n)):
                self._grow()

    def pairs(self):
        """Return the pairs of players."""
        return {tuple(sorted((player, self.mate[player]))) for player in range(self.n)}

    def bound(self):
        """Return a sum of costs that no perfect matching can go below, proved by the dual solution."""
        around = defaultdict(int)
        total = sum(self.y[: self.n])
        for blossom in range(self.n, self.size):
            if self.top[blossom] >= 0:
                members, z = self._players(blossom), self.y[blossom]
                if z < 0 or len(members) % 2 == 0:
                    raise ArithmeticError("The dual of a blossom is impossible.")
                total -= z * (len(members) // 2)
                for place, one in enumerate(members if z else ()):
                    for other in members[place + 1 :]:
                        around[min(one, other), max(one, other)] += z
        for one in range(self.n):
            for other in range(one + 1, self.n):
                if self.y[one] + self.y[other] - around.get((one, other), 0) > self.cost[one][other]:
                    raise ArithmeticError("The duals of two players are impossible.")
        return Fraction(total, 4)

    def _start(self):
        """Choose duals that are as large as a first look allows, and match along tight edges."""
        n, cost, y = self.n, self.cost, self.y
        others = [[other for other in range(n) if other != one] for one in range(n)]
        for one in range(n):
            y[one] = min(cost[one][other] for other in others[one]) // 2
        for one in range(n):
            y[one] += min(cost[one][other] - y[one] - y[other] for other in others[one])
        for one in range(n):
            if self.mate[one] < 0:
                for other in others[one]:
                    if self.mate[other] < 0 and y[one] + y[other] == cost[one][other]:
                        self.mate[one], self.mate[other] = other, one
                        break

    def _players(self, node):
        return [node] if node < self.n else [player for each in self.inside[node] for player in self._players(each)]

    def _slack(self, one, other):
        first, second = self.edge[one][other]
        return self.cost[first][second] - self.y[first] - self.y[second]

    def _find_slack(self, node):
        """Find the outer player closest to a node."""
        self.nearest[node] = -1
        for player in range(self.n):
            if self.top[player] != node and self.label[self.top[player]] == 0:
                slack = self._slack(player, node)
                if self.nearest[node] < 0 or slack < self.slack[node]:
                    self.nearest[node], self.slack[node] = player, slack

    def _set_top(self, node, top):
        self.top[node] = top
        for each in self.inside[node] if node >= self.n else ():
            self._set_top(each, top)

    def _match(self, one, other):
        """Match a node along its edge to another, and turn the cycles of blossoms accordingly."""
        first, second = self.edge[one][other]
        self.mate[one] = second
        if one >= self.n:
            entry = self.holder[one][first]
            place = self._even_place(one, entry)
            cycle = self.inside[one]
            for each in range(place):
                self._match(cycle[each], cycle[each ^ 1])
            self._match(entry, other)
            self.inside[one] = cycle[place:] + cycle[:place]

    def _even_place(self, blossom, node):
        """Return the place of a node in the cycle, turned so that an even number of steps leads to it."""
        place = self.inside[blossom].index(node)
        if place % 2:
            self.inside[blossom][1:] = self.inside[blossom][:0:-1]
            place = len(self.inside[blossom]) - place
        return place

    def _augment(self, one, other):
        """Match along the path from a node to the root of its tree."""
        while True:
            before = self.top[self.mate[one]] if self.mate[one] >= 0 else -1
            self._match(one, other)
            if before < 0:
                return
            up = self.top[self.parent[before]]
            self._match(before, up)
            one, other = up, before

    def _meeting(self, one, other):
        """Return the first common node of two paths to a root; -1 if they lead to different ones."""
        passed = set()
        while one >= 0 or other >= 0:
            if one >= 0:
                if one in passed:
                    return one
                passed.add(one)
                one = self.top[self.mate[one]] if self.mate[one] >= 0 else -1
                one = self.top[self.parent[one]] if one >= 0 else -1
            one, other = other, one
        return -1

    def _add_blossom(self, one, root, other):
        """Make a blossom of the cycle that an edge between two outer nodes closes."""
        n = self.n
        blossom = next(node for node in range(n, self.size) if self.top[node] < 0)
        halves = []
        for node in (one, other):
            half = []
            while node != root:
                inner = self.top[self.mate[node]]
                half += [node, inner]
                self.queue += self._players(inner)
                node = self.top[self.parent[inner]]
            halves.append(half)
        self.inside[blossom] = [root, *reversed(halves[0]), *halves[1]]
        self.y[blossom], self.label[blossom], self.mate[blossom] = 0, 0, self.mate[root]
        self._set_top(blossom, blossom)
        self.holder[blossom] = {player: node for node in self.inside[blossom] for player in self._players(node)}
        for node in range(self.size):
            if self.top[node] not in (-1, blossom):
                best = min(self.inside[blossom], key=lambda each, to=node: self._slack(each, to))
                self.edge[blossom][node], self.edge[node][blossom] = self.edge[best][node], self.edge[node][best]
        self._find_slack(blossom)

    def _expand(self, blossom):
        """Dissolve an inner blossom whose dual is used up."""
        for node in self.inside[blossom]:
            self._set_top(node, node)
        first, _second = self.edge[blossom][self.parent[blossom]]
        entry = self.holder[blossom][first]
        place = self._even_place(blossom, entry)
        cycle = self.inside[blossom]
        for each in range(0, place, 2):
            inner, outer = cycle[each], cycle[each + 1]
            self.parent[inner] = self.edge[outer][inner][0]
            self.label[inner], self.label[outer], self.nearest[inner] = 1, 0, -1
            self._find_slack(outer)
            self.queue += self._players(outer)
        self.label[entry], self.parent[entry] = 1, self.parent[blossom]
        for node in cycle[place + 1 :]:
            self.label[node] = -1
            self._find_slack(node)
        self.top[blossom], self.inside[blossom] = -1, []

    def _use(self, first, second):
        """Use a tight edge from an outer player. Return whether the matching has grown."""
        one, other = self.top[first], self.top[second]
        if self.label[other] == -1:
            self.parent[other], self.label[other] = first, 1
            outer = self.top[self.mate[other]]
            self.label[outer] = 0
            self.nearest[other] = self.nearest[outer] = -1
            self._find_slack(outer)
            self.queue += self._players(outer)
        elif self.label[other] == 0:
            root = self._meeting(one, other)
            if root < 0:
                self._augment(one, other)
                self._augment(other, one)
                return True
            self._add_blossom(one, root, other)
        return False

    def _grow(self):
        """Grow trees from all unmatched players until the matching has one pair more."""
        self.label[:] = [-1] * self.size
        self.nearest[:] = [-1] * self.size
        self.queue = []
        for node in range(self.size):
            if self.top[node] == node and self.mate[node] < 0:
                self.parent[node], self.label[node] = -1, 0
                self.queue += self._players(node)
        while not self._scan() and not self._change_duals():
            for node in range(self.n, self.size):
                if self.top[node] == node and self.label[node] == 1 and self.y[node] == 0:
                    self._expand(node)

    def _scan(self):
        """Use the tight edges of new outer players, and note how close the others are. Return whether the matching has
        grown.
        """
        y, top, label, nearest = self.y, self.top, self.label, self.nearest
        while self.queue:
            player = self.queue.pop()
            if label[top[player]] == 1:
                continue
            row, own = self.cost[player], y[player]
            for other in range(self.n):
                node = top[other]
                if node == top[player] or label[node] == 1:
                    continue
                slack = row[other] - own - y[other]
                if slack == 0:
                    if self._use(player, other):
                        return True
                elif nearest[node] < 0 or slack < self.slack[node]:
                    nearest[node], self.slack[node] = player, slack
        return False

    def _change_duals(self):
        """Change the duals of all trees until an edge becomes tight or an inner blossom is used up. Return whether the
        matching has grown.
        """
        nodes = [node for node in range(self.size) if self.top[node] == node]
        close = [node for node in nodes if self.nearest[node] >= 0 and self.label[node] < 1]
        steps = [self.slack[node] if self.label[node] < 0 else self.slack[node] // 2 for node in close]
        steps += [self.y[node] // 2 for node in nodes if node >= self.n and self.label[node] == 1]
        step = min(steps)
        change = {0: step, 1: -step, -1: 0}
        for player in range(self.n):
            self.y[player] += change[self.label[self.top[player]]]
        for node in nodes:
            if node >= self.n:
                self.y[node] += 2 * change[self.label[node]]
        for node in close:
            self.slack[node] -= step if self.label[node] < 0 else 2 * step
        for node in close:
            player = self.nearest[node]
            is_tight = self.top[node] == node and self.label[node] < 1 and player >= 0 and self.slack[node] == 0
            if is_tight and self.top[player] != node and self._use(*self.edge[player][node]):
                return True
        return False


def is_cheapest(costs, pairs):
    """Return whether pairs of places are a perfect matching with the smallest sum of costs."""
    if sorted(place for pair in pairs for place in pair) != list(range(len(costs))):
        return False
    return Matching(costs).bound() == sum(costs[one][other] for one, other in pairs)


# --------------------------------------------------------------------------------------------------------- the checks


def with_number(line):
    """Return an entry or a line of the standings with its ticket as a number; from version 2 on it is a text."""
    return {**line, "ticket": None if line["ticket"] is None else int(line["ticket"])}


def check(event):
    """Yield ("differs" or "by hand", sentence) for everything that does not follow from the seed and the results."""
    event = {**event, **{part: [with_number(line) for line in event[part]] for part in ("entries", "standings")}}
    known = Known(event)
    if hashlib.sha256(bytes.fromhex(event["seed"])).hexdigest() != event["commitment"]:
        yield "differs", "The seed is not the one that was committed to."
    for entry in event["entries"]:
        ticket = drawn_number(event, "ticket", 0, entry["number"])
        if entry["ticket"] not in (None, ticket) and entry["number"] not in known.tickets_before:
            yield "differs", f"Ticket: that of {name(event, entry['number'])} was not drawn with the seed."
    for each in event["rounds"]:
        yield from check_given_up(event, each)
        yield from check_clock(event, known, each)
        lines = known.hand_changes(each["number"])
        late = "A late entry plays the player who had the bye."
        found = [line["reason"] or (late if line["facts"].get("act") == "late" else "") for line in lines]
        reasons = "; ".join(dict.fromkeys(filter(None, found))) or "none"
        if not all(only_tables(line["facts"]) for line in lines):
            yield (
                "by hand",
                f"Round {each['number']} was changed by hand, so the seed does not explain it. Reason: {reasons}",
            )
            continue
        if lines:
            yield "tables", f"Round {each['number']}: tables were changed by hand. Reason: {reasons}"
        if known.drawn_at(each["number"]) is None:
            yield "differs", f"Round {each['number']}: the log does not say when it was drawn."
        elif known.has_older_seed(each):
            text = "was drawn before the running event was imported with a new seed, which does not explain it."
            yield "by hand", f"Round {each['number']} {text}"
        elif each["stage"] == "swiss":
            yield from check_swiss(event, known, each)
        else:
            yield from check_bracket(event, known, each)
    yield from check_standings(event, known)


def check_given_up(event, each):
    """Check that a game which was given up says by whom, unless neither player appeared for it (E30, E32)."""
    may_be_both = event["event"]["rule_set"] == "TR" and each["stage"] == "swiss"
    for game in each["games"]:
        result = game["result"] or {"how": ""}
        lost_by_both = may_be_both and result["how"] == "no_show" and result["winner"] is None
        if result["how"] in ("conceded", "no_show") and result["by"] is None and not lost_by_both:
            text = "it does not say who conceded or did not appear."
            yield "differs", f"Round {each['number']}, game {game['place']}: {text}"


def only_tables(facts):
    """Return whether a change by hand left the pairs and the bye as they were drawn."""
    if facts.get("act") == "tables":
        return True
    return facts.get("pairs") == facts.get("instead_of") == [] and "bye" not in facts


def check_clock(event, known, each):
    """Check the minutes of a round: those of its five dice in Galactic Conquest (E26)."""
    if each["minutes"] is None or known.lines("clock", round=each["number"]):
        return
    final = each["stage"] == "bracket" and len(each["games"]) == 1
    minutes = 210 if final else 150
    if event["event"]["rule_set"] == "GC":  # a red defense die has three blocks, a surge and two blanks
        dice = [drawn_number(event, "round time", each["number"], die) % 6 for die in range(1, 6)]
        minutes = 150 + sum(face < 4 for face in dice)
        if each["stage"] == "bracket" and event["event"].get("bracket_minutes") is not None:
            minutes = event["event"]["bracket_minutes"]
    if each["minutes"] != minutes:
        yield "differs", f"Round {each['number']}: it has {minutes} minutes by the rules, not {each['minutes']}."


def teams_of(event):
    """Return the team of each player who has one."""
    teams = event.get("teams", ()) if event["event"].get("team_size") else ()
    return {member: team["name"] for team in teams for member in team["members"]}


def check_swiss(event, known, each):
    """Check the bye, the pairings and the tables of a Swiss round (E17–E22)."""
    number, at = each["number"], known.drawn_at(each["number"])
    games = sorted((game for game in each["games"] if game["second"] is not None), key=lambda game: game["place"])
    pairs = [(game["first"], game["second"]) for game in games]
    byes = [game["first"] for game in each["games"] if game["second"] is None]
    players = {player for pair in pairs for player in pair} | set(byes)
    rounds = known.swiss(at, number, players)
    standings = [line for line in standings_of(event, rounds) if line["player"] in players]
    if len(players) % 2:
        had = Counter(player for before in rounds for player in before["byes"])
        if rounds:
            lowest_first = [line["player"] for line in reversed(standings)]
            bye = min(lowest_first, key=lambda player: had[player])
        else:
            bye = drawn_order(event, "first bye", number, players)[0]
        if byes != [bye]:
            yield "differs", f"Round {number}: the bye belongs to {name(event, bye)}."
            return
    elif byes:
        yield "differs", f"Round {number}: nobody can have a bye, because the number of players is even."
        return
    met = {frozenset(pair) for before in rounds for pair, _result in before["games"]}
    points = {line["player"]: line["points"] for line in standings}
    teams = teams_of(event)
    seats = sorted(players - set(byes))
    places = {player: place for place, player in enumerate(seats)}
    costs = [[0] * len(seats) for _ in seats]
    for one in seats:
        for other in seats:
            if one < other:
                mates = one in teams and teams[one] == teams.get(other)
                cost = (mates << 42) + ((frozenset((one, other)) in met) << 32) + (points[one] - points[other]) ** 2
                chance = drawn_number(event, "pair", number, *sorted((str(one), str(other))))
                costs[places[one]][places[other]] = costs[places[other]][places[one]] = (cost << 72) + chance
    if not is_cheapest(costs, [(places[one], places[other]) for one, other in pairs]):
        yield "differs", f"Round {number}: the pairings do not follow from the seed."
    elif has_free_tables(event, known, number):
        yield from check_tables(number, rounds, pairs, [game["table"] for game in games])


def has_free_tables(event, known, number):
    """Return whether a round has the tables that the rule alone assigns: no player ever had a fixed one, and the event
    does not say which tables there are.
    """
    if event["event"].get("table_count") or event["event"].get("kept_tables"):
        return False
    fixed = any(entry["fixed_table"] for entry in event["entries"]) or known.lines("paired", act="fixed")
    return not fixed and not known.hand_changes(number)


def check_tables(number, rounds, pairs, tables):
    """Check that no table repeats without need, and that pairs sit near their usual tables (E22). Tables of equal cost
    may be swapped, so this compares costs.
    """
    seen = Counter(seat for before in rounds for seat in before["tables"])
    size = len(pairs)

    def cost(row, table):
        return (sum(seen[player, table] for player in pairs[row]) << 32) + (row + 1 - table) ** 2

    never = (1 << 40) * (size + 1)
    costs = [[never] * (2 * size) for _ in range(2 * size)]
    for row in range(size):
        for column in range(size):
            costs[row][size + column] = costs[size + column][row] = cost(row, column + 1)
    found = sum(cost(row, table) for row, table in enumerate(tables))
    if len(set(tables)) < size or found != Matching(costs).bound():
        yield "differs", f"Round {number}: the tables were not assigned by the rule."


def check_bracket(event, known, each):
    """Check a column of the bracket (E38–E42). Who has left since gives the opponent a bye (E41)."""
    number = each["number"]
    columns = [one for one in event["rounds"] if one["stage"] == "bracket"]
    place = [one["number"] for one in columns].index(number)
    if place:
        winners = [winner_of(game) for game in in_order(columns[place - 1])]
        expected = list(zip(winners[::2], winners[1::2], strict=False))
    elif any(one["stage"] == "swiss" for one in event["rounds"]):
        expected = seeded(seeds_of(event, known))
    else:
        expected = drawn_bracket(event, known, known.drawn_at(number))
    found = [(game["first"], game["second"]) for game in in_order(each)]
    end = len(event["log"])
    for wanted, actual in zip(expected, found, strict=False):
        wanted, actual = set(wanted) - {None}, set(actual) - {None}
        if not actual <= wanted or not all(known.has_left(player, end) for player in wanted - actual):
            break
    else:
        if len(expected) == len(found):
            return
    yield "differs", f"Round {number}: its games do not follow from the bracket."


def in_order(each):
    """Return the games of a round by place."""
    return sorted(each["games"], key=lambda game: game["place"])


def winner_of(game):
    """Return who advances: the winner, the winner of the priority roll (E40), or who has a bye."""
    if game["second"] is None:
        return game["first"]
    return game["result"] and (game["result"]["winner"] or game["result"]["roll"])


def bracket_order(size):
    """Return the seeds of a bracket in the order of its first column (E39)."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def seeded(seeds):
    """Return the first games of a seeded bracket; none if the seeds are no power of two."""
    if len(seeds) < 2 or len(seeds) & (len(seeds) - 1):
        return []
    column = [seeds[seed - 1] for seed in bracket_order(len(seeds))]
    return list(zip(column[::2], column[1::2], strict=True))


def seeds_of(event, known):
    """Return who must have advanced at the cut: the best who had not left and did not decline (E38)."""
    cuts = known.lines("cut")
    if not cuts:
        return []
    seeds = known.log[cuts[-1]]["facts"]["seeds"]
    declined = {entry["number"] for entry in event["entries"] if not entry["replaceable"]} - set(seeds)
    ranking = [line["player"] for line in standings_of(event, known.swiss(cuts[-1]))]
    staying = [player for player in ranking if player not in declined and not known.has_left(player, cuts[-1])]
    size = event["event"]["cut"] or len(seeds)
    return staying[:size] + [None] * (size - len(staying))  # where nobody can enter any more, the best have a bye


def drawn_bracket(event, known, at):
    """Return the first games of an event that is elimination only: byes, pairs and numbers are drawn (E42)."""
    players = [entry["number"] for entry in event["entries"] if entry["ticket"] is not None]
    players = [player for player in players if not known.has_left(player, at)]
    size = 1 << (len(players) - 1).bit_length()
    order = drawn_order(event, "bracket bye", 0, players)
    byes, paired = order[: size - len(players)], order[size - len(players) :]
    games = [(player, None) for player in byes] + list(zip(paired[::2], paired[1::2], strict=True))
    by_first = {game[0]: game for game in games}
    numbered = [by_first[first] for first in drawn_order(event, "bracket game", 0, by_first)]
    return [numbered[number - 1] for number in bracket_order(len(numbered))]


def check_standings(event, known):
    """Check every figure of the standings, and every place."""
    expected = standings_of(event, known.swiss(len(event["log"])))
    for wanted, found in zip(expected, event["standings"], strict=False):
        for figure, value in wanted.items():
            if found[figure] != value:
                who = name(event, wanted["player"])
                yield "differs", f"Standings, rank {wanted['rank']}, {who}: {figure} is {value}, not {found[figure]}."
                return
    if len(expected) != len(event["standings"]):
        yield "differs", "Standings: a player is missing or too many."
    yield from check_places(event, expected)


def check_places(event, standings):
    """Check every place: those of the bracket, and after its players the others by the standings (E39)."""
    columns = [in_order(each) for each in event["rounds"] if each["stage"] == "bracket"]
    places = bracket_places(columns)
    inside = {game[side] for column in columns for game in column for side in ("first", "second")} - {None}
    outside = [line["player"] for line in standings if line["player"] not in inside]
    places |= {player: str(place) for place, player in enumerate(outside, start=len(inside) + 1)}
    for player in places.keys() | {each["player"] for each in event["places"]}:
        found = next((each["place"] for each in event["places"] if each["player"] == player), "none")
        if places.get(player, "none") != found:
            yield "differs", f"Places: {name(event, player)} has {places.get(player, 'none')}, not {found}."


def bracket_places(columns):
    """Return the places that the columns of a bracket decide. Who has won a game and left before the next one loses
    that one (E41).
    """
    places, before = {}, []
    for column in columns:
        best, worst = len(column) + 1, 2 * len(column)
        playing = {game[side] for game in column for side in ("first", "second")}
        out = {winner_of(game) for game in before} - playing
        out |= {player for game in column for player in (game["first"], game["second"]) if player != winner_of(game)}
        places |= dict.fromkeys(out - {None}, str(best) if best == worst else f"{best}-{worst}")
        before = column
    if len(before) == 1 and winner_of(before[0]):
        places[winner_of(before[0])] = "1"
    return places


def name(event, player):
    """Return the name of a player with the number."""
    return next((f"{entry['name']} ({player})" for entry in event["entries"] if entry["number"] == player), str(player))


def main(paths):
    """Check files, print what was found, and return the exit status."""
    if not paths:
        print(__doc__)
        return 2
    status = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                event = json.load(file)
            if event["format"] != "musterbook-event" or event["version"] not in (1, 2):
                raise ValueError("not an exported event of version 1 or 2")
            if event["seed"] is None:
                print(f"{path}: The event is not finished, so its seed is still secret. Nothing can be proved yet.")
                status = max(status, 2)
                continue
            found = list(check(event))
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            print(f"{path}: This file cannot be read ({error!r}).")
            status = max(status, 2)
            continue
        for _kind, sentence in found:
            print(f"{path}: {sentence}")
        if any(kind == "differs" for kind, _sentence in found):
            status = 1
        else:
            by_hand = sum(kind == "by hand" for kind, _sentence in found)
            print(
                f"{path}: {len(event['rounds']) - by_hand} rounds and all standings of {event['event']['name']} proved."
            )
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
