"""What another room says of where a Register serves."""

from __future__ import annotations

from registers import whereabouts
from registers.models import Register
from registers.whereabouts import Whereabouts, tell_whereabouts, whereabouts_of


def test_nobody_knows(monkeypatch):
    monkeypatch.setattr(whereabouts, "_guides", [])
    assert whereabouts_of(None, Register()) == Whereabouts()


def test_who_is_asked(monkeypatch):
    monkeypatch.setattr(whereabouts, "_guides", [])
    tell_whereabouts(lambda user, register: Whereabouts(label=f"{user} leads {register}"))
    assert whereabouts_of("ada", Register(name="Strays")).label == "ada leads Strays"
