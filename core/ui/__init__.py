"""The look of every page: the theme, the emblems of the Story Arcs, and the style guide of all components."""
