"""Cards, dice, campaign rules, reward effects, violations and sentences."""
