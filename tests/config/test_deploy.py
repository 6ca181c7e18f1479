"""What a host is given to copy: files that name each other have to agree."""

from __future__ import annotations

import re

from config.paths import BASE_DIR


def read(name: str) -> str:
    return (BASE_DIR / name).read_text(encoding="utf-8")


def test_the_example_names_all_that_compose_asks_for():
    asked = set(re.findall(r"\$\{(\w+)", read("docker-compose.yml")))
    assert set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.MULTILINE)) == asked


def test_the_example_holds_no_secret():
    filled = re.findall(r"^([A-Z_]+)=(.+)$", read(".env.example"), re.MULTILINE)
    assert filled == []


def test_nothing_of_a_machine_gets_into_the_image():
    left_out = set(read(".dockerignore").split())
    assert {".git*", ".env", ".data", ".venv", "backups"} <= left_out
    assert not re.search(r"^(ENV|ARG) .*(SECRET_KEY|PASSWORD)", read("Dockerfile"), re.MULTILINE)


def test_units_and_guide_speak_of_the_same_places():
    guide = read("docs/hosting.md")
    for unit in sorted((BASE_DIR / "deploy" / "systemd").iterdir()):
        places = re.findall(r"^(?:WorkingDirectory|EnvironmentFile)=(\S+)", unit.read_text(), re.MULTILINE)
        assert [place for place in places if place not in guide] == [], unit.name
