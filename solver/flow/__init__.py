"""A book as a transition system over its cells as terms, and what can be proved with it."""
