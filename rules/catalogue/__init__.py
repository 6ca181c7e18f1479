"""Read the catalogue's files and check them."""
