"""Running code apart from the program: which sandbox there is, and what came of a run."""
