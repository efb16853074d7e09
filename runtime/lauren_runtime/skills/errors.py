"""The exceptions of the skills. Their texts are written for the model, which reads them as the result of its call.

SkillError
├── SkillSetupError      the skill lacks a package or a setting: for whoever runs the program
├── FetchError           a page could not be had
│   └── FetchRefused     the rules for fetching forbid it; nothing was sent
├── SearchError          a search gave no answer
└── SandboxError         code could not be run
"""

from __future__ import annotations

from ..errors import LaurenToolError


class SkillError(LaurenToolError):
    """Base of what skills raise."""


class SkillSetupError(SkillError):
    """A package or a setting is missing. The text says which, and how to add it."""


class FetchError(SkillError):
    """A page could not be had: no such host, no answer in time, too many redirects."""


class FetchRefused(FetchError):
    """The rules for fetching forbid this request. Nothing was sent."""


class SearchError(SkillError):
    """A search gave no answer. The text says whether asking again may help."""


class SandboxError(SkillError):
    """Code could not be run, or not as isolated as was required. None of it ran."""


def missing(package: str, purpose: str) -> SkillSetupError:
    """The error for a package of the `skills` extra that is not installed."""
    return SkillSetupError(f"{purpose} needs the package {package}: pip install 'lauren-compile[skills]'")
