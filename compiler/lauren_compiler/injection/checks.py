"""Checks every application, and gives those whose wiring can be generated."""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..diagnostics.rules.injection import DYNAMIC_GRAPH
from ..ir.graph import Application, Graph


def check(graph: Graph, sink: Sink) -> tuple[Application, ...]:
    """The applications that are known in full and sound. `sink` gets what is wrong, and what can't be known."""
    if not graph.roots:
        return ()
    from .application import application  # which most builds have no use for

    found: list[Application] = []
    for root in graph.roots:
        faults = Sink()
        made = application(root, graph, faults)
        sink.extend(faults)
        if made is not None and not any(each.rule is not DYNAMIC_GRAPH for each in faults):
            found.append(made)
    return tuple(found)
