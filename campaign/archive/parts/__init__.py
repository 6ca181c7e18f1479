"""Parts of a campaign file (docs/campaign-file.md): `written` returns its values, `bring` creates rows from them."""
