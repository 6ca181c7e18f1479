"""The ten steps of the Post-Battle Sequence, the long ones a module each; `sequence.py` puts them in order."""
