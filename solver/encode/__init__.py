"""Rules as terms: expressions, norms, values and legality over the variables of the state."""
