"""The chronicle: generated narrative, stories, photos, the public link, the feed and the book."""
