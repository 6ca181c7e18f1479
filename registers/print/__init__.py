"""Registers on paper: sheets and cards. The server sets the type (`setting`) and the pages (`stock`)."""
