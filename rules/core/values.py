"""Base classes of values: every subclass is a frozen dataclass, without a decorator of its own."""

from dataclasses import Field, dataclass
from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """A card, a reward effect or a condition."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class KeywordValue:
    """An effect of the ledger or a question of a sequence. Its fields are given by name."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
