"""What another room says of where a Register serves."""

from __future__ import annotations

from registers import register_links
from registers.models import Register
from registers.register_links import RegisterLinks, campaign_name_for, links_for, set_campaign_namer, set_guide


def test_nobody_knows(monkeypatch):
    monkeypatch.setattr(register_links, "_guides", [])
    assert links_for(None, Register()) == RegisterLinks()


def test_who_is_asked(monkeypatch):
    monkeypatch.setattr(register_links, "_guides", [])
    set_guide(lambda user, register: RegisterLinks(label=f"{user} leads {register}"))
    assert links_for("ada", Register(name="Strays")).label == "ada leads Strays"


def test_the_campaign_is_named_by_who_knows_it(monkeypatch):
    monkeypatch.setattr(register_links, "_campaign_namers", [])
    assert campaign_name_for(None, Register()) == ""
    set_campaign_namer(lambda user, register: f"{register} for {user}")
    assert campaign_name_for("ada", Register(name="Strays")) == "Strays for ada"
