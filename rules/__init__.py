"""The rules of Tours of Duty as pure functions: no Django, no database, no clock, no dice of their own.

Numbers such as R13 are the rulings of docs/rules.md. Each is cited next to the code that follows it and in its test.
"""
