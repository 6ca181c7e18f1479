"""What every app may use: middleware, template tags, theme and style guide, PDFs, snapshots, encryption."""
