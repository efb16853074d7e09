"""What a run lowered and built → its units, as far as each can stand beside units of other builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..config import Config
from ..diagnostics.model import Diagnostic
from ..ir.tools import Tool, ToolSet
from ..lower.parts import Part
from ..targets.checks import Finding
from ..targets.listing import file_of
from ..targets.writing import diagnostic
from .building import Files, Order
from .unit import Place, Unit


def units_of(
    parts: Sequence[Part],
    places: Mapping[str, Place],
    depends: Mapping[str, tuple[str, ...]],
    toolset: ToolSet,
    files: Files,
    config: Config,
) -> Iterator[Unit]:
    """The unit of each part that has a place in `depends`.

    `places` and `depends` are by path; `files` are what was built of `toolset`, and other units.
    """
    numbers = {tool.order: number for number, tool in enumerate(toolset.tools)}
    for part in parts:
        path = part.file.path
        if path in depends:
            yield _unit(part, places[path], depends[path], numbers, files, config)


def _unit(
    part: Part,
    place: Place,
    depends: tuple[str, ...],
    numbers: Mapping[Order, int],
    files: Files,
    config: Config,
) -> Unit:
    own = [numbers[tool.order] for tool in part.tools]
    listed = {(tool.name, tool.span) for tool in part.tools}
    decoders = files.plan.files[place.module] if own else ""
    paths = [files.schemas[number] for number in own]
    paths += [f"_tools/{decoders}.py"] if own else []
    against = (
        each for target, found in files.against.items() for each in _against(target, found, own, part.tools, config)
    )
    return Unit(
        place,
        part.found,
        part.undecidable,
        tuple(each for each in part.names if each not in listed),
        tuple((path, files.digests[path]) for path in paths),
        decoders,
        files.modules[place.module] if own else "",
        files.frames.keys[paths[-1]] if own else "",
        (*part.diagnostics, *against),
        depends,
        "lauren:" in part.file.text,
    )


def _against(
    target: str, found: Sequence[Sequence[Finding]], own: Sequence[int], tools: Sequence[Tool], config: Config
) -> Iterator[Diagnostic]:
    """What a target has against the tools of one module, each by itself; `own` are their places in the tool set."""
    for number, tool in zip(own, tools, strict=True):
        for finding in found[number]:
            yield diagnostic(finding, [tool], file_of(target), named=config.targets_named)
