"""Pictures that replace reading, drawn by templates/registers/charts/. Places across are per cent, heights px."""
