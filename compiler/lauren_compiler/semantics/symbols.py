"""What a name can mean, once it has been followed to where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Diagnostic
from ..syntax.declarations import AliasDecl, ClassDecl, FunctionDecl, Scope
from ..syntax.expressions import Expr


class ModuleSymbol(Struct, frozen=True):
    """A module, whether or not it has source."""

    name: str


class ClassSymbol(Struct, frozen=True, eq=False):
    decl: ClassDecl


class FunctionSymbol(Struct, frozen=True, eq=False):
    decl: FunctionDecl


class AliasSymbol(Struct, frozen=True, eq=False):
    """A PEP 695 alias."""

    decl: AliasDecl


class ValueSymbol(Struct, frozen=True, eq=False):
    """A variable: the expression assigned to it (None if it is only annotated) and the scope that is read in.

    `qualname` is the variable's own; `annotation` is what stands behind its colon.
    """

    name: str
    qualname: str
    expr: Expr | None
    annotation: Expr | None
    scope: Scope


class KnownSymbol(Struct, frozen=True):
    """A name that is understood without its source: `typing.Optional`, `builtins.int`, `lauren.tool`."""

    name: str


class DeclaredSymbol(Struct, frozen=True):
    """A name that leads to no source, and that the configuration's `types` declares: `module:name`."""

    key: str


class TypeVariable(Struct, frozen=True, eq=False):
    """A type parameter: one of PEP 695, or what `TypeVar("T")` and its kin make.

    `identity` tells it from all others; `kind` is TypeVar, ParamSpec or TypeVarTuple. `bound`, `constraints` and
    `default` are read in `scope`, when all has run.
    """

    identity: int
    name: str
    kind: str
    scope: Scope
    bound: Expr | None = None
    constraints: tuple[Expr, ...] = ()
    default: Expr | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeVariable) and self.identity == other.identity

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own looks at no `__eq__`

    def __hash__(self) -> int:
        return hash(self.identity)


class DynamicSymbol(Struct, frozen=True):
    """A name that is bound, to something only running code would know; `why` says by what ("a loop").

    `options` are what it may be, where that is known.
    """

    name: str
    why: str
    options: tuple[Symbol, ...] = ()


class Unresolved(Struct, frozen=True):
    """Nothing: what is `told` says what is missing, where, and by which way it was looked for.

    `remedy` looks for a help when it is needed: of most names that are not found nothing is ever said.
    """

    told: Diagnostic
    remedy: Callable[[], str | None] | None = None

    @property
    def diagnostic(self) -> Diagnostic:
        return self.told if self.remedy is None else replace(self.told, help=self.remedy())


Symbol: TypeAlias = (
    ModuleSymbol
    | ClassSymbol
    | FunctionSymbol
    | AliasSymbol
    | ValueSymbol
    | KnownSymbol
    | DeclaredSymbol
    | TypeVariable
    | DynamicSymbol
    | Unresolved
)
