"""a model -> hypotheses by somebody else's engine."""
