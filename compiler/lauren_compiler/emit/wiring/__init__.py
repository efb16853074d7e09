"""`_wiring.py`: how the objects of each application are made.

names       what each provider and module is called in it
factories   the functions that call constructors and factories
module      the file
wired       the file, if there is any application
"""

from __future__ import annotations

from .wired import Wired as Wired
from .wired import render as render
