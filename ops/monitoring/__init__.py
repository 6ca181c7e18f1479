"""The request log, metrics and error reports."""
