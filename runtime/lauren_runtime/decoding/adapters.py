"""Values of pydantic's own types, and of annotations with validators: checked and mended as JSON, built by pydantic.

The generated module says how to load the annotation, which happens when the first value of it is built.
"""

from __future__ import annotations

from .loading import load, loaded
from .models import enter_model, leave_model, made, mended_at
from .place import LAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .place import Place


class Adapter:
    """One annotation. `exactness` says how its values rank in a union, None if as their JSON does."""

    __slots__ = ("annotation", "exactness", "validator")

    validator: Any

    def __init__(self, annotation: object, exactness: int | None = None) -> None:
        self.annotation = annotation
        self.exactness = exactness

    def __getattr__(self, name: str) -> Any:
        # Only reached while the slot is empty.
        if name != "validator":
            raise AttributeError(name)
        self.validator = load("pydantic", "TypeAdapter")(loaded(self.annotation))
        return self.validator

    def enter(self, at: Place) -> tuple[int, int, int]:
        """Begin a value, whose JSON the generated code then checks; for `build`."""
        return (*enter_model(at), at.exactness)

    def build(self, value: Any, at: Place, before: tuple[int, int, int]) -> object:
        """What pydantic makes of the JSON `value`; None if there are faults since `before`, if pydantic refuses it,
        which is a fault for each of its reasons, or inside a model, which is built as a whole."""
        if self.exactness is not None:
            at.exactness = before[2] if self.exactness > LAX else LAX
        if not leave_model(at, before[:2]):
            return None
        mended = mended_at(value, at, before[:2])
        return made(mended, self.validator.validate_json, self.validator.validate_python, at)
