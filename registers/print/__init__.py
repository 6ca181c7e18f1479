"""Printed Registers: sheets and cards. The server breaks lines (`typesetting`) and pages (`paper_sizes`)."""
