"""The terrain checklist of a table (E44)."""

from rules.tournaments.terrain import KEYS, checklist, known


def test_the_counts_of_both_sizes():
    pieces = ("medium pieces that block line of sight", "large pieces that block line of sight")
    kinds = (*pieces, "pieces of area terrain", "pieces of difficult terrain", "pieces of scatter terrain")
    for small, counts in (
        (False, ("3–5", "1–3", "2–4", "0–2", "8–12")), (True, ("2–4", "0–2", "1–3", "0–1", "6–10")),
    ):  # fmt: skip
        lines = checklist(small=small)
        assert [line.key for line in lines] == list(KEYS)
        assert [line.text for line in lines[4:]] == [f"{n} {kind}" for n, kind in zip(counts, kinds, strict=True)]
        assert [line.text for line in lines[:4]] == [
            "Terrain covers 25–35 % of the table.",
            "Scatter, area and line-of-sight-blocking terrain of different heights.",
            "Both light and heavy cover.",
            "Medium and large pieces are beyond range 1 of each other.",
        ]
    assert known(["scatter", "nonsense", "cover", "cover"]) == ["cover", "scatter"]
