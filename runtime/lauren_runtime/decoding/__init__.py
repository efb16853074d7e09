"""What generated decoders call: the quick path's checks (quick.py), the complete path's decoders, and the way there."""

from __future__ import annotations

from .adapters import Adapter
from .bounds import FAR, HIGH, LEAST, LOW, MAX_DEPTH, MAX_DIGITS, MOST, is_json, typeof
from .call import Decoder, complete
from .choice import Choice, choose
from .constants import Constants, Member
from .construction import build, build_dict, build_filled, build_guarded, build_items
from .containers import (
    Gap,
    array_of,
    entries,
    items,
    marks,
    members,
    only,
    others,
    positional,
    renamed,
    unique,
)
from .filled import Filled
from .formats import Format
from .limits import Pattern, is_multiple
from .loading import Imported, Made, OwnDefault, Parametrized, Written, load
from .models import build_model, enter_model
from .place import DEFAULTED, EXACT, LAX, OPTIONAL, STRICT, Place
from .repairs import ABSENT, Repair, apply_repairs, copied
from .scalars import anything, boolean, integer, null, number, string
from .stated import Stated
from .texts import boolean_key, integer_key, number_key, string_key

__all__ = [
    "ABSENT",
    "DEFAULTED",
    "EXACT",
    "FAR",
    "HIGH",
    "LAX",
    "LEAST",
    "LOW",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MOST",
    "OPTIONAL",
    "STRICT",
    "Adapter",
    "Choice",
    "Constants",
    "Decoder",
    "Filled",
    "Format",
    "Gap",
    "Imported",
    "Made",
    "Member",
    "OwnDefault",
    "Parametrized",
    "Pattern",
    "Place",
    "Repair",
    "Stated",
    "Written",
    "anything",
    "array_of",
    "apply_repairs",
    "boolean",
    "boolean_key",
    "build",
    "build_dict",
    "build_filled",
    "build_guarded",
    "build_items",
    "build_model",
    "choose",
    "complete",
    "copied",
    "enter_model",
    "entries",
    "integer",
    "integer_key",
    "number_key",
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
    "renamed",
    "string",
    "string_key",
    "typeof",
    "unique",
]
