"""`AgentModule.for_root(...)` as a module of the graph: what it declares, needs and exports.

Support = AgentModule.for_root(agents=[Clerk], imports=[Catalogue], shared_tools=[Search])
→ a module that declares Clerk, the classes among its tools but Search, and a runner, which needs Search; it exports
  Clerk, the runner and `AgentRunner[Clerk]`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from ...diagnostics.model import Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import Alias, Construction, Entry, Module, Named, Need, Provider, Scope, Token
from ...semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol, ValueSymbol
from ...source.file import SourceFile
from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl
from ...syntax.declarations import Scope as Names
from ..arguments import arguments_of
from .displays import Item, items_of
from .marks import unknown_option
from .providers import ProviderReader, Unknown
from .tokens import TokenReader, of_declaration

_AGENT_MODULE = KnownSymbol("lauren.AgentModule")
_RUNNER = "lauren.AgentRunner"
_MODEL_CLIENT = Token("known", "lauren.ModelClient", None, "ModelClient")
OPTIONS = frozenset(
    """
    agents approvals config conversation_store executor_options export_tools global_tool_hooks hooks imports injects
    message_bus model model_client prices runner shared_tools signals table tool_cache tools
    """.split()
)
_OF_LAUREN_AI = frozenset({"knowledge", "mcp_servers"})
"""Options of the real lauren-ai alone, under which the sources may run."""
_USES = {KnownSymbol("lauren.use_tools"): "tools", KnownSymbol("lauren.use_hooks"): "hooks"}


class ForRoot(Struct, frozen=True, eq=False):
    """A call of `for_root`, where it is read, and the name that its module goes by."""

    call: ex.Call
    names: Names
    key: str
    shown: str


class _Lists(Struct):
    """The items of the call's lists; and what of them, or of what its agents use, can't be known."""

    items: dict[str, list[Item]] = field(default_factory=dict[str, "list[Item]"])
    unknown: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])


class AgentModuleReader:
    """Reads calls of `for_root`. `sink` gets a note for what only running code would know."""

    def __init__(self, tokens: TokenReader, providers: ProviderReader, sink: Sink) -> None:
        self._tokens = tokens
        self._providers = providers
        self._sink = sink

    def find(self, expr: ex.Expr, names: Names) -> ForRoot | None:
        """The call that an expression is, or that a variable is set to; None for anything else."""
        key = ""
        if isinstance(expr, (ex.Name, ex.Attribute)):
            symbol = self._tokens.meaning(expr, names)
            if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
                return None
            expr, names = symbol.expr, symbol.scope
            key = symbol.qualname
        if not isinstance(expr, ex.Call) or not isinstance(expr.func, ex.Attribute) or expr.func.attr != "for_root":
            return None
        if self._tokens.meaning(expr.func.value, names) != _AGENT_MODULE:
            return None
        line, column, *_ = expr.pos
        return ForRoot(expr, names, f"{names.module.file.module}:{key or f'for_root:{line}:{column}'}", key)

    def read(self, made: ForRoot) -> tuple[Module, list[Item]]:
        """The module, and what it imports."""
        file = made.names.module.file
        span = file.span(made.call.pos)
        self._check_call(made.call, file)
        lists = self._lists(made)
        agents = [
            symbol.decl for item in lists.items["agents"] if isinstance(symbol := self._meaning(item), ClassSymbol)
        ]
        shown = made.shown or f"{''.join(decl.name for decl in agents)}Module"
        used = [*(item for decl in agents for item in self._used(decl, "tools", lists)), *lists.items["tools"]]
        shared = {self._key(item) for item in lists.items["shared_tools"]}
        hooks = [*lists.items["hooks"], *lists.items["global_tool_hooks"]]
        hooks += [item for each in used for item in self._hooks_of(each, lists)]
        hooks = [] if lists.items["imports"] else hooks  # an import may own them
        own = [item for item in used if self._is_class(item) and self._key(item) not in shared]
        listed = [*lists.items["agents"], *own, *hooks, *lists.items["injects"], *lists.items["export_tools"]]
        once: dict[str, Item] = {}
        for item in listed:
            once.setdefault(self._key(item), item)
        entries = list(self._entries(once.values(), made.key, lists))
        owned_elsewhere = [item for item in lists.items["shared_tools"] if self._is_class(item)]
        runner = self._runner(made, shown, f"{''.join(decl.name for decl in agents)}ModuleRunner", own, owned_elsewhere)
        tokens = [_runner_of(decl) for decl in agents]
        aliases = [Alias(token, made.key, span, None, runner.key) for token in dict.fromkeys(tokens)]
        exported = [Named(of_declaration(decl, "class"), span) for decl in agents]
        exported += [Named(each.key, each.span) for each in entries if self._is_exported(each, lists)]
        exported += [Named(token, span) for token in (runner.key, *dict.fromkeys(tokens))]
        self._note(lists, shown)
        module = Module(
            made.key,
            shown,
            span,
            (*entries, runner, *aliases),
            (),
            tuple(exported),
            knows_declared=not lists.unknown,
            knows_imports=not lists.unknown,
            line=made.call.pos[0],
            path=file.relative,
            made=f"lauren:{''.join(decl.name for decl in agents)}Module",
        )
        return module, lists.items["imports"]

    def _check_call(self, call: ex.Call, file: SourceFile) -> None:
        """Report what `for_root` does not take."""
        name = "`AgentModule.for_root()`"
        for argument in call.args:
            message = f"{name} takes its options as keywords"
            self._sink.add(rules.MISUSED_DECORATOR.at(file.span(argument.pos), message))
        for word in call.keywords:
            if word.name is not None and word.name not in OPTIONS | _OF_LAUREN_AI:
                self._sink.add(unknown_option(name, word.name, OPTIONS, file.span(word.pos)))
        if call.keyword("agents") is None and all(word.name is not None for word in call.keywords):
            message = f"{name} needs `agents=`"
            self._sink.add(rules.MISUSED_DECORATOR.at(file.span(call.pos), message))

    def _lists(self, made: ForRoot) -> _Lists:
        found = _Lists()
        file = made.names.module.file
        for name in ("agents", "tools", "shared_tools", "export_tools", "injects", "hooks", "global_tool_hooks"):
            self._take(found, name, made.call.keyword(name), made.names)
        imports = made.call.keyword("imports")
        if isinstance(imports, (ex.Name, ex.Attribute)) and self._is_one(imports, made.names):
            found.items["imports"] = [(imports, made.names)]
        else:
            self._take(found, "imports", imports, made.names)
        for word in made.call.keywords:
            if word.name is None:
                found.unknown.append((file.span(word.pos), "its options are unpacked from a dict"))
        return found

    def _take(self, found: _Lists, name: str, expr: ex.Expr | None, names: Names) -> None:
        items = items_of(expr, names, self._tokens.lists)
        found.items[name] = items.known
        found.unknown += items.unknown

    def _is_one(self, expr: ex.Expr, names: Names) -> bool:
        """Whether `imports` names a module, not a list of them."""
        return isinstance(self._tokens.meaning(expr, names), ClassSymbol) or self.find(expr, names) is not None

    def _used(self, decl: ClassDecl, kind: str, lists: _Lists) -> Iterator[Item]:
        """What `@use_tools(...)`, or `@use_hooks(...)`, names on a class or function, or on its bases."""
        for owner in self._tokens.resolver.linear_bases(decl):
            yield from self._decorated(owner, kind, lists)

    def _hooks_of(self, item: Item, lists: _Lists) -> Iterator[Item]:
        symbol = self._meaning(item)
        if isinstance(symbol, (ClassSymbol, FunctionSymbol)):
            yield from self._decorated(symbol.decl, "hooks", lists)

    def _decorated(self, decl: object, kind: str, lists: _Lists) -> Iterator[Item]:
        for decorator in getattr(decl, "decorators", ()):
            scope: Names = getattr(decl, "scope")  # noqa: B009
            call = decorator.expr
            meant = self._tokens.meaning(call.func, scope) if isinstance(call, ex.Call) else None
            if isinstance(call, ex.Call) and isinstance(meant, KnownSymbol) and _USES.get(meant) == kind:
                listing = self._tokens.lists.of_arguments(arguments_of(call, scope))
                lists.unknown += [(each.span, each.why) for each in listing.unknown]
                lists.unknown += [(each.span, each.message) for each in listing.lost]
                yield from ((each.expr, each.scope) for each in listing.items)

    def _entries(self, items: Iterable[Item], module: str, lists: _Lists) -> Iterator[Entry]:
        for expr, names in items:
            read = self._providers.read(expr, names, module)
            if isinstance(read, Unknown):
                lists.unknown.append((read.span, read.why))
            else:
                yield read

    def _runner(self, made: ForRoot, shown: str, name: str, own: list[Item], shared: list[Item]) -> Provider:
        """The runner. It asks for the model's client, and for suppliers of tools, own ones and those of others."""
        span = made.names.module.file.span(made.call.pos)
        needs: list[Need] = []
        client = made.call.keyword("model_client")
        if client is None or (isinstance(client, ex.Constant) and client.value is None):
            needs.append(Need(_MODEL_CLIENT, span, f"the runner of `{shown}`", "", False))
        for where, items in (("the tools", own), ("`shared_tools`", shared)):
            for expr, names in items:
                token = self._tokens.read(expr, names)
                known = token if isinstance(token, Token) else None
                place = names.module.file.span(expr.pos)
                needs.append(Need(known, place, f"{where} of `{shown}`", "", False, is_supplier=True))
        given = made.call.keyword("runner")
        read = self._tokens.read(given, made.names) if given is not None else None
        key = read if isinstance(read, Token) else Token("object", f"{made.key}.runner", None, name, span)
        described = key.described if given is not None else f"lauren:{name}"
        what = None if described is None else f"use_factory({described},"
        return Provider(key, made.key, span, what, Scope.SINGLETON, Construction(tuple(needs)), at_start=True)

    def _is_exported(self, entry: Entry, lists: _Lists) -> bool:
        exported = {self._key(item) for item in lists.items["export_tools"]}
        return entry.key.name in exported

    def _meaning(self, item: Item) -> object:
        expr, names = item
        return self._tokens.meaning(expr, names) if isinstance(expr, (ex.Name, ex.Attribute)) else None

    def _is_class(self, item: Item) -> bool:
        return isinstance(self._meaning(item), ClassSymbol)

    def _key(self, item: Item) -> str:
        symbol = self._meaning(item)
        return symbol.decl.key if isinstance(symbol, (ClassSymbol, FunctionSymbol)) else f"{id(item[0])}"

    def _note(self, lists: _Lists, shown: str) -> None:
        for place, why in lists.unknown:
            message = f"module `{shown}` is checked when the application is created: what it declares is known in part"
            self._sink.add(rules.DYNAMIC_GRAPH.at(place, message, label=why))


def _runner_of(decl: ClassDecl) -> Token:
    """`AgentRunner[A]`."""
    agent = of_declaration(decl, "class")
    return Token("form", f"known {_RUNNER}[class {agent.name}]", None, f"AgentRunner[{agent.shown}]")
