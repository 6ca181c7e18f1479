"""The life of a campaign: closed, archived, reopened, deleted, restored, and at last removed."""
