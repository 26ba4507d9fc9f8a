"""Two statements that are meant to say the same: in what they differ, by their text, by their meaning and in play."""
