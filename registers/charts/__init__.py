"""Charts, drawn by templates/registers/charts/. Horizontal values are in per cent, vertical ones in px."""
