"""The rules of Tours of Duty as pure functions: no Django, no database, no clock, no dice of their own.

Numbers such as R13 are the rulings of docs/rules.md; each stands beside the code and the test that carry it.
"""
