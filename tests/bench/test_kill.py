"""An answer that ends a step, killed between any two of its statements; bench/kill.py kills more."""

import re
import subprocess
import sys

from ops.paths import BASE_DIR
from tests.thoroughness import examples

#: Kill at every so many points; there is one before and one after each statement.
STEP = examples(gate=240, nightly=2)


def test_a_step_is_done_or_not_done():
    """In a process of its own: it forks, and a process with threads that serve browsers must not."""
    words = ["--seed", "1", "--only", "answer that ends a step", "--step", str(STEP)]
    command = [sys.executable, "bench/kill.py", *words]
    ran = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    sentence = r"step: (\d+) statements, \d+ kills; (\d+) left it before, (\d+) after"
    statements, before, after = map(int, re.findall(sentence, ran.stdout)[0])
    assert statements > 10
    assert before + after >= 2 * statements // STEP
    assert before >= 1
    assert after >= 1
