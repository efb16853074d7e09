"""What generated wiring is written in: providers and modules as a build knows them, by name.

A build's `_wiring.py` makes these when it is loaded, and loads nothing of the user's. prepared.py puts the loaded
modules and classes in, which are there by then: whoever has a root module has all that it names.
"""

from __future__ import annotations

from ..injection import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .provider import Produces


class Definition:
    """One provider.

    what: what stands in the module's `providers` (tokens.described). make: called with what makes the object (a class
    or a factory) and the objects of `needs`; None where the object is given. needs: what fills each, a tuple for a
    list. shape: the signature that the build has seen (signature.shape_of), and the attributes to be set; None where
    there is none. The rest is as in `Provider`, `provides` by name.
    """

    __slots__ = (
        "make",
        "multi",
        "needs",
        "post_construct",
        "pre_destruct",
        "produces",
        "provides",
        "scope",
        "shape",
        "what",
    )

    def __init__(
        self,
        what: str,
        make: Callable[..., Any] | None = None,
        needs: tuple[Definition | tuple[Definition, ...], ...] = (),
        *,
        shape: str | None = None,
        scope: Scope = Scope.SINGLETON,
        produces: Produces = "value",
        provides: tuple[str, ...] = (),
        multi: bool = False,
        post_construct: tuple[str, ...] = (),
        pre_destruct: tuple[str, ...] = (),
    ) -> None:
        self.what = what
        self.make = make
        self.needs = needs
        self.shape = shape
        self.scope = scope
        self.produces: Produces = produces
        self.provides = provides
        self.multi = multi
        self.post_construct = post_construct
        self.pre_destruct = pre_destruct

    def __repr__(self) -> str:
        return f"Definition({self.what})"


class AliasDefinition:
    """One `use_existing(...)`; `what` is as in Definition."""

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"AliasDefinition({self.what})"


class ModuleDefinition:
    """One module: its `module:qualname`, and what `@module()` says, in order; `exports` by name."""

    __slots__ = ("declares", "exports", "imports", "name")

    def __init__(
        self,
        name: str,
        *,
        imports: tuple[ModuleDefinition, ...] = (),
        declares: tuple[Definition | AliasDefinition, ...] = (),
        exports: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.imports = imports
        self.declares = declares
        self.exports = exports

    def __repr__(self) -> str:
        return f"ModuleDefinition({self.name})"
