"""The home page, the inbox ("your turn") and the rules reference."""
