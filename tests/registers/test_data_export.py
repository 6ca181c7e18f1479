"""What the Registers keep about a person."""

from registers.data_export import registers_of
from registers.services import editing


def test_registers_with_their_ledgers_and_acts_in_others(founded, player, other):
    editing.write_biography(actor=player, register_id=founded.pk, text="Cold.")
    editing.write_biography(actor=player, register_id=founded.pk, key="1", text="Born in snow.")
    founded.refresh_from_db()
    other.is_staff = other.is_superuser = True
    other.save()
    renamed = editing.edit(
        actor=other, register_id=founded.pk, position=founded.position,
        change={"name": {"unit": "2", "name": "Grim Hounds"}},
    )  # fmt: skip
    last = renamed.entries.order_by("position").last()
    entry = {
        "position": last.position, "act": "edit", "battle": "", "step": None, "effects": last.effects,
        "answers": last.answers, "reason": "", "undoes__position": None, "created_at": last.created_at,
    }  # fmt: skip

    [own] = registers_of(player)["own"]
    assert own | {"ledger": len(own["ledger"])} == {
        "name": "Ashen Patrol",
        "faction": "empire",
        "opened": founded.created_at,
        "biography": "Cold.",
        "units": [
            {"key": "1", "name": "Captain Sorne", "biography": "Born in snow.", "picture": None},
            {"key": "2", "name": "Grim Hounds", "biography": "", "picture": None},
            {"key": "3", "name": "", "biography": "", "picture": None},
        ],
        "painted": [],
        "ledger": last.position,
    }
    assert own["ledger"][-1] == entry
    assert registers_of(player)["acts in others"] == []
    assert registers_of(other) == {"own": [], "acts in others": [{"register__name": "Ashen Patrol"} | entry]}
