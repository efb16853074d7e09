"""An item of a module's `providers` → what it declares: a class, a function, or what `use_…` gives."""

from __future__ import annotations

from msgspec import Struct

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import Alias, Construction, Default, Entry, Hooks, Need, Provider, Scope, Token, Unusable
from ...semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol, ValueSymbol
from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl, FunctionDecl
from ...syntax.declarations import Scope as Names
from .annotations import AnnotationReader
from .construction import ConstructionReader, produces
from .displays import items_of
from .marks import Injectable, Marks, unknown_option
from .plain import may_be_marked
from .shapes import shape_of
from .tokens import TokenReader

_CUSTOM = {
    "lauren.use_value": ("provide", "value", "multi"),
    "lauren.use_class": ("provide", "use", "scope", "multi"),
    "lauren.use_factory": ("provide", "factory", "injects", "scope", "multi"),
    "lauren.use_existing": ("provide", "existing"),
}
"""What makes a provider by a call, and its options, the first two required."""


class Unknown(Struct, frozen=True):
    """What only running code would know, and why; no reason after an error, which says enough."""

    span: Span
    why: str


class _Custom(Struct, frozen=True):
    """One `use_…(...)` in a module's list: the call, and where the item stands."""

    call: ex.Call
    names: Names
    kind: str
    key: Token
    module: str
    span: Span


class ProviderReader:
    """Reads the items of one program's modules. `sink` gets what the container refuses."""

    def __init__(
        self,
        tokens: TokenReader,
        marks: Marks,
        annotations: AnnotationReader,
        construction: ConstructionReader,
        sink: Sink,
    ) -> None:
        self._tokens = tokens
        self._marks = marks
        self._annotations = annotations
        self._construction = construction
        self._sink = sink
        self._told: set[tuple[str, Token]] = set()

    def read(self, expr: ex.Expr, names: Names, module: str) -> Entry | Unknown:
        """What an item of a module declares."""
        span = names.module.file.span(expr.pos)
        symbol = self._tokens.meaning(expr, names) if isinstance(expr, (ex.Name, ex.Attribute)) else None
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Call):
            expr, names = symbol.expr, symbol.scope
        if isinstance(expr, ex.Call):
            made = self._tokens.meaning(expr.func, names)
            if isinstance(made, KnownSymbol) and made.name in _CUSTOM:
                return self._custom(expr, names, made.name, module, span)
            return Unknown(span, "it is made by a call")
        if not isinstance(symbol, (ClassSymbol, FunctionSymbol)):
            return Unknown(span, getattr(symbol, "why", "") or "what it means can't be known from the source")
        token = self._tokens.of_symbol(symbol, expr, names)
        if not isinstance(token, Token):
            return Unknown(span, f"a decorator may put anything in the place of `{symbol.decl.name}`")
        if id(symbol.decl) in self._marks.elsewhere:
            return Unknown(span, f"a call elsewhere may decorate `{symbol.decl.name}`")
        mark = self._marks.injectable(symbol.decl)
        if mark is None and may_be_marked(symbol.decl, self._tokens.resolver):
            return Unknown(span, f"a decorator may mark `{symbol.decl.name}` as a provider")
        if mark is None:
            return self._unmarked(symbol.decl, token, module, span)
        return self._declared(symbol.decl, token, mark, module, span)

    def _declared(
        self, decl: FunctionDecl | ClassDecl, token: Token, mark: Injectable, module: str, span: Span
    ) -> Provider:
        if isinstance(decl, ClassDecl):
            construction = self._construction.of_class(decl)
        else:
            construction = self._construction.of_function(decl)
        provided = tuple(each.token for each in mark.provides)
        provider = Provider(
            token,
            module,
            span,
            _listed(token),
            mark.scope,
            construction,
            provided,
            mark.knows_tokens,
            mark.multi,
        )
        self._check_generator(provider)
        return provider

    def _unmarked(self, decl: FunctionDecl | ClassDecl, token: Token, module: str, span: Span) -> Unusable:
        base = self._marks.marked_base(decl, module=False) if isinstance(decl, ClassDecl) else None
        place = decl.scope.module.file.span(decl.name_pos)
        if (module, token) in self._told:  # listed twice
            return Unusable(token, module, span)
        self._told.add((module, token))
        if base is not None:
            message = f"`{decl.name}` is injectable only by its base `{base.name}`"
            labels = (Label(place, f"`{decl.name}` is defined here"),)
            remedy = f"decorate `{decl.name}` with `@injectable()` itself"
            self._sink.add(rules.INHERITED_MARK.at(span, message, labels=labels, help=remedy))
        else:
            message = f"`{decl.name}` is not marked as a provider"
            labels = (Label(place, "defined here"),)
            remedy = "decorate it with `@injectable()`"
            self._sink.add(rules.NOT_INJECTABLE.at(span, message, labels=labels, help=remedy))
        return Unusable(token, module, span)

    def _custom(self, call: ex.Call, names: Names, kind: str, module: str, span: Span) -> Entry | Unknown:
        file = names.module.file
        if any(word.name is None for word in call.keywords):
            return Unknown(span, "its options are unpacked from a dict")
        options = _CUSTOM[kind]
        short = kind.rpartition(".")[2]
        for argument in call.args:
            self._marks.misused(f"`{short}()` takes keywords only", file.span(argument.pos), "")
        for word in call.keywords:
            if word.name is not None and word.name not in options:
                self._sink.add(unknown_option(f"`{short}()`", word.name, options, file.span(word.pos)))
        provide, target = (call.keyword(option) for option in options[:2])
        for option, given in zip(options, (provide, target), strict=False):
            if given is None:
                self._marks.misused(f"`{short}()` needs `{option}=`", file.span(call.pos), "")
        if provide is None:
            return Unknown(span, "")
        key = self._tokens.read(provide, names)
        if not isinstance(key, Token):
            return Unknown(file.span(provide.pos), "what it provides is known only at run time")
        if isinstance(provide, ex.Constant) and provide.value is None:
            self._marks.misused(f"`{short}()` needs a token that is not None", file.span(provide.pos), "")
        if target is None:
            return Unusable(key, module, span)
        return self._of_kind(_Custom(call, names, short, key, module, span), target)

    def _of_kind(self, custom: _Custom, target: ex.Expr) -> Entry | Unknown:
        call, names, key = custom.call, custom.names, custom.key
        if custom.kind == "use_existing":
            meant = self._tokens.read(target, names)
            existing = meant if isinstance(meant, Token) else None
            if existing == key:
                self._marks.misused(f"`use_existing()` makes {_shown(key)} another name of itself", custom.span, "")
                return Unusable(key, custom.module, custom.span)
            what = None if existing is None else _what(custom, existing.described)
            return Alias(key, custom.module, custom.span, what, existing)
        scope = self._marks.scope(call.keyword("scope"), names)
        multi = self._marks.flag(call.keyword("multi"), names)
        if custom.kind == "use_value":
            return Provider(key, custom.module, custom.span, _what(custom), Scope.SINGLETON, None, (), True, multi)
        made, described_target = self._made(custom, target)
        what = _what(custom, described_target, *self._described_injects(custom))
        provider = Provider(key, custom.module, custom.span, what, scope, made, (), True, multi)
        self._check_generator(provider)
        return provider

    def _made(self, custom: _Custom, target: ex.Expr) -> tuple[Construction, str | None]:
        """How a class or factory makes its object, and how the runtime describes it."""
        symbol = self._tokens.meaning(target, custom.names) if isinstance(target, (ex.Name, ex.Attribute)) else None
        token = None if symbol is None else self._tokens.of_symbol(symbol, target, custom.names)
        if custom.kind == "use_class":
            if isinstance(symbol, ClassSymbol) and isinstance(token, Token):
                return self._construction.of_class(symbol.decl), _listed(token)
            return Construction(is_known=False), None
        if isinstance(target, ex.Lambda):
            needs = self._injects(custom, target.least, target.most, bool(target.needed))
            return _by_position(needs, "awaitable", None), f"function {_lambda(custom.names)}"
        if not isinstance(token, Token):
            return Construction(is_known=False), None
        if isinstance(symbol, FunctionSymbol):
            least, most, needs_keywords = _arity(symbol.decl, 0)
            needs = self._injects(custom, least, most, needs_keywords)
            return _by_position(needs, produces(symbol.decl), shape_of(symbol.decl)), _listed(token)
        return Construction(is_known=False), None

    def _injects(self, custom: _Custom, least: int, most: int | None, needs_keywords: bool) -> tuple[Need, ...] | None:
        """What fills a factory's parameters, by position; None if that can't be known."""
        items = items_of(custom.call.keyword("injects"), custom.names, self._tokens.lists)
        if items.unknown:
            return None
        count = len(items.known)
        if count < least or (most is not None and count > most) or needs_keywords:
            expected = f"{least}" if least == most else f"{least} or more" if most is None else f"{least} to {most}"
            wanted = "arguments by keyword" if needs_keywords else f"{expected} arguments"
            message = f"the factory of {_shown(custom.key)} takes {wanted}, and `injects` gives it {count}"
            remedy = "list one token in `injects` for each parameter"
            self._sink.add(rules.UNRESOLVABLE_PARAMETER.at(custom.span, message, help=remedy))
        needs: list[Need] = []
        for number, (expr, names) in enumerate(items.known):
            asked = self._annotations.token(expr, names)
            default = Default.NONE if asked.optional else Default.REQUIRED
            where = f"`injects[{number}]` of {_shown(custom.key)}"
            span = names.module.file.span(expr.pos)
            needs.append(Need(asked.token, span, where, "", False, asked.collects, default, asked.problem))
        return tuple(needs)

    def _described_injects(self, custom: _Custom) -> list[str | None]:
        items = items_of(custom.call.keyword("injects"), custom.names, self._tokens.lists)
        return [self._annotations.described(expr, names) for expr, names in items.known]

    def _check_generator(self, provider: Provider) -> None:
        made = provider.construction
        if made is not None and made.produces.endswith("generator") and provider.scope is Scope.TRANSIENT:
            message = (
                f"{_shown(provider.key)} yields its object, so it has a teardown, but nothing ends what is TRANSIENT"
            )
            labels = () if provider.key.defined is None else (Label(provider.key.defined, "the generator"),)
            remedy = "give it `scope=Scope.REQUEST`, or return the object"
            self._sink.add(rules.TRANSIENT_GENERATOR.at(provider.span, message, labels=labels, help=remedy))


def _by_position(needs: tuple[Need, ...] | None, kind: str, shape: str | None) -> Construction:
    if needs is None:
        return Construction(is_known=False)
    return Construction(needs, (), kind, Hooks(), shape)  # type: ignore[arg-type]


def _what(custom: _Custom, *parts: str | None) -> str | None:
    """How the runtime describes the item; None if a part can't be told."""
    every = (custom.key.described, *parts)
    return None if None in every else f"{custom.kind}({', '.join(str(each) for each in every)})"


def _listed(token: Token) -> str:
    """How the runtime describes a class or function."""
    return f"{token.kind} {token.described}"


def _lambda(names: Names) -> str:
    return f"{names.module.file.module}:{names.qualify('<lambda>')}"


def _arity(decl: FunctionDecl, skip: int) -> tuple[int, int | None, bool]:
    """How many arguments a function takes by position (at least, at most), and whether it needs some by keyword."""
    positional = [each for each in decl.parameters if each.kind in ("positional_only", "positional_or_keyword")][skip:]
    has_rest = any(each.kind == "var_positional" for each in decl.parameters)
    keywords = any(each.kind == "keyword_only" and each.default is None for each in decl.parameters)
    return sum(each.default is None for each in positional), None if has_rest else len(positional), keywords


def _shown(token: Token) -> str:
    return f"`{token.shown}`"
