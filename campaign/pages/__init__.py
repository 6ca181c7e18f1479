"""What the pages of a campaign show, made from queries of the campaign and all its parts."""
