"""Sliding-tile puzzles as gymnasium environments, stepped in Rust.

``import loyd`` registers ``Loyd/Sliding-3x3-v0``, ``Loyd/Sliding-4x4-v0`` and ``Loyd/Sliding-5x5-v0``, and
``Loyd/Sliding-v0`` with the keyword ``size``, all with ``max_episode_steps=500``. The options of
:class:`SlidingVectorEnv` are keyword arguments of ``gymnasium.make`` and ``gymnasium.make_vec``::

    import gymnasium
    import loyd

    environment = gymnasium.make("Loyd/Sliding-3x3-v0", length=(1, 10), distance=True)
    many = gymnasium.make_vec("Loyd/Sliding-4x4-v0", num_envs=4096)

Observations are boards, uint8 of shape (H, W) with 0 for the blank. Actions 0 to 3 move the **blank** up, left, right
and down; ``info["action_mask"]`` has 1 for those that stay on the board. Any other action leaves the board unchanged and
counts as a step, unless ``illegal="raise"``.
"""

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from loyd._loyd import Board, Environments, Solver

__all__ = ["SlidingEnv", "SlidingVectorEnv"]

_Size = str | int | tuple[int, int]
_Length = int | tuple[int, int]
_RESTARTS = {
    AutoresetMode.NEXT_STEP: "next",
    AutoresetMode.SAME_STEP: "same",
    AutoresetMode.DISABLED: "never",
}
_OPTIONS = {"length", "walk", "board"}
_VECTOR_OPTIONS = {"length", "walk", "boards", "reset_mask"}


def _array(board: Any) -> Any:
    """Return the array of a board in text; other boards are returned unchanged."""
    return Board(board).array if isinstance(board, str | Board) else board


def _make(
    count: int,
    size: _Size,
    goal: Any,
    reward: str,
    max_steps: int | None,
    restart: str,
    illegal: str,
) -> Environments:
    if illegal not in ("stay", "raise"):
        raise ValueError(f'illegal is "stay" or "raise", not {illegal}')
    return Environments(
        count,
        size,
        goal=goal,
        reward=reward,
        max_steps=max_steps,
        restart=restart,
        refuse_illegal=illegal == "raise",
    )


def _check_options(options: dict[str, Any], known: set[str]) -> None:
    unknown = sorted(set(options) - known)
    if unknown:
        raise ValueError(f"there is no option {unknown[0]}; the options are {', '.join(sorted(known))}")


def _seed(seed: Any) -> int | None:
    """Return a seed as an integer that numpy, gymnasium and Loyd accept."""
    if seed is None:
        return None
    try:
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed must be an integer, not {type(seed).__name__}") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"seed={number} is out of range: integers from 0 to {2**64 - 1} are allowed")
    return number


def _text(board: npt.NDArray[np.uint8]) -> str:
    width = len(str(board.size - 1))
    return "\n".join(
        " ".join((str(tile) if tile else ".").rjust(width) for tile in row) for row in board
    )


def _picture(board: npt.NDArray[np.uint8], edge: int = 24) -> npt.NDArray[np.uint8]:
    """Draw a board, uint8 (edge * H, edge * W, 3): tiles range from blue to yellow, the blank is dark."""
    shade = board.astype(np.float64) / max(board.size - 1, 1)
    colours = np.stack([60 + 190 * shade, 90 + 120 * shade, 200 - 130 * shade], axis=-1)
    colours[board == 0] = 30
    picture = colours.astype(np.uint8).repeat(edge, axis=0).repeat(edge, axis=1)
    picture[::edge] = 30
    picture[:, ::edge] = 30
    return picture


class SlidingEnv(gymnasium.Env[npt.NDArray[np.uint8], Any]):
    """A single board. Options are those of :class:`SlidingVectorEnv`.

    ``render_mode="ansi"`` draws the board as text, ``"rgb_array"`` as an image, uint8 (24 H, 24 W, 3).
    ``reset(options={"board": ...})`` starts on a board, uint8 (H, W). After a reset with seed ``s``, the episodes are those
    of environment ``i`` of a :class:`SlidingVectorEnv` that was reset with ``s - i``.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}

    def __init__(
        self,
        size: _Size = 4,
        *,
        goal: Any = None,
        reward: str = "step",
        length: _Length | None = None,
        walk: int | None = None,
        pool: int = 256,
        max_episode_steps: int | None = None,
        illegal: str = "stay",
        distance: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render_mode {render_mode}; use ansi or rgb_array")
        self._environments = _make(1, size, goal, reward, max_episode_steps, "never", illegal)
        self._pool = pool
        self._environments.set_starts(length=length, walk=walk, pool=pool)
        self._solver = Solver(goal=goal) if distance else None
        self._seeded = False
        self._board: npt.NDArray[np.uint8] | None = None
        self.render_mode = render_mode
        height, width = self._environments.shape
        self.observation_space = Box(0, height * width - 1, (height, width), np.uint8)
        self.action_space = Discrete(4)

    def _info(
        self, board: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]
    ) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask}
        if self._solver is not None:
            info["distance"] = int(self._solver.distance(board[None])[0])
        return info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start an episode: the first one of ``seed``, or without a seed the next one of the current seed.

        Options: ``length`` or ``walk`` change the starts of all further episodes, ``board`` is the start of this one, as an
        array or text.
        """
        seed = _seed(seed)
        options = options or {}
        _check_options(options, _OPTIONS)
        starts = [_array(options["board"])] if "board" in options else None
        # All options are checked before any of them has an effect.
        if starts is not None:
            self._environments.check_boards([0], starts)
        if "length" in options or "walk" in options:
            self._environments.set_starts(
                length=options.get("length"), walk=options.get("walk"), pool=self._pool
            )
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        if starts is not None:
            self._environments.reset_to([0], starts)
        else:
            self._environments.reset([(0, seed)])
        boards, masks = self._environments.state()
        self._board = boards[0]
        return boards[0].copy(), self._info(boards[0], masks[0])

    def step(
        self, action: Any
    ) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Move the blank."""
        if self._board is None:
            raise ValueError("reset has to be called before step")
        board, reward, terminated, truncated, mask = self._environments.step_one(action)
        self._board = board
        return board.copy(), reward, terminated, truncated, self._info(board, mask)

    def render(self) -> Any:
        """Draw the board."""
        if self._board is None or self.render_mode is None:
            return None
        return _text(self._board) if self.render_mode == "ansi" else _picture(self._board)


class SlidingVectorEnv(
    VectorEnv[npt.NDArray[np.uint8], npt.NDArray[np.integer[Any]], npt.NDArray[Any]]
):
    """``num_envs`` boards of one size, stepped together on one core.

    ``step`` returns boards, uint8 (N, H, W); rewards, float32 (N,); terminated and truncated, bool (N,); and
    ``info["action_mask"]``, int8 (N, 4). All of them are new arrays, which later steps do not change.

    ``size``: the width of a square, (width, height) or "WxH". ``goal``: a name or a board; the default has the blank last.

    ``reward``: ``"step"``, −1 per step; ``"goal"``, 1 for reaching the goal, else 0; ``"misplaced"``, minus the number of
    tiles that are not on their goal cells; ``"manhattan"``, 1 for a move that brings its tile nearer to its goal cell, −1
    for any other move, 0 if nothing moved.

    Starts of episodes: by default any solvable board but the goal, all equally likely; with ``walk``, the end of a walk of
    that many random moves from the goal, none of which undoes the previous one; with ``length``, a board whose shortest
    solution has exactly that many moves, or a number of moves between two numbers, each equally likely. On boards of more
    than 10 cells, the starts of each length are a pool of up to ``pool`` boards, the same for all seeds. The pool is drawn
    here, which takes long for rare lengths and can be interrupted with Ctrl-C.

    ``max_episode_steps`` truncates episodes. ``distance`` adds ``info["distance"]``, the lengths of shortest solutions as
    ``Solver.distance`` returns them, (N,): on boards of up to 12 cells from a table that the first reset builds in some
    seconds, on larger boards by a search for each. ``autoreset_mode`` is that of gymnasium, or its value such as
    ``"SameStep"``. Raises ``ValueError`` for invalid options.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        size: _Size = 4,
        *,
        goal: Any = None,
        reward: str = "step",
        length: _Length | None = None,
        walk: int | None = None,
        pool: int = 256,
        max_episode_steps: int | None = None,
        illegal: str = "stay",
        distance: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError("render_mode is only available for a single environment")
        mode = AutoresetMode(autoreset_mode)
        self._environments = _make(
            num_envs, size, goal, reward, max_episode_steps, _RESTARTS[mode], illegal
        )
        self._pool = pool
        self._environments.set_starts(length=length, walk=walk, pool=pool)
        self._solver = Solver(goal=goal) if distance else None
        self._same_step = mode is AutoresetMode.SAME_STEP
        self._seeded = False
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._all.flags.writeable = False
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        height, width = self._environments.shape
        self.single_observation_space = Box(0, height * width - 1, (height, width), np.uint8)
        self.single_action_space = Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _info(
        self, boards: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]
    ) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": masks, "_action_mask": self._all}
        if self._solver is not None:
            info["distance"] = self._solver.distance(boards)
            info["_distance"] = self._all
        return info

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            if self._seeded:
                return [None] * self.num_envs
            seed = int(self.np_random.integers(2**63))
        if isinstance(seed, str) or not isinstance(seed, (Sequence, np.ndarray)):
            first = _seed(seed)
            assert first is not None
            return [(first + number) % 2**64 for number in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        return [_seed(one) for one in seed]

    def _chosen(self, mask: Any) -> list[int]:
        if mask is None:
            return list(range(self.num_envs))
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},)")
        return [int(number) for number in np.flatnonzero(mask)]

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start an episode in each environment: the first one of its seed, or without a seed the next one of its current seed.

        Environment ``i`` gets the seed ``seed + i``, or that of a list. Options: ``length`` or ``walk`` change the starts of
        all further episodes, ``boards`` are the starts of these episodes, uint8 (N, H, W) or N texts, and ``reset_mask``, bool (N,),
        selects the environments to reset.
        """
        options = options or {}
        _check_options(options, _VECTOR_OPTIONS)
        chosen = self._chosen(options.get("reset_mask"))
        boards = options.get("boards")
        if isinstance(boards, Sequence):
            boards = [_array(board) for board in boards]
        # All options are checked before any of them has an effect.
        if "boards" in options:
            self._environments.check_boards(chosen, boards)
        seeds = self._seeds(seed)
        if "length" in options or "walk" in options:
            self._environments.set_starts(
                length=options.get("length"), walk=options.get("walk"), pool=self._pool
            )
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._seeded = True
        if "boards" in options:
            self._environments.reset_to(chosen, boards)
        else:
            self._environments.reset([(number, seeds[number]) for number in chosen])
        boards, masks = self._environments.state()
        return boards, self._info(boards, masks)

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Apply one action in each environment; ``actions`` has shape (N,)."""
        if not self._seeded:
            raise ValueError("reset has to be called before step")
        boards, rewards, terminated, truncated, masks = self._environments.step(actions)
        info = self._info(boards, masks)
        if self._same_step and (terminated.any() or truncated.any()):
            self._add_final(info)
        return boards, rewards, terminated, truncated, info

    def _add_final(self, info: dict[str, Any]) -> None:
        """Add the final boards of the episodes that have ended, in the format of gymnasium."""
        numbers, boards, masks = self._environments.ended()
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        ended[numbers] = True
        last = np.full(self.num_envs, None, dtype=object)
        for number, board in zip(numbers, boards, strict=True):
            last[number] = board
        all_masks = np.zeros((self.num_envs, 4), dtype=np.int8)
        all_masks[numbers] = masks
        final: dict[str, Any] = {"action_mask": all_masks, "_action_mask": ended}
        if self._solver is not None:
            distances = self._solver.distance(boards)
            final["distance"] = np.zeros(self.num_envs, dtype=distances.dtype)
            final["distance"][numbers] = distances
            final["_distance"] = ended
        info.update(final_obs=last, _final_obs=ended, final_info=final, _final_info=ended)
