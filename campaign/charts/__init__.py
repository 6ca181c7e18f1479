"""Charts of a whole campaign; `registers.charts` says how charts are drawn."""
