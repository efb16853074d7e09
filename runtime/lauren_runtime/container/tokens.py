"""What providers are asked for by: classes, texts, `Token`s, anything hashable; and how a place asks for one."""

from __future__ import annotations

from types import FunctionType

from ..errors import DecoratorUsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal


class Token:
    """A name to provide something under. Two of one name differ, unless they are not `unique`.

    Raises ValueError for a name that is no text, or empty.
    """

    __slots__ = ("name", "unique")

    def __init__(self, name: str, *, unique: bool = True) -> None:
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a Token's name is a text that is not empty, not {name!r}")
        self.name = name
        self.unique = unique

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        return self is other or (not self.unique and not other.unique and self.name == other.name)

    def __hash__(self) -> int:
        return id(self) if self.unique else hash((Token, self.name))

    def __repr__(self) -> str:
        return f"Token({self.name!r})" if self.unique else f"Token({self.name!r}, unique=False)"


class InjectMarker:
    """The token of one `Annotated[T, Inject(token)]`."""

    __slots__ = ("token",)

    def __init__(self, token: Any) -> None:
        self.token = token

    def __repr__(self) -> str:
        return f"Inject({self.token!r})"


def Inject(token: Any) -> Any:
    """Ask for `token` instead of the annotated type: `Annotated[str, Inject(DB_URL)]`.

    Raises DecoratorUsageError for a token that cannot be looked up.
    """
    check_token("Inject()", token.token if isinstance(token, OptionalDep) else token)
    return InjectMarker(token)


class OptionalDep:
    """In `injects` or `Inject(...)`: None where nothing provides the token.

    Raises DecoratorUsageError for a token that cannot be looked up.
    """

    __slots__ = ("token",)

    def __init__(self, token: Any) -> None:
        check_token("OptionalDep()", token)
        self.token = token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionalDep) and self.token == other.token

    def __hash__(self) -> int:
        return hash((OptionalDep, self.token))

    def __repr__(self) -> str:
        return f"OptionalDep({named(self.token)})"


class Deferred:
    """In `injects`: a Supplier of the object (resolving.py), of whatever scope it is, in place of the object.

    first: a singleton is made before what is injected with its supplier, as if that held it.
    """

    __slots__ = ("first", "token")

    def __init__(self, token: Any, *, first: bool = False) -> None:
        check_token("Deferred()", token)
        self.token = token
        self.first = first

    def __repr__(self) -> str:
        return f"Deferred({named(self.token)})"


class Asked:
    """What a place asks for. `problem`: why `key` is only the text of an annotation."""

    __slots__ = ("collects", "deferred", "key", "optional", "problem")

    def __init__(
        self,
        key: Any,
        collects: bool | Literal["multi"] = False,
        optional: bool = False,
        problem: str = "",
        deferred: Deferred | None = None,
    ) -> None:
        self.key = key
        self.collects: bool | Literal["multi"] = collects
        self.optional = optional
        self.problem = problem
        self.deferred = deferred


def asked_token(given: Any) -> Asked:
    """What an entry of `injects`, or the token of an `Inject`, asks for. Texts are tokens here."""
    if isinstance(given, InjectMarker):
        return asked_token(given.token)
    if isinstance(given, OptionalDep):
        want = asked_token(given.token)
        return Asked(want.key, want.collects, True)
    if isinstance(given, Deferred):
        want = asked_token(given.token)
        return Asked(want.key, want.collects, want.optional, deferred=given)
    if is_list_form(given):
        element: Any = given.__args__[0]
        return Asked(getattr(element, "__forward_arg__", element), True)
    return Asked(given)


def is_list_form(given: Any) -> bool:
    """Whether something is `list[T]` or `typing.List[T]`. (`Annotated` keeps what it annotates as its origin too.)"""
    return getattr(given, "__origin__", None) is list and not hasattr(given, "__metadata__")


def check_token(place: str, token: object) -> None:
    """Raise DecoratorUsageError for a token that cannot be looked up: None, or one without a hash."""
    if token is None or not is_hashable(token):
        raise DecoratorUsageError(f"{place} needs a token that is not None and has a hash, not {token!r}")


def is_hashable(value: object) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def named(token: Any) -> str:
    """A token as messages show it."""
    if isinstance(token, (type, FunctionType)):
        return token.__qualname__.rpartition("<locals>.")[2]
    return token if isinstance(token, str) else repr(token)
