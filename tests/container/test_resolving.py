"""What objects are made of: annotations, defaults, tokens, protocols, lists, and what a module sees."""

from __future__ import annotations

import asyncio
import sys
import types
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import pytest
from lauren_runtime import (
    Inject,
    LaurenApp,
    LaurenFactory,
    MissingProviderError,
    OptionalDep,
    ProtocolAmbiguityError,
    Scope,
    Token,
    injectable,
    module,
    use_class,
    use_existing,
    use_factory,
    use_value,
)

T = TypeVar("T")
URL = Token("url")
PORT, ABSENT = "port", "absent"


def mod(name: str = "App", **options: Any) -> type:
    return module(**options)(type(name, (), {}))


def made(token: Any, *providers: Any, **options: Any) -> Any:
    return asyncio.run(LaurenFactory.create(mod(providers=providers, **options)).resolve(token))


@injectable()
class Leaf: ...


@runtime_checkable
class Speaks(Protocol):
    volume: int

    def speak(self) -> str: ...


class Store(Generic[T]): ...


def test_annotations_that_name_local_classes_resolve_without_frames() -> None:
    @injectable()
    class Inner: ...

    @injectable()
    class Outer:
        def __init__(self, inner: Inner, others: list[Inner] | None = None) -> None:
            self.inner = inner

    def elsewhere() -> LaurenApp:
        Inner = str  # noqa: F841  what a caller calls so is another thing
        return LaurenFactory.create(mod(providers=[Outer, use_value(provide="x", value=1)], imports=[shared]))

    shared = mod("Shared", providers=[Inner], exports=[Inner])
    with pytest.raises(ProtocolAmbiguityError, match="a list takes providers with multi=True"):
        elsewhere()


def test_what_a_class_body_defines_is_seen_last() -> None:
    @injectable()
    class Outer:
        @injectable()
        class Part:
            def __init__(self, others: Annotated[list[Leaf] | None, "none"]) -> None:
                self.others = others

        def __init__(self, part: Part, counts: list[int] | None) -> None:
            self.got = (part, counts)

        def list(self) -> list[int]:
            return []

    part, counts = made(Outer, Outer, Outer.Part).got
    assert type(part) is Outer.Part
    assert part.others is counts is None


def test_a_module_may_hold_what_cannot_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    class Incomparable:
        def __eq__(self, other: object) -> bool:
            raise ValueError("ambiguous")

        __hash__ = None  # type: ignore[assignment]

    file = types.ModuleType("with_an_array")
    monkeypatch.setitem(sys.modules, file.__name__, file)
    exec("class Base:\n    def __init__(self, leaf: 'Leaf'): self.leaf = leaf\n", vars(file))
    monkeypatch.setitem(vars(file), "array", Incomparable())
    monkeypatch.setitem(globals(), "array", Incomparable())

    @injectable()
    class Derived(file.Base): ...

    assert type(made(Derived, Derived, Leaf).leaf) is Leaf


ALIAS = "Leaf"


def test_a_text_may_be_the_name_of_a_text() -> None:
    @injectable()
    class Quoted:
        one: "ALIAS"  # noqa: UP037

        def __init__(self, other: "'Leaf'") -> None:  # noqa: UP037
            self.other = other

    found = made(Quoted, Quoted, Leaf)
    assert type(found.one) is Leaf
    assert found.one is found.other


def test_annotations_may_be_closed_over() -> None:
    class Hidden: ...

    @injectable()
    def factory(one: Hidden) -> list[Any]:
        return [one, Hidden]

    one, cls = made(factory, use_class(provide=Hidden, use=Hidden), factory)
    assert type(one) is cls


def test_every_kind_of_parameter() -> None:
    @injectable()
    class All:
        shared: Leaf
        count: int
        kinds: ClassVar[list[str]]
        known = 3
        url: Annotated[str, Inject(URL)]
        nothing: Annotated[Leaf, Inject(OptionalDep("nothing"))]

        def __init__(
            self,
            by_position: Leaf,
            untyped=7,
            /,
            plain: Leaf | None = None,
            *args: Any,
            address: Annotated[str, Inject(URL)],
            text: str = "default",
            unknown: NotDefined = "kept",  # noqa: F821
            absent: Annotated[bytes | None, Inject("absent")],
            maybe: Annotated[int, "metadata", Inject(OptionalDep("maybe"))],
            store: Store[int],
            **more: Any,
        ) -> None:
            self.got = (by_position, untyped, plain, args, address, text, unknown, absent, maybe, store, more)

    store = Store[int]()
    found = made(All, All, Leaf, use_value(provide=URL, value="u"), use_value(provide=Store[int], value=store))
    leaf = found.shared
    assert type(leaf) is Leaf
    assert found.got == (leaf, 7, leaf, (), "u", "default", "kept", None, None, store, {})
    assert not hasattr(found, "count")
    assert (found.url, found.nothing) == ("u", None)


def test_dataclasses_get_their_fields_by_constructor() -> None:
    @injectable()
    @dataclass
    class Service:
        leaf: Leaf
        names: list[str] = field(default_factory=list)
        late: Leaf = field(init=False)

    found = made(Service, Service, Leaf)
    assert type(found.leaf) is Leaf
    assert found.names == []
    assert not hasattr(found, "late")


def test_constructors_may_be_inherited_or_new() -> None:
    class Base:
        def __init__(self, leaf: Leaf) -> None:
            self.leaf = leaf

    @injectable()
    class Derived(Base): ...

    @injectable()
    class New:
        def __new__(cls, leaf: Leaf) -> New:
            one = super().__new__(cls)
            one.leaf = leaf
            return one

    class Meta(type):
        def __call__(cls, *args: Any, **more: Any) -> Any:
            return super().__call__(*args, **more)

    @injectable()
    class Intercepted(Base, metaclass=Meta): ...

    assert type(made(Derived, Derived, Leaf).leaf) is Leaf
    assert type(made(Intercepted, Intercepted, Leaf).leaf) is Leaf
    assert type(made(New, New, Leaf).leaf) is Leaf
    assert isinstance(made("d", use_class(provide="d", use=dict)), dict)


def test_lists_come_in_order_of_declaration_imports_first() -> None:
    plugins = [injectable(provides=[Speaks], multi=True)(type(f"P{number}", (), {})) for number in range(12)]

    @injectable()
    def names(those: list[Speaks]) -> list[str]:
        return [type(each).__name__ for each in those]

    first = mod("First", providers=plugins[7:], exports=[Speaks])
    assert made(names, *plugins[:7], names, imports=[first]) == [f"P{n}" for n in (*range(7, 12), *range(7))]


def test_a_list_of_tokens_and_one_of_nothing() -> None:
    values = [use_value(provide="port", value=value, multi=True) for value in (1, 2)]
    assert made(list[PORT], *values) == [1, 2]
    assert made("sum", *values, use_factory(provide="sum", factory=sum, injects=[list[PORT]])) == 3

    @injectable()
    class Optionally:
        def __init__(self, ports: Annotated[list[int], Inject("port")], none: list[Leaf] | None) -> None:
            self.got = (ports, none)

    assert made(Optionally, *values, Optionally).got == ([1, 2], None)
    with pytest.raises(ProtocolAmbiguityError, match=r"port stands for port, port: ask for list\[port\]"):
        made("port", *values)
    with pytest.raises(MissingProviderError):
        made(list[ABSENT])


def test_protocols_stand_for_the_class_that_has_their_members() -> None:
    @injectable()
    class Loud:
        volume = 11

        def speak(self) -> str:
            return "HELLO"

    @injectable()
    class Mute:
        volume: int
        speak = None

        def __init__(self) -> None:
            self.volume = 0

    @injectable()
    class Quiet(Loud): ...

    class Unchecked(Protocol):
        def speak(self) -> str: ...

    assert type(made(Speaks, Mute, Loud, Leaf)) is Loud
    with pytest.raises(ProtocolAmbiguityError, match="Loud, Quiet: provide one of them as Speaks"):
        made(Speaks, Loud, Quiet)
    assert type(made(Speaks, Loud, Quiet, use_existing(provide=Speaks, existing=Quiet))) is Quiet
    with pytest.raises(MissingProviderError):
        made(Unchecked, Loud)


def test_one_object_under_several_tokens() -> None:
    @injectable(provides=[Speaks, "speaker"])
    class Voice: ...

    async def go() -> list[Any]:
        app = LaurenFactory.create(mod(providers=[Voice, use_existing(provide="alias", existing="speaker")]))
        return [await app.resolve(token) for token in (Voice, Speaks, "speaker", "alias")]

    assert len(set(map(id, asyncio.run(go())))) == 1


def test_tokens_are_themselves_unless_they_are_not_unique() -> None:
    assert Token("a") != Token("a")
    assert Token("a", unique=False) == Token("a", unique=False)
    shared = use_value(provide=Token("a", unique=False), value=1)
    assert made(Token("a", unique=False), shared) == 1
    with pytest.raises(MissingProviderError, match=r"no provider for Token\('a'\)"):
        made(Token("a"), shared)


def test_factories_may_be_sync_or_async_and_values_stay_what_they_are() -> None:
    async def later(one: Leaf) -> list[Leaf]:
        return [one]

    async def never() -> None: ...

    coroutine = never()
    assert type(made("x", Leaf, use_factory(provide="x", factory=later, injects=[Leaf]))[0]) is Leaf
    assert made("y", use_value(provide="y", value=coroutine)) is coroutine
    coroutine.close()


def test_transient_objects_are_new_each_time() -> None:
    @injectable(scope=Scope.TRANSIENT)
    class Fresh: ...

    @injectable(scope=Scope.TRANSIENT)
    class Two:
        def __init__(self, one: Fresh, other: Fresh, leaf: Leaf) -> None:
            self.got = (one, other, leaf)

    async def go() -> tuple[Any, Any]:
        app = LaurenFactory.create(mod(providers=[Fresh, Two, Leaf]))
        return await app.resolve(Two), await app.resolve(Two)

    one, two = asyncio.run(go())
    assert one.got[0] is not one.got[1]
    assert one.got[2] is two.got[2]


def test_resolving_sees_what_the_root_sees_or_the_module_that_is_named() -> None:
    inner = mod("Inner", providers=[Leaf])
    foreign = mod("Foreign")

    async def go() -> None:
        app = LaurenFactory.create(mod(imports=[inner]))
        with pytest.raises(MissingProviderError, match="visible from App"):
            await app.resolve(Leaf)
        assert type(await app.resolve(Leaf, owning_module=inner)) is Leaf
        with pytest.raises(MissingProviderError):
            await app.resolve(Leaf, owning_module=foreign)
        assert await app.resolve(OptionalDep(Leaf)) is None
        with pytest.raises(MissingProviderError):
            await app.resolve([])
        assert app.container.scope_of(Leaf) is None
        assert app.container.scope_of(Leaf, owning_module=inner) is Scope.SINGLETON

    asyncio.run(go())


def test_exports_go_one_step_unless_they_are_exported_again() -> None:
    inner = mod("Inner", providers=[Leaf], exports=[Leaf])
    silent = mod("Silent", imports=[inner])
    again = mod("Again", imports=[inner], exports=[Leaf])
    with pytest.raises(MissingProviderError):
        made(Leaf, imports=[silent])
    assert type(made(Leaf, imports=[again])) is Leaf
    assert type(made(Leaf, imports=[silent, again, inner])) is Leaf


def test_a_provided_token_can_be_exported_without_the_class_behind_it() -> None:
    @injectable(provides=[Speaks])
    class Voice: ...

    by_token = mod("ByToken", providers=[Voice], exports=[Speaks])
    by_class = mod("ByClass", providers=[Voice], exports=[Voice])
    assert type(made(Speaks, imports=[by_token])) is type(made(Speaks, imports=[by_class])) is Voice
    with pytest.raises(MissingProviderError, match="visible from App"):
        made(Voice, imports=[by_token])


def test_global_providers_are_seen_everywhere() -> None:
    @injectable()
    class Deep:
        def __init__(self, leaf: Leaf, url: Annotated[str, Inject(URL)]) -> None:
            self.url = url

    inner = mod("Inner", providers=[Deep], exports=[Deep])
    app = LaurenFactory.create(
        mod(imports=[inner, mod("Also", providers=[Leaf])]),
        global_providers=[Leaf, use_value(provide=URL, value="u")],
    )
    assert asyncio.run(app.resolve(Deep)).url == "u"
