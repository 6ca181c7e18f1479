"""Choose the template and context of the form for a question; a refused form keeps the posted values."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import nlargest
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext, ngettext

from campaign.battles.forms.answers import SKIPPED, QuestionForm, face_field, form_for
from campaign.battles.pages.sequence import Page
from campaign.battles.pages.sequence_events import dice_of
from campaign.battles.services.sequence import CASUALTY_STEP
from core.form_errors import as_context
from registers.options.context import closed_edit_form, tally
from registers.options.offers import aid_offers, suggested_aid
from registers.pages.sheet import experience, thousandths
from rules.core.card_types import Commendation, DefiningTrait, Setback
from rules.core.dice import DICE, FACES
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.agendas import shield
from rules.post_battle.aid_requests import ACTIVE_RECRUITING, RequestAid
from rules.post_battle.casualties import AddDice, Reroll, dice_for, rerolls_for
from rules.post_battle.casualty_odds import odds_by_choice
from rules.post_battle.commendations import Award, Due
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Context, Pool, Question, Roll, run
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.rewards import JoinUnit
from rules.post_battle.steps import step
from rules.register.building import join_by_reward
from rules.register.upgrade_slots import spoken

#: Commendations that are offered at once, those that suit the unit most; the others open with one tap.
MOST_FITTING = 3

#: Forms in which every button submits an answer, so the page needs no button bar at the bottom.
_AT_ONCE = ("choose", "confirm")


class Problems:
    """Violations to show next to their fields; the remaining ones are shown above the form."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self._left = list(violations)

    def of(self, *about: str) -> list[dict[str, str]]:
        """Return the violations of these fields."""
        mine = [violation for violation in self._left if violation.about and violation.about in about]
        self._left = [violation for violation in self._left if violation not in mine]
        return list(as_context(mine))

    def rest(self) -> list[dict[str, str]]:
        """Return all violations that no field has shown."""
        return list(as_context(self._left))


class QuestionData(Value):
    """What a form is drawn from: the page, what was `typed` so far or opens an offer, and the violations."""

    page: Page
    form: QuestionForm
    typed: QueryDict
    violations: Problems
    rolls_on: bool


def form_of(
    page: Page, typed: QueryDict, violations: Iterable[Violation] = (), *, rolls_on: bool = False
) -> dict[str, Any]:
    """Return the form of the page's question: `template` and its context; empty if nothing is asked. If the page
    `rolls_on`, the tap that rolls for supplies makes the Casualty Checks too.
    """
    if (question := page.question) is None:
        return {}
    asked = QuestionData(page, form_for(question, typed), typed, Problems(violations), rolls_on)
    template, draw = _FORMS[type(question)]
    if isinstance(question, ChooseSeveral) and question.kind == "ranks":
        template = "draw"
    return {
        "template": f"battles/sequence/{template}.html",
        "bar": "" if template in _AT_ONCE else f"battles/sequence/{template}.html#bar",
        "text": question.text,
        "rule": question.rule,
        **draw(asked, question),
        "violations": asked.violations.rest(),
    }


def _roll(asked: QuestionData, question: Roll) -> dict[str, Any]:
    page, pools, checks = asked.page, _pools(asked, question), list[dict[str, Any]]()
    if asked.rolls_on and page.standing and page.side.step == CASUALTY_STEP - 1:
        script = step(CASUALTY_STEP).script(context := Context(page.book, page.state), page.standing.report)
        then = run(context, script).question
        checks = _pools(asked, then) if isinstance(then, Roll) else []
    faces = [face for pool in pools for die in pool["dice"] for face in die["faces"]]
    return {
        "text": gettext("Roll for supplies and Casualty Checks.") if checks else question.text,
        "shown": [*pools, *checks],
        "checks_follow": bool(checks),
        "pools": pools,
        "tables": _tables(page, question),
        "on_the_table": _on_the_table(page, question),
        "count": sum(pool["count"] for pool in (*pools, *checks)),
        "open": bool(asked.form["dice"].value()) or any(face["checked"] for face in faces),
    }


def _pools(asked: QuestionData, question: Roll) -> list[dict[str, Any]]:
    paragons = f":{asked.page.state.paragon}"  # the Paragon's dice come last
    return [_pool(asked, pool) for pool in sorted(question.pools, key=lambda pool: pool.key.endswith(paragons))]


def _pool(asked: QuestionData, pool: Pool) -> dict[str, Any]:
    what, _, key = pool.key.partition(":")
    check, page, fields = what == "check", asked.page, asked.form.fields
    rolled = asked.form[pool.key].value() if pool.key in fields else [""] * pool.count
    return {
        "key": pool.key,
        "label": pool.text,
        "note": pool.note,
        "die": pool.die,
        "count": pool.count,
        "odds": _odds(page, key, dice=pool.count) if check else None,
        "rerolls": rerolls_for(page.book, page.state.dossiers[key], pool.count) if check else 0,
        "worst": _worst(page, key),
        "dice": [
            {
                "name": face_field(pool.key, place),
                "faces": [{"face": face, "checked": rolled[place] == face} for face in FACES if face in DICE[pool.die]],
            }
            for place in range(pool.count)
        ],
        "violations": asked.violations.of(pool.key),
    }


def _tables(page: Page, question: Roll) -> list[dict[str, Any]]:
    """Return the meaning of each face, for the Setback and Trait tables that are rolled on (R36, R37)."""
    book, arc = page.book, page.book.story_arcs[page.state.story_arc]
    tables: list[tuple[str, str, Mapping[str, str], Mapping[str, Setback | DefiningTrait], str]] = [
        ("setback", gettext("Setbacks"), book.setback_by_face, book.setbacks, arc.setback),
        ("trait", gettext("Defining Traits"), book.trait_by_face, book.defining_traits, arc.defining_trait),
    ]
    rolled = {pool.key.partition(":")[0] for pool in question.pools}
    found = []
    for what, name, by_face, cards, own in tables:
        if what in rolled:
            meanings = {**by_face, "critical": own}
            faces = [(face, cards[meanings[face]].name) for face in FACES if face in meanings]
            found.append({"name": name, "faces": faces})
    return found


def _on_the_table(page: Page, question: Question) -> list[dict[str, Any]]:
    """Return casualty dice that have been rolled and may be rerolled before they take effect (R32, R33)."""
    if page.side.step != 4 or page.standing is None or page.standing.progress.effects:
        return []
    rolled = {}
    for item in page.side.answers:
        if isinstance(item["answer"], dict):
            rolled |= {
                key.removeprefix("check:"): faces for key, faces in item["answer"].items() if key.startswith("check:")
            }
    for check in question.checks if isinstance(question, Reroll) else ():
        rolled.pop(check.unit, None)
    return [{"name": page.names[unit], "dice": dice_of("black_attack", faces)} for unit, faces in rolled.items()]


def _reroll(asked: QuestionData, question: Reroll) -> dict[str, Any]:
    return {
        "checks": [
            {
                "unit": rolled.unit,
                "label": rolled.label,
                "rerolls": rolled.rerolls,
                "dice": [
                    {"face": face, "place": place, "checked": str(place) in asked.form[f"reroll:{rolled.unit}"].value()}
                    for place, face in enumerate(rolled.faces)
                ],
                "violations": asked.violations.of(rolled.unit),
            }
            for rolled in question.checks
        ],
        "on_the_table": _on_the_table(asked.page, question),
    }


def _add_dice(asked: QuestionData, question: AddDice) -> dict[str, Any]:
    page, added = asked.page, asked.form["add"].value()
    return {
        "units": [
            {
                "option": unit,
                "checked": unit.value in added,
                "adds": _odds(page, unit.value, "add"),
                "rerolls": _odds(page, unit.value, "reroll"),
                "worst": _worst(page, unit.value),
            }
            for unit in question.units
        ]
    }


def _odds(page: Page, key: str, choice: str = "", *, dice: int = 0) -> dict[str, int]:
    """Return the odds of a unit's check as `components/odds.html` takes them; for a War Weary unit those of its
    `choice`. `dice` is the number of dice rolled, which shows whether it added one.
    """
    dossier = page.state.dossiers[key]
    guarded = page.standing is not None and key in shield(Context(page.book, page.state), page.standing.report).units
    odds = odds_by_choice(page.book, dossier, shielded=guarded)
    if dice:
        choice = "add" if dice > dice_for(dossier) else "reroll"
    return thousandths(odds.get("check") or odds[choice])


def _worst(page: Page, key: str) -> str:
    """Return the name of the worst result: a Paragon does not become a casualty (R35)."""
    return gettext("Trait") if key == page.state.paragon else ""


def _several(asked: QuestionData, question: ChooseSeveral) -> dict[str, Any]:
    typed = asked.form["take"].value()
    bag = [value for value, times in question.bag.items() for _ in range(times)]
    labeled = {value: {"value": value, "label": question.labels[value]} for value in question.bag}
    return {
        "count": question.count,
        "bag": [{**labeled[value], "times": times} for value, times in question.bag.items()],
        "each": [labeled[value] for value in bag],
        "draws": [typed[place] if place < len(typed) else "" for place in range(question.count)],
        "open": bool(typed),
    }


def _award(asked: QuestionData, question: Award) -> dict[str, Any]:
    """Return the units that are due a Commendation. For a single unit each Commendation is a button."""
    dues = [_due(asked, due) for due in question.dues]
    refused = [due for due in dues if due["violations"]]
    next(iter(refused or dues), {})["open"] = True  # of several, only the first: the script opens the next one
    if len(dues) == 1 and dues[0]["options"] and not any(item["keywords"] for item in dues[0]["options"]):
        return {"dues": dues, "direct": True, "bar": ""}
    label = ngettext("Award Commendation", "Award %(number)s Commendations", len(dues)) % {"number": len(dues)}
    return {"dues": dues, "direct": False, "label": label}


def _due(asked: QuestionData, due: Due) -> dict[str, Any]:
    form, book = asked.form, asked.page.book
    chosen = form[f"commendation:{due.unit}"].value()
    fitting = nlargest(MOST_FITTING, due.options, key=lambda option: _fit(book.commendations[option.value]))
    options = [
        {
            "option": option,
            "checked": option.value == chosen,
            "high": book.commendations[option.value].high,
            "keywords": [
                {"value": keyword, "checked": form[f"keyword:{due.unit}:{option.value}"].value() == keyword}
                for keyword in book.commendations[option.value].choose_keyword
            ],
        }
        for option in (*fitting, *(option for option in due.options if option not in fitting))
    ]
    return {
        "unit": due.unit,
        "label": due.label,
        "veteran_rank": due.veteran_rank,
        "xp": experience(book, asked.page.state.dossiers[due.unit]),
        "needs_name": due.needs_name,
        "name": form[f"name:{due.unit}"].value() or "",
        "options": options[:MOST_FITTING],
        "more": options[MOST_FITTING:],
        "more_open": any(each["checked"] for each in options[MOST_FITTING:]) or chosen == SKIPPED,
        "skipped": SKIPPED,
        "skip_checked": chosen == SKIPPED,
        "violations": asked.violations.of(due.unit),
    }


def _fit(card: Commendation) -> tuple[int, int, int]:
    """Return how specially a Commendation suits a unit that may have it: what it asks for, and of what rank."""
    needs = card.requires
    special = [card.story_arc, needs.commendations, needs.unit_class, needs.rank, needs.unit_type, needs.unit_keyword]
    return bool(needs.paragon), needs.veteran_rank, sum(map(bool, special))


def _aid(asked: QuestionData, question: RequestAid) -> dict[str, Any]:
    page = asked.page
    tried = {name: asked.typed.get(name, "") for name in ("request", "unit")}
    suggested = suggested_aid(page.book, page.state, defeated=len(page.side.report.get("defeated", ())))
    requests = aid_offers(page.book, page.state, **tried, at_once=(ACTIVE_RECRUITING,))
    # One that needs no choice is suggested already.
    folded = [request for request in requests if request["slug"] != ACTIVE_RECRUITING or not request["offers"]]
    return {"suggested": suggested, "folded": folded}


def _edit(asked: QuestionData, question: EditRegister) -> dict[str, Any]:
    book, state = asked.page.book, asked.page.state
    edit = closed_edit_form(book, state, asked.typed)
    # After an addition the list stays where it was.
    return {"edit": edit, "tally": tally(book, state), "stay": not edit["choice"]}


def _join(asked: QuestionData, question: JoinUnit) -> dict[str, Any]:
    form = asked.form
    return {
        "cards": [
            {
                "option": card,
                "checked": form["card"].value() == card.value or len(question.cards) == 1,
                "upgrades": list(_joining_upgrades(asked, question, card.value)),
            }
            for card in question.cards
        ],
        "name": form["name"].value() or "",
    }


def _joining_upgrades(asked: QuestionData, question: JoinUnit, card: str) -> Iterator[dict[str, Any]]:
    book, state = asked.page.book, asked.page.state
    ticked = asked.form[f"upgrades:{card}"].value()
    for upgrade in book.upgrades.values():
        if upgrade.type in book.units[card].upgrade_slots and not upgrade.retired:
            try:
                join_by_reward(book, state, card, upgrades=[upgrade.slug], rule=question.rule)
            except RuleViolation:
                continue
            yield {
                "value": upgrade.slug,
                "label": f"{upgrade.full_name} ({spoken(upgrade.type)})",
                "points": upgrade.points,
                "checked": upgrade.slug in ticked,
            }


_FORMS: Mapping[type[Question], tuple[str, Callable[[QuestionData, Any], dict[str, Any]]]] = {
    Roll: ("roll", _roll),
    Choose: ("choose", lambda asked, question: {"options": question.options, "decline": question.decline}),
    ChooseSeveral: ("take", _several),
    Confirm: ("confirm", lambda asked, question: {}),
    AddDice: ("add_dice", _add_dice),
    Reroll: ("reroll", _reroll),
    Award: ("award", _award),
    RequestAid: ("aid", _aid),
    EditRegister: ("edit", _edit),
    JoinUnit: ("join", _join),
}
