"""jumanji: boards and labels in the format of its sliding tile puzzle, which has another order of actions."""

import jax
import jax.numpy as jnp
import numpy as np
from jumanji.environments.logic.sliding_tile_puzzle import SlidingTilePuzzle
from jumanji.environments.logic.sliding_tile_puzzle.generator import RandomWalkGenerator
from jumanji.environments.logic.sliding_tile_puzzle.types import Observation

import loyd

# jumanji's actions move the blank up, right, down and left; these are the corresponding actions of Loyd.
ACTIONS = [0, 2, 3, 1]


def observe(boards: np.ndarray) -> Observation:
    """Return observations of boards (B, N, N), like those of jumanji's `vmap(reset)`."""
    blanks = np.argwhere(boards == 0)[:, 1:]
    legal = loyd.neighbours(boards)[1][:, ACTIONS]
    return Observation(jnp.int32(boards), jnp.int32(blanks), jnp.asarray(legal), jnp.zeros(len(boards), jnp.int32))


def optimal(boards: np.ndarray) -> jax.Array:
    """Return the optimal actions of boards in jumanji's order, bool (B, 4), as targets for a policy."""
    return jnp.asarray(loyd.optimal_actions(boards)[:, ACTIONS])


if __name__ == "__main__":
    environment = SlidingTilePuzzle(RandomWalkGenerator(3, num_random_moves=40))
    states, steps = jax.vmap(environment.reset)(jax.random.split(jax.random.key(1), 50))
    boards = np.asarray(states.puzzle).astype(np.uint8)
    for made, seen in zip(observe(boards), steps.observation):
        assert made.dtype == seen.dtype and (made == seen).all()
    # Each optimal action leads one step nearer to the goal.
    step = jax.jit(jax.vmap(environment.step))
    for remaining in range(int(loyd.distance(boards).max()), 0, -1):
        before = loyd.distance(boards)
        states, _ = step(states, jnp.argmax(optimal(boards), axis=1))
        boards = np.where(before[:, None, None] > 0, np.asarray(states.puzzle), boards).astype(np.uint8)
        states.puzzle = jnp.int32(boards)
        states.empty_tile_position = observe(boards).empty_tile_position
        assert (loyd.distance(boards) == np.maximum(before, 1) - 1).all()
    assert (loyd.distance(boards) == 0).all()
