"""Registration of the environments of ``loyd.environments`` with gymnasium, if that is installed."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_EPISODE = 500


def register() -> None:
    """Register the environments. This imports gymnasium."""
    from gymnasium.envs.registration import register as add

    kwargs: list[tuple[str, dict[str, Any]]] = [("Loyd/Sliding-v0", {})]
    kwargs += [(f"Loyd/Sliding-{edge}x{edge}-v0", {"size": edge}) for edge in (3, 4, 5)]
    for name, given in kwargs:
        add(
            id=name,
            entry_point="loyd.environments:SlidingEnv",
            vector_entry_point="loyd.environments:SlidingVectorEnv",
            max_episode_steps=_EPISODE,
            kwargs=given,
        )


class _WhenImported(importlib.abc.MetaPathFinder):
    """Import hook that registers the environments when gymnasium is imported, so that ``import loyd`` does not import it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            register()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def register_soon() -> None:
    """Register the environments now if gymnasium is imported, otherwise as soon as it is."""
    if sys.modules.get("gymnasium") is not None:
        register()
    else:
        sys.meta_path.insert(0, _WhenImported())
