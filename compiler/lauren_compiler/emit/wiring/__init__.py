"""`_wiring.py`: how the objects of each application are made.

names       what each provider and module is called in it
factories   the functions that call constructors and factories
module      the file
"""

from __future__ import annotations

from .module import Wired as Wired
from .module import render as render
