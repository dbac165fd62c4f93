"""trace -> picture: pages that are one file each, and ask no network for anything."""
