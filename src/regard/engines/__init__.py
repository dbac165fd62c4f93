"""a model -> hypotheses: by the model itself, or by somebody else's engine."""
