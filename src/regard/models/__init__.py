"""batch -> logits."""
