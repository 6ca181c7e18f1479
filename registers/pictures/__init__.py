"""Pictures that replace reading: where every mark stands is reckoned here, templates/pictures/ draw them.

A picture is as wide as its page lets it be: its places across are per cent, its heights px, so that words keep their
size on every screen. What must not overlap does not where the picture is narrowest.
"""
