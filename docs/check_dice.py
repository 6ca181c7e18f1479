"""Check the dice of a battle of Musterbook: `python check_dice.py dice.json`. docs/trust.md says how they are drawn."""

import hashlib
import hmac
import json
import sys
from pathlib import Path

DICE = {  # the sides of each die, in the order in which they are counted
    "red_attack": "hit hit hit hit hit critical surge blank",
    "black_attack": "hit hit hit critical surge blank blank blank",
    "white_attack": "hit critical surge blank blank blank blank blank",
    "red_defense": "block block block surge blank blank",
    "white_defense": "block surge blank blank blank blank",
}
exported = json.loads(Path(sys.argv[1]).read_text("utf-8"))
seeds, first, late = {seed["number"]: seed for seed in exported["seeds"] if seed["seed"]}, {}, 0
for seed in seeds.values():
    if hashlib.sha256(bytes.fromhex(seed["seed"])).hexdigest() != seed["commitment"]:
        sys.exit(f"Seed {seed['number']} is not the one that was promised.")
for number, draw in enumerate(exported["draws"], start=1):
    label, seed, again = draw["label"], seeds.get(draw["seed"]), draw["label"] in first
    if draw["number"] != number:
        sys.exit(f"Draw {number} is missing.")
    if first.setdefault(label, draw["seed"]) != draw["seed"]:
        sys.exit(f"Draw {number} ({label}) was rolled before, by another seed.")
    if not seed:
        late += 1
        continue
    if not again and draw["at"] > seed["shown_at"]:
        sys.exit(f"Draw {number} ({label}) could be foreseen: its seed had been shown.")
    text = "\n".join(["musterbook dice 1", exported["battle"], seed["blue_word"], seed["red_word"], label])
    blocks = (hmac.digest(bytes.fromhex(seed["seed"]), f"{text}\n{n}".encode(), "sha256") for n in range(999))
    stream = (byte for block in blocks for byte in block)
    left = DICE[draw["die"]].split() if draw["die"] else sorted(draw["bag"])
    for face in draw["faces"]:
        place = next(byte for byte in stream if byte < 256 - 256 % len(left)) % len(left)
        if (left[place] if draw["die"] else left.pop(place)) != face:
            sys.exit(f"Draw {number} ({label}) is not right.")
print(f"{len(exported['draws']) - late} draws checked, none is wrong; {late} wait for their seed.")
