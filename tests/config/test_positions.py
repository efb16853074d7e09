"""Keys of a TOML document are found at their places, whatever stands between them."""

from __future__ import annotations

import tomllib

from lauren_compiler.config.positions import Key, key_spans

DOCUMENT = '''\
# [no.table]
top = 1  # out = 2
"quoted.key" = "a # b"
[a . b]
text = """
not = "a key"
\\""" [neither]
"""
raw = \'\'\'
x = '1'
\'\'\'\'
list = [ "x", # ] , "y"
  [1, 2], { in = 1 }, \'z\' ]
dotted . deep = 1979-05-27 07:32:00
inline = { one = 1, two.three = [true], "f o" = "}" }
[[a.rows]]
id = 1
[[a.rows]]
id = 2
'''


def leaves(value: object, path: Key = ()) -> list[Key]:
    if isinstance(value, dict):
        return [path, *(leaf for key, item in value.items() for leaf in leaves(item, (*path, key)))]
    if isinstance(value, list):
        return [path, *(leaf for number, item in enumerate(value) for leaf in leaves(item, (*path, str(number))))]
    return [path]


def test_every_key_is_found_and_no_other() -> None:
    spans = key_spans(DOCUMENT, "x.toml")
    rows = {("a", "rows", "0"), ("a", "rows", "1")}  # these have no place of their own
    assert set(spans) | rows == {leaf for leaf in leaves(tomllib.loads(DOCUMENT)) if leaf}


def test_the_places() -> None:
    lines = DOCUMENT.split("\n")
    for key, span in key_spans(DOCUMENT, "x.toml").items():
        text = lines[span.start.line - 1][span.start.column - 1 : span.end.column - 1]
        assert span.start.line != span.end.line or key[-1].isdigit() or text.strip("\"'") == key[-1]
    spans = key_spans(DOCUMENT, "x.toml")
    assert spans["a", "b", "inline", "two", "three"].start.line == 15
    assert spans["a", "rows", "1", "id"].start.line == 19
    assert spans["a", "b", "list", "3"].start.line == 13


def test_crlf() -> None:
    assert key_spans("a = 1\nb = 2\n", "x")["b",].start.line == 2
