"""Services that change Registers. Each locks the Register it changes."""
