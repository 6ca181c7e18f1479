"""Changes to the bonus for painted armies."""
