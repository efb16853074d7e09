"""The arguments of `agent(...)` → name, model and prompt."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...diagnostics.model import Sink
from ...diagnostics.rules import agents as rules
from ...ir.values import Constant, Mapping, Value
from ...semantics.constants import Constants
from ...semantics.not_constant import NotConstant
from ...semantics.suggestions import did_you_mean
from ...source.span import Span
from ...syntax.declarations import ClassDecl
from ...syntax.docstrings.cleaning import cleandoc
from ..arguments import Argument
from ..naming import derived_name, invalid_because, is_valid
from ..texts import check_visible
from .decorations import Decorated, Use

_READ = ("name", "model", "system")
CONFIGURATION = frozenset(
    """
    context_window include_reasoning_in_response max_completion_tokens max_cost_usd max_tokens_per_turn
    max_total_tokens max_turns memory_window_tokens parallel_tool_calls reasoning_effort request_options
    summarize_at summary_model system_prompt temperature thinking thinking_budget_tokens tool_error_policy top_p
    transport_max_retries transport_retry_base_delay_s transport_retry_max_total_s
    """.split()
)
"""The fields of an AgentConfig, of lauren_runtime's and of lauren-ai's (1.6.0, `_config.py`)."""
KNOWN = CONFIGURATION | {*_READ, "config", "conversation_store", "memory"}


class AgentOptions(Struct):
    """What was read. `undecidable`: the name is known only at run time. `sound` is False after an error."""

    name: str
    span: Span
    model: str | None = None
    system: str | None = None
    undecidable: bool = False
    sound: bool = True


class AgentOptionReader:
    """Reads the options of the agents of one program."""

    def __init__(self, constants: Constants, sink: Sink) -> None:
        self._constants = constants
        self._sink = sink

    def read(self, said: Decorated, mark: Use) -> AgentOptions:
        """The options of a class's `agent(...)`; problems are reported."""
        decl = said.decl
        options = AgentOptions(derived_name(decl.name), decl.scope.module.file.span(decl.name_pos))
        given: dict[str, tuple[Value | NotConstant, Span]] = {}
        for argument in mark.arguments:
            if argument.stars == 2:
                given.update(self._spread(argument, options, decl))
            elif argument.name is None:
                self._invalid(options, argument.span, "`agent()` takes keyword arguments only")
            elif argument.name not in KNOWN:
                self._unknown(options, argument)
            elif argument.name in _READ:
                value = self._constants.evaluate(argument.value, argument.scope)
                given[argument.name] = (value, argument.span)
        self._name(options, given, decl)
        options.model = self._text("model", options, given)
        options.system = self._text("system", options, given)
        if "system" not in given or given["system"][0] == Constant(None):
            options.system = _docstring(decl)
        if options.system is not None:
            check_visible(options.system, given["system"][1] if "system" in given else options.span, self._sink)
        return options

    def _name(self, options: AgentOptions, given: dict[str, tuple[Value | NotConstant, Span]], decl: ClassDecl) -> None:
        value, span = given.get("name", (Constant(None), options.span))
        if isinstance(value, NotConstant) and value.unresolved is None:
            message = f"the name of agent `{decl.name}` is known only at run time, so it is not compiled"
            remedy = "write a constant, or the name of one"
            self._sink.add(rules.UNDECIDABLE_AGENT.at(span, message, label=value.why, help=remedy))
            options.undecidable = True
            return
        said = self._text("name", options, given)
        options.name = options.name if said is None else said
        if not is_valid(options.name):
            shown = ascii(options.name)[1:-1]
            message = f"`{shown}` is no name for an agent: {invalid_because(options.name)}"
            remedy = 'give one with `@agent(name="...")`: its files are found by it'
            self._sink.add(rules.INVALID_AGENT_NAME.at(span, message, help=remedy))
            options.sound = False

    def _text(
        self, option: str, options: AgentOptions, given: dict[str, tuple[Value | NotConstant, Span]]
    ) -> str | None:
        """A text that is given, None if it is not, or not known."""
        value, span = given.get(option, (Constant(None), options.span))
        if isinstance(value, NotConstant):
            if value.unresolved is not None:
                self._sink.add(value.unresolved.diagnostic)
                options.sound = False
            else:
                message = f"the `{option}` of this agent is known only at run time, so it is not in the manifest"
                self._sink.add(rules.DYNAMIC_AGENT_OPTION.at(span, message, label=value.why))
            return None
        text = value.value if isinstance(value, Constant) else ()
        if text is None or isinstance(text, str):
            return text
        self._invalid(options, span, f"`{option}` of `agent()` takes a string")
        return None

    def _spread(
        self, argument: Argument, options: AgentOptions, decl: ClassDecl
    ) -> Iterator[tuple[str, tuple[Value | NotConstant, Span]]]:
        """What `**value` gives, if it is a constant dict."""
        value = self._constants.evaluate(argument.value, argument.scope)
        if isinstance(value, Mapping):
            for key, item in value.items:
                if isinstance(key, Constant) and key.value in _READ:
                    yield str(key.value), (item, argument.span)
            return
        message = f"the options of agent `{decl.name}` can't be known from the source: they are unpacked from a dict"
        remedy = "write `name`, `model` and `system` beside it"
        self._sink.add(rules.UNDECIDABLE_AGENT.at(argument.span, message, help=remedy))
        options.undecidable = True

    def _unknown(self, options: AgentOptions, argument: Argument) -> None:
        assert argument.name is not None
        span = argument.scope.module.file.span(argument.pos)
        help = did_you_mean(argument.name, KNOWN)
        message = f"`agent()` takes no argument `{argument.name}`"
        self._sink.add(rules.INVALID_AGENT_OPTION.at(span, message, help=help))
        options.sound = False

    def _invalid(self, options: AgentOptions, span: Span, message: str) -> None:
        self._sink.add(rules.INVALID_AGENT_OPTION.at(span, message))
        options.sound = False


def _docstring(decl: ClassDecl) -> str | None:
    """The class's own docstring, without the indentation that it has in the source."""
    return (cleandoc(decl.docstring.text).strip() or None) if decl.docstring is not None else None
