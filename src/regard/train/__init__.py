"""batches -> checkpoint."""
