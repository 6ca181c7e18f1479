"""What is known of the versions that are locked: their weaknesses, and the list of them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ops import audit
from ops.paths import BASE_DIR

SOUND = {"name": "django", "version": "5.2.19", "vulns": []}
WEAK = {
    "name": "pillow",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
UNASKED = {"name": "nh3", "skip_reason": "Dependency not found on PyPI"}
SENTENCES = [
    "pillow 1.0 has a known weakness, PYSEC-1; fixed in 1.1, 2.0.",
    "pillow 1.0 has a known weakness, PYSEC-2; fixed in no version yet.",
]
ALL_SOUND = "1 locked versions audited. None has a known vulnerability."
NOTHING = "WARNING: PyPI could not be reached. Nothing was audited."


@pytest.mark.parametrize(
    ("found", "sentences", "failed", "failed_if_required"),
    [
        ([SOUND], [ALL_SOUND], False, False),
        ([SOUND, WEAK], SENTENCES, True, True),
        ([WEAK, UNASKED], [*SENTENCES, "WARNING: 1 of 2 packages could not be audited: nh3."], True, True),
        ([SOUND, UNASKED], ["WARNING: 1 of 2 packages could not be audited: nh3."], False, True),
        ([UNASKED], [NOTHING], False, True),
        ([], [NOTHING], False, True),
    ],
)
def test_a_weakness_is_an_error_and_silence_is_no_audit(found, sentences, failed, failed_if_required):
    assert audit.report(found, required=False) == (sentences, failed)
    assert audit.report(found, required=True) == (sentences, failed_if_required)


@pytest.mark.parametrize(
    ("expected", "sentence", "status"),
    [
        (json.dumps({"dependencies": [SOUND]}), "1 locked versions audited. None has a known vulnerability.\n", False),
        ("", f"{NOTHING}\n", False),
        (json.dumps({"dependencies": [WEAK]}), "\n".join([*SENTENCES, ""]), True),
    ],
)
def test_what_pip_audit_says_is_read(expected, sentence, status, monkeypatch, capsys):
    monkeypatch.delenv("AUDIT", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    asked = subprocess.CompletedProcess([], 0, stdout=expected, stderr="")
    monkeypatch.setattr(audit.subprocess, "run", lambda *_args, **_named: asked)
    with pytest.raises(SystemExit) as ended:
        audit.main()
    assert (capsys.readouterr().out, ended.value.code) == (sentence, status)


@pytest.mark.parametrize(
    ("found", "level"), [([SOUND], "notice"), ([SOUND, UNASKED], "warning"), ([], "warning"), ([WEAK], "error")]
)
def test_ci_shows_whether_it_could_ask(found, level, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    asked = subprocess.CompletedProcess([], 0, stdout=json.dumps({"dependencies": found}), stderr="")
    monkeypatch.setattr(audit.subprocess, "run", lambda *_args, **_named: asked)
    with pytest.raises(SystemExit):
        audit.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("::")] == [
        f"::{level} title=make audit::{line}" for line in lines if not line.startswith("::")
    ]


# --- The list of parts -------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_list_names_each_locked_package(tmp_path):
    line = re.search(r"cyclonedx-py (.+?) -o (\S+)", (BASE_DIR / "Makefile").read_text().replace("\\\n", ""))
    assert line, "the Makefile makes no list"
    out = tmp_path / "list.json"
    command = [Path(sys.executable).parent / "cyclonedx-py", *line[1].split(), "-o", out]
    subprocess.run(command, cwd=BASE_DIR, check=True, capture_output=True)
    locked = re.findall(r"^([\w.-]+)(?:\[.+\])?==(\S+)", (BASE_DIR / "requirements.txt").read_text(), re.MULTILINE)
    listed = {(part["name"], part["version"]) for part in json.loads(out.read_text())["components"]}
    assert listed == set(locked)
    assert len(locked) > 30


# --- Before a commit ---------------------------------------------------------------------------------------------


def test_what_runs_before_a_commit_is_what_make_lint_runs():
    makefile = (BASE_DIR / "Makefile").read_text()
    targets = dict(re.findall(r"^(types|style):.*\n((?:\t.+\n)+)", makefile, re.MULTILINE))
    text = yaml.safe_load((BASE_DIR / ".pre-commit-config.yaml").read_text())
    hooks = [hook for repository in text["repos"] for hook in repository["hooks"]]
    assert {repository["repo"] for repository in text["repos"]} == {"local"}
    commands = [command for target in targets.values() for command in target.splitlines()]
    run = [re.sub(r"^\t\$\(BIN\)/| \$\$\(.*| (\.|templates)$| --check \.$", "", command) for command in commands]
    assert len(targets) == 2
    assert sorted(
        hook["entry"].removeprefix(".venv/bin/").removesuffix(" --force-exclude") for hook in hooks
    ) == sorted(run)
