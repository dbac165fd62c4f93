"""pieces -> batch."""
