"""Check the dice of a battle of Musterbook: `python check_dice.py dice.json`. docs/trust.md says how they are drawn."""

import hashlib
import hmac
import json
import sys
from itertools import count
from pathlib import Path

DICE = {  # the sides of each die, in the order in which they are counted
    "red_attack": "hit hit hit hit hit critical surge blank",
    "black_attack": "hit hit hit critical surge blank blank blank",
    "white_attack": "hit critical surge blank blank blank blank blank",
    "red_defense": "block block block surge blank blank",
    "white_defense": "block surge blank blank blank blank",
}


def fallen(seed, text, draw):
    stream = (byte for n in count() for byte in hmac.digest(seed, f"{text}\n{n}".encode(), "sha256"))
    left = DICE[draw["die"]].split() if draw["die"] else sorted(draw["bag"])
    for _ in draw["faces"]:
        place = next(byte for byte in stream if byte < 256 - 256 % len(left)) % len(left)
        yield left[place] if draw["die"] else left.pop(place)


said = json.loads(Path(sys.argv[1]).read_text("utf-8"))
seeds = {seed["number"]: seed for seed in said["seeds"] if seed["seed"]}
for seed in seeds.values():
    if hashlib.sha256(bytes.fromhex(seed["seed"])).hexdigest() != seed["commitment"]:
        sys.exit(f"Seed {seed['number']} is not the one that was promised.")
for number, draw in enumerate(said["draws"], start=1):
    if draw["number"] != number:
        sys.exit(f"Draw {number} is missing.")
    if seed := seeds.get(draw["seed"]):
        lines = ["musterbook dice 1", said["battle"], seed["blue_word"], seed["red_word"], draw["label"]]
        if list(fallen(bytes.fromhex(seed["seed"]), "\n".join(lines), draw)) != draw["faces"]:
            sys.exit(f"Draw {number} ({draw['label']}) is not right.")
checked = sum(draw["seed"] in seeds for draw in said["draws"])
print(f"All {checked} draws are right; {len(said['draws']) - checked} wait for their seed.")
