"""What lauren-ai 1.6.0 makes of tools when it decorates them, read from their source.

`tools.py` goes through parameters and docstrings, `evaluation.py` says whether annotations can be evaluated then,
`annotations.py` what it makes of one, `fields.py` of a class. `docstrings.py` has its grammar of docstrings. Which
difference is which is in `ir/divergences.py`.
"""
