"""The pages of the campaign, except the sequence's."""
