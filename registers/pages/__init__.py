"""What the templates of Registers draw."""
