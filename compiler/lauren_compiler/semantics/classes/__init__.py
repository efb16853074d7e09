"""Classes whose instances are data, read from their source: one reader a kind."""
