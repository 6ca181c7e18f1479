"""Random Register states, and random effects that can happen to them."""

from collections.abc import Callable

from hypothesis import strategies as st

from rules.core.card_types import FACTIONS
from rules.core.rulebook import Rulebook
from rules.register import effects as e
from rules.register.state import Dossier, Field, RegisterState, Trait

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=80)


def some(slugs, *, most: int = 3, unique: bool = True):
    """A tuple of slugs, in any order."""
    return st.lists(st.sampled_from(sorted(slugs)), max_size=most, unique=unique).map(tuple)


@st.composite
def dossiers(draw, book: Rulebook, key: str) -> Dossier:
    """A Dossier that the database would hold, whatever the rules say of it."""
    upgrades = draw(some(book.upgrades))
    return Dossier(
        key=key,
        card=draw(st.sampled_from(sorted(book.units))),
        name=draw(NAMES),
        faction=draw(st.sampled_from(("", *FACTIONS))),
        affiliation=draw(st.sampled_from(("", "blizzard force"))),
        upgrades=upgrades,
        by_commendation=tuple(slug for slug in upgrades if draw(st.booleans())),
        experience=draw(st.integers(0, 50)),
        veteran_rank=draw(st.integers(0, 5)),
        training=draw(st.integers(0, 5)),
        owed=draw(st.integers(0, 3)),
        setbacks=draw(some(book.setbacks, unique=False, most=5)),
        commendations=draw(some(book.commendations)),
        keywords=draw(some(["Strategize 1", "Aim 1", "Lauded"], unique=False)),
    )


@st.composite
def states(draw, book: Rulebook) -> RegisterState:
    """A state that the database would hold."""
    keys = [str(number) for number in draw(st.lists(st.integers(1, 12), unique=True, max_size=5))]
    everyone = {key: draw(dossiers(book, key)) for key in sorted(keys, key=int)}
    places = {key: draw(st.sampled_from(("serving", "fallen", "reassigned"))) for key in everyone}
    trait = st.builds(Trait, st.sampled_from(sorted(book.defining_traits)), st.integers(1, 2), st.booleans())
    field = st.builds(Field, st.just("battle-7"), st.sampled_from(sorted(book.defining_traits)), st.integers(0, 3))
    held = [slug for slug, asset in book.assets.items() for _ in range(asset.per_sequence)]

    def who(place: str) -> dict[str, Dossier]:
        return {key: dossier for key, dossier in everyone.items() if places[key] == place}

    return RegisterState(
        name=draw(NAMES),
        faction=draw(st.sampled_from(("", *FACTIONS))),
        combat_potential=draw(st.integers(0, 2000)),
        supply_points=draw(st.integers(0, 40)),
        reputation=draw(st.integers(0, 9)),
        story_arc=draw(st.sampled_from(("", *book.story_arcs))),
        agendas=draw(st.dictionaries(st.sampled_from(sorted(book.agendas)), st.integers(1, 3), max_size=3)),
        assets=tuple(draw(st.permutations(held))[: draw(st.integers(0, 4))]),
        dossiers=who("serving"),
        fallen=who("fallen"),
        reassigned=who("reassigned"),
        paragon=draw(st.sampled_from(["", *everyone])),
        trait=draw(st.none() | trait),
        command_cards=draw(some(book.command_cards)),
        command_cards_owed=draw(st.integers(0, 3)),
        requests=draw(st.dictionaries(st.sampled_from(sorted(book.aid_requests)), st.integers(1, 4))),
        next_key=draw(st.integers(1, 20)),
        in_field=draw(st.none() | field),
    )


def effects(book: Rulebook, state: RegisterState) -> st.SearchStrategy[e.Effect]:
    """One effect that can happen to `state` now."""
    return st.sampled_from([*_of_the_register(book, state), *_of_units(book, state)]).flatmap(lambda make: make())


def _kind(kind: type[e.Effect], **values: object) -> Callable[[], st.SearchStrategy[e.Effect]]:
    """A maker of effects of this kind; values that are strategies are drawn."""

    def make() -> st.SearchStrategy[e.Effect]:
        drawn = {
            name: value if isinstance(value, st.SearchStrategy) else st.just(value) for name, value in values.items()
        }
        return st.builds(kind, rule=st.just("R0"), **drawn)

    return make


def _of_the_register(book: Rulebook, state: RegisterState):
    amount = st.integers(1, 4)
    yield _kind(e.SupplyPointsGained, amount=amount)
    yield _kind(e.CombatPotentialRaised, amount=amount)
    yield _kind(e.ReputationGained, amount=amount)
    yield _kind(e.RegisterNamed, name=NAMES.filter(bool))
    yield _kind(e.StoryArcBegun, story_arc=st.sampled_from(sorted(book.story_arcs)))
    yield _kind(e.AgendaProgressed, agenda=st.sampled_from(sorted(book.agendas)), amount=amount)
    yield _kind(e.AidRequested, request="active-recruiting", asset=st.sampled_from(["", "medevac"]))
    yield _kind(e.TraitGained, trait=st.sampled_from(sorted(book.defining_traits)), games=2)
    yield _kind(e.FieldTaken, battle="battle-7", trait="")
    yield _kind(e.FieldLeft)
    yield _kind(e.SequenceEnded)
    yield _kind(e.UnitAdded, unit=str(state.next_key), card=st.sampled_from(sorted(book.units)), name=NAMES)
    if state.supply_points:
        yield _kind(e.SupplyPointsSpent, amount=st.integers(1, state.supply_points))
    if state.trait:
        yield _kind(e.TraitCountedDown, trait=state.trait.slug, games_left=st.integers(0, 1))
    if free := sorted(slug for slug in book.assets if slug not in state.assets):
        yield _kind(e.AssetGained, asset=st.sampled_from(free))
    if state.assets:
        yield _kind(e.AssetUsedUp, asset=st.sampled_from(state.assets))


def _of_units(book: Rulebook, state: RegisterState):
    if not state.dossiers:
        return
    for key, dossier in state.dossiers.items():
        yield _kind(e.UnitNamed, unit=key, name=NAMES.filter(bool))
        yield _kind(e.ParagonChosen, unit=key)
        yield _kind(e.UnitFell, unit=key)
        yield _kind(e.UnitReassigned, unit=key)
        yield _kind(e.CommendationOwed, unit=key)
        yield _kind(e.SetbackGained, unit=key, setback=st.sampled_from(sorted(book.setbacks)))
        yield _kind(e.KeywordGained, unit=key, keyword=st.sampled_from(["Aim 1", "Lauded"]))
        yield _kind(e.KeywordLost, unit=key, keyword="Aim 1")
        if dossier.experience < 50:
            yield _kind(e.ExperienceGained, unit=key, amount=st.integers(0, 50 - dossier.experience))
        if dossier.setbacks:
            yield _kind(e.SetbackRemoved, unit=key, setback=st.sampled_from(dossier.setbacks))
        if dossier.owed:
            free = sorted(set(book.commendations) - set(dossier.commendations))
            yield _kind(
                e.CommendationAwarded,
                unit=key,
                commendation=st.sampled_from(free),
                keyword=st.sampled_from(["", "Aim 1"]),
            )
            yield _kind(e.CommendationWaived, unit=key)
        free = sorted(set(book.upgrades) - set(dossier.upgrades))
        yield _kind(e.UpgradeAdded, unit=key, upgrade=st.sampled_from(free), by_commendation=st.booleans())
