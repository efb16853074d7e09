"""Every kind of finding, one module a family; `ALL` is the registry, in order of code."""

from __future__ import annotations

from ..model import Rule
from . import agents, configuration, injection, names, providers, reading, runtimes, tools, types, writing

_FAMILIES = (configuration, reading, names, types, tools, agents, providers, injection, runtimes, writing)

ALL: tuple[Rule, ...] = tuple(
    sorted(
        (rule for family in _FAMILIES for rule in vars(family).values() if isinstance(rule, Rule)),
        key=lambda rule: rule.code,
    )
)


def relevelable(rule: Rule) -> bool:
    """Whether configuration and comments may change the rule's level.

    Errors may not, with two exceptions: a provider's limits are only warnings where the user did not choose the target;
    and no wiring is written for an application with a fault, so that none of it is wrong output.
    """
    return not rule.fixed or rule in vars(providers).values() or rule in vars(injection).values()


def find(code_or_name: str) -> Rule | None:
    """The rule with that code (`LC301`) or name (`unsupported-type`); None if there is none."""
    for rule in ALL:
        if code_or_name in (rule.code, rule.name):
            return rule
    return None
