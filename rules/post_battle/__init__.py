"""The ten steps of the Post-Battle Sequence, a module each; `steps.py` puts them in order."""
