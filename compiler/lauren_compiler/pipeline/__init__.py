"""From a configuration to the files of a build, and what was found on the way.

front       those of them that need the trees of the sources
phases      all phases over all sources, or over what changed since an earlier run
shared      the same in several processes
outcome     what either gives
stack       where they run
"""

from __future__ import annotations

from pathlib import Path

from ..config import Config
from ..source.filesystem import Disk, FileSystem
from ..units.again import Earlier
from . import phases
from .outcome import Outcome
from .stack import with_deep_stack

__all__ = ["Earlier", "Outcome", "run", "with_deep_stack"]


def run(
    config: Config,
    files: FileSystem | None = None,
    directory: Path | None = None,
    earlier: Earlier | None = None,
    *,
    keeps: bool = False,
    jobs: int = 1,
) -> Outcome:
    """Compile `config.sources`. Paths are shown relative to `directory`, the working directory if not given.

    With what is known of an `earlier` run of the same configuration, only what changed is compiled, if that can be.
    What the next run may build on is made for those who keep it. `jobs` is how many processes may work at once.
    """
    given, place = files or Disk(), directory or Path.cwd()
    if config.target_runtime is not None:  # what another runtime makes of a tool is known of no unit
        return with_deep_stack(lambda: phases.whole(config, given, place, keeps=False))
    if earlier is not None:
        outcome = with_deep_stack(lambda: phases.again(config, given, place, earlier))
        if outcome is not None:
            return outcome
    elif jobs > 1:
        from . import shared

        outcome = shared.run(config, given, place, jobs, keeps=keeps)
        if outcome is not None:
            return outcome
    return with_deep_stack(lambda: phases.whole(config, given, place, keeps=keeps))
