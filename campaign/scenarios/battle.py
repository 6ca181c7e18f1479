"""A battle of a scenario: armies, report, and both sequences to their end."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from campaign.battles.models import Battle, Side
from campaign.battles.report_data import Facts, report_of
from campaign.battles.services import agendas, army as army_service, planning, reports, sequence
from core.form_errors import refusals_in
from core.scenarios import ScenarioError
from registers import projection
from registers.ledger import session
from rules.battle.army import BRING_UNITS, Army, Lent, open_agendas
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation, raise_if_any, refuse
from rules.post_battle.agendas import confirmations, progressions
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.dialogue import Await
from rules.post_battle.edit_register import EditRegister
from rules.register.state import RegisterState

from .answers import Handles, SequencePlayer, change, wish
from .stage import Stage, maybe_refused


def fight(stage: Stage, act: Mapping[str, Any]) -> None:
    """Play a battle of the scenario. Raises ScenarioError without an answer, RuleViolation for what is refused."""
    battle, own = begin_sequence(stage, act, ask_all=True)
    _play_both(stage, battle, act, own)


def begin_sequence(
    stage: Stage, act: Mapping[str, Any], *, ask_all: bool = False
) -> tuple[Battle, Mapping[str, Handles]]:
    """Play a battle of the scenario until its report is confirmed, and return it with the handles of both sides. Raises
    what `fight` raises. `ask_all`: see `rules.post_battle.dialogue.run`.
    """
    sides = act["sides"]
    for colour, side in sides.items():
        if ("register" in side) == ("guest" in side) or ("army" in side) != ("register" in side):
            raise ScenarioError(f"{colour}: a side is a Register with an army, or a guest")
        if "guest" in side and (side.get("confirmed") or side.get("claims")):
            raise ScenarioError(f"{colour}: nobody asks a guest to confirm anything")
    owners = [stage.owner(side["register"]) for side in sides.values() if "register" in side]
    if not owners:
        raise refuse("R17", "At least one side plays a Register.")
    actor = owners[0]
    battle = planning.plan_battle(
        actor=actor, campaign=stage.campaign, size=act["size"], owner=act.get("turning_point") or "",
        blue=_contender(stage, sides["blue"]), red=_contender(stage, sides["red"]), mission=act.get("mission", ""),
        place=act.get("place", ""),
    )  # fmt: skip
    own = {colour: _side_handles(stage, side) for colour, side in sides.items()}
    _choose_armies(stage, battle, act, own)
    _choose_agendas(stage, battle, act)
    army_service.begin(actor=actor, battle_id=battle.pk)
    battle.refresh_from_db()
    if "terms_in_play" in act:
        stage.agree_on(act["terms_in_play"])
    facts = {colour: _facts(stage, battle, act, colour, own[colour]) for colour in sides}
    reports.report(
        actor=actor, battle_id=battle.pk, version=None,
        report=reports.BattleReport(
            winner=act["winner"] or "", facts=facts, victory_points=act.get("victory_points", {}),
            mission=battle.mission, notes=act.get("notes", ""),
        ),
    )  # fmt: skip
    other = next((owner for owner in owners if owner != actor), actor)
    reports.confirm_report(actor=other, battle_id=battle.pk, version=None, ask_all=ask_all)
    return battle, own


def _contender(stage: Stage, side: Mapping[str, Any]) -> planning.Contender:
    if "guest" in side:
        return planning.Contender(guest_name=side["guest"], guest_points=side.get("points", 0))
    return planning.Contender(register_id=stage.register(side["register"]).pk)


def _side_handles(stage: Stage, side: Mapping[str, Any]) -> Handles:
    handles = Handles()
    if "register" in side:
        handles.keys = dict(stage.handles[side["register"]].keys)
    for place, lent in enumerate(side.get("lent", ()), start=1):
        if lent.get("as"):
            handles.add(lent["as"], f"L{place}")
    return handles


def _choose_armies(stage: Stage, battle: Battle, act: Mapping[str, Any], own: Mapping[str, Handles]) -> None:
    """Choose both armies; violations of both are refused together."""
    violations: list[Violation] = []
    for side in battle.sides.order_by("colour"):
        data = act["sides"][side.colour]
        if "register" not in data:
            continue
        state = projection.state_of(stage.register(data["register"]))
        book = session.rulebook_for(stage.register(data["register"]))
        with refusals_in(violations), transaction.atomic():
            army = _army(book, state, data, own[side.colour])
            army_service.choose_army(actor=stage.owner(data["register"]), side_id=side.pk, army=army)
    raise_if_any(violations)


def _army(book: Rulebook, state: RegisterState, data: Mapping[str, Any], own: Handles) -> Army:
    listed = data["army"]
    if isinstance(listed, list):
        keys = [own.key(handle) for handle in listed]
        if len(set(keys)) != len(keys):
            raise refuse("R19", "A unit is fielded once.")
        fielded = {key: state.dossiers[key].upgrades if key in state.dossiers else () for key in keys}
    else:
        fielded = {own.key(handle): tuple(upgrades) for handle, upgrades in listed.items()}
    lent = tuple(_lent(book, place, item, own) for place, item in enumerate(data.get("lent", ()), start=1))
    return Army(fielded=fielded, assets=tuple(data.get("assets", ())), lent=lent)


def _choose_agendas(stage: Stage, battle: Battle, act: Mapping[str, Any]) -> None:
    """Choose the Agenda of each side, blue first; a scenario writes it down with the army."""
    for side in battle.sides.order_by("colour"):
        data = act["sides"][side.colour]
        if "register" in data:
            register = stage.register(data["register"])
            agenda = _brought(session.rulebook_for(register), projection.state_of(register), data)
            agendas.choose_agenda(actor=stage.owner(data["register"]), side_id=side.pk, agenda=agenda)


def _brought(book: Rulebook, state: RegisterState, data: Mapping[str, Any]) -> str:
    """Return the Agenda brought. The form names the one in play at the end; before a switch it was any other (R25)."""
    at_the_end = data.get("agenda") or ""
    if not data.get("contingency_switched"):
        return at_the_end
    others = (agenda.slug for agenda in open_agendas(book, state) if agenda.slug != at_the_end)
    return next(others, at_the_end)


def _lent(book: Rulebook, place: int, item: Mapping[str, Any], own: Handles) -> Lent:
    slugs = [*item.get("upgrades", ()), *([item["upgrade"]] if "upgrade" in item else ())]
    unknown = [slug for slug in slugs if slug not in book.upgrades]
    named = item.get("unit", "")
    is_card = item["asset"] in BRING_UNITS and named in book.units
    if unknown or (named and not is_card and named not in own.keys):
        raise refuse("R21", f"There is no such card: {', '.join(unknown) or named}.")
    bearer = item.get("exempt", "" if is_card else named)
    return Lent(
        asset=item["asset"],
        key=f"L{place}" if is_card else "",
        unit=book.units[named] if is_card else None,
        upgrades=tuple(book.upgrades[slug] for slug in slugs),
        bearer=own.key(bearer) if bearer else "",
    )


def _facts(stage: Stage, battle: Battle, act: Mapping[str, Any], colour: str, own: Handles) -> Facts:
    data = act["sides"][colour]
    _check_asks(stage, data)
    facts: dict[str, Any] = {
        word: [own.key(handle) for handle in data.get(word, ())] for word in ("defeated", "contesting", "marked")
    }
    facts |= {
        "agenda": data.get("agenda") or "", "contingency_switched": data.get("contingency_switched", False),
        "tokens": data.get("tokens", 0), "secondary_vp": data.get("secondary_vp", 0),
        "asks": data.get("asks", {}), "conceded": data.get("conceded", False),
        "in_game_experience": {own.key(handle): xp for handle, xp in data.get("in_game_experience", {}).items()},
        "in_game_supply": data.get("in_game_supply", 0),
    }  # fmt: skip
    if "register" not in data:
        return Facts(**facts)
    confirmations = _confirmations(stage, battle, act, colour, facts)
    return Facts(**facts, **confirmations)


def _check_asks(stage: Stage, data: Mapping[str, Any]) -> None:
    """Refuse answers to questions that no mission asks. Answers to questions of other missions are allowed."""
    if "register" in data:
        arcs = session.rulebook_for(stage.register(data["register"])).story_arcs.values()
        known = {word for arc in arcs for word in arc.turning_point.asks}
        if unknown := set(data.get("asks", {})) - known:
            raise ScenarioError(f"no mission asks for {', '.join(sorted(unknown))}")


def _confirmations(
    stage: Stage, battle: Battle, act: Mapping[str, Any], colour: str, facts: dict[str, Any]
) -> dict[str, Any]:
    """Return the conditions the player confirms: a scenario lists its answers in the order they are reached."""
    data = act["sides"][colour]
    other_colour = "red" if colour == "blue" else "blue"
    side = Side(battle=battle, colour=colour, army={}, report=facts, guest_name="-")
    other_report = {key: act["sides"][other_colour].get(key, 0) for key in ("secondary_vp", "conceded")}
    other = Side(battle=battle, colour=other_colour, report=other_report, guest_name="-")
    battle.winner = act["winner"] or ""
    register = stage.register(data["register"])
    book, state = session.rulebook_for(register), projection.state_of(register)
    report = report_of(book, battle, side, other)
    answers, confirmed = list(data.get("confirmed", ())), []

    def confirm(text: str) -> bool:
        if not answers and "refused" in act:
            return False  # the author of an act that is refused may have stopped here
        if not answers:
            raise ScenarioError(f"{colour}: no answer to {text!r}")
        if yes := answers.pop(0):
            confirmed.append(text)
        return bool(yes)

    if facts["agenda"] in book.agendas:
        agenda = book.agendas[facts["agenda"]]
        progressions(agenda, report, state.agendas.get(agenda.slug, 0), confirm)
    if answers:
        raise ScenarioError(f"{colour}: {len(answers)} answers to conditions that were not reached")
    return {"confirmed": confirmed, "claims": _claims(book, battle, act, colour)}


def _claims(book: Rulebook, battle: Battle, act: Mapping[str, Any], colour: str) -> list[str]:
    data = act["sides"][colour]
    mission = book.story_arcs[battle.turning_point_id].turning_point if battle.turning_point_id else None
    texts = confirmations(tuple(entry.when for entry in mission.end_of_game)) if mission else []
    claims = data.get("claims", [])
    if claims and data.get("conceded"):
        raise refuse("R51", "Nobody asks a side that conceded for claims.")
    if len(claims) != (0 if data.get("conceded") else len(texts)) and (claims or "refused" not in act):
        raise ScenarioError(f"{colour}: the mission asks {len(texts)} claims, {len(claims)} are written down")
    return [text for text, yes in zip(texts, claims, strict=False) if yes]


def _play_both(stage: Stage, battle: Battle, act: Mapping[str, Any], own: Mapping[str, Handles]) -> None:
    sides = {side.colour: side for side in battle.sides.select_related("register")}
    players: dict[str, SequencePlayer] = {}
    for colour, other in (("blue", "red"), ("red", "blue")):
        data, opposing = act["sides"][colour], act["sides"][other]
        guest = opposing.get("sequence", {}) if "guest" in opposing else None
        if "guest" in data:
            if set(data.get("sequence", {})) - {"rival"}:
                raise ScenarioError(f"{colour}: a guest only names a rival")
            continue
        players[colour] = SequencePlayer(
            data.get("sequence", {}), own[colour], own[other], dict(guest) if guest is not None else None,
            partial(stage.next_key, data["register"]), conceded=data.get("conceded", False),
        )  # fmt: skip
    moved = True
    while moved:  # a list, not a generator: both sides answer in every round
        moved = any([_answer_on(stage, sides[c].pk, act, c, player) for c, player in players.items()])  # noqa: C419
    for colour, player in players.items():
        state = projection.state_of(stage.register(act["sides"][colour]["register"]))
        book = session.rulebook_for(stage.register(act["sides"][colour]["register"]))
        player.used_up(all_cards_unlocked=set(book.command_cards) <= set(state.command_cards))
        stage.handles[act["sides"][colour]["register"]].keys = {
            handle: key for handle, key in own[colour].keys.items() if not key.startswith("L")
        }
    battle.refresh_from_db()
    if battle.status != Battle.Status.CLOSED:
        raise ScenarioError("the sequences did not come to their end")


def _answer_on(stage: Stage, side_id: int, act: Mapping[str, Any], colour: str, player: SequencePlayer) -> bool:
    """Answer one side's questions until it waits or is done. Return whether anything was answered."""
    actor = stage.owner(act["sides"][colour]["register"])
    post = partial(sequence.answer, actor=actor, side_id=side_id, turn=None, ask_all=True)
    answered = False
    while True:
        side = Side.objects.select_related("register", "battle").get(pk=side_id)
        if side.done:
            return answered
        other = side.battle.sides.select_related("register").exclude(pk=side_id).get()
        standing = sequence.running_step(side, other)
        question = standing.question
        if question is None or isinstance(question, Await):
            return answered
        answered = True
        if isinstance(question, RequestAid):
            _request_aid(player, post)
        elif isinstance(question, EditRegister):
            _edit(player, post, key=str(standing.progress.state.next_key))
        else:
            post(answer=player.answer(side.step, question))


def _request_aid(player: SequencePlayer, post: partial[Side]) -> None:
    """Post the next Aid Request; if it is refused as the scenario says, its other answers are ignored."""
    entry = player.next_wish()
    done = maybe_refused(entry or {}, partial(post, answer=wish(player.own, entry) if entry else None))
    if done:
        player.wished()
    else:
        player.request.clear()


def _edit(player: SequencePlayer, post: partial[Side], *, key: str) -> None:
    entry = player.edits.pop(0) if player.edits else None
    done = maybe_refused(entry or {}, partial(post, answer=change(player.own, entry) if entry else None))
    if done and entry and "add" in entry:
        player.own.add(entry["add"]["as"], key)
