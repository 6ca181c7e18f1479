"""Registers on paper: sheets in the manner of the printed form, and cards for sleeves.

The server sets the type. It knows how wide each word is in the letters that the pages are printed with (`letters`), so
it breaks the lines itself (`setting`), finds the size at which a card holds its texts or continues it on another
(`fitting`), and says what stands on which page (`stock`, `flow`). Browser and PDF only draw what it has decided.
"""
