"""The ten steps of the Post-Battle Sequence, a module each; `sequence.py` puts them in order."""
