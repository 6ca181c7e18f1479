"""What another room says of where a Register serves."""

from __future__ import annotations

from registers import register_links
from registers.models import Register
from registers.register_links import RegisterLinks, links_for, register_guide


def test_nobody_knows(monkeypatch):
    monkeypatch.setattr(register_links, "_guides", [])
    assert links_for(None, Register()) == RegisterLinks()


def test_who_is_asked(monkeypatch):
    monkeypatch.setattr(register_links, "_guides", [])
    register_guide(lambda user, register: RegisterLinks(label=f"{user} leads {register}"))
    assert links_for("ada", Register(name="Strays")).label == "ada leads Strays"
