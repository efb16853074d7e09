"""The arguments of `tool(...)` → name, description and `Options`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ..diagnostics.model import Level, Sink
from ..diagnostics.rules import tools as rules
from ..ir.dump import NoJson, dump, json_text
from ..ir.tools import Options
from ..ir.values import Constant, Value
from ..semantics.constants import NotConstant
from ..semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol
from ..semantics.types import TypeReader
from ..source.span import Span
from ..syntax.declarations import ClassDecl, FunctionDecl, Lazy, Scope
from ..syntax.expressions import Call
from .arguments import Argument, bound
from .makers import Maker, Makers
from .option_names import CALLABLES, FLAGS, KNOWN, SCHEMAS, TEXTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..config.decorators import Framework
    from .stated_input import StatedInput

_LONGEST = 1e12
"""Seconds; some 30,000 years."""


class Declared(Struct):
    """What a decorator says; `names_schema` if it states a schema, be it fit for use (`schema`) or not.

    `undecidable`: something that must be static is known only at run time, in a tool that is bound; such a tool is
    counted, not compiled. `sound` is False after an error.
    """

    name: str | None = None
    description: str | None = None
    options: Options = field(default_factory=Options)
    name_given: Argument | None = None
    given: dict[str, Argument] = field(default_factory=dict[str, Argument])
    schema: StatedInput | None = None
    names_schema: bool = False
    sound: bool = True
    undecidable: bool = False


class OptionReader:
    """Reads the decorators of one tool."""

    def __init__(self, types: TypeReader, makers: Makers, sink: Sink, *, bound: bool) -> None:
        self._types = types
        self._makers = makers
        self._sink = sink
        self._bound = bound

    def read(self, maker: Maker, decl: FunctionDecl | ClassDecl) -> Declared:
        """What the decorator of `decl` says; problems are reported."""
        declared = Declared()
        arguments = self._arguments(maker, decl)
        declared.given = {each.name: each for each in arguments if each.name is not None}
        for argument in arguments:
            if argument.stars == 2:
                span = argument.scope.module.file.span(argument.pos)
                message = "the options of this tool can't be known from the source: they are unpacked from a dict"
                self._sink.add(rules.UNDECIDABLE_TOOL.at(span, message))
                declared.undecidable = True
            elif argument.name is None:
                self._invalid(declared, argument, "`tool()` takes keyword arguments only")
            elif argument.name not in KNOWN:
                self._unknown(declared, argument.name, argument.scope.module.file.span(argument.pos))
            else:
                self._option(declared, argument.name, argument)
        self._check_cache(declared, arguments)
        return declared

    def _arguments(self, maker: Maker, decl: FunctionDecl | ClassDecl) -> tuple[Argument, ...]:
        """The arguments of `tool` that the decorator comes to; of another framework's, the name and description."""
        if maker.listed is None:
            return maker.arguments
        from .wrappers import definition_of, tool_arguments

        framework = maker.framework
        if framework is None:
            return tool_arguments(maker, decl, self._makers, self._types.constants)
        function, skip = definition_of(maker, self._types.constants)
        given = bound(maker.arguments, function.parameters if function is not None else (), skip + maker.direct)
        given.by_name.update((each.name, each) for each in given.rest if each.name is not None)
        named = (
            ("name", _name_of(framework, given.by_name)),
            ("description", given.by_name.get(framework.description)),
        )
        spread = tuple(each for each in given.rest if each.stars == 2)
        return (*(replace(each, name=option) for option, each in named if each is not None), *spread)

    def metadata(self, decorators: tuple[Lazy, ...], scope: Scope) -> str | None:
        """The constant `set_metadata(key, value)` decorators as JSON text; the topmost of one key counts."""
        found: dict[str, object] = {}
        for decorator in reversed(decorators):
            call = decorator.expr
            if not isinstance(call, Call) or len(call.args) != 2:
                continue
            symbol = self._types.resolver.dealias(self._types.resolver.resolve(call.func, scope))
            if symbol != KnownSymbol("lauren.set_metadata"):
                continue
            key = self._types.constants.evaluate(call.args[0], scope)
            value = self._types.constants.evaluate(call.args[1], scope)
            if isinstance(key, Constant) and isinstance(key.value, str) and not isinstance(value, NotConstant):
                dumped = dump(value, self._types.definitions)
                if not isinstance(dumped, NoJson):
                    found[key.value] = dumped
                    continue
            span = scope.module.file.span(call.pos)
            message = "this metadata is not in the manifest: it is no constant with a JSON form"
            self._sink.add(rules.METADATA_LEFT_OUT.at(span, message))
        return json_text(found) if found else None

    def _option(self, declared: Declared, name: str, given: Argument) -> None:
        if name in CALLABLES:
            self._callable(declared, name, given)
            return
        if name == "name":
            declared.name_given = given
        value = self._types.constants.evaluate(given.value, given.scope)
        declared.names_schema = declared.names_schema or (name in SCHEMAS and value != Constant(None))
        if isinstance(value, NotConstant):
            self._dynamic(declared, name, value, given)
            return
        if name in SCHEMAS:
            self._schema(declared, name, value, given)
            return
        plain = value.value if isinstance(value, Constant) else ()
        if name in TEXTS:
            self._text(declared, name, plain, given)
        elif name in FLAGS:
            self._flag(declared, name, plain, given)
        else:
            self._number(declared, name, plain, given)

    def _unknown(self, declared: Declared, name: str, place: Span) -> None:
        from ..semantics.suggestions import did_you_mean

        longer = [option for option in sorted(KNOWN) if option.startswith(f"{name}_")]
        proposal = f"did you mean `{longer[0]}`?" if len(longer) == 1 else did_you_mean(name, KNOWN)
        help = proposal or f"its options: {', '.join(f'`{option}`' for option in sorted(KNOWN))}"
        self._sink.add(rules.INVALID_OPTION.at(place, f"`tool()` takes no argument `{name}`", help=help))
        declared.sound = False

    def _text(self, declared: Declared, name: str, value: object, given: Argument) -> None:
        if value is None:
            return
        if not isinstance(value, str):
            self._invalid(declared, given, f"`{name}` of `tool()` takes a string")
        elif name == "name":
            declared.name = value
        elif name == "description":
            declared.description = value
        else:
            declared.options = replace(declared.options, label=value)

    def _flag(self, declared: Declared, name: str, value: object, given: Argument) -> None:
        if not isinstance(value, bool):
            self._invalid(declared, given, f"`{name}` of `tool()` takes True or False")
        elif name == "requires_confirmation":
            declared.options = replace(declared.options, requires_confirmation=value)

    def _number(self, declared: Declared, name: str, value: object, given: Argument) -> None:
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _LONGEST:
            self._invalid(declared, given, f"`{name}` of `tool()` takes a positive number of seconds")
        elif name == "cache_ttl":
            declared.options = replace(declared.options, cache_ttl=value)
        else:
            declared.options = replace(declared.options, timeout=value)

    def _callable(self, declared: Declared, name: str, given: Argument) -> None:
        expr, scope = given.value, given.scope
        value = self._types.constants.evaluate(expr, scope)
        if value == Constant(None):
            return
        if not isinstance(value, NotConstant):
            self._invalid(declared, given, f"`{name}` of `tool()` takes something callable")
            return
        if value.unresolved is not None:
            self._sink.add(value.unresolved.diagnostic)
            declared.sound = False
            return
        symbol = self._types.resolver.dealias(self._types.resolver.resolve(expr, scope))
        where = "inline"
        if isinstance(symbol, (FunctionSymbol, ClassSymbol)) and "<locals>" not in symbol.decl.qualname:
            where = f"{symbol.decl.scope.module.file.module}:{symbol.decl.qualname}"
        declared.options = replace(declared.options, hooks=(*declared.options.hooks, (name, where)))

    def _schema(self, declared: Declared, name: str, value: Value, given: Argument) -> None:
        """A whole input schema: what in it can't be used is reported, each at the option."""
        if value == Constant(None):
            return
        if declared.schema is not None:
            self._invalid(declared, given, "`schema` and `input_schema` of `tool()` are one option")
            return
        from .stated_input import StatedInput, input_problems

        dumped = dump(value, self._types.definitions)
        faults = [((), dumped.why)] if isinstance(dumped, NoJson) else input_problems(dumped)
        for path, text in faults:
            where = ".".join((name, *path))
            self._invalid(declared, given, f"`{where}` is no part of a JSON Schema that can be used: {text}")
        if not faults:
            assert not isinstance(dumped, NoJson)
            declared.schema = StatedInput(dumped, given.scope.module.file.span(given.pos))

    def _check_cache(self, declared: Declared, arguments: tuple[Argument, ...]) -> None:
        keyed = next((each for each in arguments if each.name == "cache_key_fn"), None)
        if keyed is not None and declared.options.cache_ttl is None and declared.sound and not declared.undecidable:
            self._invalid(declared, keyed, "`cache_key_fn` of `tool()` has no effect without `cache_ttl`")

    def _invalid(self, declared: Declared, given: Argument, message: str) -> None:
        self._sink.add(rules.INVALID_OPTION.at(given.scope.module.file.span(given.value.pos), message))
        declared.sound = False

    def _dynamic(self, declared: Declared, name: str, value: NotConstant, given: Argument) -> None:
        span = given.scope.module.file.span(given.value.pos)
        if value.unresolved is not None:
            self._sink.add(value.unresolved.diagnostic)
            declared.sound = False
            return
        what = name if name in ("name", "description") else f"option `{name}`"
        message = f"the {what} of this tool is known only at run time"
        if self._bound:
            self._sink.add(rules.UNDECIDABLE_TOOL.at(span, message, label=value.why))
            declared.undecidable = True
        else:
            remedy = "write a constant, or the name of one"
            self._sink.add(rules.DYNAMIC_OPTION.at(span, message, label=value.why, help=remedy, level=Level.ERROR))
            declared.sound = False


def _name_of(framework: Framework, by_name: Mapping[str, Argument]) -> Argument | None:
    """The argument that names the tool. A parameter `name_or_…` takes the tool's name or what is decorated, and stands
    first: `@server.tool("search")`."""
    given = by_name.get(framework.name)
    if given is not None:
        return given
    return next((each for parameter, each in by_name.items() if parameter.startswith(f"{framework.name}_or_")), None)
