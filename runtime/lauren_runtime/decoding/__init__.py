"""What generated decoders call: the quick path's checks (quick.py), the complete path's decoders, and the way there."""

from __future__ import annotations

from .bounds import LEAST, MAX_DEPTH, MAX_DIGITS, MOST, is_json, typeof
from .call import complete
from .choice import Choice
from .constants import Constants, Member
from .containers import (
    Gap,
    build,
    build_dict,
    build_items,
    each,
    entries,
    items,
    marks,
    members,
    only,
    others,
    positional,
    unique,
)
from .formats import Format
from .limits import Pattern, is_multiple
from .loading import Imported, Made, Parametrized, load
from .models import build_model, enter_model
from .place import STRICT, Place
from .repairs import ABSENT, Repair, apply_repairs, copied
from .scalars import anything, boolean, integer, null, number, string
from .stated import Stated
from .texts import integer_key, string_key

__all__ = [
    "ABSENT",
    "LEAST",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MOST",
    "STRICT",
    "Choice",
    "Constants",
    "Format",
    "Gap",
    "Imported",
    "Made",
    "Member",
    "Parametrized",
    "Pattern",
    "Place",
    "Repair",
    "Stated",
    "anything",
    "apply_repairs",
    "boolean",
    "build",
    "build_dict",
    "build_items",
    "build_model",
    "complete",
    "copied",
    "each",
    "enter_model",
    "entries",
    "integer",
    "integer_key",
    "is_json",
    "is_multiple",
    "items",
    "load",
    "marks",
    "members",
    "null",
    "number",
    "only",
    "others",
    "positional",
    "string",
    "string_key",
    "typeof",
    "unique",
]
