"""What is said of each fault: who asks, through which module, where that is declared, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic, Label
from ..diagnostics.rules import injection as rules
from ..ir.graph import Alias, ClassFacts, Entry, Module, Named, Need, Provider, Token
from ..semantics.suggestions import did_you_mean
from ..source.span import Span

if TYPE_CHECKING:
    from .bindings import Bindings


def missing(need: Need, token: Token, provider: Provider, bindings: Bindings) -> Diagnostic:
    """A need that nothing fills, or nothing that the module sees."""
    module = bindings.modules[provider.module]
    asks = Label(provider.span, f"`{provider.key.shown}` is declared here, by module `{module.shown}`")
    elsewhere = bindings.declaring(token)
    if elsewhere:
        owner = bindings.modules[elsewhere[0].module]
        message = f"module `{module.shown}` does not see `{token.shown}`, which {need.where} asks for"
        place = Label(elsewhere[0].span, f"`{token.shown}` is declared here, by module `{owner.shown}`")
        remedy = _way_to(token, module, owner, bindings)
        return rules.HIDDEN_PROVIDER.at(need.span, message, label="not visible", labels=(asks, place), help=remedy)
    message = f"nothing provides `{token.shown}`, which {need.where} asks for"
    labels = [asks]
    if token.defined is not None:
        labels.append(Label(token.defined, f"`{token.shown}` is defined here, and declared by no module"))
    remedy = _declare(token, module, bindings)
    return rules.MISSING_PROVIDER.at(need.span, message, label="no provider", labels=labels, help=remedy)


def _declare(token: Token, module: Module, bindings: Bindings) -> str:
    near = None
    if token.kind != "class":
        shown = {key.shown for key in bindings.views[module.name].entries if key.kind == token.kind}
        near = did_you_mean(token.shown, shown)
    if near is not None:
        return near
    protocol = bindings.asked_by(token)
    if protocol is not None:
        return _for_protocol(token, protocol, module, bindings)
    if token.kind in ("class", "function"):
        return f"add `{token.shown}` to `providers` of `{module.shown}`, or of a module it imports, which exports it"
    return f"add `use_value(provide={token.shown}, ...)`, or another provider of it, to `providers` of `{module.shown}`"


def _for_protocol(token: Token, protocol: ClassFacts, module: Module, bindings: Bindings) -> str:
    """A protocol can't be provided itself: which class stands for it, or what to provide."""
    fitting = bindings.fitting(protocol)
    named = f"`@injectable(provides=[{token.shown}])`"
    if not fitting:
        return f"provide a class that has its members, in `{module.shown}` or a module it imports, with {named}"
    found = fitting[0]
    if not protocol.is_runtime_protocol:
        return f"`{found.key.shown}` has its members: mark it {named}, or `{token.shown}` with `@runtime_checkable`"
    way = _way_to(found.key, module, bindings.modules[found.module], bindings)
    return f"`{found.key.shown}` has its members: {way}"


def _way_to(token: Token, module: Module, owner: Module, bindings: Bindings) -> str:
    """What makes a token visible that a module elsewhere declares."""
    exported = any(each.token == token for each in owner.exports)
    imported = any(each.token.name == owner.name for each in module.imports)
    export = f"export it from `{owner.shown}`"
    if imported:
        return export
    through = [
        bindings.modules[each.token.name].shown
        for each in module.imports
        if each.token.name in bindings.modules and token in bindings.views[each.token.name].entries
    ]
    if through:
        return f"export it from `{through[0]}` too, which imports it"
    return f"import `{owner.shown}` in `{module.shown}`" + ("" if exported else f", and {export}")


def meaningless(need: Need, provider: Provider, bindings: Bindings) -> Diagnostic:
    """An annotation that can't be evaluated as the sources run."""
    module = bindings.modules[provider.module]
    label = Label(provider.span, f"`{provider.key.shown}` is declared here, by module `{module.shown}`")
    message = f"the annotation of {need.where} means nothing as the program runs: {need.problem}"
    remedy = "import what it names where the container can see it: at the top of its module"
    return rules.UNRESOLVABLE_ANNOTATION.at(need.span, message, labels=(label,), help=remedy)


def twice(entry: Entry, other: Entry, modules: Mapping[str, Module]) -> Diagnostic:
    """One token that is another entry's already."""
    name, module, first = entry.key.shown, modules[entry.module].shown, modules[other.module].shown
    label = Label(other.span, f"declared here first, by module `{first}`")
    if entry.module != other.module:
        message = f"`{name}` is declared in `{first}` and in `{module}`"
        remedy = "declare it in one, export it there, and import that module in the other"
        return rules.DECLARED_IN_TWO_MODULES.at(entry.span, message, labels=(label,), help=remedy)
    message = f"`{name}` is registered twice in `{module}`"
    remedy = "leave one out, or mark each with `multi=True` if a list of them is wanted"
    return rules.DUPLICATE_BINDING.at(entry.span, message, labels=(label,), help=remedy)


def unexportable(module: Module, export: Named, bindings: Bindings) -> Diagnostic:
    """An export of what a module neither declares nor imports."""
    message = f"module `{module.shown}` exports `{export.token.shown}`, which it neither declares nor imports"
    elsewhere = bindings.declaring(export.token)
    if elsewhere:
        owner = bindings.modules[elsewhere[0].module]
        label = Label(elsewhere[0].span, f"declared here, by module `{owner.shown}`")
        remedy = f"import `{owner.shown}` in `{module.shown}`, and export `{export.token.shown}` from there"
        return rules.INVALID_EXPORT.at(export.span, message, labels=(label,), help=remedy)
    declared = [entry.key.shown for entry in module.declares]
    remedy = did_you_mean(export.token.shown, declared) or f"add it to `providers` of `{module.shown}`"
    return rules.INVALID_EXPORT.at(export.span, message, help=remedy)


def ambiguous_token(token: Token, several: Sequence[Entry]) -> Diagnostic:
    """A token that several entries have of which not all may share it."""
    message = f"`{token.shown}` stands for {_listed(several)}"
    labels = [Label(each.span, f"`{each.key.shown}` is declared here") for each in several[:-1]]
    return rules.AMBIGUOUS_PROVIDER.at(
        several[-1].span, message, labels=labels, help="each of several has to be `multi=True`"
    )


def ambiguous_need(
    need: Need, token: Token, provider: Provider, several: Sequence[Provider], advice: str
) -> Diagnostic:
    """Several providers where a place asks for one."""
    message = f"{need.where} asks for `{token.shown}`, which stands for {_listed(several)}"
    labels = [Label(each.span, f"`{each.key.shown}` is declared here") for each in several]
    return rules.AMBIGUOUS_PROVIDER.at(need.span, message, labels=labels, help=advice)


def alias_cycle(cycle: Sequence[Alias]) -> Diagnostic:
    """Other names for each other."""
    chain = " → ".join(each.key.shown for each in cycle)
    message = f"these are other names of each other, and of nothing else: {chain}"
    labels = [Label(each.span, f"`{each.key.shown}` is another name here") for each in cycle[1:-1]]
    return rules.DEPENDENCY_CYCLE.at(cycle[0].span, message, labels=labels, help="provide one of them by itself")


def leads_nowhere(alias: Alias, target: Token, bindings: Bindings) -> Diagnostic:
    """Another name of what the module does not see."""
    module = bindings.modules[alias.module]
    elsewhere = bindings.declaring(target)
    if elsewhere:
        owner = bindings.modules[elsewhere[0].module]
        message = f"`{alias.key.shown}` is another name of `{target.shown}`, which `{module.shown}` does not see"
        labels = (Label(elsewhere[0].span, f"declared here, by module `{owner.shown}`"),)
        remedy = _way_to(target, module, owner, bindings)
        return rules.ALIAS_OF_NOTHING.at(alias.span, message, labels=labels, help=remedy)
    message = f"`{alias.key.shown}` is another name of `{target.shown}`, which nothing provides"
    return rules.ALIAS_OF_NOTHING.at(alias.span, message, help=_declare(target, module, bindings))


def too_short(provider: Provider, need: Need, needed: Provider) -> Diagnostic:
    """A dependency that does not live as long as what holds it."""
    assert provider.scope is not None
    assert needed.scope is not None
    message = (
        f"`{provider.key.shown}` has scope {provider.scope.name}, and so cannot hold `{needed.key.shown}`, whose scope "
        f"is {needed.scope.name}"
    )
    labels = (
        Label(provider.span, f"`{provider.key.shown}` is declared here"),
        Label(needed.span, f"`{needed.key.shown}` is declared here"),
    )
    remedy = f"give `{provider.key.shown}` the scope {needed.scope.name} too, or `{needed.key.shown}` a wider one"
    return rules.SCOPE_VIOLATION.at(need.span, message, labels=labels, help=remedy)


def dependency_cycle(cycle: Sequence[Provider], needs: Sequence[Need]) -> Diagnostic:
    """Providers that need each other; `needs` lead from each to the next."""
    chain = " → ".join(each.key.shown for each in cycle)
    message = f"providers need each other: {chain}"
    labels = [
        Label(need.span, f"`{provider.key.shown}` asks for `{following.key.shown}` here")
        for provider, following, need in zip(cycle[1:], cycle[2:], needs[1:], strict=False)
    ]
    label = f"`{cycle[0].key.shown}` asks for `{cycle[1].key.shown}` here"
    remedy = "let one of them get what it needs later, by a method, or move what both need into a third"
    return rules.DEPENDENCY_CYCLE.at(needs[0].span, message, label=label, labels=labels, help=remedy)


def module_cycle(cycle: Sequence[Module]) -> Diagnostic:
    """Modules that import each other."""
    steps = [
        (module, following, next(each.span for each in module.imports if each.token.name == following.name))
        for module, following in pairwise(cycle)
    ]
    labels = [Label(span, f"`{module.shown}` imports `{after.shown}` here") for module, after, span in steps]
    message = f"modules import each other: {' → '.join(each.shown for each in cycle)}"
    remedy = "move what both need into a third module, which both import"
    return rules.MODULE_CYCLE.at(steps[0][2], message, label=labels[0].text, labels=labels[1:], help=remedy)


def unknown(span: Span, what: str, why: str, module: Module) -> Diagnostic:
    """What is left to the check at start-up."""
    message = f"{what} is looked up when the application is created"
    label = Label(module.span, f"of module `{module.shown}`")
    return rules.DYNAMIC_GRAPH.at(span, message, label=why, labels=(label,))


def _listed(several: Iterable[Entry]) -> str:
    return ", ".join(f"`{each.key.shown}`" for each in several)
