"""The pages of Registers."""
