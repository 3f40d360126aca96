"""Measures the steps per second of 4,096 4x4 environments, and of jumanji's if installed. Pin it: taskset -c 0 python …"""

import statistics
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import loyd  # noqa: F401 (registers the environments)

COUNT, STEPS, REPEATS = 4096, 500, 15


def report(name: str, step: Callable[[int], object]) -> None:
    """Print the median rate over several repeats."""
    step(0)
    rates = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for number in range(STEPS):
            step(number)
        rates.append(COUNT * STEPS / (time.perf_counter() - start))
    print(f"{name}: {statistics.median(rates) / 1e6:.1f} M steps per second")


def ours() -> None:
    """Measure all rewards with random actions."""
    generator = np.random.default_rng(0)
    actions = generator.integers(0, 4, (64, COUNT))
    for reward in ("step", "goal", "misplaced", "manhattan"):
        many = gymnasium.make_vec("Loyd/Sliding-4x4-v0", num_envs=COUNT, reward=reward)
        many.reset(seed=1)
        report(f"VectorEnv.step, reward {reward}", lambda number: many.step(actions[number % 64]))


def jumanji() -> None:
    """Measure the same number of jumanji's environments, compiled for the CPU."""
    import jax
    from jumanji.environments import SlidingTilePuzzle
    from jumanji.environments.logic.sliding_tile_puzzle.generator import RandomWalkGenerator

    environment = SlidingTilePuzzle(RandomWalkGenerator(grid_size=4, num_random_moves=100))
    state, _ = jax.jit(jax.vmap(environment.reset))(jax.random.split(jax.random.PRNGKey(0), COUNT))
    move = jax.jit(jax.vmap(environment.step))
    actions = jax.random.randint(jax.random.PRNGKey(1), (64, COUNT), 0, 4)

    def step(number: int) -> None:
        nonlocal state
        state, _ = jax.block_until_ready(move(state, actions[number % 64]))

    report("jumanji, vmap and jit", step)


ours()
try:
    jumanji()
except ImportError:
    print("jumanji: not installed")
