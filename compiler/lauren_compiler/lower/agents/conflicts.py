"""Agents that can't be in a build: one defined twice, equal names, two tools of one with one name, a refused tool."""

from __future__ import annotations

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import agents as rules
from ...ir.agents import Agent, AgentTool
from ...source.span import Span
from ...syntax.declarations import ClassDecl, FunctionDecl
from .drafts import Draft


def once_each(drafts: list[Draft], sink: Sink) -> list[Draft]:
    """Each agent once: definitions of one class are one agent if they say the same.

    Else which of them counts, or which a table is asked for, is known only at run time. Of two that surely take place,
    in one module and under one name, more is told elsewhere: they are two agents of one name.
    """
    first: dict[str, Draft] = {}
    kept: list[Draft] = []
    for draft in drafts:
        other = first.setdefault(draft.decl.key, draft)
        both = draft.decided and other.decided and not draft.local and draft.name == other.name
        if other is draft or both:
            kept.append(draft)
        elif other.says() != draft.says():
            message = f"agent `{draft.decl.name}` is defined twice; which definition counts is known only at run time"
            label = Label(other.span, "the other definition")
            sink.add(rules.UNDECIDABLE_AGENT.at(draft.span, message, labels=(label,)))
            other.left_out = True
    return kept


def tool_refused(draft: Draft, tool: FunctionDecl | ClassDecl, span: Span, sink: Sink) -> None:
    """Say at its place in the list which tool, whose error stands elsewhere, an agent is refused for."""
    message = f"agent `{draft.name}` is refused, because its tool `{tool.name}` is"
    label = Label(tool.scope.module.file.span(tool.name_pos), "this tool has an error")
    sink.add(rules.REFUSED_AGENT.at(span, message, labels=(label,), help="mend the tool, or take it off the list"))


def tools_differ(draft: Draft, tools: list[AgentTool], sink: Sink) -> bool:
    """Whether no two tools of an agent have one name, letter case aside; reported if they do."""
    first: dict[str, AgentTool] = {}
    for tool in tools:
        other = first.setdefault(tool.name.casefold(), tool)
        if other is not tool:
            differs = "" if other.name == tool.name else ", letter case aside"
            message = f"two tools of agent `{draft.name}` have the name `{tool.name}`{differs}"
            label = Label(other.span, f"`{other.module}:{other.qualname}`")
            remedy = 'give one of them another name with `@tool(name="...")`'
            place = f"`{tool.module}:{tool.qualname}`"
            sink.add(rules.DUPLICATE_AGENT_TOOL.at(tool.span, message, label=place, labels=(label,), help=remedy))
    return len(first) == len(tools)


def with_names_of_their_own(agents: list[Agent], sink: Sink) -> list[Agent]:
    """The agents that can be in one build; of those made by functions, more than one may have a name."""
    first: dict[str, Agent] = {}
    clashing: set[int] = set()
    for agent in sorted(agents, key=lambda each: each.local):
        other = first.setdefault(agent.name.casefold(), agent)
        if other is agent:
            continue
        differs = "" if other.name == agent.name else ", letter case aside"
        label = Label(other.span, "the other one")
        if agent.local:
            message = f"this agent, which a function makes, has the name `{agent.name}` of another{differs}"
            sink.add(rules.SHARED_LOCAL_AGENT_NAME.at(agent.span, message, labels=(label,)))
        else:
            message = f"two agents have the name `{agent.name}`{differs}"
            remedy = 'give one of them another name with `@agent(name="...")`'
            sink.add(rules.DUPLICATE_AGENT_NAME.at(agent.span, message, labels=(label,), help=remedy))
            clashing |= {id(agent), id(other)}
    return [agent for agent in agents if id(agent) not in clashing]
