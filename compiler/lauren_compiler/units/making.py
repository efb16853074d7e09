"""What a run lowered and built → its units, as far as each can stand beside units of other builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..config import Config
from ..diagnostics.model import Diagnostic
from ..ir.cards import card_of
from ..ir.tools import Tool, ToolSet
from ..lower.parts import Part
from ..targets.writing import Written, diagnostic
from .again import paths_in
from .building import Files
from .unit import Offer, Place, ToolText, Unit


def units_of(
    parts: Sequence[Part],
    places: Mapping[str, Place],
    depends: Mapping[str, tuple[str, ...]],
    toolset: ToolSet,
    files: Files,
    config: Config,
) -> list[Unit]:
    """The unit of each part that has a place in `depends`, which are by path as `places` are; `files` are what was
    built of `toolset`."""
    numbers = {tool.order: number for number, tool in enumerate(toolset.tools)}
    made = (
        _unit(part, places[part.module.file.path], depends[part.module.file.path], numbers, files, config)
        for part in parts
        if part.module.file.path in depends
    )
    shown = {place.shown for place in places.values()}
    # Of other files a report could not show the lines the next time.
    return [unit for unit in made if all(shown.issuperset(paths_in(each)) for each in unit.diagnostics)]


def _unit(
    part: Part,
    place: Place,
    depends: tuple[str, ...],
    numbers: Mapping[tuple[str, str, str], int],
    files: Files,
    config: Config,
) -> Unit:
    own = [numbers[tool.order] for tool in part.tools]
    decoders = files.plan.files[place.module] if own else ""
    paths = [files.schemas[number] for number in own]
    paths += [f"_tools/{decoders}.py"] if own else []
    against = (each for name, written in files.written.items() for each in _against(name, written, own, config))
    return Unit(
        place,
        part.found,
        part.undecidable,
        tuple(_text(tool, numbers[tool.order], files) for tool in part.tools),
        part.names,
        tuple((path, files.digests[path]) for path in paths),
        decoders,
        (*part.diagnostics, *against),
        depends,
        "lauren:" in part.module.file.text,
    )


def _text(tool: Tool, number: int, files: Files) -> ToolText:
    entry = files.entries[number]
    offers = tuple(_offer(written[number], files) for written in files.written.values())
    return ToolText(card_of(tool), entry["digest"], files.texts.of(entry), files.rows[number].flat, offers)


def _offer(written: Written, files: Files) -> Offer:
    omissions = tuple((each["code"], each["message"]) for each in written.omitted)
    return Offer(files.texts.of(written.entry), omissions)


def _against(target: str, written: Sequence[Written], own: Sequence[int], config: Config) -> Iterator[Diagnostic]:
    """What a target has against the tools of one module, each by itself."""
    for number in own:
        for finding in written[number].against:
            path = f"providers/{target}.json"
            yield diagnostic(finding, [written[number].tool], path, named=config.targets_named)
