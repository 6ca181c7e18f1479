"""Pictures that replace reading, drawn by templates/pictures/. Places across are per cent, heights px."""
