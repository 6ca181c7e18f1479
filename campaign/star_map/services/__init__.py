"""Changes to star maps."""
