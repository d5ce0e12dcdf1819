"""Everything that plays or advises: bots, the blueprint of the search, and sampled worlds."""
