"""What is let go of trees comes back as it was; and it is let go."""

from __future__ import annotations

import ast
import gc
import sys
import sysconfig
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.pipeline.front import front
from lauren_compiler.source.file import SourceFile
from lauren_compiler.source.filesystem import Disk
from lauren_compiler.syntax.attribute_docstrings import attribute_docstrings
from lauren_compiler.syntax.bodies import body_text
from lauren_compiler.syntax.declarations import (
    Assignment,
    ClassDecl,
    Definition,
    FunctionDecl,
    ParsedModule,
)
from lauren_compiler.syntax.parse import parse
from lauren_compiler.syntax.pruning import prune, prune_class, prune_head, regrow

LIBRARY = Path(sysconfig.get_path("stdlib"))
TOOLS = '''
from lauren_ai import tool

class Shelf:
    @tool()
    def find(self, title: str, year: int = 2000) -> list[str]:
        """Find books.

        Args:
            title: What is on the cover.
        """
        inner = lambda: 1
        return [title]

if True:
    @tool()
    async def lend(book: str) -> str:
        yield_later = book
        return yield_later
'''


def module_of(text: str) -> ParsedModule:
    file = SourceFile("/shelf.py", "shelf.py", "shelf.py", "shelf", False, text)
    found = parse(file, Sink(), thorough=True)
    assert found is not None
    return found


def functions_of(module: ParsedModule) -> list[FunctionDecl]:
    shelf = module.scope.bindings["Shelf"][0]
    assert isinstance(shelf, Definition)
    assert isinstance(shelf.decl, ClassDecl)
    bindings = (shelf.decl.body.bindings["find"][0], module.scope.bindings["lend"][0])
    decls = [each.decl for each in bindings if isinstance(each, Definition)]
    return [each for each in decls if isinstance(each, FunctionDecl)]


@pytest.mark.parametrize("path", sorted(LIBRARY.glob("asyncio/*.py")) + sorted(LIBRARY.glob("[a-e]*.py")), ids=str)
def test_a_tree_is_again_what_it_was(path: Path) -> None:
    text = path.read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, whole = ast.parse(text), ast.parse(text)
    outer = prune(tree.body)
    classes = [node for node in outer if isinstance(node, ast.ClassDef)]
    functions = [node for node in outer if not isinstance(node, ast.ClassDef)]
    for function in functions[::2]:
        prune_head(function)
    left = sum(isinstance(node, ast.stmt) for function in functions for node in ast.walk(function))
    assert left <= 3 * len(functions)  # itself, docstring, `pass`
    for node in classes[::2]:
        prune_class(node)
    regrow(outer, text)
    assert ast.dump(tree, include_attributes=True) == ast.dump(whole, include_attributes=True)


def test_what_is_said_of_a_function_is_the_same_afterwards() -> None:
    def said(decl: FunctionDecl) -> tuple[object, ...]:
        docstring = decl.docstring.text if decl.docstring is not None else None
        named = [(each.name, each.pos, ast.dump(each.annotation.node)) for each in decl.parameters if each.annotation]
        return (
            (decl.name, decl.line, decl.last_line, decl.qualname, docstring, body_text(decl), named),
            [ast.dump(each.node) for each in decl.decorators],
            ast.dump(decl.returns.node) if decl.returns is not None else None,
            ast.dump(decl.node),
            list(decl.body.bindings),
        )

    whole = module_of(TOOLS)
    expected = [said(each) for each in functions_of(whole)]
    gone = module_of(TOOLS)
    functions = functions_of(gone)
    gone.let_go(unread=False)
    assert gone.lacks_heads
    assert [said(each) for each in functions] == expected
    assert not gone.lacks_heads


RECORDS = '''
@dataclass(frozen=True)
class Book(Base, total=True):
    """A book."""

    title: str
    """What is on the cover."""
    year: int = field(default=2000)

    class Inner:
        depth: int
'''


def said_of_class(decl: ClassDecl) -> tuple[object, ...]:
    return (
        [ast.dump(each.node) for each in (*decl.decorators, *decl.bases, *decl.keywords.values())],
        decl.docstring.text if decl.docstring is not None else None,
        attribute_docstrings(decl),
        ast.dump(decl.node),
        list(decl.body.bindings),
    )


def book_of(module: ParsedModule) -> ClassDecl:
    found = module.scope.bindings["Book"][0]
    assert isinstance(found, Definition)
    assert isinstance(found.decl, ClassDecl)
    return found.decl


def test_what_is_said_of_a_class_is_the_same_afterwards() -> None:
    expected = said_of_class(book_of(module_of(RECORDS)))
    module = module_of(RECORDS)
    decl = book_of(module)
    annotations = [each.annotation for each in decl.body.members if isinstance(each, Assignment)]
    assert all(each is not None and each.expr for each in annotations)  # read, as a tool's parameter has it read
    module.let_go(unread=False)
    assert decl.stem.body == []
    assert said_of_class(decl) == expected


def test_a_class_that_was_not_read_is_kept_whole() -> None:
    module = module_of(RECORDS)
    decl = book_of(module)
    statements = list(decl.stem.body)
    assert decl.body.members
    module.let_go(unread=False)
    assert decl.stem.body == statements


def test_a_class_that_was_not_read_may_go_with_its_scope() -> None:
    expected = said_of_class(book_of(module_of(RECORDS.replace("class Inner", "if True"))))
    module = module_of(RECORDS.replace("class Inner", "if True"))
    decl = book_of(module)
    scope = decl.body
    module.let_go(unread=True)
    assert decl.stem.body == []
    assert said_of_class(decl) == expected
    assert decl.body is not scope


def test_the_scope_of_a_class_in_which_another_stands_is_kept() -> None:
    module = module_of(RECORDS)
    decl = book_of(module)
    scope = decl.body
    module.let_go(unread=True)
    assert decl.body is scope


def test_what_was_looked_into_is_kept() -> None:
    module = module_of(TOOLS)
    (function, _) = functions_of(module)
    parameters, body = function.parameters, function.body
    module.let_go(unread=False)
    assert function.parameters is parameters
    assert function.body is body


def test_what_is_gone_is_had_however_deep_the_calls_are() -> None:
    text = f"def f():\n    return {'+'.join('1' * 2300)}\n"
    module = module_of(text)
    decl = module.scope.bindings["f"][0]
    assert isinstance(decl, Definition)
    assert isinstance(decl.decl, FunctionDecl)
    function = decl.decl

    def below(depth: int, work: Callable[[], ast.AST]) -> ast.AST:
        return work() if depth == 0 else below(depth - 1, work)

    depth = sys.getrecursionlimit() - _depth() - 60
    assert isinstance(below(depth, lambda: function.node), ast.FunctionDef)
    assert isinstance(function.node.body[0], ast.Return)


def _depth() -> int:
    """How deep the calls are now."""
    frame, count = sys._getframe(), 0
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


def test_when_the_sources_are_lowered_their_trees_are_gone(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"shelf{number}.py").write_text(TOOLS, "utf-8")
    config = load(CommandLine(paths=(".",), roots=(str(tmp_path),), directory=tmp_path)).config
    gc.collect()
    before = _expressions()
    gc.disable()
    try:
        found = front(config, Disk(), str, Sink(), keeps=True)
        left = _expressions() - before
    finally:
        gc.enable()
    assert found.lowered.tools.found == 8
    # In 4 × 2 functions: what names a maker, and what a default is.
    assert left < len(list(ast.walk(ast.parse(TOOLS))))


def _expressions() -> int:
    return sum(isinstance(each, ast.expr) for each in gc.get_objects())
