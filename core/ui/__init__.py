"""How every page looks: the theme a reader wants, the emblems of the Story Arcs, and the style guide of all parts."""
