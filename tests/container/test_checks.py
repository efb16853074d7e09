"""What is refused when an application is created: each kind of error, all of them together, in one order."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable, Iterator, Sized
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import lauren_runtime
import pytest
from lauren_runtime import (
    CircularDependencyError,
    CircularModuleError,
    DecoratorUsageError,
    DIScopeViolationError,
    DuplicateBindingError,
    Inject,
    LaurenApp,
    LaurenFactory,
    MetadataInheritanceError,
    MissingProviderError,
    ModuleExportViolation,
    ModuleImportError,
    OptionalDep,
    ProtocolAmbiguityError,
    Scope,
    StartupError,
    Token,
    UnresolvableParameterError,
    injectable,
    module,
    use_class,
    use_existing,
    use_factory,
    use_value,
)

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)


def mod(name: str = "App", **options: Any) -> type:
    return module(**options)(type(name, (), {}))


def create(**options: Any) -> LaurenApp:
    return LaurenFactory.create(mod(**options))


@injectable()
class Leaf: ...


@injectable()
class NeedsLeaf:
    def __init__(self, leaf: Leaf) -> None: ...


@injectable(scope=Scope.REQUEST)
class PerRequest: ...


@injectable(scope=Scope.TRANSIENT)
class Fresh: ...


@injectable()
class HoldsRequest:
    def __init__(self, one: PerRequest) -> None: ...


@injectable(scope=Scope.REQUEST)
class HoldsFresh:
    def __init__(self, one: Fresh) -> None: ...


@injectable()
class Unannotated:
    def __init__(self, first, second=1) -> None: ...


@injectable()
class Left:
    def __init__(self, right: Right) -> None: ...


@injectable()
class Right:
    def __init__(self, left: Left) -> None: ...


class Unmarked: ...


class OnlyInherited(Leaf): ...


@runtime_checkable
class Speaks(Protocol):
    def speak(self) -> str: ...


@injectable(provides=[Speaks])
class One: ...


@injectable(provides=[Speaks])
class Other: ...


@injectable(scope=Scope.TRANSIENT)
def opened() -> Iterator[int]:
    yield 1


@injectable()
class Abstract(Sized): ...


Inner = mod("Inner", providers=[Leaf])
Same = mod("Same", providers=[Leaf])
SubModule = type("SubModule", (Inner,), {})

CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: create(providers=[NeedsLeaf]), MissingProviderError, "no provider for Leaf; needed by parameter 'leaf'"),
    (
        lambda: create(providers=[NeedsLeaf], imports=[Inner]),
        MissingProviderError,
        "no provider for Leaf visible from App: declare it there, or import a module that exports it; needed by "
        "parameter 'leaf' of NeedsLeaf",
    ),
    (lambda: create(providers=[Unmarked]), MissingProviderError, "Unmarked is not marked @injectable"),
    (
        lambda: create(providers=[use_existing(provide="alias", existing=Leaf)]),
        MissingProviderError,
        "alias is another name of Leaf, which nothing provides",
    ),
    (lambda: create(exports=[Leaf]), ModuleExportViolation, "App exports Leaf, which it neither declares nor imports"),
    (lambda: create(exports=[[]]), ModuleExportViolation, r"App exports \[\]"),
    (lambda: create(imports=[Inner, Same]), ModuleExportViolation, "Leaf is declared in Inner and in Same"),
    (lambda: create(providers=[Left, Right]), CircularDependencyError, "Left -> Right -> Left"),
    (
        lambda: create(providers=[use_existing(provide="a", existing="b"), use_existing(provide="b", existing="a")]),
        CircularDependencyError,
        "a -> b -> a",
    ),
    (lambda: create(providers=[HoldsRequest, PerRequest]), DIScopeViolationError, "scope singleton, .* PerRequest"),
    (lambda: create(providers=[HoldsFresh, Fresh]), DIScopeViolationError, "HoldsFresh has scope request"),
    (lambda: create(providers=[One, Other]), ProtocolAmbiguityError, "Speaks stands for One, Other"),
    (
        lambda: create(providers=[use_value(provide="x", value=1), use_value(provide="x", value=2)]),
        DuplicateBindingError,
        "x is registered twice in App",
    ),
    (lambda: create(providers=[Unannotated]), UnresolvableParameterError, "parameter 'first' needs"),
    (
        lambda: create(providers=[use_factory(provide="x", factory=lambda a, b: a, injects=["y"])]),
        UnresolvableParameterError,
        "cannot be called with its 1 injects: missing a required argument: 'b'",
    ),
    (lambda: create(providers=[OnlyInherited]), MetadataInheritanceError, "only by its base Leaf"),
    (lambda: create(imports=[SubModule]), MetadataInheritanceError, "SubModule, which App imports, is a module only"),
    (lambda: create(providers=[opened]), StartupError, "opened yields its object"),
    (lambda: create(providers=[Abstract]), StartupError, "Abstract cannot be constructed: it does not define __len__"),
    (lambda: create(providers=[use_class(provide="x", use=Speaks)]), StartupError, "Speaks .* it is a protocol"),
    (lambda: LaurenFactory.create(Leaf), ModuleImportError, "Leaf is not decorated"),
    (lambda: create(imports=[Leaf]), ValueError, "Leaf, which App imports, is not decorated"),
    (lambda: create(imports=["NoSuchModule"]), ValueError, "App imports 'NoSuchModule', which is not the name"),
    (lambda: create(providers=Leaf), DecoratorUsageError, r"@module\(providers=\) takes a list"),
    (lambda: module(Leaf), DecoratorUsageError, r"write @module\(\) with parentheses"),
    (lambda: module()(3), DecoratorUsageError, r"makes a class a module, not 3"),
    (lambda: injectable(Leaf), DecoratorUsageError, r"write @injectable\(\) with parentheses"),
    (lambda: injectable(scope="singleton"), DecoratorUsageError, "takes a Scope"),
    (lambda: injectable(provides="Leaf"), DecoratorUsageError, "takes a list, not 'Leaf'"),
    (lambda: use_class(provide="x", use=3), DecoratorUsageError, "takes a class, not 3"),
    (lambda: use_factory(provide="x", factory=3), DecoratorUsageError, "takes a callable, not 3"),
    (lambda: use_factory(provide="x", factory=int, injects=[None]), DecoratorUsageError, "not None"),
    (lambda: use_value(provide=None, value=1), DecoratorUsageError, "a token that is not None"),
    (lambda: use_existing(provide="x", existing="x"), DecoratorUsageError, "another name of itself"),
    (lambda: Inject([]), DecoratorUsageError, "has a hash"),
    (lambda: OptionalDep(None), DecoratorUsageError, "not None"),
    (lambda: Token(""), ValueError, "not empty"),
]


@pytest.mark.parametrize(("make", "kind", "text"), CASES)
def test_each_kind_of_mistake_has_its_error(make: Callable[[], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make()


def test_modules_that_import_each_other_are_a_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    file = types.ModuleType("modules_in_a_cycle")
    monkeypatch.setitem(sys.modules, file.__name__, file)
    exec(
        "from lauren_runtime import module\n@module(imports=['B'])\nclass A: ...\n@module(imports=[A])\nclass B: ...\n",
        vars(file),
    )
    with pytest.raises(CircularModuleError, match="A -> B -> A") as caught:
        LaurenFactory.create(file.A)
    assert caught.value.detail == {"cycle": ["A", "B", "A"]}


def test_a_name_that_two_files_define_is_ambiguous(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one_file", "other_file"):
        file = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, file)
        exec("from lauren_runtime import module\n@module()\nclass Shared: ...\n", vars(file))
    with pytest.raises(ModuleImportError, match="ambiguous: it is defined in one_file, other_file"):
        create(imports=["Shared"])


def test_all_errors_are_reported_together_in_order_of_declaration() -> None:
    broken = mod("Broken", providers=[HoldsRequest, PerRequest, Unmarked], exports=["nothing"])
    with pytest.raises(DIScopeViolationError) as caught:
        create(providers=[Left, Right, NeedsLeaf, Unannotated], imports=[broken])
    assert [(type(each).__name__, each.code) for each in caught.value.errors] == [
        ("DIScopeViolationError", "di_scope_violation"),
        ("MissingProviderError", "missing_provider"),
        ("ModuleExportViolation", "module_export_violation"),
        ("CircularDependencyError", "circular_dependency"),
        ("MissingProviderError", "missing_provider"),
        ("UnresolvableParameterError", "unresolvable_parameter"),
    ]
    assert caught.value.errors[0] is caught.value
    assert len(caught.value.__notes__) == 5
    assert caught.value.__notes__[0].startswith("also MissingProviderError: Unmarked is not marked")


def test_one_mistake_is_reported_once() -> None:
    with pytest.raises(MissingProviderError) as caught:
        create(
            providers=[
                Unmarked,
                use_existing(provide="again", existing=Unmarked),
                use_factory(provide="x", factory=lambda one: one, injects=[Unmarked]),
                use_factory(provide="y", factory=lambda one: one, injects=["again"]),
            ],
            exports=[Unmarked],
        )
    assert len(caught.value.errors) == 1


def test_what_is_broken_elsewhere_can_still_not_be_exported_here() -> None:
    other = mod("Other", providers=[Unmarked])
    with pytest.raises(MissingProviderError) as caught:
        create(imports=[other], exports=[Unmarked])
    assert [type(each) for each in caught.value.errors] == [MissingProviderError, ModuleExportViolation]


def test_the_order_does_not_depend_on_hashes() -> None:
    code = f"""
import sys; sys.path[:0] = [{RUNTIME!r}]
from lauren_runtime import *
@injectable()
class A:
    def __init__(self, b: "B", c: "C", d: list["D"]): ...
@module(providers=[A, *(use_factory(provide=f"t{{n}}", factory=int, injects=[f"m{{n}}"]) for n in range(9))])
class App: ...
try: LaurenFactory.create(App)
except StartupError as error: print(*error.errors, sep="\\n")
"""
    command = [sys.executable, "-c", code]
    printed = {
        subprocess.run(command, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1
    assert printed.pop().count("\n") == 3 + 9


def test_what_is_named_and_not_there_is_told() -> None:
    @injectable()
    class Misspelt:
        def __init__(self, leaf: Leef) -> None: ...  # noqa: F821

    with pytest.raises(
        MissingProviderError, match="'Leef' does not resolve where it is written: name 'Leef'"
    ) as caught:
        create(providers=[Misspelt])
    assert caught.value.detail["needed_by"].startswith("parameter 'leaf' of ")


NAMED = "NAMED"


def test_a_name_that_only_means_itself_is_told() -> None:
    @injectable()
    class Circular:
        def __init__(self, one: NAMED) -> None: ...

    with pytest.raises(MissingProviderError, match="it is the text 'NAMED'"):
        create(providers=[Circular])
