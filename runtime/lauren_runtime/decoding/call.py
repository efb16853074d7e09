"""A tool's two decoders as one: the quick one calls, and where it doubts, the complete one repairs or refuses."""

from __future__ import annotations

from ..errors import ArgumentError, ToolInputError
from .bounds import MAX_DEPTH, foreign, is_json, typeof
from .place import Fault, Place
from .quick import DOUBTS
from .wording import path_text, sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .repairs import Repair

    Passed: TypeAlias = tuple[tuple[object, ...], dict[str, object]]
    Call: TypeAlias = tuple[tuple[object, ...], dict[str, object], tuple[Repair, ...]]
    Check: TypeAlias = Callable[[object, Place], Passed]
    Quick: TypeAlias = Callable[[Any, Callable[..., Any]], Any]


class Decoder:
    """The generated functions of one tool.

    `quick` takes a dict of arguments and what to call with them, which must not run code of the user's: it calls if all
    is right as it stands, and returns what that returns; else it raises one of `DOUBTS`. None for a tool that has only
    the complete decoder, `check`.
    """

    __slots__ = ("check", "quick")

    def __init__(self, quick: Quick | None, check: Check) -> None:
        self.quick = quick
        self.check = check

    def __call__(self, arguments: object, repair: bool) -> Call:
        """The positional and the keyword arguments, and the repairs made. Raises as `complete` does."""
        if self.quick is not None and typeof(arguments) is dict:
            try:
                args, keywords = self.quick(arguments, _taken)
                return args, keywords, ()
            except DOUBTS:
                pass  # Not right as it stands: repair it, or tell all that is wrong.
        return complete(self.check, arguments, repair)


def _taken(*args: object, **keywords: object) -> Passed:
    return args, keywords


def complete(check: Check, arguments: object, repair: bool) -> Call:
    """Decode as `decoded` does, and raise the ToolInputError."""
    found = decoded(check, arguments, repair)
    if isinstance(found, ToolInputError):
        raise found
    return found


def decoded(check: Check, arguments: object, repair: bool) -> Call | ToolInputError:
    """Decode `arguments` with `check`, a generated function, to positional and keyword arguments and the repairs made.

    A ToolInputError with all that is wrong is returned, for raising and catching it would cost as much as decoding.
    Raises what the user's own classes raise when they are loaded or built, but for ValueError and AssertionError, which
    are argument errors.
    """
    strange, usable = ([], True) if _is_json(arguments) else foreign(arguments)
    if not usable:
        return _refused(strange)
    at = Place(repair)
    try:
        args, kwargs = check(arguments, at)
    except RecursionError:
        return _refused([Fault((), f"at most {MAX_DEPTH} levels of nesting", "nesting too deep to follow")])
    if strange:
        return _refused(_merged(strange, at.faults))
    if at.faults:
        return _refused(at.faults)
    return args, kwargs, tuple(at.repairs)


def _is_json(arguments: object) -> bool:
    try:
        return is_json(arguments)
    except (TypeError, RecursionError):  # of a key that is no string; `foreign` needs no stack
        return False


def _merged(strange: list[Fault], faults: list[Fault]) -> list[Fault]:
    """Both lists, without a second complaint about one place."""
    places = {fault.path for fault in strange}
    return strange + [fault for fault in faults if fault.path not in places]


def _refused(faults: list[Fault]) -> ToolInputError:
    errors: list[ArgumentError] = []
    for fault in faults:
        where = path_text(fault.path)
        errors.append(ArgumentError(where, fault.expected, fault.got, fault.allowed or (), sentence(fault, where)))
    return ToolInputError(errors)
