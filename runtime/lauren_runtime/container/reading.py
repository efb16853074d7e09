"""Reads providers off decorated classes, functions and custom providers, by reflection."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from ..errors import DecoratorUsageError, StartupError
from ..injection import Scope
from ..marks import INJECTABLE_META, own
from .annotations import LocalNames, Names, asked, is_attribute_only, names_of, signature_of
from .class_bodies import body_of, constructor_of, hooks_of, injectable_meta
from .declaring import CustomProvider
from .errors import Faults, MetadataInheritanceError, MissingProviderError, Place, UnresolvableParameterError
from .protocols import is_protocol
from .provider import OMITTED, REQUIRED, Alias, Dependency, Provider, Unusable
from .tokens import Asked, asked_token, is_hashable, named

if TYPE_CHECKING:
    from .provider import Produces


class Reader:
    """Makes providers of what modules declare. `faults` collects what is wrong with them."""

    def __init__(self, declared: LocalNames, faults: Faults) -> None:
        self._declared = declared
        self._faults = faults
        self._place: Place = (0, 0)

    def read(self, item: Any, module: type | None, place: Place) -> Provider | Alias | Unusable:
        """The provider that an item of a module's `providers` declares; Unusable, with an error, if it is none."""
        self._place = place
        entry = self._read(item, module)
        entry.place = place
        return entry

    def _found(self, error: StartupError) -> None:
        self._faults.add(error, self._place)

    def _read(self, item: Any, module: type | None) -> Provider | Alias | Unusable:
        if isinstance(item, CustomProvider):
            return self._custom(item, module)
        meta = injectable_meta(item)
        if meta is None:
            self._found(_unmarked(item, module))
            return Unusable(item if is_hashable(item) else repr(item), module)
        # The real lauren's marks are read too; its Scope is another class with the same names.
        options: dict[str, Any] = {"scope": Scope[meta.scope.name], "provides": tuple(meta.provides or ())}
        options |= {"multi": meta.multi, "module": module}
        return self._class(item, item, options) if isinstance(item, type) else self._function(item, item, options)

    def _custom(self, item: CustomProvider, module: type | None) -> Provider | Alias:
        options: dict[str, Any] = {"scope": item.scope, "multi": item.multi, "module": module}
        target = item.target
        if item.kind == "existing":
            return Alias(item.provide, target, module)
        if item.kind == "value":
            return Provider(item.provide, lambda: target, **options)
        if item.kind == "class":
            return self._class(item.provide, target, options)
        needed = tuple(self._injected(item, number) for number in range(len(item.injects)))
        self._check_injects(item)
        return self._made(item.provide, target, {**options, "parameters": needed})

    def _class(self, key: Any, cls: type, options: dict[str, Any]) -> Provider:
        if inspect.isabstract(cls) or is_protocol(cls):
            self._found(_abstract(cls))
        names = names_of(constructor_of(cls), cls, self._declared)
        parameters = self._parameters(cls, cls, names)
        taken = {each.name for each in parameters}
        post_construct, pre_destruct = hooks_of(cls)
        self._check_hooks(cls, (*post_construct, *pre_destruct))
        return Provider(
            key,
            cls,
            parameters=parameters,
            fields=tuple(each for each in _fields(cls, names) if each.name not in taken),
            post_construct=post_construct,
            pre_destruct=pre_destruct,
            **options,
        )

    def _function(self, key: Any, function: Any, options: dict[str, Any]) -> Provider:
        names = names_of(function, function, self._declared)
        return self._made(key, function, {**options, "parameters": self._parameters(function, function, names)})

    def _made(self, key: Any, factory: Callable[..., Any], options: dict[str, Any]) -> Provider:
        provider = Provider(key, factory, produces=_produces(factory), **options)
        if provider.yields and provider.scope is Scope.TRANSIENT:
            self._found(
                StartupError(
                    f"{provider.name} yields its object, so it has a teardown, but nothing ends what is TRANSIENT",
                    detail={"provider": provider.name},
                )
            )
        return provider

    def _parameters(self, target: Callable[..., Any], owner: Any, names: Names) -> tuple[Dependency, ...]:
        needed: list[Dependency] = []
        for parameter in _signature(target):
            has_default = parameter.default is not parameter.empty
            if parameter.annotation is not parameter.empty:
                needed.append(_parameter(parameter, asked(parameter.annotation, names), named(owner)))
            elif not has_default:
                message = f"{named(owner)} does not say what its parameter {parameter.name!r} needs: annotate it"
                detail = {"target": named(owner), "param": parameter.name}
                self._found(UnresolvableParameterError(message, detail=detail))
            elif parameter.kind is parameter.POSITIONAL_ONLY:
                needed.append(_constant(parameter, named(owner)))
        return tuple(needed)

    def _injected(self, item: CustomProvider, number: int) -> Dependency:
        want = asked_token(item.injects[number])
        default = None if want.optional else REQUIRED
        where = f"injects[{number}] of {named(item.provide)}"
        return Dependency(want.key, default=default, collects=want.collects, where=where, deferred=want.deferred)

    def _check_injects(self, item: CustomProvider) -> None:
        """`injects` fills the factory's parameters: neither too few nor too many."""
        try:
            inspect.signature(item.target).bind(*item.injects)
        except ValueError:  # a builtin does not tell; calling it will
            return
        except TypeError as error:
            self._found(
                UnresolvableParameterError(
                    f"the factory of {named(item.provide)} cannot be called with its {len(item.injects)} injects: "
                    f"{error}",
                    detail={"target": named(item.provide)},
                )
            )

    def _check_hooks(self, cls: type, names: Iterable[str]) -> None:
        for name in names:
            if _needs_arguments(inspect.getattr_static(cls, name)):
                self._found(_uncallable(cls, name))


def _abstract(cls: type) -> StartupError:
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    why = f"it does not define {', '.join(missing)}" if missing else "it is a protocol"
    return StartupError(f"{named(cls)} cannot be constructed: {why}", detail={"provider": named(cls)})


def _unmarked(item: Any, module: type | None) -> StartupError:
    detail = {"provider": named(item), "module": module and module.__qualname__}
    if isinstance(item, type) and hasattr(item, INJECTABLE_META):
        base = next(each for each in item.__mro__ if own(each, INJECTABLE_META))
        message = f"{named(item)} is injectable only by its base {named(base)}: decorate it with @injectable() itself"
        return MetadataInheritanceError(message, detail=detail)
    return MissingProviderError(f"{named(item)} is not marked @injectable()", detail=detail)


def _needs_arguments(method: Any) -> bool:
    """Whether a hook has parameters that nothing fills, besides `self`."""
    function: Any = getattr(method, "__func__", method)
    given = [] if type(method) is staticmethod else [None]
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return True
    except ValueError:  # written in C, and does not tell; calling it will
        return False
    return False


def _uncallable(cls: type, name: str) -> StartupError:
    message = f"the hook {named(cls)}.{name} is called without arguments, but needs some"
    return DecoratorUsageError(message, detail={"target": named(cls), "hook": name})


def _signature(target: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that can be filled. None for what is written in C and does not tell."""
    if isinstance(target, type) and constructor_of(target) is object.__new__:
        return []
    bound = 0
    if isinstance(target, type) and type(target).__call__ is not type.__call__:
        target, bound = (
            constructor_of(target),
            1,
        )  # a metaclass that is called first may take anything, and passes it on
    try:
        parameters = list(signature_of(target).parameters.values())[bound:]
    except ValueError:
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each for each in parameters if each.kind not in variadic]


def _parameter(parameter: inspect.Parameter, want: Asked, owner: str) -> Dependency:
    by_position = parameter.kind is parameter.POSITIONAL_ONLY
    default: Any = REQUIRED
    if parameter.default is not parameter.empty:
        default = parameter.default if by_position else OMITTED
    elif want.optional:
        default = None
    return Dependency(
        want.key,
        None if by_position else parameter.name,
        default=default,
        collects=want.collects,
        where=f"parameter {parameter.name!r} of {owner}",
        problem=want.problem,
    )


def _constant(parameter: inspect.Parameter, owner: str) -> Dependency:
    """A parameter by position that asks for nothing: its default has to be passed, as others may follow."""
    return Dependency(object(), default=parameter.default, where=f"parameter {parameter.name!r} of {owner}")


def _fields(cls: type, names: Names) -> Iterable[Dependency]:
    """What the body of a class annotates and does not set, to be set on its objects."""
    if "__dataclass_fields__" in vars(cls):
        return
    for name, annotation in body_of(cls).items():
        if name in vars(cls) or is_attribute_only(annotation, names):
            continue
        want = asked(annotation, names)
        where = f"attribute {name!r} of {named(cls)}"
        default = None if want.optional else REQUIRED
        yield Dependency(want.key, name, default=default, collects=want.collects, where=where, problem=want.problem)


def _produces(factory: Callable[..., Any]) -> Produces:
    if inspect.isgeneratorfunction(factory):
        return "generator"
    if inspect.isasyncgenfunction(factory):
        return "async generator"
    return "value" if isinstance(cast(object, factory), type) else "awaitable"
