"""Play a scenario through the real services, act by act."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.db import DataError

from accounts.models import User
from campaign.models import Campaign, Enlistment, Membership
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services.story_arcs import offered_to
from core.db.rows import update
from core.form_errors import refusals_in
from core.scenarios import ExpectationFailed, ScenarioError, is_refused, play_acts, read as read_scenario
from registers import projection
from registers.ledger import session
from registers.services import building, editing
from rules.core.violations import Violation, raise_if_any

from .answers import Handles, change, joining, wish
from .battle import fight
from .expect import differences
from .stage import Stage, maybe_refused


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that does not have the form."""
    return read_scenario(path, Path(__file__).with_name("scenario.schema.json"))


def play(scenario: Mapping[str, Any], campaign: Campaign) -> Stage:
    """Play all acts in `campaign` by the scenario's rules. Raises ExpectationFailed or ScenarioError if one differs."""
    for slug in scenario.get("arcs", ()):
        if (version := ArcVersion.objects.filter(story_arc=slug).first()) is None:
            raise ScenarioError(f"arcs: there is no {slug!r}")
        campaign.adopted_arcs.create(arc=version.arc, version=version)
    stage = Stage(campaign)
    if "terms" in scenario:
        stage.agree_on(scenario["terms"])
    play_acts(scenario["acts"], partial(_play_act, stage))
    return stage


def _play_act(stage: Stage, act: Mapping[str, Any]) -> None:
    before = _snapshot(stage) if "refused" in act else {}
    handles = {name: dict(handles.keys) for name, handles in stage.handles.items()}
    try:
        if not is_refused(act, partial(_ACTS[act["act"]], stage, act)):
            return
    except DataError as error:
        raise ScenarioError(f"a text is too long: {error}".strip()) from error
    for name in list(stage.handles):  # roll back the handles as well
        if name in handles:
            stage.handles[name].keys = handles[name]
        else:
            del stage.handles[name], stage.registers[name]
    if _snapshot(stage) != before:
        raise ExpectationFailed("the refused act changed something")


def _snapshot(stage: Stage) -> dict[str, Any]:
    return {
        name: (stage.register(name).position, projection.state_of(stage.register(name))) for name in stage.registers
    }


def _found(stage: Stage, act: Mapping[str, Any]) -> None:
    """Build a Register in the order of R10; all violations are refused together."""
    if act["register"] in stage.registers:
        raise ScenarioError(f"Register {act['register']!r} was built already")
    player = _player(stage, act["player"])
    register = building.open_register(actor=player, owner=player, campaign_rules=stage.campaign.campaign_rules)
    Enlistment.objects.create(campaign=stage.campaign, register=register)
    update(register, adopted_arcs=offered_to(stage.campaign))
    stage.registers[act["register"]] = register.pk
    handles = stage.handles[act["register"]] = Handles()
    the_register: dict[str, Any] = {"actor": player, "register_id": register.pk, "position": None}
    violations: list[Violation] = []
    for unit in act["units"]:
        key, words = stage.next_key(act["register"]), joining(unit)
        card = words.pop("unit")
        with refusals_in(violations):
            building.add_unit(**the_register, card=card, **words)
            handles.add(unit["as"], key)
    for aid in act.get("aid", ()) if not violations else ():
        with refusals_in(violations):
            answers = [wish(handles, aid), *([{"aid": aid["dice"]}] if aid.get("dice") else ())]
            maybe_refused(aid, partial(building.request_aid, **the_register, answers=answers))
    with refusals_in(violations):
        building.choose_story_arc(**the_register, story_arc=act["story_arc"])
    with refusals_in(violations):
        building.name_register(**the_register, name=act["name"])
    with refusals_in(violations):
        building.commission(**the_register)
    raise_if_any(violations)


def _edit(stage: Stage, act: Mapping[str, Any]) -> None:
    handles, register_id = stage.handles[act["register"]], stage.register(act["register"]).pk
    actor = stage.owner(act["register"])
    violations: list[Violation] = []
    for edit in act["edits"]:
        key, words = stage.next_key(act["register"]), change(handles, edit)
        edits = partial(editing.edit, actor=actor, register_id=register_id, position=None, change=words)
        with refusals_in(violations):
            if maybe_refused(edit, edits) and "add" in edit:
                handles.add(edit["add"]["as"], key)
    raise_if_any(violations)


def _expect(stage: Stage, act: Mapping[str, Any]) -> None:
    found: list[str] = []
    for name, expected in act["registers"].items():
        register = stage.register(name)
        state, book = projection.state_of(register), session.rulebook_for(register)
        found += [f"{name}.{line}" for line in differences(book, state, stage.handles[name], expected)]
    if found:
        raise ExpectationFailed("\n  " + "\n  ".join(found))


def _player(stage: Stage, name: str) -> User:
    user, _ = User.objects.get_or_create(username=name)
    Membership.objects.get_or_create(campaign=stage.campaign, user=user, defaults={"role": Membership.Role.PLAYER})
    return user


_ACTS = {"found": _found, "edit": _edit, "battle": fight, "expect": _expect}
