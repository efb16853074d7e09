"""Descriptions from docstrings, in Google, NumPy, Sphinx and epydoc style.

The description is the text before the first section, all paragraphs of it, followed by the notes (Note, Warning, Tip
and the like) that come later: "cannot be undone" is what a caller has to know. Returns, Raises, Yields, Examples and
similar sections end the description and are left out, as is prose after them. Sections that no style knows are prose.
A docstring may mix styles: each section is read in its own. Google sections are read here, the others by the package
docstring-parser (see `package` for why and how).

- `cleaning`: lines and indentation. `headers`, `titles`: what starts a section. `sections`: where it ends.
- `google`, `package`: entries. `names`: their names. `flow`: which line breaks are kept. `read`: all together.
"""

from .read import DocText, read_docstring

__all__ = ["DocText", "read_docstring"]
