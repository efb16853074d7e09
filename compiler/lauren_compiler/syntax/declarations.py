"""What a module declares: scopes, the names bound in them, functions and classes.

Expressions are kept as parsed nodes and converted when asked for (`Lazy`), since most of a module is never looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from ..source.file import Pos, SourceFile
from .expressions import Expr, convert, defer, position
from .pruning import FunctionNode, OuterNode, prune, prune_class, prune_head, regrow

if TYPE_CHECKING:
    from .plain import Statement

ParamKind = Literal["positional_only", "positional_or_keyword", "var_positional", "keyword_only", "var_keyword"]
_Node = TypeVar("_Node", bound=ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


class Lazy(Struct, eq=False):
    """An expression that is converted at its first use."""

    node: ast.expr
    _converted: Expr | None = None

    @classmethod
    def annotation(cls, node: ast.expr, module: ParsedModule) -> Lazy:
        """An annotation, whose names are read late under `from __future__ import annotations`."""
        return cls(defer(node) if module.future_annotations else node)

    @classmethod
    def of(cls, value: bool | int | float | str | bytes | None, pos: Pos) -> Lazy:
        """A literal that stands nowhere in the source."""
        line, column, last, end = pos
        return cls(ast.Constant(value, lineno=line, col_offset=column, end_lineno=last, end_col_offset=end))

    @classmethod
    def display(cls, value: object) -> Lazy:
        """A constant that stands nowhere in the source: what `repr` shows of it has to be Python."""
        return cls(ast.parse(repr(value), mode="eval").body)

    @classmethod
    def known(cls, expr: Expr) -> Lazy:
        """An expression that is converted already."""
        lazy = cls.of(None, expr.pos)
        lazy._converted = expr
        return lazy

    @property
    def expr(self) -> Expr:
        found = self._converted
        if found is None:
            found = self._converted = convert(self.node)
        return found

    @property
    def is_converted(self) -> bool:
        return self._converted is not None

    @property
    def pos(self) -> Pos:
        return position(self.node)


class Condition(Struct, frozen=True, eq=False):
    """Reached if the test of an `if` (or `elif`, `while`) is true, or false for `holds=False`.

    With None, `test` is the subject of a `match`, and it can't be said which values lead here.
    """

    test: Lazy
    holds: bool | None


class TryBlock(Struct, eq=False, dict=True):
    """A `try` statement; `imports` are the imports of its body, whose failure leads to the handlers."""

    imports: list[ModuleImport | SymbolImport] = field(default_factory=list["ModuleImport | SymbolImport"])


class Attempt(Struct, frozen=True, eq=False):
    """Stands in a `try` statement: in its body or `else` part, or in a handler."""

    block: TryBlock
    handler: bool


class Guards(Struct, frozen=True, eq=False):
    """The conditions a binding stands under, innermost first; `attempts` are those that are a `try`."""

    guard: Condition | Attempt
    outer: Guards | None
    attempts: tuple[Attempt, ...] = ()

    def __post_init__(self) -> None:
        own = (self.guard,) if isinstance(self.guard, Attempt) else ()
        outer = () if self.outer is None else self.outer.attempts
        force_setattr(self, "attempts", own + outer if own else outer)

    def __iter__(self) -> Iterator[Condition | Attempt]:
        return (step.guard for step in self.steps())

    def steps(self) -> Iterator[Guards]:
        """These, those without the innermost one, and so on: what stands here is only reached if what is there is."""
        step: Guards | None = self
        while step is not None:
            yield step
            step = step.outer


class Binding(Struct, eq=False):
    """One place where a name is bound. `since` is the end of the statement: from there on the name is bound."""

    name: str
    pos: Pos
    since: tuple[int, int]
    guards: Guards | None


class Value(Lazy, eq=False):
    """An expression of a statement, and the conditions it stands under."""

    guards: Guards | None = None


class ModuleImport(Binding, eq=False):
    """`import a.b` binds `a`; `import a.b as c` binds the module `a.b`. `module` is `a.b` in both."""

    target: str
    module: str


class SymbolImport(Binding, eq=False):
    """`from .module import symbol as name`; `level` counts the leading dots."""

    module: str
    level: int
    symbol: str
    symbol_pos: Pos


class Definition(Binding, eq=False):
    """`def`, `class` or `type X = …`."""

    decl: FunctionDecl | ClassDecl | AliasDecl


class Assignment(Binding, eq=False):
    """`name = value` or `name: annotation = value`. `home` is where the value is read, if elsewhere than it stands."""

    value: Lazy | None
    annotation: Lazy | None
    home: Scope | None = None

    @property
    def is_read(self) -> bool:
        """Whether its meaning was asked for."""
        read = self.annotation or self.value
        return read is None or read.is_converted


class Loop(Struct, eq=False):
    """`for target in over`."""

    target: Lazy
    over: Lazy


class Dynamic(Binding, eq=False):
    """Bound by a loop, `with`, unpacking, … : `what` says by what."""

    what: str
    loop: Loop | None = None


class Deletion(Binding, eq=False):
    """`del name`."""


class TypeParameter(Binding, eq=False):
    """A name between the brackets of `def f[T]`, `class C[T]` or `type X[T]`.

    `kind` is TypeVar, ParamSpec or TypeVarTuple. `bound` stands behind the colon (a tuple of types are constraints),
    `default` behind the equals sign.
    """

    kind: str
    bound: Lazy | None
    default: Lazy | None


class Scope(Struct, eq=False, dict=True):
    """The names of a module, class, function, or of a list of type parameters."""

    kind: Literal["module", "class", "function", "parameters"]
    qualname: str
    parent: Scope | None
    module: ParsedModule
    owner: ClassDecl | None = None
    """The class whose body this is."""
    function: FunctionDecl | None = None
    """The function whose body this is."""
    bindings: dict[str, list[Binding]] = field(default_factory=dict[str, list[Binding]])
    members: list[Binding] = field(default_factory=list[Binding])
    stars: list[SymbolImport] = field(default_factory=list[SymbolImport])
    outer_names: dict[str, str] = field(default_factory=dict[str, str])
    """Names declared `global` or `nonlocal`."""
    values: list[Value] = field(default_factory=list["Value"])
    """Expressions of statements, in which a call may make a tool."""
    managed: list[Pos] = field(default_factory=list["Pos"])
    """The bodies of `with` statements: a context manager may swallow what fails in them."""
    altered: list[Lazy] = field(default_factory=list["Lazy"])
    """What has an item or a slice set or deleted: `x` of `x[0] = 1`, `x[:] += y` and `del x[0]`."""

    def add(self, binding: Binding) -> None:
        self.bindings.setdefault(binding.name, []).append(binding)
        self.members.append(binding)

    def qualify(self, name: str) -> str:
        """The qualified name of what is defined here, as Python gives it."""
        if self.kind == "parameters":
            assert self.parent is not None
            return self.parent.qualify(name)
        if self.kind == "module":
            return name
        return f"{self.qualname}.<locals>.{name}" if self.kind == "function" else f"{self.qualname}.{name}"


class Docstring(Struct, frozen=True, eq=False):
    """The literal's value, and its place."""

    text: str
    pos: Pos


class ParamDecl(Struct, frozen=True, eq=False):
    """A parameter as declared."""

    name: str
    kind: ParamKind
    annotation: Lazy | None
    default: Lazy | None
    pos: Pos


class Declaration(Struct, Generic[_Node], eq=False, dict=True):
    """What functions and classes have in common.

    `scope` is where it is defined, `signature_scope` where its annotations or bases are evaluated. `stem` is its node
    with what is never let go: its name and place, and what stands before the colon of a class.
    """

    stem: _Node
    scope: Scope
    name_pos: Pos

    @property
    def head(self) -> _Node:
        """Its node, perhaps without a function's body: what stands before the colon, and the docstring."""
        return self.stem

    @property
    def node(self) -> _Node:
        """Its node with all that stands in it."""
        self.scope.module.regrow()
        return self.stem

    @property
    def name(self) -> str:
        return self.stem.name

    @property
    def line(self) -> int:
        return self.stem.lineno

    @property
    def last_line(self) -> int:
        return self.stem.end_lineno or self.stem.lineno

    @cached_property
    def qualname(self) -> str:
        return self.scope.qualify(self.stem.name)

    @property
    def key(self) -> str:
        """How definitions name it: `module:qualname`."""
        return f"{self.scope.module.file.module}:{self.qualname}"

    @cached_property
    def docstring(self) -> Docstring | None:
        return docstring_of(self.head.body)

    @cached_property
    def signature_scope(self) -> Scope:
        from .parameters import parameter_scope

        return parameter_scope(self.stem, self.scope)


class FunctionDecl(Declaration[FunctionNode], eq=False, dict=True):
    """A function."""

    @property
    def head(self) -> FunctionNode:
        if self.scope.module.lacks_heads:
            self.scope.module.regrow()
        return self.stem

    def let_go(self, *, unread: bool) -> None:
        """Let go all but the stem; what is asked for again is made anew. A type parameter stays, for it is itself."""
        if not getattr(self.stem, "type_params", ()):
            vars(self).clear()
            prune_head(self.stem)

    @cached_property
    def decorators(self) -> tuple[Lazy, ...]:
        return tuple(Lazy(node) for node in self.head.decorator_list)

    @property
    def is_async(self) -> bool:
        return isinstance(self.stem, ast.AsyncFunctionDef)

    @cached_property
    def returns(self) -> Lazy | None:
        return Lazy.annotation(self.head.returns, self.scope.module) if self.head.returns else None

    @cached_property
    def parameters(self) -> tuple[ParamDecl, ...]:
        from .parameters import parameters

        return tuple(parameters(self.head.args, self.scope.module))

    @cached_property
    def is_generator(self) -> bool:
        """Whether a `yield` stands in its own body."""
        # Few files have the word at all, and the walk is long.
        return "yield" in self.scope.module.file.text and any(
            isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own_nodes(self.node)
        )

    @property
    def only_return(self) -> Lazy | None:
        """What is returned, if the body has nothing else but a docstring."""
        said = [
            node for node in self.node.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]
        only = said[0] if len(said) == 1 else None
        return Lazy(only.value) if isinstance(only, ast.Return) and only.value is not None else None

    @cached_property
    def plain_body(self) -> tuple[Statement, ...] | None:
        """The statements, if they only assign, choose and return; None for any other body."""
        from .plain import plain_body

        return plain_body(self.node.body)

    @cached_property
    def returned(self) -> tuple[Lazy, ...]:
        """What the `return` statements in its own body give; a bare `return` gives nothing."""
        given = (node.value for node in _own_nodes(self.node) if isinstance(node, ast.Return))
        return tuple(Lazy(value) for value in given if value is not None)

    @cached_property
    def body(self) -> Scope:
        """The scope inside, built when first asked for."""
        from .scopes import build_function

        return build_function(self)


class ClassDecl(Declaration[ast.ClassDef], eq=False, dict=True):
    """A class; `body` holds its members in order."""

    @property
    def head(self) -> ast.ClassDef:
        if not self.stem.body:
            self.scope.module.regrow()
        return self.stem

    def let_go(self, *, unread: bool) -> None:
        """Let go the statements, once all that they assign was read: then few ask for more than `body` has. With
        `unread`, also where nothing was, and `body` too if there is nothing in it that is itself."""
        if "body" not in self.__dict__:
            return
        assigned = [each.is_read for each in self.body.members if isinstance(each, Assignment)]
        if all(assigned):
            prune_class(self.stem)
        elif unread and len(assigned) == len(self.body.members) and not any(assigned):
            del vars(self)["body"]
            prune_class(self.stem)

    @cached_property
    def decorators(self) -> tuple[Lazy, ...]:
        return tuple(Lazy(node) for node in self.stem.decorator_list)

    @cached_property
    def bases(self) -> tuple[Lazy, ...]:
        return tuple(Lazy(node) for node in self.stem.bases)

    @cached_property
    def keywords(self) -> dict[str, Lazy]:
        return {word.arg: Lazy(word.value) for word in self.stem.keywords if word.arg}

    def sets_attribute(self, name: str, *, except_in: tuple[str, ...] = ()) -> bool:
        """Whether a statement inside it, but in some methods, assigns to an attribute of that name: `self.name = …`."""
        if name not in (text := self.scope.module.file.text) and text.isascii():
            return False
        return any(
            isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
            for statement in self.node.body
            if not (isinstance(statement, ast.FunctionDef) and statement.name in except_in)
            for node in ast.walk(statement)
        )

    @cached_property
    def body(self) -> Scope:
        from .scopes import build_class

        return build_class(self)


class AliasDecl(Struct, eq=False, dict=True):
    """`type X[T] = value`; `value_scope` is where the value is read: with the type parameters, if it has any."""

    name: str
    qualname: str
    value: Lazy
    scope: Scope
    value_scope: Scope
    name_pos: Pos


class ParsedModule:
    """One parsed file; `exports` are the parts of its `__all__`, None if it has none.

    Each part is added to those before it or, with False, taken away. `global_names` are assigned by functions.
    """

    scope: Scope

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.future_annotations = False
        self.exports: list[tuple[Lazy, bool]] | None = None
        self.undecidable_exports = False
        self.global_names: frozenset[str] = frozenset()
        self.docstring: str | None = None
        self.lacks_heads = False
        self._pruned: tuple[OuterNode, ...] = ()

    def prune(self, body: list[ast.stmt]) -> None:
        """Let go what stands in functions; `body` is all of the module."""
        self._pruned = prune(body)

    def let_go(self, *, unread: bool) -> None:
        """Let go what was made of functions and classes too, with `unread` also of classes that nobody has read: for
        modules whose classes hardly any other asks for. Not if bodies were asked for: they may be in use."""
        if self._pruned and not self.lacks_heads:
            _ = self.classes  # of which it looks into all
            self.lacks_heads = True
            from .scopes import outer_in

            for decl in outer_in(self.scope):
                decl.let_go(unread=unread)

    def close(self) -> None:
        """Let go all that was made of the file, which nobody may ask for again. Its parts hold each other, and so would
        stay for as long as nothing looks for garbage."""
        from .scopes import close

        close(self.scope)
        self.__dict__.clear()

    def regrow(self) -> None:
        """Have again what was let go."""
        if self._pruned:
            outer, self._pruned, self.lacks_heads = self._pruned, (), False
            regrow(outer, self.file.text)

    @cached_property
    def classes(self) -> tuple[tuple[Scope, Definition, ClassDecl], ...]:
        """All classes, at any depth, each with where it is bound."""
        from .scopes import classes_in

        return tuple(classes_in(self.scope)) if "class" in self.file.text else ()

    @cached_property
    def writes_globals(self) -> bool:
        """Whether a statement of the module reaches for its own namespace, and so may define any name."""
        from .namespaces import reaches_for_names

        nodes = (node for value in self.scope.values for node in ast.walk(value.node) if isinstance(node, ast.Call))
        return any(reaches_for_names(node) for node in nodes)


def _own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """All that stands in a function's body, functions and classes inside it aside."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))


def docstring_of(body: list[ast.stmt]) -> Docstring | None:
    """The docstring of a function or class body."""
    if body and isinstance(body[0], ast.Expr):
        node = body[0].value
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return Docstring(node.value, position(node))
    return None
