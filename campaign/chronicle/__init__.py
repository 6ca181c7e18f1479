"""The chronicle: generated narrative, stories, photos, the public page of a campaign, the feed and the book."""
