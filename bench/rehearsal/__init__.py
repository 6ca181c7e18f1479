"""The whole product, rehearsed: people found a campaign and play it to its end, each by a browser of their own.

    .venv/bin/python -m bench.rehearsal --players 8 --arcs 3 --seed 1

starts a site as `make run` does, in a directory that is removed at the end, and touches it by its pages alone: people
sign up, build Registers, plan, choose armies, report, resolve the ten steps, err, undo, correct, lose their connection
and find the site killed under them. At the end everything is taken along, brought back, printed and proved. The exit
status is 1 if a page broke, a browser complained, an address was left out, or the books do not balance.
"""
