"""What a name can mean, once it has been followed to where it is defined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..diagnostics.model import Diagnostic
from ..syntax.declarations import AliasDecl, ClassDecl, FunctionDecl, Scope
from ..syntax.expressions import Expr


@dataclass(frozen=True, slots=True)
class ModuleSymbol:
    """A module, whether or not it has source."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassSymbol:
    decl: ClassDecl


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSymbol:
    decl: FunctionDecl


@dataclass(frozen=True, slots=True, eq=False)
class AliasSymbol:
    """A PEP 695 alias."""

    decl: AliasDecl


@dataclass(frozen=True, slots=True, eq=False)
class ValueSymbol:
    """A variable: the expression assigned to it (None if it is only annotated) and the scope that is read in.

    `qualname` is the variable's own; `annotation` is what stands behind its colon.
    """

    name: str
    qualname: str
    expr: Expr | None
    annotation: Expr | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class KnownSymbol:
    """A name that is understood without its source: `typing.Optional`, `builtins.int`, `lauren.tool`."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclaredSymbol:
    """A name that leads to no source, and that the configuration's `types` declares: `module:name`."""

    key: str


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """A type parameter: one of PEP 695, or what `TypeVar("T")` and its kin make.

    `identity` tells it from all others; `kind` is TypeVar, ParamSpec or TypeVarTuple. `bound`, `constraints` and
    `default` are read in `scope`, when all has run.
    """

    identity: int
    name: str = field(compare=False)
    kind: str = field(compare=False)
    scope: Scope = field(compare=False, repr=False)
    bound: Expr | None = field(compare=False, default=None)
    constraints: tuple[Expr, ...] = field(compare=False, default=())
    default: Expr | None = field(compare=False, default=None)


@dataclass(frozen=True, slots=True)
class DynamicSymbol:
    """A name that is bound, to something only running code would know; `why` says by what ("a loop").

    `options` are what it may be, where that is known.
    """

    name: str
    why: str
    options: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Nothing: the diagnostic says what is missing, where, and by which way it was looked for."""

    diagnostic: Diagnostic


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
