"""How many arguments stand in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.rules import types as rules
from ..syntax import expressions as ex
from ..syntax.declarations import Scope

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader


def has_arguments(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject, count: int) -> bool:
    """Whether there are exactly `count` arguments; reported if not."""
    from .remedies import LONGEST, joined, written

    if len(expr.arguments) == count:
        return True
    file = scope.module.file
    name = written(expr.value, file) or "a type"
    takes = "one argument" if count == 1 else f"{count} arguments"
    message = f"`{name}`, in the type of {subject.text}, takes {takes} in brackets, not {len(expr.arguments)}"
    either = joined(" | ", expr.arguments, file) if count == 1 and expr.arguments else None
    help = f"write `{name}[{either}]` if it may be any of them" if either and len(either) <= LONGEST else None
    reader.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message, help=help)
    return False
