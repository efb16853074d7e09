"""What a run lowered and built → its units, as far as each can stand beside units of other builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..config import Config
from ..diagnostics.model import Diagnostic
from ..emit.json_text import readable_json
from ..ir.cards import Listed, card_of
from ..ir.tools import Binding, Tool, ToolSet
from ..lower.parts import Part
from ..targets.registry import TARGETS
from ..targets.writing import Written, diagnostic
from .building import Files, Order
from .documents import MANIFEST, ROWS, TABLE, TOOLS, Documents, file_of, layout_of, paths, spans
from .unit import Offer, Place, ToolText, Unit


class _Spans(Struct, frozen=True):
    """Where each tool stands in the files that all tools share; by name in those of targets."""

    entries: Mapping[Order, tuple[int, int]]
    rows: Mapping[Order, tuple[int, int]]
    targets: Mapping[str, Mapping[str, tuple[int, int]]]


def units_of(
    parts: Sequence[Part],
    kept: Sequence[Unit],
    places: Mapping[str, Place],
    depends: Mapping[str, tuple[str, ...]],
    toolset: ToolSet,
    files: Files,
    documents: Documents,
    config: Config,
) -> list[Unit]:
    """The unit of each part that has a place in `depends`, and those `kept`, where they are now.

    `places` and `depends` are by path; `files` are what was built of `toolset` and the kept units, whose parts stood in
    `documents`.
    """
    numbers = {tool.order: number for number, tool in enumerate(toolset.tools)}
    where = _spans(files)
    made = (
        _unit(part, places[part.file.path], depends[part.file.path], numbers, files, where, config)
        for part in parts
        if part.file.path in depends
    )
    return [*(_moved(unit, files, where, documents) for unit in kept), *made]


def _spans(files: Files) -> _Spans:
    wanted = set(paths(files.targets))
    texts = {each.path: each.content for each in files.artifacts if each.path in wanted}
    count = len(files.order)
    targets: dict[str, Mapping[str, tuple[int, int]]] = {}
    for name, about in files.targets.items():
        listed = about["tools"]
        found = spans(texts[file_of(name)], layout_of(TARGETS[name].group), len(listed))
        targets[name] = dict(zip(listed, found, strict=True))
    return _Spans(
        dict(zip(files.order, spans(texts[MANIFEST], TOOLS, count), strict=True)),
        dict(zip(files.order, spans(texts[TABLE], ROWS, count), strict=True)),
        targets,
    )


def _unit(
    part: Part,
    place: Place,
    depends: tuple[str, ...],
    numbers: Mapping[Order, int],
    files: Files,
    where: _Spans,
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
        tuple(_text(tool, numbers[tool.order], files, where) for tool in part.tools),
        part.names,
        tuple((path, files.digests[path]) for path in paths),
        decoders,
        (*part.diagnostics, *against),
        depends,
        "lauren:" in part.file.text,
    )


def _text(tool: Tool, number: int, files: Files, where: _Spans) -> ToolText:
    offers = tuple(_offer(written[number], where.targets[name]) for name, written in files.written.items())
    digest = files.entries[number]["digest"]
    return ToolText(card_of(tool), digest, where.entries[tool.order], where.rows[tool.order], offers)


def _offer(written: Written, where: Mapping[str, tuple[int, int]]) -> Offer:
    span = _span(written.tool, where)
    text = readable_json(written.entry).decode().rstrip("\n") if span is None else ""
    return Offer(span, text, tuple((each["code"], each["message"]) for each in written.omitted))


def _span(tool: Listed, where: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """Where a target's file has the tool; it has none that need an object, whatever they are called."""
    return None if tool.binding is Binding.BIND else where.get(tool.name)


def _moved(unit: Unit, files: Files, where: _Spans, documents: Documents) -> Unit:
    """A unit of an earlier run, with where its tools stand now."""
    return replace(unit, tools=tuple(_moved_tool(tool, files, where, documents) for tool in unit.tools))


def _moved_tool(tool: ToolText, files: Files, where: _Spans, documents: Documents) -> ToolText:
    offers = tuple(
        _moved_offer(offer, _span(tool.card, where.targets[name]), name, documents)
        for name, offer in zip(files.targets, tool.offers, strict=True)
    )
    order = tool.card.order
    return ToolText(tool.card, tool.digest, where.entries[order], where.rows[order], offers)


def _moved_offer(offer: Offer, span: tuple[int, int] | None, target: str, documents: Documents) -> Offer:
    if span is not None or offer.span is None:
        return Offer(span, "" if span is not None else offer.text, offer.omissions)
    margin = layout_of(TARGETS[target].group).newline
    return Offer(None, documents.part(file_of(target), offer.span).replace(margin, b"\n").decode(), offer.omissions)


def _against(target: str, written: Sequence[Written], own: Sequence[int], config: Config) -> Iterator[Diagnostic]:
    """What a target has against the tools of one module, each by itself."""
    for number in own:
        for finding in written[number].against:
            path = file_of(target)
            yield diagnostic(finding, [written[number].tool], path, named=config.targets_named)
